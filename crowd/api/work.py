"""The work of annotators: the next post, its answer, and one's own votes; nothing of anybody else.

The same rules as on the labelling screen, and nothing in an answer that the screen does not show.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import Refusal, bad_fields
from annotation.api.pages import PageQuery
from annotation.models import (
    Assignment,
    SittingState,
    StageCode,
    StudyState,
)
from annotation.services.assignments import (
    NotHeld,
    Nothing,
    Offer,
    extend_lease,
    next_task,
    skip_task,
)
from annotation.services.sittings import end_sitting, open_sitting
from annotation.services.votes import (
    Answer,
    NoSuchLabel,
    Receipt,
    VoteRefused,
    unknown_label,
    vote_and_go_on,
)
from crowd.api.work_shapes import (
    GATE,
    GATES,
    SENTENCES,
    UNREAD,
    AnswerSent,
    Correction,
    Guide,
    Lease,
    Next,
    OwnVote,
    Skip,
    Start,
    Submitted,
)
from crowd.models import Action, Instructions
from crowd.queries.admission import next_gate
from crowd.queries.labels import choices_of
from crowd.queries.work import labels_of_batch, last_sitting, own_votes
from crowd.services.admission import NotAdmitted, begin_work
from crowd.services.instructions import InstructionsRefused, ready_instructions
from crowd.services.quality import apply_rules, is_due, kind_words
from crowd.services.work import ChangedMeanwhile, conclude, correct, own_at


class Room(StudyEndpoint):
    """What all endpoints of one's own work share: the crowd's stage, unless a room says another.

    `reads` says whether the instructions come before the first post; `answering` and `concluding`
    are the services that record an answer and end a sitting.
    """

    stage: ClassVar[str] = StageCode.CROWD
    reads: ClassVar[bool] = True
    answering: ClassVar[Callable[..., tuple[Receipt, Offer | None]]] = staticmethod(vote_and_go_on)
    concluding: ClassVar[Callable[..., None]] = staticmethod(conclude)
    needs: ClassVar[dict[str, Permission]] = {
        "GET": Permission.WORK_CROWD,
        "POST": Permission.WORK_CROWD,
        "PATCH": Permission.WORK_CROWD,
    }

    def own(self, assignment_id: int) -> Assignment:
        """Return one of the person's own assignments; anybody else's is not there."""
        try:
            return own_at(self.access.member, self.stage, assignment_id)
        except NotHeld as refusal:
            raise Http404(str(refusal)) from refusal

    def go_on(self) -> dict[str, Any]:
        """Return the next post, or what comes before it."""
        if self.stage == StageCode.CROWD:
            in_sitting = open_sitting(by=self.access.member, stage=self.stage)
            gate = "" if in_sitting else next_gate(self.access.member)
            if gate:
                return self.shown(nothing=GATE, about=self.address_of(gate), gate=GATES[gate])
        guide, is_read = ready_instructions(self.access.member)
        is_archived = self.access.study.state == StudyState.ARCHIVED
        if self.reads and not is_read and not is_archived:
            return self.shown(nothing=UNREAD, about=guide.version)
        return self.offered(next_task(by=self.access.member, stage=self.stage), guide)

    def address_of(self, gate: str) -> str:
        """Return where something is settled in a browser."""
        address: str = self.request.build_absolute_uri(reverse(gate, args=[self.access.study.slug]))
        return address

    def offered(self, offer: Offer, guide: Instructions) -> dict[str, Any]:
        """Return what somebody got, or why they got nothing."""
        self.concluding(by=self.access.member, stage=self.stage, offer=offer)
        if offer.assignment is None:
            return self.shown(nothing=str(offer.nothing), until=offer.until)
        return self.shown(post=self.held(offer.assignment, guide), until=offer.until)

    def held(self, assignment: Assignment, guide: Instructions) -> dict[str, Any]:
        """Return a post as somebody sees it who is to answer it."""
        labels = labels_of_batch(assignment.task.batch_id)
        post = assignment.task.post
        return {
            "assignment": assignment.pk,
            "text": post.text,
            "metadata": {name: post.metadata.get(name) for name in guide.shown_metadata},
            "question": labels[0].label_set.question if labels else "",
            "choices": choices_of(self.stage, labels),
            "guide_version": guide.version,
        }

    def shown(
        self,
        *,
        post: Any = None,
        nothing: str = "",
        until: Any = None,
        about: object = "",
        gate: str = "",
    ) -> dict[str, Any]:
        """Return what comes next, with the sitting that it stands in."""
        sentence = str(SENTENCES[nothing]) if nothing else ""
        return {
            "post": post,
            "until": until,
            "nothing": nothing,
            "gate": gate,
            "detail": sentence % about if about else sentence,
            "sitting": last_sitting(self.access.member, self.stage),
        }

    def answered(self, guide: Instructions) -> Answer:
        """Return the answer that was sent; refuse a version of the guide that is not there."""
        sent = self.sent
        version = sent["guide_version"] or guide.version
        if version > guide.version:
            raise bad_fields({"guide_version": [_("The newest version is %s.") % guide.version]})
        return Answer(sent["label"], sent["seconds"], version)


class WorkInstructions(Room):
    """What annotators read."""

    @operation(Guide)
    def get(self, request: Request) -> Response:
        """Return the instructions in force."""
        guide: Any
        guide, guide.is_read = ready_instructions(self.access.member)
        return self.answer(guide)


class WorkStart(Room):
    """The beginning of a sitting."""

    @operation(
        Next,
        sends=Start,
        refusals={InstructionsRefused: CONFLICT},
    )
    def post(self, request: Request) -> Response:
        """Say that you have read the instructions; begin a sitting, or go on with the open one."""
        try:
            begin_work(by=self.access.member, version=self.sent["version"])
        except NotAdmitted as refusal:
            sentence = str(SENTENCES[GATE]) % self.address_of(refusal.gate)
            raise Refusal(sentence, CONFLICT) from refusal
        return self.answer(self.go_on())


class WorkLeave(Room):
    """The end of a sitting."""

    @operation(Next)
    def post(self, request: Request) -> Response:
        """End the sitting early; the votes given in it stay."""
        end_sitting(by=self.access.member, stage=self.stage, state=SittingState.LEFT)
        return self.answer(self.shown(nothing=str(Nothing.NO_SITTING)))


class WorkNext(Room):
    """The next post."""

    @operation(Next)
    def post(self, request: Request) -> Response:
        """Take the next post, or get again the one that you hold."""
        return self.answer(self.go_on())


class WorkSubmit(Room):
    """The answer to a post."""

    @operation(
        Submitted,
        sends=AnswerSent,
        example={"label": "checkworthy", "seconds": 12.5},
        refusals={VoteRefused: CONFLICT},
    )
    def post(self, request: Request, assignment_id: int) -> Response:
        """Give your answer and take the next post; the same answer again is stored once."""
        guide, is_read = ready_instructions(self.access.member)
        receipt, offer = self.vote(assignment_id, self.answered(guide))
        if offer is None:
            sentence = _("You have voted on this post already, with another answer.")
            raise Refusal(sentence, CONFLICT)
        offer, warnings = self.looked_at(receipt, offer)
        is_ready = is_read or not self.reads
        after = self.offered(offer, guide) if is_ready else self.go_on()
        return self.answer({"vote": receipt, "warnings": warnings, "next": after})

    def looked_at(self, receipt: Receipt, offer: Offer) -> tuple[Offer, list[str]]:
        """Let the rules look at somebody's work; who is paused by one gets no post."""
        if self.stage != StageCode.CROWD or not receipt.is_new or not is_due(offer):
            return offer, []
        flags = apply_rules(member=self.access.member)
        if any(flag.action == Action.PAUSE for flag in flags):
            offer = next_task(by=self.access.member, stage=self.stage)
        return offer, [str(kind_words(flag)) for flag in flags if flag.action == Action.WARN]

    def vote(self, assignment_id: int, answer: Answer) -> tuple[Receipt, Offer | None]:
        """Record an answer to one of the person's own assignments."""
        try:
            return self.answering(
                by=self.access.member, stage=self.stage, assignment_id=assignment_id, answer=answer
            )
        except NotHeld as refusal:
            raise Http404(str(refusal)) from refusal
        except NoSuchLabel as refusal:
            raise bad_fields({"label": [str(refusal)]}) from refusal


class WorkSkip(Room):
    """A post passed on."""

    @operation(Next, sends=Skip, example={"reason": "not_sure"}, refusals={NotHeld: CONFLICT})
    def post(self, request: Request, assignment_id: int) -> Response:
        """Pass a post on to others and take the next one."""
        assignment = self.own(assignment_id)
        reason = self.sent["reason"]
        skip_task(by=self.access.member, assignment_id=assignment.pk, reason=reason)
        return self.answer(self.go_on())


class WorkExtend(Room):
    """More time for a post."""

    @operation(Lease, refusals={NotHeld: CONFLICT})
    def post(self, request: Request, assignment_id: int) -> Response:
        """Hold a post for longer, while you work on it."""
        until = extend_lease(by=self.access.member, assignment_id=self.own(assignment_id).pk)
        if until is None:
            raise NotHeld(_("This post is no longer held for you."))
        return self.answer({"until": until})


class WorkVotes(Room):
    """One's own votes."""

    @operation(OwnVote, is_page=True, query=PageQuery)
    def get(self, request: Request) -> Response:
        """List your own votes, newest first."""
        return self.page(own_votes(self.access.member, self.stage), ("-created_at", "-pk"))


class OneWorkVote(Room):
    """One of one's own votes."""

    @operation(OwnVote)
    def get(self, request: Request, assignment_id: int) -> Response:
        """Return your vote on a post as it stands."""
        return self.answer(self.standing(self.own(assignment_id)))

    @operation(
        OwnVote,
        sends=Correction,
        refusals={VoteRefused: CONFLICT, ChangedMeanwhile: CONFLICT},
    )
    def patch(self, request: Request, assignment_id: int) -> Response:
        """Correct your vote, until its batch is closed."""
        assignment = self.own(assignment_id)
        guide, _is_read = ready_instructions(self.access.member)
        answer = self.answered(guide)
        if answer.label not in assignment.task.batch.labels:
            raise bad_fields({"label": [unknown_label(answer.label)]})
        correct(
            by=self.access.member,
            assignment_id=assignment.pk,
            answer=answer,
            seen_version=self.sent["seen_version"],
        )
        return self.answer(self.standing(assignment))

    def standing(self, assignment: Assignment) -> Any:
        """Return the vote that came out of an assignment."""
        vote = own_votes(self.access.member, self.stage).filter(task=assignment.task_id).first()
        if vote is None:
            raise Http404(_("There is no vote of yours on this post to correct."))
        return vote


class GoldRoom(Room):
    """The researchers' own labelling of the gold pool: open tasks, no sittings, nothing to read."""

    stage = StageCode.GOLD
    reads = False
    needs = dict.fromkeys(("GET", "POST", "PATCH"), Permission.LABEL_GOLD)


class GoldNext(GoldRoom, WorkNext):
    """The next post of the pool."""


class GoldSubmit(GoldRoom, WorkSubmit):
    """Your label of a post of the pool."""


class GoldSkip(GoldRoom, WorkSkip):
    """A post of the pool left out."""


class GoldVotes(GoldRoom, WorkVotes):
    """Your own gold labels."""


class OneGoldVote(GoldRoom, OneWorkVote):
    """One of your own gold labels."""
