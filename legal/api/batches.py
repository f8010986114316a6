"""The batches of the legal stage: a promoted filter run or an import makes one."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.fields import Moment
from annotation.models import BatchState, Origin, StageCode
from annotation.queries.progress import batches_of
from annotation.services.batches import BatchRefused, move_batch

SEEN = {"GET": Permission.SEE_RESULTS}


class ExpertBatch(serializers.Serializer):
    """A batch of the experts: `votes` of `places` are given; `catalogue` is the version in use."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=BatchState.choices)
    origin = serializers.ChoiceField(choices=Origin.choices)
    source = serializers.CharField()
    catalogue = serializers.IntegerField(source="legal_round.catalogue.version", default=None)
    votes_wanted = serializers.IntegerField(allow_null=True)
    posts = serializers.IntegerField()
    places = serializers.IntegerField(source="place_count")
    votes = serializers.IntegerField(source="filled_count")
    created_at = Moment()


class ExpertBatchMove(serializers.Serializer):
    """Whether a batch is opened, paused or closed."""

    to = serializers.ChoiceField(choices=[(word, word) for word in ("open", "paused", "closed")])


def rows_for(endpoint: StudyEndpoint) -> Any:
    """Return the batches of a study's experts."""
    rows = batches_of(endpoint.access.study, StageCode.LEGAL)
    return rows.select_related("legal_round__catalogue")


class LegalBatches(StudyEndpoint):
    """The batches of the experts."""

    needs = SEEN

    @operation(ExpertBatch, is_page=True)
    def get(self, request: Request) -> Response:
        """List the batches, newest first."""
        return self.page(rows_for(self), ("-number",))


class OneLegalBatch(StudyEndpoint):
    """One batch of the experts."""

    needs = SEEN

    @operation(ExpertBatch)
    def get(self, request: Request, number: int) -> Response:
        """Tell how far a batch is."""
        return self.answer(of_study(rows_for(self), self.access, number=number))


class LegalBatchMove(StudyEndpoint):
    """The state of a batch."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(
        ExpertBatch,
        sends=ExpertBatchMove,
        example={"to": "open"},
        refusals={BatchRefused: CONFLICT},
    )
    def post(self, request: Request, number: int) -> Response:
        """Open, pause or close a batch; a closed one stays closed."""
        batch = of_study(rows_for(self), self.access, number=number)
        move_batch(by=self.access.user, batch=batch, to=self.sent["to"])
        return self.answer(rows_for(self).get(pk=batch.pk))
