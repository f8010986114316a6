"""A study with one of everything, made by the services that people's clicks go through.

Vectors are stored beforehand, so the filter runs for real without loading an encoder.
"""

import functools
import hashlib
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from django.contrib.auth import base_user

from annotation.models import (
    ApiToken,
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Chart,
    ImportFile,
    Job,
    JobState,
    Member,
    Post,
    Role,
    Sitting,
    SittingState,
    StageCode,
    Study,
    User,
    Webhook,
)
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.jobs import cancel_job, queue_job, run_next
from annotation.services.sittings import begin_sitting, end_sitting
from annotation.services.tokens import make_token
from annotation.services.uploads import queue_check, queue_load
from annotation.services.votes import Answer, submit_vote
from annotation.services.webhooks import announce, make_webhook
from crowd.models import (
    Arrival,
    BackgroundQuestion,
    Dispute,
    Errand,
    Flag,
    LedgerEntry,
    QualityRule,
    Recruit,
    Recruitment,
)
from crowd.services.batches import create_batch, create_gold_batch
from crowd.services.candidates import begin_test
from crowd.services.consent import (
    add_question,
    answer_questions,
    give_consent,
    write_consent_text,
)
from crowd.services.defaults import current_instructions
from crowd.services.gold import close_pool
from crowd.services.instructions import acknowledge
from crowd.services.ledger import add_entry
from crowd.services.pay import dispute, reject
from crowd.services.payouts import make_payout
from crowd.services.prescreening import change_rules, open_prescreening
from crowd.services.quality import apply_rules, write_rule
from crowd.services.recruitment import create_recruitment, move_recruitment
from embeddings.encoders import OFFLINE_ENCODER, locate
from embeddings.models import StoredEmbedding
from filtering.models import FilterRun
from filtering.queries.charts import DRAWING
from filtering.services.promotion import promote_run
from filtering.services.runs import start_run
from legal.algorithms import ExpertAnswer
from legal.catalogues.editing import outline_of
from legal.catalogues.writing import fingerprint
from legal.models import ArchivedPage, Attachment, LibraryDocument, PracticePost
from legal.queries.catalogues import catalogue_in_force
from legal.services.answers import submit_answer
from legal.services.attachments import attach_file
from legal.services.batches import open_legal_batch
from legal.services.catalogues import note_guide_read, publish, shipped_catalogue
from legal.services.drafts import begin_draft
from legal.services.library_documents import About, upload_documents
from legal.services.outlines import OutlineStep, change_outline
from legal.services.practice import submit_practice, write_model_answer, write_practice
from releases.models import Comparison, Release
from releases.services.comparing import compare
from releases.services.releases import make_release
from releases.services.study_statistics import queue_statistics
from tests.cast import Cast, join, make_cast, upload
from tests.legal.archive_world import archived, outside_world

POSTS, CROWD, GOLD, LEGAL, TEST = 20, 9, 3, 3, 2
DIMENSIONS = 8
WHY_REJECTED = (
    "Each of the posts was answered within a second or two, which is less than it takes to read "
    "its first line, and the same answer was given throughout."
)
LABELS = ("checkworthy", "not_checkworthy", "no_claim")
PROTOCOL = {
    "encoder": OFFLINE_ENCODER,
    "pooling": "mean",
    "filter_k": 5,
    "filter_trials": 2,
    "batch_size": CROWD,
    "contact": "owner@juryroom.example",
}


@dataclass
class World:
    """A study and one object of each kind; `number` is that of its newest objects with numbers."""

    cast: Cast
    number: int
    post: Post
    file: ImportFile
    job: Job
    chart: Chart
    cancelled_job: Job
    crowd_held: Assignment
    crowd_voted: Assignment
    gold_held: Assignment
    gold_voted: Assignment
    legal_held: Assignment
    legal_voted: Assignment
    page: ArchivedPage
    attachment: Attachment
    judged: Post
    practice: PracticePost
    test_held: Assignment | None
    test_voted: Assignment | None
    release: Release
    comparison: Comparison | None
    document: LibraryDocument
    rule: QualityRule
    flag: Flag
    worker_token: ApiToken
    waiting_sitting: Sitting
    disputed_sitting: Sitting
    own_sitting: Sitting
    dispute: Dispute
    question: BackgroundQuestion
    link: Recruitment
    webhook: Webhook
    errand: Errand

    @property
    def slug(self) -> str:
        return self.cast.study.slug

    @property
    def worker(self) -> Member:
        return self.cast.worker


def build_world(slug: str = "rumours", *, times: int = 1, has_candidate: bool = True) -> World:
    """Make a study; `times` rounds of batches, filter runs and releases; a worker at a test."""
    cast = make_cast(slug, **PROTOCOL)
    study = cast.study
    posts = import_posts(study, slug)
    store_vectors(posts)
    for number in range(times):
        crowd_round(cast, posts[number * 4 : number * 4 + CROWD], is_last=number == times - 1)
        gold_round(cast, posts[-GOLD * (number + 1) :][:GOLD], is_last=number == times - 1)
    paid = pay_round(cast, times)
    runs = [filter_run(study, seed=number) for number in range(times)]
    promote_run(by=cast.owner.user, run=runs[0])
    for number in range(1, times):
        extra = posts[CROWD + 4 + number]
        open_legal_batch(by=None, study=study, external_ids=[extra.external_id])
    for number in range(1, times):
        publish_changed(study, number)
    write_draft(cast)
    legal_votes(cast)
    page = fetched_page(study)
    releases = [finished_release(study) for _number in range(times)]
    finished(queue_statistics(by=None, study=study))
    if has_candidate:
        prescreening(cast)
    file = checked_file(study)
    flag, link = raised_flag(cast), ways_in(study, times)
    return World(
        cast=cast,
        number=times,
        post=posts[0],
        file=file,
        job=Job.objects.filter(study=study, state=JobState.SUCCEEDED).latest("pk"),
        chart=Chart.objects.filter(study=study).latest("pk"),
        cancelled_job=cancelled_job(file),
        crowd_held=own(cast.worker, StageCode.CROWD, AssignmentState.HELD),
        crowd_voted=own(cast.worker, StageCode.CROWD, AssignmentState.SUBMITTED),
        gold_held=own(cast.researcher, StageCode.GOLD, AssignmentState.HELD),
        gold_voted=own(cast.researcher, StageCode.GOLD, AssignmentState.SUBMITTED),
        legal_held=own(cast.expert, StageCode.LEGAL, AssignmentState.HELD),
        legal_voted=own(cast.expert, StageCode.LEGAL, AssignmentState.SUBMITTED),
        page=page,
        attachment=Attachment.objects.filter(study=study).latest("pk"),
        judged=own(cast.expert, StageCode.LEGAL, AssignmentState.SUBMITTED).task.post,
        practice=[practised(cast) for _number in range(times)][-1],
        test_held=own(cast.worker, StageCode.PRESCREENING, AssignmentState.HELD)
        if has_candidate
        else None,
        test_voted=own(cast.worker, StageCode.PRESCREENING, AssignmentState.SUBMITTED)
        if has_candidate
        else None,
        release=releases[-1],
        comparison=compared(releases),
        document=library(study),
        rule=flag.rule,
        flag=flag,
        worker_token=make_token(by=cast.worker.user, name="my laptop")[0],
        **paid,
        question=background(study),
        link=link,
        errand=errand(cast, link),
        webhook=told_webhook(cast),
    )


def told_webhook(cast: Cast) -> Webhook:
    """Make a webhook with a message on its way."""
    webhook, _secret = make_webhook(
        by=cast.owner, address="https://hooks.example.org/juryroom", events=["job.failed"]
    )
    announce(study=cast.study, event="job.failed", about={"job": 1})
    return webhook


def publish_changed(study: Study, number: int) -> None:
    """Publish a version of the catalogue that says something else."""
    text = replace(shipped_catalogue(), title=f"Canadian law, revised {number} times")
    publish(by=None, study=study, text=text, change_note="Its title.")


def practised(cast: Cast) -> PracticePost:
    """Write a practice post that the expert has worked through; return one still before them."""
    model = ExpertAnswer.of_ticks("yes", issues=["defamation"], evidence=["https://a.example/<b>"])
    answer = ExpertAnswer.of_ticks("no", no_claim=True, seconds=90)
    made = [
        write_model_answer(
            by=cast.researcher,
            practice=write_practice(by=cast.researcher, study=cast.study, text=text),
            answer=model,
            explanation="A named person is accused of a <b>crime</b>, and the minutes refute it.",
            in_use=True,
        )
        for text in ("The mayor took the money.", "The harbour pays nobody & <b>never</b> did.")
    ]
    submit_practice(by=cast.expert, practice=made[0], answer=answer)
    return made[1]


def library(study: Study) -> LibraryDocument:
    """Build a library of two documents, and return one with all that a text may hold."""
    text = "# HARBOURS\n\n[Closing] 1 (1) No person shall close a harbour.\n\n2 The mayor may. "
    files = [("harbour-act.md", text + "<b>not bold</b> " * 400), ("empty.pdf", "%PDF-1.4 cut off")]
    outcome = upload_documents(
        by=None,
        study=study,
        files=[(name, io.BytesIO(content.encode())) for name, content in files],
        about=About(jurisdiction="Canada", citation="RSC 1985, c H-1"),
    )
    assert outcome.job
    finished(outcome.job)
    return outcome.taken[0]


def write_draft(cast: Cast) -> None:
    """Begin the next version, with an issue of this study that lacks an explanation."""
    begun = begin_draft(by=cast.owner.user, study=cast.study)
    change_outline(
        by=cast.owner.user,
        study=cast.study,
        seen=fingerprint(outline_of(begun.content)),
        step=OutlineStep("add_issue", "other", f"Tax law of {cast.study.slug}"),
    )


def background(study: Study) -> BackgroundQuestion:
    """Ask for consent and one question; who has voted before has answered both."""
    write_consent_text(by=None, study=study, markdown="We keep your votes for **ten years**.")
    question = add_question(by=None, study=study, question="How old are you?", kind="number")
    for member in Member.objects.filter(study=study, role=Role.CROWD_WORKER):
        give_consent(by=member, version=1)
        answer_questions(by=member, answers={question.pk: ""})
    return question


def ways_in(study: Study, times: int) -> Recruitment:
    """Make an open link, and for the larger study one of each platform."""
    kinds = ("link",) if times == 1 else ("link", "prolific", "mturk")
    made = [create_recruitment(by=None, study=study, kind=kind, name=kind) for kind in kinds]
    return move_recruitment(by=None, recruitment=made[0], to="open")


def errand(cast: Cast, way: Recruitment) -> Errand:
    """Let Prolific have refused to pay the worker's newest bonus."""
    study, user = cast.study, cast.worker.user
    assert user
    recruit = Recruit.objects.create(
        study=study, platform="prolific", platform_id=f"5f{way.pk}", user=user
    )
    arrival = Arrival.objects.create(
        recruitment=way, recruit=recruit, user=user, session_id=f"64{way.pk}"
    )
    entry = LedgerEntry.objects.filter(member=cast.worker, kind="bonus").latest("pk")
    return Errand.objects.create(
        study=study,
        arrival=arrival,
        kind="bonus",
        entry=entry,
        state="failed",
        reason="Prolific does not accept the token of this site.",
    )


def finished(job: Job) -> Job:
    while run_next(job=job):
        job.refresh_from_db()
    assert job.state == JobState.SUCCEEDED, job.reason
    return job


def import_posts(study: Study, slug: str) -> list[Post]:
    """Import posts in three kinds, with a long one, a right-to-left one, and one of emoji alone."""
    texts = [f"{slug}: {text} ({number})" for number, text in enumerate(kinds(POSTS))]
    texts[1] = "The mayor of Port Alder took the money. " * 12 + "<b>not bold</b>"
    texts[2] = "عاجل: إغلاق الميناء غدا, they say <script>alert(1)</script>"
    rows = [f'{slug}-{n},"{text}",2024-03-{n + 1:02}' for n, text in enumerate([*texts, "😀"])]
    file = upload(study, "id,text,date\n" + "\n".join(rows), name="posts.csv")
    finished(queue_check(by=None, file=file))
    columns = {"id": "id", "text": "text"}
    finished(queue_load(by=None, file=file, bad_rows="refuse", columns=columns))
    return list(Post.objects.filter(study=study, dropped_reason="").order_by("line"))


def kinds(count: int) -> Iterable[str]:
    words = ("The harbour was closed by decree", "I had soup today", "What a lovely morning!")
    return (words[number % 3] for number in range(count))


def store_vectors(posts: Sequence[Post]) -> None:
    revision = locate(OFFLINE_ENCODER).revision
    hashes = {hashlib.sha256(post.text.encode()).digest() for post in posts}
    StoredEmbedding.objects.bulk_create(
        [
            StoredEmbedding(
                encoder=OFFLINE_ENCODER,
                revision=revision,
                pooling="mean",
                text_hash=text_hash,
                vector=np.random.default_rng(text_hash[0]).normal(size=DIMENSIONS).tolist(),
            )
            for text_hash in sorted(hashes)
        ],
        ignore_conflicts=True,
    )


def all_of(study: Study, role: str, first: Member) -> list[Member]:
    """Return the three people of a role; made when the first round needs them."""
    known = list(Member.objects.filter(study=study, role=role).order_by("pk"))
    missing = range(len(known) + 1, 4)
    return known + [join(study, f"{first.user.username}-{number}", role) for number in missing]


def crowd_round(cast: Cast, posts: Sequence[Post], *, is_last: bool) -> Batch:
    """Let three workers vote on all posts; on the last round the first leaves one."""
    fresh = [post for post in posts if not post.tasks.filter(stage=StageCode.CROWD).exists()]
    ids = [post.external_id for post in fresh]
    batch = create_batch(by=cast.owner.user, study=cast.study, external_ids=ids)
    batch = move_batch(by=None, batch=batch, to=BatchState.OPEN)
    for member in all_of(cast.study, Role.CROWD_WORKER, cast.worker):
        read_instructions(member)
        left = 1 if is_last and member == cast.worker else 0
        vote_on(member, StageCode.CROWD, len(ids) - left)
    return batch


def gold_round(cast: Cast, posts: Sequence[Post], *, is_last: bool) -> None:
    """Let the researcher label all but one of the pool, and the owner one."""
    ids = [post.external_id for post in posts]
    batch = create_gold_batch(by=cast.owner.user, study=cast.study, external_ids=ids)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    vote_on(cast.researcher, StageCode.GOLD, len(ids) - is_last)
    vote_on(cast.owner, StageCode.GOLD, 1)
    next_task(by=cast.researcher, stage=StageCode.GOLD)


def prescreening(cast: Cast) -> None:
    """Close a pool of two posts, and let the first worker answer one of them in a test."""
    study = cast.study
    rows = "".join(f"pool-{number},The mayor of Port Alder sings\n" for number in range(TEST))
    file = upload(study, f"id,text\n{rows}", name="pool.csv")
    finished(
        queue_load(by=None, file=file, bad_rows="refuse", columns={"id": "id", "text": "text"})
    )
    ids = [f"pool-{number}" for number in range(TEST)]
    others = list(study.batches.filter(stage=StageCode.GOLD, state=BatchState.OPEN))
    for batch in others:
        move_batch(by=None, batch=batch, to=BatchState.PAUSED)
    pool = create_gold_batch(by=cast.owner.user, study=study, external_ids=ids)
    move_batch(by=None, batch=pool, to=BatchState.OPEN)
    for member in (cast.owner, cast.researcher):
        vote_on(member, StageCode.GOLD, TEST)
    close_pool(by=cast.owner.user, batch=pool)
    for batch in others:
        move_batch(by=None, batch=batch, to=BatchState.OPEN)
    change_rules(by=cast.owner.user, study=study, test_size=TEST, min_votes=TEST)
    open_prescreening(by=cast.owner.user, study=study)
    begin_test(by=cast.worker, version=current_instructions(study).version)
    vote_on(cast.worker, StageCode.PRESCREENING, 1)
    next_task(by=cast.worker, stage=StageCode.PRESCREENING)


def read_instructions(member: Member) -> None:
    acknowledge(by=member, version=current_instructions(member.study).version)


def vote_on(member: Member, stage: str, count: int) -> None:
    for _number in range(count):
        held = next_task(by=member, stage=stage).assignment
        assert held, (member, stage)
        text = held.task.post.text
        label = LABELS[1] if "soup" in text else LABELS[2] if "lovely" in text else LABELS[0]
        submit_vote(by=member, assignment_id=held.pk, answer=Answer(label, 5.0, 1))


def pay_round(cast: Cast, times: int) -> dict[str, Any]:
    """End what the workers did so far: rejected, rejected and disputed, waiting; pay bonuses.

    The first worker holds what is left in a new sitting.
    """
    by, workers = cast.owner.user, all_of(cast.study, Role.CROWD_WORKER, cast.worker)
    sittings = [leave_sitting(member) for member in workers]
    for sitting in sittings[:2]:
        reject(by=by, sitting=sitting, reason="too_quick", words=WHY_REJECTED)
    disputed = dispute(by=workers[1], sitting=sittings[1], text="I read each of them.")
    for number in range(times):
        entry = add_entry(
            by=by, member=cast.worker, kind="bonus", amount=Decimal(1 + number), reason="Thank you."
        )
        make_payout(
            by=by, study=cast.study, currency="USD", last_entry=entry.pk, expected=entry.amount
        )
    add_entry(by=by, member=cast.worker, kind="bonus", amount=Decimal(2), reason="Thank you.")
    next_task(by=cast.worker, stage=StageCode.CROWD)
    return {
        "own_sitting": sittings[0],
        "disputed_sitting": sittings[1],
        "waiting_sitting": sittings[2],
        "dispute": disputed,
    }


def leave_sitting(member: Member) -> Sitting:
    """End somebody's sitting and begin another one."""
    ended = end_sitting(by=member, stage=StageCode.CROWD, state=SittingState.LEFT)
    assert ended
    begin_sitting(by=member, stage=StageCode.CROWD, size=10_000)
    return ended


def raised_flag(cast: Cast) -> Flag:
    """Let a rule see that the worker takes less time than it wants."""
    rule = {"watched": "seconds", "over": 1, "threshold": 600.0, "action": "ask"}
    write_rule(by=cast.owner.user, study=cast.study, **rule)
    return apply_rules(member=cast.worker)[0]


def filter_run(study: Study, *, seed: int, is_preview: bool = False) -> FilterRun:
    run = start_run(by=None, study=study, seed=seed, is_preview=is_preview)
    finished(run.job)
    for drawing in Job.objects.filter(study=study, kind=DRAWING, parameters={"run": run.number}):
        finished(drawing)
    run.refresh_from_db()
    return run


def legal_votes(cast: Cast) -> None:
    """Let three experts answer on some posts; the first one holds one more."""
    catalogue = catalogue_in_force(cast.study)
    assert catalogue
    for member in all_of(cast.study, Role.EXPERT, cast.expert):
        note_guide_read(by=member, catalogue=catalogue)
        for number in range(LEGAL):
            held = next_task(by=member, stage=StageCode.LEGAL).assignment
            assert held
            if (member, number) == (cast.expert, 0):
                attach_decree(member, held)
            submit_answer(by=member, assignment_id=held.pk, answer=expert_answer(number))
    next_task(by=cast.expert, stage=StageCode.LEGAL)


def attach_decree(member: Member, held: Assignment) -> Attachment:
    content = io.BytesIO(f"The decree of post {held.task.post.external_id}.".encode())
    return attach_file(by=member, assignment_id=held.pk, name="decree.txt", content=content)


def fetched_page(study: Study) -> ArchivedPage:
    """Fetch one of the two pages that the experts named."""
    with pytest.MonkeyPatch.context() as patch, outside_world(patch) as outside:
        return archived(study, outside.story("/harbour"))


def expert_answer(number: int) -> ExpertAnswer:
    if number % 2:
        return ExpertAnswer.of_ticks("no", no_claim=True, seconds=20)
    return ExpertAnswer.of_ticks(
        "yes",
        issues=("defamation", "public_mischief"),
        evidence=("https://news.example.org/harbour", "http://news.example/harbour"),
        comment="The decree is of another year.",
        seconds=60,
    )


def finished_release(study: Study) -> Release:
    job = finished(make_release(by=None, study=study))
    return Release.objects.get(job=job)


def compared(releases: Sequence[Release]) -> Comparison | None:
    """Compare the first and the last of some releases."""
    if len(releases) < 2:
        return None
    job = finished(compare(by=None, before=releases[0], after=releases[-1]))
    return Comparison.objects.get(job=job)


def checked_file(study: Study) -> ImportFile:
    """Upload a file with a bad row and look through it."""
    file = upload(study, "id,text\nnew-1,Something\nnew-2,\n", name="more.csv")
    finished(queue_check(by=None, file=file))
    file.refresh_from_db()
    return file


def cancelled_job(file: ImportFile) -> Job:
    job = queue_job(by=None, study=file.study, kind="check_file", parameters={"import": file.pk})
    return cancel_job(job=job)


def own(member: Member, stage: str, state: str) -> Assignment:
    return Assignment.objects.filter(member=member, task__stage=stage, state=state).latest("pk")


@dataclass
class Worlds:
    """The study that is asked for, and another one with its own objects, of fewer numbers."""

    here: World
    other: World

    def person(self, name: str) -> User | None:
        """Return who a column of the permission table stands for."""
        cast = self.here.cast
        people: dict[str, Callable[[], Any]] = {
            "anonymous": lambda: None,
            "stranger": lambda: cast.stranger,
            "other_owner": lambda: self.other.cast.owner.user,
            "site_administrator": lambda: cast.site_administrator,
            "worker": lambda: cast.worker.user,
            "expert": lambda: cast.expert.user,
            "researcher": lambda: cast.researcher.user,
            "owner": lambda: cast.owner.user,
        }
        return people[name]()


def hash_passwords_once() -> None:
    """Make the slow hash of each password once in this process: all people here share one."""
    base_user.make_password = functools.lru_cache(base_user.make_password)


def build_worlds() -> Worlds:
    return Worlds(
        here=build_world("rumours", times=2), other=build_world("elsewhere", has_candidate=False)
    )
