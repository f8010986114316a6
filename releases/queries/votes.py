"""The rows of votes.csv: every version of every vote on released posts; people by pseudonym."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, QuerySet

from annotation.models import Exclusion, ExclusionKind, Study, Vote
from legal.models import LegalAnswer
from legal.queries.answers import with_all
from releases.queries.releases import STAGES

BLOCK = 1_000
EXPERTS_CELLS = (
    "issues",
    "no_claim",
    "defence",
    "evidence",
    "comment",
    "derived",
    "insistence",
    "kind",
    "confidence",
    "discuss",
    "claims",
    "citations",
    "reasoning",
)
FIELDS = (
    "version",
    "counted",
    "label",
    "seconds",
    "guide_version",
    "created_at",
    "member__pseudonym",
    "place__vacated_at",
    "task__stage",
    "task__post__external_id",
    "task__batch__number",
)


def released_votes(study: Study) -> QuerySet[Vote]:
    """Return the votes of crowd and experts on kept posts; who withdrew is left out altogether."""
    withdrawn = Exclusion.objects.filter(
        member=OuterRef("member"), stage=OuterRef("task__stage"), kind=ExclusionKind.WITHDRAWN
    )
    return Vote.objects.filter(
        ~Exists(withdrawn),
        task__batch__study=study,
        task__stage__in=STAGES,
        task__post__dropped_reason="",
    )


def vote_blocks(study: Study) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows in blocks, by post, stage, round, person and version."""
    newer = Vote.objects.filter(
        task=OuterRef("task"), member=OuterRef("member"), version__gt=OuterRef("version")
    )
    votes = (
        released_votes(study)
        .annotate(is_current=ExpressionWrapper(~Exists(newer), output_field=BooleanField()))
        .select_related("task__post", "task__batch", "member", "place")
        .only(*FIELDS)
        .order_by("task__post", "task__stage", "task__batch__number", "member", "version")
        .iterator(chunk_size=BLOCK)
    )
    while block := list(islice(votes, BLOCK)):
        answers = answers_to(block)
        yield [vote_row(vote) | answer_cells(answers.get(vote.pk)) for vote in block]


def answers_to(votes: Sequence[Vote]) -> dict[int, LegalAnswer]:
    """Return the experts' answers that belong to a block of votes, by vote."""
    answers = LegalAnswer.objects.filter(vote__in=[vote.pk for vote in votes])
    return {answer.vote_id: answer for answer in with_all(answers)}


def vote_row(vote: Any) -> dict[str, Any]:
    """Return the cells that every vote has."""
    return {
        "post_id": vote.task.post.external_id,
        "stage": vote.task.stage,
        "round": vote.task.batch.number,
        "annotator": vote.member.pseudonym,
        "version": vote.version,
        "is_current": vote.is_current,
        "counted": vote.counted and not (vote.place and vote.place.vacated_at),
        "label": vote.label,
        "seconds": vote.seconds,
        "guide_version": vote.guide_version,
        "voted_at": vote.created_at.isoformat(timespec="seconds"),
    }


def answer_cells(answer: LegalAnswer | None) -> dict[str, Any]:
    """Return the cells that only experts fill."""
    if answer is None:
        return dict.fromkeys(EXPERTS_CELLS)
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
