"""The permission table: every address × method × person → status.

`MEMBERS` names who may; everybody else gets 302 to the sign-in page (nobody signed in), 404 (not a
member of the study) or 403 (a member whose role does not reach that far).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

PEOPLE = (
    "anonymous",
    "stranger",
    "other_owner",
    "site_administrator",
    "worker",
    "expert",
    "researcher",
    "owner",
)
MEMBERS = ("worker", "expert", "researcher", "owner")
EVERYBODY = frozenset(PEOPLE)
SIGNED_IN = frozenset(PEOPLE[1:])
ANY_MEMBER = frozenset(MEMBERS)
RESEARCH = frozenset({"researcher", "owner"})
OWNERS = frozenset({"owner"})
WORKERS = frozenset({"worker"})
EXPERTS = frozenset({"expert"})
NOBODY: frozenset[str] = frozenset()

Arguments = Callable[[Any], list[Any]]


def no_arguments(_world: Any) -> list[Any]:
    return []


def slug(world: Any) -> list[Any]:
    return [world.cast.study.slug]


@dataclass(frozen=True)
class Row:
    """One address and method: who may, and what they get."""

    name: str
    method: str
    may: frozenset[str]
    ok: int = 200
    arguments: Arguments = slug
    body: dict[str, Any] = field(default_factory=dict)
    in_study: bool = True
    refused: int = 0  # what somebody signed in gets outside a study when they may not

    def status_for(self, person: str) -> int:
        if person in self.may:
            return self.ok
        if person == "anonymous":
            return 302
        if not self.in_study:
            return self.refused
        return 403 if person in MEMBERS else 404


def of(attribute: str, field_name: str = "pk") -> Arguments:
    """Arguments: the study's slug and a field of something in the world."""

    def arguments(world: Any) -> list[Any]:
        return [world.cast.study.slug, getattr(getattr(world, attribute), field_name)]

    return arguments


def outside(name: str, method: str, may: frozenset[str], ok: int = 200, **more: Any) -> Row:
    more = {"arguments": no_arguments, **more}
    return Row(name, method, may, ok, in_study=False, **more)


GROUND = [
    outside("healthz", "GET", EVERYBODY),
    outside("home", "GET", SIGNED_IN),
    outside("profile", "GET", SIGNED_IN),
    outside("profile", "POST", SIGNED_IN, body={"name": ""}),
    outside("new_study", "GET", frozenset({"site_administrator"}), refused=403),
    outside("new_study", "POST", frozenset({"site_administrator"}), refused=403),
    Row("study", "GET", ANY_MEMBER),
    Row("protocol", "GET", OWNERS),
    Row("protocol", "POST", OWNERS),
    Row("members", "GET", OWNERS),
    Row("members", "POST", OWNERS),
    Row("member", "GET", OWNERS, arguments=of("worker", "pseudonym")),
    Row("member", "POST", OWNERS, arguments=of("worker", "pseudonym")),
    Row("member_password", "GET", NOBODY, arguments=of("worker", "pseudonym")),
    Row("member_password", "POST", OWNERS, arguments=of("worker", "pseudonym")),
    Row("posts", "GET", RESEARCH),
    Row("post", "GET", RESEARCH, arguments=of("post")),
    Row("imports", "GET", RESEARCH),
    Row("imports", "POST", RESEARCH),
    Row("import", "GET", RESEARCH, arguments=of("file")),
    Row("import", "POST", RESEARCH, arguments=of("file")),
    Row("bad_rows", "GET", RESEARCH, arguments=of("file")),
    Row("jobs", "GET", RESEARCH),
    Row("job", "GET", RESEARCH, arguments=of("job")),
    Row("job_cancel", "POST", RESEARCH, 302, arguments=of("job")),
    Row("job_retry", "POST", RESEARCH, 302, arguments=of("job")),
]
