"""Answers of experts, releases made here, and readers of what was released."""

import csv
import io
import json
from collections.abc import Sequence

from annotation.models import Job, Member, StageCode, Study
from annotation.services.assignments import next_task
from annotation.services.jobs import run_job
from legal.algorithms import ExpertAnswer
from legal.services.answers import submit_answer
from releases.models import Release
from releases.services.making import release_folder
from releases.services.releases import make_release

TEXTS = ["=1+1", 'a "quoted", text', "two\nlines", "emoji 👩‍🔬 @someone", "plain", "last"]
PAGES = ["https://a.example/x;y", "https://b.example/"]
YES = ExpertAnswer.of_ticks(
    "yes",
    issues=("defamation", "hate_speech"),
    evidence=PAGES,
    comment="=cmd()",
    seconds=12.5,
)
NO_CLAIM = ExpertAnswer.of_ticks("no", no_claim=True)
DEFENCE = ExpertAnswer.of_ticks("no", defence=True)
UNCLEAR = ExpertAnswer.of_ticks("unclear")


def answer_all(member: Member, answers: dict[str, ExpertAnswer]) -> None:
    """Answer what is handed out to an expert, by the post's id, until a post has no answer here."""
    while True:
        held = next_task(by=member, stage=StageCode.LEGAL).assignment
        if held is None or held.task.post.external_id not in answers:
            return
        submit_answer(by=member, assignment_id=held.pk, answer=answers[held.task.post.external_id])


def make(study: Study, **chosen: object) -> Release:
    """Make a release here, and return it."""
    job = run_job(job_id=make_release(**{"by": None, "study": study} | chosen).pk)
    assert isinstance(job, Job) and job.state == "succeeded", job.reason
    return Release.objects.select_related("study").get(job=job)


def content(release: Release, name: str) -> str:
    return (release_folder(release) / name).read_bytes().decode()


def rows(release: Release, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content(release, name), newline="")))


def lines(release: Release, name: str = "dataset.jsonl") -> list[dict[str, object]]:
    return [json.loads(line) for line in content(release, name).splitlines()]


def by_id(found: Sequence[dict[str, object]]) -> dict[str, dict[str, object]]:
    return {str(row["post_id"]): row for row in found}
