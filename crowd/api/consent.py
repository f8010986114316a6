"""What people agree to, what they are asked, and who has withdrawn."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.fields import Moment
from annotation.models import StageCode
from crowd.models import BackgroundQuestion, QuestionKind
from crowd.queries.consent import consent_versions, questions_of, withdrawals_of
from crowd.services.consent import (
    ConsentRefused,
    add_question,
    retire_question,
    write_consent_text,
)

MANAGED = {"GET": Permission.SEE_RESULTS, "POST": Permission.MANAGE_DATA}


class ConsentVersion(serializers.Serializer):
    """One version; `given` people agreed to it, of whom `withdrawn` withdrew."""

    version = serializers.IntegerField()
    markdown = serializers.CharField()
    given = serializers.IntegerField()
    withdrawn = serializers.IntegerField()
    created_at = Moment()


class NewConsent(serializers.Serializer):
    """A new version, whole; `seen_version` is the newest one that you know (0: there is none)."""

    markdown = serializers.CharField(max_length=50_000)
    seen_version = serializers.IntegerField(min_value=0, max_value=2**31 - 1)


class QuestionRow(serializers.Serializer):
    """A background question; answers in `turns_away` end it for whoever gives them."""

    id = serializers.IntegerField()
    question = serializers.CharField()
    kind = serializers.ChoiceField(choices=QuestionKind.choices)
    choices = serializers.ListField(child=serializers.CharField())
    turns_away = serializers.ListField(child=serializers.CharField())
    required = serializers.BooleanField()
    answered = serializers.IntegerField()
    declined = serializers.IntegerField()
    retired_at = Moment(allow_null=True)


class NewQuestion(serializers.Serializer):
    """A question, for good: its words never change."""

    question = serializers.CharField(max_length=300)
    kind = serializers.ChoiceField(choices=QuestionKind.choices)
    choices = serializers.ListField(
        child=serializers.CharField(max_length=200), default=list, max_length=1_000
    )
    turns_away = serializers.ListField(
        child=serializers.CharField(max_length=200), default=list, max_length=1_000
    )
    required = serializers.BooleanField(default=True)


class Withdrawal(serializers.Serializer):
    """Somebody who took themselves out; `places` votes were asked for anew."""

    pseudonym = serializers.CharField(source="member.pseudonym")
    stage = serializers.ChoiceField(choices=StageCode.choices)
    places = serializers.IntegerField()
    withdrawn_at = Moment(source="created_at")


class ConsentVersions(StudyEndpoint):
    """The versions of what people agree to."""

    needs = MANAGED

    @operation(ConsentVersion, is_page=True)
    def get(self, request: Request) -> Response:
        """List the versions, newest first."""
        return self.page(consent_versions(self.access.study), ("-version",))

    @operation(ConsentVersion, sends=NewConsent, code=201, refusals={ConsentRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Write a new version, to which people agree before their next sitting."""
        study = self.access.study
        text = write_consent_text(by=self.access.user, study=study, **self.sent)
        return self.answer(consent_versions(study).get(pk=text.pk))


class Questions(StudyEndpoint):
    """What annotators are asked about themselves."""

    needs = MANAGED

    @operation(QuestionRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List the questions with how many answered, those that are asked no more included."""
        return self.page(questions_of(self.access.study), ("order",))

    @operation(QuestionRow, sends=NewQuestion, code=201, refusals={ConsentRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Ask something more before the next sitting."""
        study = self.access.study
        question = add_question(by=self.access.user, study=study, **self.sent)
        return self.answer(questions_of(study).get(pk=question.pk))


class QuestionRetire(StudyEndpoint):
    """The end of a question."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(QuestionRow)
    def post(self, request: Request, question_id: int) -> Response:
        """Ask a question no more; what was answered stays."""
        question = of_study(BackgroundQuestion.objects.all(), self.access, pk=question_id)
        retire_question(by=self.access.user, question=question)
        return self.answer(questions_of(self.access.study).get(pk=question.pk))


class Withdrawals(StudyEndpoint):
    """Who has withdrawn."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(Withdrawal, is_page=True)
    def get(self, request: Request) -> Response:
        """List withdrawals by pseudonym, newest first."""
        return self.page(withdrawals_of(self.access.study), ("-pk",))
