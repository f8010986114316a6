"""The human ceiling: each expert's votes scored as predictions, against the verdict.

Twice: against the verdict as it stands, which the expert's own vote has helped to make (so did the
paper), and against what the others on the post say alone. Only posts that have all their votes
enter. A tie counts as Unclear, also among the others; an adjudicator's decision goes before both
majorities. Where there is no decision and nobody else voted, there is no second.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from django.db import connection

from annotation.access import Access
from annotation.aggregation import majority
from annotation.models import Member, Post, StageCode, Study
from annotation.models.votes import COUNTING
from annotation.queries.counts import PER_POST, Rounds, rounds_of
from annotation.scoring import Scores, Spread, scores, spread
from legal.models import LABELS, Misinformation, Y
from legal.queries.agreement import hidden_posts
from legal.queries.completeness import COMPLETE
from legal.queries.settings import settings_of
from legal.queries.summary import DECIDED

BLOCK = 2_000

OWN = f"""
    SELECT vote.member_id, task.post_id, vote.label, posts.counts, decided.label AS decision
    FROM annotation_vote AS vote
        JOIN annotation_task AS task ON task.id = vote.task_id
        JOIN ({PER_POST}) AS posts ON posts.post_id = task.post_id
        LEFT JOIN ({DECIDED}) AS decided ON decided.post_id = task.post_id
    WHERE task.batch_id = ANY(%(batches)s) AND {COUNTING} AND {COMPLETE.format(post="task.post_id")}
"""  # noqa: S608 -- constants

BY_EXPERT = f"""
    SELECT member_id, label, counts, decision, count(*) FROM ({OWN}) AS own
    GROUP BY member_id, label, counts, decision
"""  # noqa: S608 -- constants

OF_EXPERT = f"""
    SELECT post_id, label, counts, decision FROM ({OWN}) AS own
    WHERE member_id = %(member)s ORDER BY post_id
"""  # noqa: S608 -- constants


@dataclass(frozen=True)
class Judged:
    """A vote of an expert beside the verdict, and beside what the others say (None: nobody)."""

    own: str
    verdict: str
    others: str | None


@dataclass(frozen=True)
class BothScores:
    """Scores against the verdict, and against the others alone."""

    verdict: Scores
    others: Scores


@dataclass(frozen=True)
class ExpertScores:
    """An expert's scores; `is_counted` says whether there are votes enough for the means."""

    member: Member
    scores: BothScores
    is_counted: bool


@dataclass(frozen=True)
class Level:
    """Mean and deviation of each score over the experts that count."""

    bin_f1: Spread
    ma_f1: Spread
    mi_f1: Spread


@dataclass(frozen=True)
class Ceiling:
    """The scores of all experts, and the level of those with more than `least` votes."""

    least: int
    experts: tuple[ExpertScores, ...]
    verdict: Level
    others: Level

    @property
    def counted(self) -> int:
        """Return how many experts count."""
        return sum(one.is_counted for one in self.experts)


def human_ceiling(study: Study) -> Ceiling:
    """Return how well experts do, those with most votes first."""
    rounds = rounds_of(study, StageCode.LEGAL)
    least = settings_of(study).ceiling_votes
    found: dict[int, list[tuple[Judged, int]]] = {}
    with connection.cursor() as cursor:
        cursor.execute(BY_EXPERT, rounds.parameters)
        for member_id, *said, posts in cursor.fetchall():
            found.setdefault(member_id, []).append((judged_by(rounds, *said), posts))
    people = Member.objects.in_bulk(found)
    experts = [expert_scores(people[pk], judged, least) for pk, judged in found.items()]
    counted = [one.scores for one in experts if one.is_counted]
    return Ceiling(
        least=least,
        experts=tuple(sorted(experts, key=lambda one: (-one.scores.verdict.posts, one.member.pk))),
        verdict=level([one.verdict for one in counted]),
        others=level([one.others for one in counted]),
    )


def judged_by(rounds: Rounds, label: str, counts: Sequence[int], decision: str | None) -> Judged:
    """Return a vote beside the verdict on its post, and beside that of the others."""
    by_label = dict(zip(rounds.labels, counts, strict=True))
    without = by_label | {label: by_label[label] - 1}
    others = label_of(without) if any(without.values()) else None
    return Judged(own=label, verdict=decision or label_of(by_label), others=decision or others)


def label_of(counts: Mapping[str, int]) -> str:
    """Return the label with most votes; a tie counts as Unclear."""
    return majority(counts).label or Misinformation.UNCLEAR


def expert_scores(
    member: Member, judged: Collection[tuple[Judged, int]], least: int
) -> ExpertScores:
    """Return how an expert did."""
    found = scores_of(judged)
    return ExpertScores(member, found, is_counted=found.verdict.posts > least)


def scores_of(judged: Iterable[tuple[Judged, int]]) -> BothScores:
    """Return the scores of votes that were judged, each with the number of its posts."""
    against_verdict: Counter[tuple[int, int]] = Counter()
    against_others: Counter[tuple[int, int]] = Counter()
    for one, posts in judged:
        against_verdict[Y[one.verdict], Y[one.own]] += posts
        if one.others is not None:
            against_others[Y[one.others], Y[one.own]] += posts
    return BothScores(verdict=scores(against_verdict), others=scores(against_others))


def level(found: Collection[Scores]) -> Level:
    """Return mean and deviation of each score."""
    return Level(
        bin_f1=spread(one.bin_f1 for one in found),
        ma_f1=spread(one.ma_f1 for one in found),
        mi_f1=spread(one.mi_f1 for one in found),
    )


def judged_posts(access: Access, member: Member) -> list[tuple[int, Judged]]:
    """Return the ids of the posts on which an expert is scored, in the order of import.

    Those on which whoever looks has yet to vote are left out.
    """
    rounds = rounds_of(access.study, StageCode.LEGAL)
    hidden = hidden_posts(access, rounds)
    with connection.cursor() as cursor:
        cursor.execute(OF_EXPERT, {**rounds.parameters, "member": member.pk})
        found = [(post_id, judged_by(rounds, *said)) for post_id, *said in cursor.fetchall()]
    return [(post_id, judged) for post_id, judged in found if post_id not in hidden]


def with_posts(found: Sequence[tuple[int, Judged]]) -> list[tuple[Post, Judged]]:
    """Return judged votes with their posts in place of their ids."""
    posts = Post.objects.only("external_id", "text").in_bulk([post_id for post_id, _one in found])
    return [(posts[post_id], judged) for post_id, judged in found]


def rows_of(found: Sequence[tuple[int, Judged]]) -> Iterator[dict[str, str | None]]:
    """Yield judged votes as rows of a file."""
    for start in range(0, len(found), BLOCK):
        for post, judged in with_posts(found[start : start + BLOCK]):
            yield {"post_id": post.external_id, **asdict(judged)}


def crossed(
    judged: Iterable[Judged], *, by_others: bool
) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return by each own label how often it met each verdict (or label of the others)."""
    met = Counter((one.own, one.others if by_others else one.verdict) for one in judged)
    order = tuple(reversed(LABELS))
    return [(own, [(label, met[own, label]) for label in order]) for own in order]
