"""Imports expert answers that were made elsewhere: checked whole first, then one transaction.

A file is imported once; a job that dies half-way leaves nothing behind. A repeat by the same person
is a new version of their answer.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import pghistory
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import (
    Batch,
    ImportFile,
    ImportState,
    Member,
    Origin,
    Post,
    Role,
    StageCode,
    Study,
    Task,
    User,
    Vote,
)
from annotation.services.archive import lock_study
from annotation.services.batches import add_tasks, start_batch
from annotation.services.people import imported_members
from annotation.services.planning import count_anew
from annotation.services.reading import (
    Outcome,
    Problem,
    choose_columns,
    open_import,
    read_through,
    readings,
    refuse_bad_rows,
)
from infra.jobs import JobRefused, Report
from legal.algorithms import derived_label
from legal.models import (
    LABELS,
    ArchivedPage,
    Catalogue,
    Evidence,
    Issue,
    IssueAnswer,
    LegalAnswer,
    LegalRound,
)
from legal.services.catalogues import ensure_catalogue
from legal.services.evidence import pages_for
from legal.services.issue_maps import IssueNames, read_issue_map, refuse_unsettled
from legal.services.rows import WANTED, LegalReading, legal_reader, legal_sample

BLOCK = 1_000

Found = Iterator[LegalReading | Problem]


@dataclass
class Survey:
    """What the first reading of a file found: posts and people with answers, evidence,
    and names not settled."""

    names: IssueNames
    posts: dict[str, None] = field(default_factory=dict)
    people: set[str] = field(default_factory=set)
    evidence: set[str] = field(default_factory=set)
    unanswered: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    unsettled: dict[str, list[int]] = field(default_factory=dict)

    def watch(self, found: Found) -> Found:
        """Pass readings through, and take note of them."""
        for reading in found:
            if isinstance(reading, LegalReading):
                self.note(reading)
            yield reading

    def note(self, reading: LegalReading) -> None:
        """Take note of one row."""
        if not reading.label:
            self.unanswered += 1
            return
        self.posts[reading.external_id] = None
        self.people.add(reading.annotator)
        self.evidence.update(reading.evidence)
        for name in reading.issues:
            codes = self.names.codes(name)
            if codes is None:
                self.unsettled.setdefault(name, []).append(reading.line)
            elif not codes:
                self.left_out[name] += 1


def import_legal_votes(*, by: User | None, file: ImportFile, report: Report) -> dict[str, Any]:
    """Import a file of expert answers as a round of its own."""
    if file.state == ImportState.LOADED:
        return dict(file.report)
    with transaction.atomic(), pghistory.context(user=by.pk if by else None, action="import votes"):
        lock_study(file.study_id)
        refuse_imported(file)
        catalogue = ensure_catalogue(by=by, study=file.study)
        names = IssueNames(catalogue, read_issue_map(file.options.get("issue_map")))
        read_again = reader_of(file)
        survey = Survey(names)
        outcome = read_through(
            file=file, found=survey.watch(read_again()), report=report, sample=legal_sample
        )
        refuse_unsettled(survey.unsettled, catalogue)
        refuse_bad_rows(file, outcome)
        if not survey.posts:
            raise JobRefused(
                _("Every row leaves the first question open; there is nothing to import.")
            )
        batch = start_round(file, survey, catalogue)
        votes = write_answers(batch, read_again(), survey, catalogue, report)
        return close_file(file, outcome, survey, batch, votes)


def refuse_imported(file: ImportFile) -> None:
    """Refuse a file that was imported into this study before: its votes would count twice."""
    before = ImportFile.objects.filter(
        study=file.study_id,
        importer=file.importer,
        sha256=file.sha256,
        state=ImportState.LOADED,
    ).first()
    if before:
        raise JobRefused(
            _("This file has been imported already, as “%(name)s” on %(day)s. Nothing was changed.")
            % {"name": before.name, "day": f"{before.created_at:%Y-%m-%d}"}
        )


def reader_of(file: ImportFile) -> Callable[[], Found]:
    """Return a function that reads the file from its start."""
    table = open_import(file)
    columns = choose_columns(file, table, WANTED)
    return lambda: against_study(file.study, readings(table, columns, legal_reader(file)))


def against_study(study: Study, found: Found) -> Found:
    """Turn readings about posts that the study does not have into problems."""
    while block := list(islice(found, BLOCK)):
        known = post_ids(study, block)
        for reading in block:
            if isinstance(reading, Problem) or reading.external_id in known:
                yield reading
            else:
                sentence = _("The study has no post %s. Import the posts first.")
                yield Problem(reading.line, sentence % reading.external_id, reading.comment[:200])


def post_ids(study: Study, block: list[LegalReading | Problem]) -> dict[str, int]:
    """Return the study's posts that a block is about."""
    ids = {reading.external_id for reading in block if isinstance(reading, LegalReading)}
    posts = Post.objects.imported().filter(study=study, external_id__in=ids)
    return dict(posts.values_list("external_id", "pk"))


def start_round(file: ImportFile, survey: Survey, catalogue: Catalogue) -> Batch:
    """Make the imported batch with a task for each post, in the order of the file."""
    batch = start_batch(
        study=file.study,
        stage=StageCode.LEGAL,
        labels=LABELS,
        votes_wanted=None,
        origin=Origin.IMPORTED,
        source=file.name[:200],
    )
    LegalRound.objects.create(batch=batch, catalogue=catalogue)
    add_tasks(batch=batch, post_ids=in_order(file.study, survey))
    return batch


def in_order(study: Study, survey: Survey) -> Iterator[int]:
    """Yield the ids of the posts that have an answer, in the order of the file."""
    wanted = iter(survey.posts)
    while block := list(islice(wanted, BLOCK)):
        posts = Post.objects.imported().filter(study=study, external_id__in=block)
        known = dict(posts.values_list("external_id", "pk"))
        yield from (known[external_id] for external_id in block)


@dataclass
class Writer:
    """Writes readings as votes with their answers, block by block."""

    people: dict[str, Member]
    names: IssueNames
    issues: dict[str, Issue]
    tasks: dict[str, int]
    pages: dict[str, int]
    versions: Counter[tuple[int, int]] = field(default_factory=Counter)
    now: Any = field(default_factory=timezone.now)

    def write(self, block: list[LegalReading]) -> None:
        """Write one block."""
        votes = Vote.objects.bulk_create([self.vote(reading) for reading in block])
        answers = LegalAnswer.objects.bulk_create(
            LegalAnswer(
                vote=vote,
                derived=derived_label(
                    has_evidence=bool(reading.evidence),
                    raises_issue=bool(self.codes(reading)),
                    no_claim=reading.no_claim,
                ),
                no_claim=reading.no_claim,
                defence=reading.defence,
                comment=reading.comment,
            )
            for vote, reading in zip(votes, block, strict=True)
        )
        pairs = list(zip(answers, block, strict=True))
        IssueAnswer.objects.bulk_create(
            IssueAnswer(answer=answer, issue=self.issues[code], is_ticked=True, is_raised=True)
            for answer, reading in pairs
            for code in self.codes(reading)
        )
        Evidence.objects.bulk_create(
            Evidence(answer=answer, url=url, page_id=self.pages[url], order=order)
            for answer, reading in pairs
            for order, url in enumerate(reading.evidence, start=1)
        )

    def codes(self, reading: LegalReading) -> dict[str, None]:
        """Return our codes for the issues of a row, each once."""
        found = (self.names.codes(name) or () for name in reading.issues)
        return dict.fromkeys(code for codes in found for code in codes)

    def vote(self, reading: LegalReading) -> Vote:
        """Return an unsaved vote, with the next version of its person on its post."""
        task, member = self.tasks[reading.external_id], self.people[reading.annotator]
        self.versions[task, member.pk] += 1
        return Vote(
            task_id=task,
            member=member,
            version=self.versions[task, member.pk],
            label=reading.label,
            seconds=reading.seconds,
            created_at=reading.time or self.now,
        )


def write_answers(
    batch: Batch, found: Found, survey: Survey, catalogue: Catalogue, report: Report
) -> int:
    """Write all answers; return how many."""
    writer = Writer(
        people=imported_members(study=batch.study, role=Role.EXPERT, names=survey.people),
        names=survey.names,
        issues={issue.code: issue for issue in Issue.objects.filter(catalogue=catalogue)},
        tasks=dict(Task.objects.filter(batch=batch).values_list("post__external_id", "pk")),
        pages=pages_for(batch.study_id, survey.evidence),
    )
    answered = (one for one in found if isinstance(one, LegalReading) and one.label)
    done = 0
    while block := list(islice(answered, BLOCK)):
        writer.write(block)
        done += len(block)
        report(done, 0, _("Writing answers"))
    count_anew(Task, Vote, LegalAnswer, IssueAnswer, Evidence, ArchivedPage)
    return done


def close_file(
    file: ImportFile, outcome: Outcome[LegalReading], survey: Survey, batch: Batch, votes: int
) -> dict[str, Any]:
    """Record what became of the file, and return it."""
    counts = {
        "votes": votes,
        "posts": len(survey.posts),
        "people": len(survey.people),
        "unanswered": survey.unanswered,
        "left_out_issues": dict(survey.left_out),
        "batch": batch.number,
        "bad": outcome.bad,
    }
    file.state = ImportState.LOADED
    file.report = {**file.report, **counts, "bad_rows": outcome.shown}
    file.save(update_fields=["state", "report"])
    return {**counts, "bad_rows": outcome.shown[:20]}
