"""Answers of experts, releases made here, and readers of what was released."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from annotation.models import Job, Member, StageCode, Study, User
from annotation.services.assignments import next_task
from annotation.services.jobs import run_job
from legal.algorithms import ExpertAnswer
from legal.services.answers import submit_answer
from releases.choices import ReleaseChoices
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


def make(study: Study, by: User | None = None, **chosen: Any) -> Release:
    """Make a release here, and return it."""
    choices = ReleaseChoices(**chosen)
    job = run_job(job_id=make_release(by=by, study=study, choices=choices).pk)
    assert isinstance(job, Job) and job.state == "succeeded", job.reason
    return Release.objects.select_related("study").get(job=job)


def content(release: Release, name: str) -> str:
    return (release_folder(release) / name).read_bytes().decode()


def rows(release: Release, table: str, form: str = "csv") -> list[dict[str, str]]:
    """Return a table as Python reads its CSV."""
    text = content(release, f"{form}/{table}.csv")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def lines(release: Release, table: str = "posts") -> list[dict[str, Any]]:
    """Return a table as its JSON Lines have it."""
    return [json.loads(line) for line in content(release, f"jsonl/{table}.jsonl").splitlines()]


def parquet(release: Release, name: str) -> list[dict[str, Any]]:
    """Return a Parquet file's rows as polars reads them."""
    import polars as pl

    return pl.read_parquet(release_folder(release) / f"data/{name}.parquet").to_dicts()


def by_id(found: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {str(row["post_id"]): row for row in found}
