"""The versions of a study's own labels."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import UNPROCESSABLE
from annotation.api.fields import Moment
from crowd.queries.labels import own_label_sets
from crowd.services.defaults import own_label_set
from crowd.services.labels import LabelsChanged, LabelsRefused, NewLabel, write_labels


class LabelRow(serializers.Serializer):
    """A label; its place in the list is its place in all vectors."""

    code = serializers.CharField()
    name = serializers.CharField()
    key = serializers.CharField(max_length=1)
    description = serializers.CharField(max_length=300, default="", allow_blank=True)


class LabelSetVersion(serializers.Serializer):
    """One version; `opened` is how many rounds were opened with it, which then keep it as it is."""

    version = serializers.IntegerField()
    question = serializers.CharField()
    labels = LabelRow(many=True)
    opened = serializers.IntegerField()
    created_at = Moment()


class NewLabelSet(serializers.Serializer):
    """The labels, whole; `seen_version` is the newest version that you know."""

    question = serializers.CharField(max_length=200)
    labels = LabelRow(many=True, max_length=100)
    seen_version = serializers.IntegerField(min_value=1)


class LabelSets(StudyEndpoint):
    """All versions of a study's own labels."""

    needs = {"GET": Permission.SEE_RESULTS, "POST": Permission.MANAGE_DATA}

    @operation(LabelSetVersion, is_list=True)
    def get(self, request: Request) -> Response:
        """List the versions, newest first."""
        return self.answer(self.versions())

    @operation(
        LabelSetVersion,
        sends=NewLabelSet,
        code=201,
        refusals={LabelsChanged: CONFLICT, LabelsRefused: UNPROCESSABLE},
    )
    def post(self, request: Request) -> Response:
        """Change the labels: in place until a batch is opened with them, then as a new version."""
        labels = [NewLabel(**label) for label in self.sent["labels"]]
        sent = {**self.sent, "labels": labels}
        write_labels(by=self.access.user, study=self.access.study, **sent)
        return self.answer(self.versions()[0])

    def versions(self) -> list[Any]:
        """Return the versions, the one in force first."""
        own_label_set(self.access.study)
        return list(own_label_sets(self.access.study))
