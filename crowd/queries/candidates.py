"""Candidates as researchers see them: their newest test, their score, and what was decided."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, FloatField, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Cast, NullIf
from django.utils.translation import gettext_lazy

from annotation.models import Member, SkipReason, Study
from crowd.models import PrescreeningTest, Qualified
from crowd.models.defaults import AMBIGUOUS, AMBIGUOUS_NAME
from crowd.queries.prescreening import AnswerRow, rows_of, taken_tests

# What the list can be ordered by: the name in the address, the column and its heading.
SORTS = {
    "person": ("pseudonym", gettext_lazy("Pseudonym")),
    "decision": ("decision", gettext_lazy("Decision")),
    "outcome": ("outcome", gettext_lazy("Newest test")),
    "share": ("share", gettext_lazy("Agreement")),
    "scored": ("scored", gettext_lazy("Scored votes")),
    "tests": ("test_count", gettext_lazy("Tests")),
    "votes": ("vote_count", gettext_lazy("Votes")),
}
NUMBERS = {"share", "scored", "tests", "votes"}


def candidates(study: Study, sort: str = "") -> QuerySet[Any]:
    """Return the members who took a test, in the order asked for; newest candidates first."""
    newest = PrescreeningTest.objects.filter(sitting__member=OuterRef("pk")).order_by("-number")
    decided = Qualified.objects.filter(qualification__study=study, user=OuterRef("user"))
    found = (
        Member.objects.filter(study=study, sittings__prescreening_test__isnull=False)
        .annotate(
            test_count=Count("sittings__prescreening_test"),
            vote_count=Sum("sittings__votes"),
            outcome=Subquery(newest.values("outcome")[:1]),
            correct=Subquery(newest.values("correct")[:1]),
            scored=Subquery(newest.values("scored")[:1]),
            decision=Subquery(decided.values("state")[:1]),
        )
        .annotate(share=Cast("correct", FloatField()) * 100 / NullIf(F("scored"), 0))
    )
    column = SORTS.get(sort.removeprefix("-"), ("",))[0]
    if not column:
        return found.order_by("-pk")
    by = F(column).desc(nulls_last=True) if sort.startswith("-") else F(column).asc(nulls_last=True)
    return found.order_by(by, "pk")


@dataclass(frozen=True)
class Column:
    """A heading that orders the list: what it asks for next, and how it is ordered now."""

    title: Any
    sort: str
    order: str
    is_number: bool


def sorting(sort: str) -> list[Column]:
    """Return the headings of the list."""
    return [
        Column(
            title,
            sort=f"-{name}" if sort == name else name,
            order={name: "ascending", f"-{name}": "descending"}.get(sort, ""),
            is_number=name in NUMBERS,
        )
        for name, (_column, title) in SORTS.items()
    ]


@dataclass(frozen=True)
class ShownAnswer:
    """A post of a test in words."""

    row: AnswerRow
    gold: str
    vote: str
    skip_reason: str


def shown_tests(
    member: Member, names: dict[str, str]
) -> list[tuple[PrescreeningTest, list[ShownAnswer]]]:
    """Return somebody's tests with their posts, the newest test first; one that runs has none."""
    names = names | {AMBIGUOUS: str(AMBIGUOUS_NAME)}
    return [
        (test, [in_words(row, names) for row in rows_of(test)] if test.decided_at else [])
        for test in reversed(taken_tests(member))
    ]


def in_words(row: AnswerRow, names: dict[str, str]) -> ShownAnswer:
    """Return a row with the names of its labels."""
    return ShownAnswer(
        row,
        gold=names.get(row.gold, row.gold),
        vote=names.get(row.vote, row.vote),
        skip_reason=str(SkipReason(row.skip_reason).label) if row.skip_reason else "",
    )
