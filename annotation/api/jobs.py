"""The long work of a study."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import StudyEndpoint, operation
from annotation.api.fields import Anything, Moment
from annotation.models import Job, JobState
from annotation.queries.jobs import jobs_of
from annotation.registry import job_kind
from annotation.services.jobs import cancel_job, retry_job


class JobRow(serializers.Serializer):
    """A piece of long work: how far it is, and why it failed where it did.

    A job may have parts: jobs of their own that name it as their parent.
    """

    id = serializers.IntegerField()
    parent = serializers.IntegerField(source="parent_id", allow_null=True)
    kind = serializers.CharField()
    title = serializers.SerializerMethodField()
    state = serializers.ChoiceField(choices=JobState.choices)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    message = serializers.CharField()
    reason = serializers.CharField()
    result = Anything()
    created_at = Moment()
    started_at = Moment(allow_null=True)
    ended_at = Moment(allow_null=True)

    def get_title(self, job: Job) -> str:
        """Return the kind in words."""
        return str(job_kind(job.kind).title)


class Jobs(StudyEndpoint):
    """All jobs."""

    needs = {"GET": Permission.MANAGE_DATA}

    @operation(JobRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List a study's jobs, newest first."""
        return self.page(jobs_of(self.access.study), ("-pk",))


class OneJob(StudyEndpoint):
    """One job."""

    needs = {"GET": Permission.MANAGE_DATA}

    @operation(JobRow)
    def get(self, request: Request, job_id: int) -> Response:
        """Tell how a job stands."""
        return self.answer(of_study(jobs_of(self.access.study), self.access, pk=job_id))


class JobCancel(StudyEndpoint):
    """The end of a job."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(JobRow)
    def post(self, request: Request, job_id: int) -> Response:
        """End a queued job, or ask a running one to stop at its next step."""
        return self.answer(cancel_job(job=of_study(Job.objects.all(), self.access, pk=job_id)))


class JobRetry(StudyEndpoint):
    """Another attempt."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(JobRow)
    def post(self, request: Request, job_id: int) -> Response:
        """Queue a job again that failed or was cancelled."""
        return self.answer(retry_job(job=of_study(Job.objects.all(), self.access, pk=job_id)))
