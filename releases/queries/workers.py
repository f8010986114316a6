"""The rows of workers: one for each annotator with a released vote; and what a study asked them.

What people said about themselves is told in numbers of people only, never by person.
"""

from collections.abc import Collection
from typing import Any

from django.db.models import Count, Exists, OuterRef

from annotation.models import Member, StageCode, Study
from crowd.models import BackgroundAnswer, BackgroundQuestion, GoldSource, QuestionKind
from crowd.queries.people import Hits, Median, hits_of
from releases.choices import Stage
from releases.queries.sources import Sources
from releases.queries.votes import released_votes

Row = dict[str, Any]
FEW = 5
"""An answer that fewer people gave is not told apart from others."""


def first_workers(sources: Sources, number: int) -> list[int]:
    """Return who stands in the first rows, without counting anybody's votes."""
    votes = released_votes(sources.study, sources.choices.stages)
    members = Member.objects.filter(
        Exists(votes.filter(member=OuterRef("pk"))), study=sources.study
    ).order_by("pk")
    return sorted(members.values_list("pk", flat=True), key=sources.pseudonym)[:number]


def worker_rows(sources: Sources, members: Collection[int] | None = None) -> list[Row]:
    """Return the rows, of some members alone if so, in the order of the people's names."""
    votes = released_votes(sources.study, sources.choices.stages).filter(version=1)
    if members is not None:
        votes = votes.filter(member__in=members)
    counted = votes.values("member", "task__stage").order_by()
    found: dict[int, dict[str, Any]] = {}
    for row in counted.annotate(number=Count("pk"), middle=Median("seconds")):
        found.setdefault(row["member"], {})[row["task__stage"]] = row
    hits = hits_of(sources.study)
    rows = [
        worker_row(sources.pseudonym(member), stages, hits.get((member, GoldSource.POOL), Hits()))
        for member, stages in found.items()
    ]
    return sorted(rows, key=lambda row: row["annotator"])


def worker_row(name: str, stages: dict[str, Row], gold: Hits) -> Row:
    """Return one person's row; gold is met with the crowd."""
    crowd, legal = (stages.get(stage, {}) for stage in (StageCode.CROWD, StageCode.LEGAL))
    return {
        "annotator": name,
        "stages": [stage.value for stage in Stage if stage in stages],
        "crowd_votes": crowd.get("number", 0),
        "crowd_seconds": crowd.get("middle"),
        "gold_checks": gold.of,
        "gold_accuracy": gold.share,
        "legal_votes": legal.get("number", 0),
        "legal_seconds": legal.get("middle"),
    }


def background(study: Study) -> list[Row]:
    """Return how many people of the crowd gave which answer to the questions about themselves.

    Answers of fewer than `FEW` people are added up, and not even their sum is told when it is
    small. Free text may tell who wrote it, and is left out.
    """
    members = Member.objects.filter(pk__in=released_votes(study, [Stage.CROWD]).values("member"))
    questions = BackgroundQuestion.objects.filter(study=study).exclude(kind=QuestionKind.TEXT)
    found = []
    for question in questions:
        answers = BackgroundAnswer.objects.filter(question=question, member__in=members)
        counts = dict(answers.exclude(answer="").values_list("answer").annotate(Count("pk")))
        found.append({"question": question.question, **folded(counts)})
    return found


def folded(counts: dict[str, int]) -> Row:
    """Return the answers that enough people gave, and how many gave others, if they are enough."""
    told = {answer: people for answer, people in counts.items() if people >= FEW}
    others = sum(counts.values()) - sum(told.values())
    return {
        "answers": [{"answer": answer, "people": told[answer]} for answer in sorted(told)],
        "others": others if others >= FEW or not others else None,
    }
