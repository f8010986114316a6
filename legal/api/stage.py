"""What a study asks of its experts, how long they worked, and answers that do not follow."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import StudyEndpoint, operation
from annotation.api.jobs import JobRow
from annotation.queries.jobs import jobs_of
from legal.forms.settings import SettingsForm
from legal.models import LegalSettings, Misinformation
from legal.queries.adjudication import differing_answers
from legal.queries.hours import experts_of, weeks_of
from legal.queries.settings import settings_of
from legal.services.figures import queue_figures
from legal.services.settings import change_settings

SEEN = {"GET": Permission.SEE_RESULTS}


class ExpertSettings(serializers.ModelSerializer):
    """What a study asks of its experts, and how it settles ties; what is not sent stays."""

    class Meta:
        model = LegalSettings
        fields = SettingsForm.Meta.fields


class WeekRow(serializers.Serializer):
    """A week of an expert's work, from Monday; `unmeasured` answers came without a time."""

    begins = serializers.DateField()
    posts = serializers.IntegerField()
    corrections = serializers.IntegerField()
    practised = serializers.IntegerField()
    unmeasured = serializers.IntegerField()
    seconds = serializers.FloatField()


class DifferingAnswer(serializers.Serializer):
    """An answer whose label is not the one that follows from its evidence and issues."""

    post_id = serializers.IntegerField(source="vote.task.post_id")
    post = serializers.CharField(source="vote.task.post.external_id")
    annotator = serializers.CharField(source="vote.member.pseudonym")
    label = serializers.ChoiceField(source="vote.label", choices=Misinformation.choices)
    derived = serializers.ChoiceField(choices=Misinformation.choices)
    insistence = serializers.CharField()


class LegalRules(StudyEndpoint):
    """The rules of the legal stage."""

    needs = {"GET": Permission.MANAGE_DATA, "PATCH": Permission.MANAGE_DATA}

    @operation(ExpertSettings)
    def get(self, request: Request) -> Response:
        """Tell what experts are asked, and how ties are settled."""
        return self.answer(settings_of(self.access.study))

    @operation(ExpertSettings, sends=ExpertSettings, is_partial=True)
    def patch(self, request: Request) -> Response:
        """Change some of it; the history keeps the old values."""
        sent: dict[str, Any] = dict(self.sent)
        return self.answer(change_settings(by=self.access.member, study=self.access.study, **sent))


class ExpertHours(StudyEndpoint):
    """The hours of one expert."""

    needs = SEEN

    @operation(WeekRow, is_list=True)
    def get(self, request: Request, pseudonym: str) -> Response:
        """List the weeks in which an expert worked, the first one first."""
        member = of_study(experts_of(self.access.study), self.access, pseudonym=pseudonym)
        return self.answer(weeks_of(member))


class Differences(StudyEndpoint):
    """Answers that do not follow."""

    needs = SEEN

    @operation(DifferingAnswer, is_page=True)
    def get(self, request: Request) -> Response:
        """List answers on complete posts that are not the ones that follow, newest first."""
        return self.page(differing_answers(self.access.study), ("-vote",))


class LegalFiguresDrawn(StudyEndpoint):
    """The figures of the stage."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(JobRow, code=201)
    def post(self, request: Request) -> Response:
        """Have the figures drawn, as a job; they are the charts about “legal” then."""
        job = queue_figures(by=self.access.user, study=self.access.study)
        return self.answer(jobs_of(self.access.study).get(pk=job.pk))
