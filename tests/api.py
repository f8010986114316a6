"""Asks the API as somebody, with a token of theirs."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotation.models import Member, User
from annotation.services.tokens import make_token


@dataclass
class Caller:
    """Somebody with a token."""

    secret: str
    slug: str = ""

    def ask(self, method: str, name: str, *more: Any, body: Any = None, **query: Any) -> Any:
        """Ask an endpoint of the person's study by its name."""
        arguments = [self.slug, *more] if self.slug else more
        address = reverse(f"api_{name}", args=arguments, query=query or None)
        return self.send(method, address, "" if body is None else json.dumps(body))

    def send(self, method: str, address: str, content: str | bytes = "") -> HttpResponse:
        """Send what is not necessarily JSON."""
        headers = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        client = Client(raise_request_exception=False)
        return client.generic(method, address, content, "application/json", headers=headers)

    def get(self, name: str, *more: Any, **query: Any) -> Any:
        """Read."""
        return self.ask("GET", name, *more, **query)

    def post(self, name: str, *more: Any, body: Any = None) -> Any:
        """Send JSON."""
        return self.ask("POST", name, *more, body=body or {})

    def patch(self, name: str, *more: Any, body: Any = None) -> Any:
        """Change something."""
        return self.ask("PATCH", name, *more, body=body or {})


def caller(person: Member | User) -> Caller:
    """Give somebody a token."""
    user = person.user if isinstance(person, Member) else person
    assert user
    slug = person.study.slug if isinstance(person, Member) else ""
    return Caller(make_token(by=user, name="a test")[1], slug)


def refusal_of(answer: Any) -> tuple[int, str]:
    """Return the code of an answer and the word of its problem; it has all that each one has."""
    assert answer["Content-Type"] == "application/problem+json", answer.content
    told = answer.json()
    assert set(told) == {"type", "title", "status", "detail", "fields"}
    assert told["title"] and told["detail"] and told["status"] == answer.status_code
    return answer.status_code, told["type"].removeprefix("/problems/")
