"""The versions of the instructions."""

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import bad_fields
from annotation.api.fields import Moment
from crowd.queries.instructions import metadata_columns, versions_of
from crowd.services.defaults import current_instructions
from crowd.services.instructions import InstructionsRefused, write_instructions


class InstructionsVersion(serializers.Serializer):
    """One version; `readers` is how many people have said that they read it."""

    version = serializers.IntegerField()
    introduction = serializers.CharField()
    markdown = serializers.CharField()
    shown_metadata = serializers.ListField(child=serializers.CharField())
    readers = serializers.IntegerField()
    created_at = Moment()


class NewInstructions(serializers.Serializer):
    """A new version, whole; `seen_version` is the newest one that you know."""

    introduction = serializers.CharField(max_length=20_000, allow_blank=True, default="")
    markdown = serializers.CharField(max_length=50_000)
    shown_metadata = serializers.ListField(
        child=serializers.CharField(max_length=200),
        default=list,
        help_text="Columns shown beside a post. Never show what others said about it.",
    )
    seen_version = serializers.IntegerField(min_value=1)


class InstructionsVersions(StudyEndpoint):
    """All versions of the instructions."""

    needs = {"GET": Permission.SEE_RESULTS, "POST": Permission.MANAGE_DATA}

    @operation(InstructionsVersion, is_page=True)
    def get(self, request: Request) -> Response:
        """List the versions, newest first."""
        current_instructions(self.access.study)
        return self.page(versions_of(self.access.study), ("-version",))

    @operation(
        InstructionsVersion,
        sends=NewInstructions,
        code=201,
        refusals={InstructionsRefused: CONFLICT},
    )
    def post(self, request: Request) -> Response:
        """Write a new version, which workers read before their next post."""
        study = self.access.study
        newest = current_instructions(study)
        columns = {*metadata_columns(study), *newest.shown_metadata}
        unknown = [name for name in self.sent["shown_metadata"] if name not in columns]
        if unknown:
            raise bad_fields({"shown_metadata": [_("No post has these columns: %s.") % unknown]})
        written = write_instructions(by=self.access.user, study=study, **self.sent)
        return self.answer(versions_of(study).get(pk=written.pk))
