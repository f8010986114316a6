"""Which posts want to be looked at together, and what was said and decided on one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Member, Post, StageCode, Study, Vote
from annotation.queries.counts import PER_POST, rounds_of
from legal.models import Decision, LegalAnswer, Remark, TieRule
from legal.queries.completeness import COMPLETE, COMPLETE_VOTES
from legal.queries.settings import settings_of

TIES, DISCUSS, DIFFER, DECIDED = "ties", "discuss", "differ", "decided"
WHICH = {
    TIES: gettext_lazy("No label has most votes"),
    DISCUSS: gettext_lazy("An expert wants to look at it together"),
    DIFFER: gettext_lazy("An answer is not the one that follows"),
    DECIDED: gettext_lazy("Decided"),
}

TIED = f"""
    SELECT posts.post_id FROM ({PER_POST}) AS posts
    WHERE {COMPLETE.format(post="posts.post_id")} AND 1 < (
        SELECT count(*) FROM unnest(counts) AS votes
        WHERE votes = (SELECT max(most) FROM unnest(counts) AS most))
"""  # noqa: S608 -- constants

ANSWERED = f"""
    SELECT DISTINCT votes.post_id FROM ({COMPLETE_VOTES}) AS votes
        JOIN legal_legalanswer AS answer ON answer.id = votes.answer_id WHERE
"""  # noqa: S608 -- constants

SQL = {
    TIES: TIED,
    DISCUSS: f"{ANSWERED} answer.discuss",
    DIFFER: f"{ANSWERED} answer.derived <> votes.label",
}


def decisions_on(posts: Collection[int]) -> dict[int, Decision]:
    """Return the decision that holds on each of these posts that has one."""
    found = Decision.objects.filter(post__in=posts).select_related("member")
    return {one.post_id: one for one in found.order_by("post", "version")}


def posts_of_kind(study: Study, which: str) -> set[int]:
    """Return the complete posts of one of the kinds in WHICH."""
    if which == DECIDED:
        decided = Decision.objects.filter(post__study=study)
        return set(decided.values_list("post_id", flat=True).distinct())
    with connection.cursor() as cursor:
        cursor.execute(SQL[which], rounds_of(study, StageCode.LEGAL).parameters)
        return {post_id for (post_id,) in cursor.fetchall()}


def posts_by_kind(study: Study) -> dict[str, set[int]]:
    """Return the complete posts of each kind; what is decided waits under no other."""
    found = {which: posts_of_kind(study, which) for which in WHICH}
    for which in (TIES, DISCUSS):
        found[which] -= found[DECIDED]
    return found


def waiting(study: Study) -> int:
    """Return how many posts wait for an adjudicator: by the study's rule, or an expert's wish."""
    wanted = posts_of_kind(study, DISCUSS)
    if settings_of(study).tie_rule == TieRule.ADJUDICATE:
        wanted |= posts_of_kind(study, TIES)
    return len(wanted - posts_of_kind(study, DECIDED))


def posts_in_order(posts: Collection[int]) -> QuerySet[Post]:
    """Return posts by id, for a page."""
    return Post.objects.filter(pk__in=posts).order_by("pk")


@dataclass(frozen=True)
class Voice:
    """One expert's current vote on a post under a letter, so that nobody's name sways anybody."""

    letter: str
    vote: Vote
    is_own: bool


def voices(votes: Sequence[Vote], reader: Member) -> list[Voice]:
    """Return the votes on a post under letters, in the order in which they were first given."""
    return [
        Voice(letter_of(place), vote, vote.member_id == reader.pk)
        for place, vote in enumerate(votes)
    ]


def letter_of(place: int) -> str:
    """Return A, B, … Z, A2, B2, …"""
    again, letter = divmod(place, len(ascii_uppercase))
    return ascii_uppercase[letter] + (str(again + 1) if again else "")


def discussion(post: Post, said: Sequence[Voice]) -> list[tuple[str, Remark]]:
    """Return what was said on a post, oldest first, with who said it: a letter, or adjudicator."""
    letters = {voice.vote.member_id: voice.letter for voice in said}
    remarks = Remark.objects.filter(post=post).order_by("pk")
    return [(letters.get(one.member_id, _("Adjudicator")), one) for one in remarks]


def differing(study: Study) -> tuple[int, int]:
    """Return how many answers on complete posts differ from what follows, and of how many."""
    sql = f"""
        SELECT count(*) FILTER (WHERE answer.derived <> votes.label), count(*)
        FROM ({COMPLETE_VOTES}) AS votes
            JOIN legal_legalanswer AS answer ON answer.id = votes.answer_id
    """  # noqa: S608 -- constants
    with connection.cursor() as cursor:
        cursor.execute(sql, rounds_of(study, StageCode.LEGAL).parameters)
        differ, answers = cursor.fetchone()
    return differ, answers


def differing_answers(study: Study) -> QuerySet[LegalAnswer]:
    """Return the answers on complete posts that differ from what follows, newest first."""
    posts = posts_of_kind(study, DIFFER)
    current = Vote.objects.filter(task__post__in=posts, task__stage=StageCode.LEGAL).counting()
    return (
        LegalAnswer.objects.filter(vote__in=current)
        .differing()
        .select_related("vote__member", "vote__task__post")
        .order_by("-vote")
    )
