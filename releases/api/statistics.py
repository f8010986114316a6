"""The figures of a study by the API: read as they were counted last, and counted anew."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.fields import Anything, Moment
from annotation.api.jobs import JobRow
from releases.models import StudyStatistics
from releases.queries.statistics import changes, state_of
from releases.services.study_statistics import StatisticsRefused, queue_statistics


class StatisticsRow(serializers.Serializer):
    """The figures of a study (docs/data-formats.md), when they were counted, and of which round.

    `changes` are words on what has changed since. The charts have the subject “statistics”.
    """

    made_at = Moment()
    crowd_round = serializers.IntegerField(allow_null=True)
    changes = serializers.SerializerMethodField()
    content = Anything()

    def get_changes(self, stored: StudyStatistics) -> list[str]:
        """Return what has changed since the figures were counted."""
        return list(changes(stored.state, state_of(stored.study)))


class CountAnew(serializers.Serializer):
    """Which crowd round is counted, where rounds differ in their labels."""

    crowd_round = serializers.IntegerField(required=False, min_value=1)


class Statistics(StudyEndpoint):
    """The figures of a study."""

    needs = {"GET": Permission.SEE_RESULTS, "POST": Permission.MANAGE_DATA}

    @operation(StatisticsRow)
    def get(self, request: Request) -> Response:
        """Give the figures as they were counted last; 404 where they never were."""
        stored = StudyStatistics.objects.select_related("study")
        return self.answer(of_study(stored, self.access))

    @operation(JobRow, sends=CountAnew, code=201, refusals={StatisticsRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Have the figures counted and drawn; where that is under way, tell of that job."""
        by, study = self.access.user, self.access.study
        return self.answer(queue_statistics(by=by, study=study, **self.sent))
