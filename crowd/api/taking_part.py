"""A worker's own consent, questions about themselves, and withdrawal.

Nothing here tells which answers end it.
"""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.endpoint import CONFLICT, operation
from annotation.api.errors import bad_fields
from annotation.models import Member
from annotation.services.assignments import Nothing
from crowd.api.work import Room
from crowd.api.work_shapes import Next
from crowd.forms.consent import LONGEST_ANSWER, BackgroundForm, as_sent
from crowd.models import BackgroundQuestion, QuestionKind
from crowd.queries.consent import (
    consent_gate,
    expected_of,
    newest_consent_text,
    open_questions,
)
from crowd.queries.prescreening import coming_test
from crowd.services.consent import ConsentRefused, answer_questions, give_consent, withdraw


class AskedTest(serializers.Serializer):
    """The test that comes before the work: its posts, and the pay for all of them."""

    posts = serializers.IntegerField()
    pay = serializers.DecimalField(max_digits=8, decimal_places=2)


class ConsentAsked(serializers.Serializer):
    """What taking part means; `version` 0 where the study asks for no consent."""

    version = serializers.IntegerField()
    markdown = serializers.CharField()
    is_given = serializers.BooleanField()
    posts = serializers.IntegerField()
    minutes = serializers.IntegerField(allow_null=True)
    reward = serializers.DecimalField(max_digits=8, decimal_places=2)
    currency = serializers.CharField()
    contact = serializers.CharField()
    ethics_number = serializers.CharField()
    content_warning = serializers.CharField()
    test = AskedTest(allow_null=True)


class ConsentGiven(serializers.Serializer):
    """The version that you have read and agree to."""

    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class QuestionAsked(serializers.Serializer):
    """A question about you; a `required` one is answered or declined."""

    id = serializers.IntegerField()
    question = serializers.CharField()
    kind = serializers.ChoiceField(choices=QuestionKind.choices)
    choices = serializers.ListField(child=serializers.CharField())
    required = serializers.BooleanField()


class AboutYou(serializers.Serializer):
    """Answers by the questions' ids; `null` for what you would rather not say."""

    answers = serializers.DictField(
        child=serializers.CharField(max_length=LONGEST_ANSWER, allow_null=True)
    )


def consent_of(member: Member) -> dict[str, Any]:
    """Return what somebody agrees to, and what a sitting asks and gives."""
    text, protocol = newest_consent_text(member.study), member.study.protocol
    expected = expected_of(member)
    named = ("reward", "currency", "contact", "ethics_number", "content_warning")
    return {name: getattr(protocol, name) for name in named} | {
        "version": text.version if text else 0,
        "markdown": text.markdown if text else "",
        "is_given": text is not None and not consent_gate(member),
        "posts": expected.posts,
        "minutes": expected.minutes,
        "test": coming_test(member),
    }


class OwnConsent(Room):
    """Somebody's own consent."""

    @operation(ConsentAsked)
    def get(self, request: Request) -> Response:
        """Tell what you are asked to agree to, and whether you have."""
        return self.answer(consent_of(self.access.member))

    @operation(
        Next, sends=ConsentGiven, example={"version": 1}, refusals={ConsentRefused: CONFLICT}
    )
    def post(self, request: Request) -> Response:
        """Agree to the newest version; the answer says what comes next."""
        give_consent(by=self.access.member, version=self.sent["version"])
        return self.answer(self.go_on())


class OwnQuestions(Room):
    """What somebody is asked about themselves."""

    @operation(QuestionAsked, is_list=True)
    def get(self, request: Request) -> Response:
        """List the questions that you have neither answered nor declined."""
        return self.answer(open_questions(self.access.member))

    @operation(
        Next,
        sends=AboutYou,
        example={"answers": {"3": "27", "4": None}},
        refusals={ConsentRefused: CONFLICT},
    )
    def post(self, request: Request) -> Response:
        """Answer all open questions at once, each for good; the answer says what comes next."""
        member = self.access.member
        answer_questions(by=member, answers=self.checked(list(open_questions(member))))
        return self.answer(self.go_on())

    def checked(self, questions: list[BackgroundQuestion]) -> dict[int, str]:
        """Return the answers by question, checked as on the page."""
        sent: dict[str, Any] = self.sent["answers"]
        known = {str(question.pk) for question in questions}
        if unknown := sorted(set(sent) - known):
            sentence = _("You are asked no such question.")
            raise bad_fields({"answers": {name[:60]: [sentence] for name in unknown}})
        form = BackgroundForm(as_sent(questions, sent), questions=questions)
        if not form.is_valid():
            faults = {name.removeprefix("question_"): said for name, said in form.errors.items()}
            raise bad_fields({"answers": faults})
        return form.answers()


class Withdraw(Room):
    """The way out of a study."""

    @operation(Next, refusals={ConsentRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Withdraw for good: your votes count no more and leave the next release."""
        withdraw(by=self.access.member)
        return self.answer(self.shown(nothing=str(Nothing.YOU_WITHDREW)))
