"""The long work of a study."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import bad_fields
from annotation.api.fields import Anything, Moment
from annotation.api.pages import PageQuery
from annotation.models import Job, JobState
from annotation.queries.jobs import WatchedJob, jobs_for, jobs_of, kinds_of_jobs, watch
from annotation.registry import job_kind
from annotation.services.jobs import cancel_job, retry_job
from infra.jobs import JobRefused


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


class WatchedPart(JobRow):
    """A job and whether it lives: `seconds_left` where that can be told, `stands_since` where
    nothing moves, `is_lost` where it should be running and its process is gone.
    """

    seconds_left = serializers.IntegerField(allow_null=True)
    stands_since = Moment(allow_null=True)
    is_lost = serializers.BooleanField()

    def to_representation(self, watched: WatchedJob) -> dict[str, Any]:
        """Return the job's own fields with what is seen of it."""
        job, seen = watched.job, vars(watched)
        return {
            name: field.to_representation(value) if value is not None else None
            for name, field in self.fields.items()
            for value in [seen[name] if name in seen else field.get_attribute(job)]
        }


class WatchedRow(WatchedPart):
    """A job with its parts, those first that failed or run."""

    parts = WatchedPart(many=True)


class JobsQuery(PageQuery):
    """Which jobs: in a state or all `under_way`, of a kind."""

    state = serializers.ChoiceField(
        choices=[("under_way", "under_way"), *JobState.choices], required=False
    )
    kind = serializers.CharField(required=False, max_length=40)


class Jobs(StudyEndpoint):
    """All jobs."""

    needs = {"GET": Permission.MANAGE_DATA}

    @operation(WatchedRow, is_page=True, query=JobsQuery)
    def get(self, request: Request) -> Response:
        """List a study's jobs, newest first, each with its parts."""
        asked = {name: self.query.get(name, "") for name in ("state", "kind")}
        if asked["kind"] and asked["kind"] not in kinds_of_jobs(self.access.study):
            raise bad_fields({"kind": [_("This study has no job of this kind.")]})
        return self.page(jobs_for(self.access.study, **asked), ("-pk",), watch)


class OneJob(StudyEndpoint):
    """One job."""

    needs = {"GET": Permission.MANAGE_DATA}

    @operation(WatchedRow)
    def get(self, request: Request, job_id: int) -> Response:
        """Tell how a job stands."""
        job = of_study(jobs_of(self.access.study), self.access, pk=job_id)
        return self.answer(watch([job])[0])


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

    @operation(JobRow, refusals={JobRefused: CONFLICT})
    def post(self, request: Request, job_id: int) -> Response:
        """Queue a job again that failed or was cancelled."""
        job = of_study(Job.objects.all(), self.access, pk=job_id)
        return self.answer(retry_job(by=self.access.user, job=job))
