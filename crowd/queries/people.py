"""The crowd's people as researchers see them: how much they did, and how well."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Aggregate, Count, F, FloatField, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.models import (
    Assignment,
    AssignmentState,
    Member,
    SkipReason,
    StageCode,
    Standing,
    StandingState,
    Study,
    Vote,
    worked_at,
)
from annotation.queries.counts import RoundsDiffer, rounds_of
from annotation.queries.progress import annotators_of
from crowd.models import Flag, GoldSource, Reliability
from crowd.queries.checks import current_check_votes
from crowd.queries.estimates import newest_estimate
from crowd.queries.majorities import Compared, compared_with_others


class Median(Aggregate):
    """The median of a column; null values are left out."""

    function = "percentile_cont"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


@dataclass(frozen=True)
class Hits:
    """How many of some answers were right."""

    of: int = 0
    right: int = 0

    @property
    def share(self) -> float | None:
        """Return the share that was right; None without an answer."""
        return self.right / self.of if self.of else None


@dataclass(frozen=True)
class Skips:
    """How many of the posts that ended in somebody's hands were skipped; harm is never counted."""

    of: int = 0
    skipped: int = 0

    @property
    def share(self) -> float | None:
        """Return the share that was skipped; None without a post."""
        return self.skipped / self.of if self.of else None


@dataclass(frozen=True)
class PersonFigures:
    """One person's work at the crowd stage. Undefined figures are None."""

    member: Member
    votes: int
    state: str = StandingState.ACTIVE
    seconds: float | None = None
    gold: Hits = field(default_factory=Hits)
    attention: Hits = field(default_factory=Hits)
    others: Compared = field(default_factory=Compared)
    skips: Skips = field(default_factory=Skips)
    flags: int = 0
    skill: float | None = None

    @property
    def state_word(self) -> str:
        """Return how the person stands, in words."""
        return str(StandingState(self.state).label)


SORTS: dict[str, Any] = {
    "votes": lambda row: row.votes,
    "gold": lambda row: row.gold.share,
    "attention": lambda row: row.attention.share,
    "agreement": lambda row: row.others.share,
    "skill": lambda row: row.skill,
    "seconds": lambda row: row.seconds,
    "skips": lambda row: row.skips.share,
    "flags": lambda row: row.flags,
}


def people_figures(study: Study) -> list[PersonFigures]:
    """Return everybody who voted with the crowd, most votes first."""
    found = figures_of(study, annotators_of(study, StageCode.CROWD))
    return sorted(found, key=lambda row: (-row.votes, row.member.pk))


def figures_of(study: Study, members: Iterable[Member]) -> list[PersonFigures]:
    """Return the figures of some members of a study, in their order."""
    members = list(members)
    votes = Vote.objects.filter(member__in=members, task__stage=StageCode.CROWD, version=1)
    counted = votes.values("member").annotate(number=Count("pk"), middle=Median("seconds"))
    rows: dict[int, Any] = {row["member"]: row for row in counted.order_by()}
    more = Figures(study)
    return [
        more.of(member, rows.get(member.pk, {"number": 0, "middle": None})) for member in members
    ]


def in_order(rows: Iterable[PersonFigures], by: str, *, descending: bool) -> list[PersonFigures]:
    """Return people by a figure; those of whom it is not known come last in either order."""
    value = SORTS[by]
    known = [row for row in rows if value(row) is not None]
    unknown = [row for row in rows if value(row) is None]
    return [*sorted(known, key=value, reverse=descending), *unknown]


class Figures:
    """What is known of all people of a study besides their votes, by member."""

    def __init__(self, study: Study) -> None:
        self.states = dict(
            Standing.objects.filter(member__study=study, stage=StageCode.CROWD).values_list(
                "member", "state"
            )
        )
        self.hits = hits_of(study)
        self.others = others_of(study)
        self.skips = skips_of(study)
        flags = Flag.objects.filter(member__study=study, settled_at=None).order_by()
        self.flags = dict(flags.values_list("member").annotate(number=Count("pk")))
        self.skills = dict(
            Reliability.objects.filter(estimate=newest_estimate(study)).values_list(
                "member", "skill"
            )
        )

    def of(self, member: Member, row: dict[str, Any]) -> PersonFigures:
        """Return one person's figures."""
        key = member.pk
        return PersonFigures(
            member=member,
            votes=row["number"],
            state=self.states.get(key, StandingState.ACTIVE),
            seconds=row["middle"],
            gold=self.hits.get((key, GoldSource.POOL), Hits()),
            attention=self.hits.get((key, GoldSource.ATTENTION), Hits()),
            others=self.others.get(key, Compared()),
            skips=self.skips.get(key, Skips()),
            flags=self.flags.get(key, 0),
            skill=self.skills.get(key),
        )


def hits_of(study: Study) -> dict[tuple[int, str], Hits]:
    """Return how many checks each person answered right, by where the answer is from."""
    source, answer = "task__post__gold_label__source", F("task__post__gold_label__label")
    rows = (
        current_check_votes(study)
        .values_list("member", source)
        .annotate(of=Count("pk"), right=Count("pk", filter=Q(label=answer)))
        .order_by()
    )
    return {(member, found): Hits(of, right) for member, found, of, right in rows}


def others_of(study: Study) -> dict[int, Compared]:
    """Return how each person's votes compare with the others'; nothing where rounds differ."""
    try:
        return compared_with_others(rounds_of(study, StageCode.CROWD))
    except RoundsDiffer:
        return {}


def skips_of(study: Study) -> dict[int, Skips]:
    """Return how many posts each person skipped, of those that they voted on or skipped."""
    rows = (
        ended_assignments(study)
        .values("member")
        .annotate(of=Count("pk"), skipped=Count("pk", filter=Q(state=AssignmentState.SKIPPED)))
        .order_by()
    )
    return {row["member"]: Skips(row["of"], row["skipped"]) for row in rows}


def ended_assignments(study: Study) -> QuerySet[Assignment]:
    """Return the posts that were voted on or skipped; what was skipped as harmful costs nobody."""
    ended = (AssignmentState.SUBMITTED, AssignmentState.SKIPPED)
    return Assignment.objects.filter(
        member__study=study, task__stage__in=worked_at(StageCode.CROWD), state__in=ended
    ).exclude(skip_reason=SkipReason.HARMFUL)


@dataclass(frozen=True)
class LabelShare:
    """How often somebody chose a label, beside how often all did."""

    code: str
    name: str
    votes: int
    share: float | None
    of_all: float | None


def label_shares(study: Study, member: Member, names: dict[str, str]) -> list[LabelShare]:
    """Return one person's labels beside everybody's, in the order of the rounds' labels."""
    counting = Vote.objects.counting().filter(task__stage=StageCode.CROWD, member__study=study)
    by_label = counting.values_list("label").order_by()
    everybody = dict(by_label.annotate(number=Count("pk")))
    mine = dict(by_label.filter(member=member).annotate(number=Count("pk")))
    total, own = sum(everybody.values()), sum(mine.values())
    return [
        LabelShare(
            code=code,
            name=names.get(code, code),
            votes=mine.get(code, 0),
            share=mine.get(code, 0) / own if own else None,
            of_all=everybody[code] / total,
        )
        for code in in_label_order(study, everybody)
    ]


def in_label_order(study: Study, codes: Iterable[str]) -> list[str]:
    """Return label codes in the order of the rounds that have them."""
    batches = study.batches.filter(stage=StageCode.CROWD).order_by("number")
    known = [code for labels in batches.values_list("labels", flat=True) for code in labels]
    return [code for code in dict.fromkeys(known) if code in set(codes)]


def why_no_agreement(study: Study) -> str:
    """Say why nobody's agreement with the others can be told; empty where it can."""
    try:
        rounds_of(study, StageCode.CROWD)
    except RoundsDiffer:
        return _("The rounds have different labels, so votes cannot be compared across them.")
    return ""
