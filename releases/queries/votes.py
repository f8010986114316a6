"""The rows of votes: of crowd and experts on released posts; people under their names in releases.

A block is cells by column, as the database's driver gives them, so that a million plain votes of a
crowd make no objects. Only experts' votes are read again for what was said beside the label.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from django.db import connection
from django.db.models import (
    BigIntegerField,
    BooleanField,
    Exists,
    ExpressionWrapper,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.db.models.functions import Cast, Extract, Floor

from annotation.models import Exclusion, ExclusionKind, StageCode, Study, Vote
from annotation.models.votes import VoteQuerySet, is_newest
from legal.models import LegalAnswer
from legal.queries.answers import with_all
from releases.choices import Stage, Versions
from releases.queries.sources import Sources

Values = Mapping[str, Sequence[Any]]
BLOCK = 20_000
ANSWERS = 1_000
FIELDS = {
    "id": "pk",
    "post_id": "task__post__external_id",
    "stage": "task__stage",
    "round": "task__batch__number",
    "annotator": "member_id",
    "version": "version",
    "is_current": "is_current",
    "counted": "fills_place",
    "label": "label",
    "seconds": "seconds",
    "guide_version": "guide_version",
    "voted_at": "moment",
}
EXPERTS_CELLS = (
    *("issues", "no_claim", "defence", "evidence", "comment", "derived", "insistence", "kind"),
    *("confidence", "discuss", "claims", "citations", "reasoning"),
)


def released_votes(study: Study, stages: Collection[str] = tuple(Stage)) -> VoteQuerySet:
    """Return the votes of crowd and experts on kept posts; who withdrew is left out altogether."""
    withdrawn = Exclusion.objects.filter(
        member=OuterRef("member"), stage=OuterRef("task__stage"), kind=ExclusionKind.WITHDRAWN
    )
    return Vote.objects.filter(
        ~Exists(withdrawn),
        task__batch__study=study,
        task__stage__in=stages,
        task__post__dropped_reason="",
    )


def chosen_votes(sources: Sources) -> VoteQuerySet:
    """Return the votes of a release: of the chosen stages, in the chosen versions."""
    votes = released_votes(sources.study, sources.choices.stages)
    return votes.current() if sources.choices.versions == Versions.CURRENT else votes


def vote_blocks(sources: Sources, ids: Collection[int] | None = None) -> Iterator[Values]:
    """Yield the cells in blocks, by post, stage, round, person and version."""
    votes = chosen_votes(sources)
    if ids is not None:
        votes = votes.filter(task__post__in=ids)
    sql, parameters = in_order(votes, sources.choices.versions).query.sql_with_params()
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql, parameters)
        while block := cursor.fetchmany(BLOCK):
            cells = dict(zip(FIELDS, zip(*block, strict=True), strict=True))
            yield {**as_released(sources, cells), **experts_cells(cells)}


def in_order(votes: VoteQuerySet, versions: str) -> QuerySet[Any, Any]:
    """Return the fields of votes in the order of their rows."""
    is_current: Any = Value(value=True)
    if versions == Versions.ALL:
        is_current = ExpressionWrapper(is_newest(), output_field=BooleanField())
    fills_place = Q(counted=True, place__vacated_at=None)
    return (
        votes.annotate(
            is_current=is_current,
            fills_place=ExpressionWrapper(fills_place, output_field=BooleanField()),
            moment=Cast(Floor(Extract("created_at", "epoch")), BigIntegerField()),
        )
        .order_by("task__post", "task__stage", "task__batch__number", "member", "version")
        .values_list(*FIELDS.values())
    )


def as_released(sources: Sources, cells: Values) -> Values:
    """Return a block with splits, and with people under their names in releases."""
    split_of = {post: sources.splits.of(post) for post in set(cells["post_id"])}
    return {
        **cells,
        "split": [split_of[post] for post in cells["post_id"]],
        "annotator": [sources.pseudonym(member) for member in cells["annotator"]],
    }


def experts_cells(cells: Values) -> Values:
    """Return what only experts fill, as columns of a block."""
    experts = [
        vote
        for vote, stage in zip(cells["id"], cells["stage"], strict=True)
        if stage == StageCode.LEGAL
    ]
    if not experts:
        nothing = [None] * len(cells["id"])
        return dict.fromkeys(EXPERTS_CELLS, nothing)
    said = answers_to(experts)
    found = [said.get(vote, {}) for vote in cells["id"]]
    return {name: [one.get(name) for one in found] for name in EXPERTS_CELLS}


def answers_to(votes: Sequence[int]) -> dict[int, Mapping[str, Any]]:
    """Return the cells of the experts' answers that belong to some votes, by vote."""
    return {
        answer.vote_id: answer_cells(answer)
        for start in range(0, len(votes), ANSWERS)
        for answer in with_all(LegalAnswer.objects.filter(vote__in=votes[start : start + ANSWERS]))
    }


def answer_cells(answer: LegalAnswer) -> dict[str, Any]:
    """Return the cells of an expert's answer."""
    return {
        "issues": sorted(one.issue.code for one in answer.raised_issues),
        "no_claim": answer.no_claim,
        "defence": answer.defence,
        "evidence": [one.named for one in answer.evidence.all()],
        "comment": answer.comment,
        "derived": answer.derived,
        "insistence": answer.insistence,
        "kind": answer.kind,
        "confidence": answer.confidence,
        "discuss": answer.discuss,
        "claims": [f"{span.start}-{span.end}" for span in answer.spans.all()],
        "citations": citations(answer),
        "reasoning": reasoning(answer),
    }


def citations(answer: LegalAnswer) -> str:
    """Return as JSON which passages were cited, and for which issues."""
    cited = [
        {
            "document": str(one.passage.document),
            "citation": one.passage.document.citation,
            "section": one.passage.section,
            "start": one.passage.start,
            "end": one.passage.end,
            "issue": one.issue.code if one.issue else None,
        }
        for one in answer.citations.all()
    ]
    return json.dumps(cited, ensure_ascii=False)


def reasoning(answer: LegalAnswer) -> str:
    """Return as JSON what was said of each issue, by its code."""
    said = {
        one.issue.code: {
            "ticked": one.is_ticked,
            "raised": one.is_raised,
            "findings": {
                row.criterion.code: {"finding": row.finding or None, "sentence": row.sentence}
                for row in one.criteria.all()
            },
            "reasoning": one.reasoning,
            "insistence": one.insistence,
        }
        for one in answer.issues.all()
    }
    return json.dumps(said, ensure_ascii=False, sort_keys=True)
