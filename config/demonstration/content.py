"""Reads the demonstration's content; refuses nothing, because it is our own and tested."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
SHOWN = ("id", "text", "created_at", "topic")


@dataclass(frozen=True)
class Content:
    """What the demonstration is made of. `posts` also say how the invented people answer."""

    study: dict[str, Any]
    people: list[dict[str, Any]]
    posts: list[dict[str, Any]]

    @cached_property
    def by_id(self) -> dict[str, dict[str, Any]]:
        """Return the posts by id."""
        return {post["id"]: post for post in self.posts}

    def ids_between(self, first: str, last: str) -> list[str]:
        """Return the ids of a part of the posts, both ends included."""
        return [post["id"] for post in self.posts if first <= post["id"] <= last]

    def import_file(self) -> bytes:
        """Return the posts as a file to import: without the answers."""
        lines = ({name: post[name] for name in SHOWN} for post in self.posts)
        return "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()


def read_content() -> Content:
    """Return the content that is shipped."""
    posts = (FOLDER / "posts.jsonl").read_text(encoding="utf-8").splitlines()
    return Content(
        study=yaml.safe_load((FOLDER / "study.yaml").read_text(encoding="utf-8")),
        people=yaml.safe_load((FOLDER / "people.yaml").read_text(encoding="utf-8"))["people"],
        posts=[json.loads(line) for line in posts],
    )
