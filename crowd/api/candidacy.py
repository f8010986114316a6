"""A candidate's own tests: the same screen of work, and the result.

Nothing here tells which posts were right, how many, or what gold says.
"""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.endpoint import CONFLICT, operation
from annotation.api.errors import Refusal
from annotation.models import StageCode
from crowd.api.work import (
    OneWorkVote,
    Room,
    WorkExtend,
    WorkNext,
    WorkSkip,
    WorkSubmit,
    WorkVotes,
)
from crowd.api.work_shapes import GATE, SENTENCES, Next, SittingNow, Start
from crowd.queries.prescreening import Step, candidacy_of
from crowd.services.admission import NotAdmitted
from crowd.services.candidates import answer_in_test, begin_test, conclude_test
from crowd.services.instructions import InstructionsRefused


class CandidacyShown(serializers.Serializer):
    """How you stand: `step` says what comes next, `sitting` is that of your newest test."""

    step = serializers.ChoiceField(choices=[(step.value, step.value) for step in Step])
    may_begin = serializers.BooleanField()
    tests_taken = serializers.IntegerField()
    tests_left = serializers.IntegerField()
    sitting = SittingNow(allow_null=True)


class TestRoom(Room):
    """Where somebody takes a test."""

    stage = StageCode.PRESCREENING
    answering = staticmethod(answer_in_test)
    concluding = staticmethod(conclude_test)


class OwnCandidacy(TestRoom):
    """How somebody stands in the prescreening."""

    @operation(CandidacyShown)
    def get(self, request: Request) -> Response:
        """Tell whether you can take a test, and what became of those that you took."""
        candidacy = candidacy_of(self.access.member)
        found: dict[str, Any] = {
            "step": candidacy.step.value,
            "may_begin": candidacy.may_begin,
            "tests_taken": len(candidacy.tests),
            "tests_left": candidacy.tests_left,
            "sitting": candidacy.last_sitting,
        }
        return self.answer(found)


class TestStart(TestRoom):
    """The beginning of a test."""

    @operation(Next, sends=Start, example={"version": 1}, refusals={InstructionsRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Say that you have read the instructions; begin a test, or go on with the open one."""
        try:
            begin_test(by=self.access.member, version=self.sent["version"])
        except NotAdmitted as refusal:
            sentence = str(SENTENCES[GATE]) % self.address_of(refusal.gate)
            raise Refusal(sentence, CONFLICT) from refusal
        return self.answer(self.go_on())


class TestNext(TestRoom, WorkNext):
    """The next post of a test."""


class TestSubmit(TestRoom, WorkSubmit):
    """Your answer in a test."""


class TestSkip(TestRoom, WorkSkip):
    """A post of a test passed on."""


class TestExtend(TestRoom, WorkExtend):
    """More time for a post of a test."""


class TestVotes(TestRoom, WorkVotes):
    """Your answers in tests."""


class OneTestVote(TestRoom, OneWorkVote):
    """One of your answers in a test."""
