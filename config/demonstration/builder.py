"""Builds the demonstration study through the same services that people's clicks go through."""

import io
import random
from collections.abc import Callable, Sequence

from django.contrib.auth.hashers import make_password
from django.db import transaction

from annotation.models import (
    Batch,
    BatchState,
    Job,
    JobState,
    Member,
    Place,
    Role,
    StageCode,
    Study,
    User,
)
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.jobs import queue_job, run_next
from annotation.services.people import add_member, create_account, create_study
from annotation.services.sittings import begin_sitting
from annotation.services.uploads import store_file
from annotation.services.votes import Answer, submit_vote
from config.demonstration.content import Content
from crowd.services.batches import create_batch, create_gold_batch
from crowd.services.defaults import current_instructions
from crowd.services.work import correct
from filtering.services.promotion import promote_run
from filtering.services.runs import start_run
from infra.jobs import JobRefused
from legal.algorithms import ExpertAnswer
from legal.services.answers import submit_answer
from releases.services.releases import make_release

Say = Callable[[str], None]
CORRECT_EVERY = 40
UNLABELLED_GOLD = 3


def build(*, content: Content, password: str, say: Say) -> Study:
    """Make people, study, votes of all stages, a filter run and a release."""
    say("Making people and posts")
    with transaction.atomic():
        builder = Builder(content, password)
    builder.import_posts()
    say("The crowd votes, and researchers label gold")
    builder.crowd(BatchState.CLOSED)
    builder.gold()
    say("The filter runs")
    builder.filter()
    say("The experts vote, and a release is made")
    builder.legal()
    builder.crowd(BatchState.OPEN)
    builder.release()
    return builder.study


def finished(job: Job) -> Job:
    """Run a job in this process, and insist that it succeeds."""
    while run_next(job=job):
        job.refresh_from_db()
    if job.state != JobState.SUCCEEDED:
        raise JobRefused(job.reason)
    return job


class Builder:
    """The demonstration in the making."""

    def __init__(self, content: Content, password: str) -> None:
        self.content = content
        self.random = random.Random(content.study["filter_run"]["seed"])  # noqa: S311
        hashed = make_password(password)  # one for all: hashing is slow by purpose
        users = {one["username"]: self.make_user(one, hashed) for one in content.people}
        self.owner = users["owner"]
        self.study = create_study(
            by=self.owner,
            slug=content.study["slug"],
            title=content.study["title"],
            description=content.study["description"],
            **content.study["protocol"],
        )
        self.members = {
            one["username"]: add_member(
                by=self.owner, study=self.study, user=users[one["username"]], role=one["role"]
            )
            for one in content.people
            if one["role"]
        }

    def make_user(self, one: dict[str, str], hashed: str) -> User:
        """Make an account."""
        user = create_account(username=one["username"], email=one["email"], name=one["name"])
        user.password = hashed
        user.is_site_administrator = bool(one.get("is_site_administrator"))
        user.may_create_studies = one["role"] == Role.OWNER or user.is_site_administrator
        user.save()
        return user

    def with_role(self, role: str) -> list[Member]:
        """Return the members with a role."""
        return [member for member in self.members.values() if member.role == role]

    def import_posts(self) -> None:
        """Import the posts from a file."""
        file = store_file(
            by=self.owner,
            study=self.study,
            kind="posts",
            name="demonstration.jsonl",
            content=io.BytesIO(self.content.import_file()),
        )
        for kind in ("check_file", "import_posts"):
            finished(
                queue_job(
                    by=self.owner, study=self.study, kind=kind, parameters={"import": file.pk}
                )
            )

    def crowd(self, state: str) -> None:
        """Let the crowd vote on the batches that end in a state, one after the other."""
        workers = self.with_role(Role.CROWD_WORKER)
        plans = self.content.study["crowd_batches"]
        for plan in (plan for plan in plans if plan["state"] == state):
            ids = self.content.ids_between(plan["first"], plan["last"])
            batch = create_batch(by=self.owner, study=self.study, external_ids=ids)
            batch = move_batch(by=self.owner, batch=batch, to=BatchState.OPEN)
            wanted = batch.votes_wanted or 0
            if plan["votes"] == "all":
                self.in_turn(workers, wanted * len(ids), self.vote)
            else:
                self.in_turn(workers, wanted * plan["votes"]["complete"], self.vote)
                self.in_turn(workers[-1:], plan["votes"]["started"], self.vote)
            if plan["state"] == BatchState.CLOSED:
                move_batch(by=self.owner, batch=batch, to=BatchState.CLOSED)

    def in_turn(
        self, members: Sequence[Member], votes: int, vote: Callable[[Member, int], None]
    ) -> None:
        """Let people vote one after the other, until a number of votes is cast."""
        for number in range(votes):
            vote(members[number % len(members)], number)

    def seconds(self, median: float) -> float:
        """Return how long an answer took."""
        return round(min(self.random.lognormvariate(0, 0.6) * median, 600), 1)

    def vote(self, member: Member, number: int) -> None:
        """Cast one vote of the crowd; now and then the person corrects it afterwards."""
        begin_sitting(by=member, stage=StageCode.CROWD)
        assignment = next_task(by=member, stage=StageCode.CROWD).assignment
        assert assignment
        place = Place.objects.get(task=assignment.task_id, member=member)
        meant = self.content.by_id[assignment.task.post.external_id]["crowd"]
        version = current_instructions(self.study).version
        answer = Answer(meant[place.number - 1], self.seconds(11), version)
        slip = Answer(meant[place.number % len(meant)], answer.seconds, version)
        is_slip = number % CORRECT_EVERY == 0 and slip.label != answer.label
        submit_vote(by=member, assignment_id=assignment.pk, answer=slip if is_slip else answer)
        if is_slip:
            correct(by=member, assignment_id=assignment.pk, answer=answer, seen_version=1)

    def gold(self) -> None:
        """Let two researchers label the pool; the first leaves some posts for the visitor."""
        plan = self.content.study["gold_batch"]
        ids = self.content.ids_between(plan["first"], plan["last"])
        batch = create_gold_batch(by=self.owner, study=self.study, external_ids=ids)
        move_batch(by=self.owner, batch=batch, to=BatchState.OPEN)
        for index, username in enumerate(plan["researchers"]):
            left = UNLABELLED_GOLD if index == 0 else 0
            for _number in range(len(ids) - left):
                self.label_gold(self.members[username], index)

    def label_gold(self, member: Member, index: int) -> None:
        """Label one gold post."""
        assignment = next_task(by=member, stage=StageCode.GOLD).assignment
        assert assignment
        label = self.content.by_id[assignment.task.post.external_id]["gold"][index]
        version = current_instructions(self.study).version
        answer = Answer(label, self.seconds(15), version)
        submit_vote(by=member, assignment_id=assignment.pk, answer=answer)

    def filter(self) -> None:
        """Run the filter, and give what it keeps to the experts."""
        self.run = start_run(
            by=self.owner, study=self.study, seed=self.content.study["filter_run"]["seed"]
        )
        finished(self.run.job)
        self.run.refresh_from_db()
        promote_run(by=self.owner, run=self.run)

    def legal(self) -> None:
        """Let the experts vote; the last posts wait for the visitor."""
        plan = self.content.study["legal_batch"]
        batch = Batch.objects.get(study=self.study, stage=StageCode.LEGAL)
        complete = batch.tasks.count() - plan["started"] - plan["open"]
        experts = self.with_role(Role.EXPERT)
        self.in_turn(experts, complete * (batch.votes_wanted or 0), self.judge)
        self.in_turn(experts[-1:], plan["started"], self.judge)

    def judge(self, member: Member, _number: int) -> None:
        """Cast one expert's vote."""
        assignment = next_task(by=member, stage=StageCode.LEGAL).assignment
        assert assignment
        place = Place.objects.get(task=assignment.task_id, member=member)
        meant = self.content.by_id[assignment.task.post.external_id]["legal"][place.number - 1]
        submit_answer(
            by=member,
            assignment_id=assignment.pk,
            answer=ExpertAnswer.of_ticks(
                meant["misinformation"],
                issues=meant["issues"],
                no_claim=meant["no_claim"],
                defence=meant["defence"],
                evidence=meant["evidence"],
                comment=meant["comment"],
                seconds=self.seconds(45),
            ),
        )

    def release(self) -> None:
        """Make a first release; it is marked incomplete."""
        finished(make_release(by=self.owner, study=self.study))
