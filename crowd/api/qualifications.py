"""The qualifications of one's studies: who can have them, and where they count."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, permissions_of
from annotation.api.endpoint import Endpoint, operation
from annotation.queries.studies import studies_of
from crowd.queries.prescreening import qualifications_in


class QualificationRow(serializers.Serializer):
    """What passing the prescreening of a study earns: how many people stand where.

    `accepted_by` are those of your studies in which it counts, too.
    """

    study = serializers.SlugField(source="study.slug")
    title = serializers.CharField(source="study.title")
    granted = serializers.IntegerField()
    waiting = serializers.IntegerField()
    refused = serializers.IntegerField()
    revoked = serializers.IntegerField()
    accepted_by = serializers.SerializerMethodField()

    def get_accepted_by(self, qualification: Any) -> list[str]:
        """Return the slugs of the studies."""
        return sorted(one.rules.study.slug for one in qualification.accepted_by.all())


class Qualifications(Endpoint):
    """The qualifications of the studies whose results somebody may see."""

    @operation(QualificationRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List the qualifications of your studies; which a study accepts, its rules say."""
        members = studies_of(request.user)
        seen = [one.study_id for one in members if Permission.SEE_RESULTS in permissions_of(one)]
        return self.page(qualifications_in(seen), ("study__slug",))
