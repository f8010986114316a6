"""How accounts are opened: never by strangers; and who is signed in."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from django.http import HttpRequest

from annotation.models import User
from annotation.queries.rows import Columns, Statement

PERSON = Columns("person", User)
SIGNED_IN = Statement(
    "signed_in",
    f"SELECT {PERSON.sql} FROM annotation_user AS person WHERE id = $1 AND is_active",  # noqa: S608
)


class Accounts(AuthenticationBackend):
    """Signs people in as allauth does, and finds them again on each request."""

    def get_user(self, user_id: Any) -> User | None:
        """Return who is signed in, unless they may not sign in any more."""
        row = SIGNED_IN.row(user_id)
        return PERSON.read(row) if row else None


class ClosedAccountAdapter(DefaultAccountAdapter):
    """Sign-up is closed; owners and site administrators make accounts."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse every stranger."""
        return False
