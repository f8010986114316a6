"""The votes of a stage, row by row, for whoever takes them out."""

from typing import Any

from django.db.models import F, Q

from annotation.access import Access
from annotation.models import StageCode, Vote
from annotation.models.votes import is_newest
from annotation.queries.vote_streams import VotesAsked
from crowd.queries.gold import open_to
from crowd.queries.rounds import hidden_posts

COLUMNS = {
    "post": F("task__post__external_id"),
    "batch": F("task__batch__number"),
    "annotator": F("member__pseudonym"),
}
FIELDS = ("id", "post", "batch", "annotator", "version", "label", "seconds", "guide_version")
FLAGS = ("is_current", "counts", "created_at")


def exported_votes(access: Access, stage: str, asked: VotesAsked) -> Any:
    """Return the votes of a stage that are asked for as rows, in the order in which they came.

    Left out are those of posts on which the person has yet to vote, and of the gold pool all that
    its page hides from them.
    """
    votes = Vote.objects.filter(task__batch__study=access.study, task__stage=stage)
    if stage == StageCode.GOLD:
        is_told = Q(task__in=open_to(access.member, access.study).order_by())
    else:
        is_told = ~Q(task__post__in=hidden_posts(access))
    stands = Q(counted=True, place__vacated_at=None)
    rows = votes.filter(is_told).annotate(is_current=is_newest(), **COLUMNS)
    rows = rows.annotate(counts=Q(is_current=True) & stands)
    if not asked.all_versions:
        rows = rows.filter(is_current=True)
    return asked.part(rows.values(*FIELDS, *FLAGS), blind=votes.filter(~is_told))
