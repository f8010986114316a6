"""The rounds of the crowd and the batches of the gold pool."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import bad_fields
from annotation.api.fields import Moment
from annotation.models import Batch, BatchState, Origin, StageCode
from annotation.queries.progress import batches_of
from annotation.services.batches import BatchRefused, move_batch
from crowd.forms import MOST_POSTS, MOST_SEED
from crowd.queries.gold import gold_batches
from crowd.services.batches import create_batch, create_gold_batch, discard_draft
from crowd.services.gold import close_pool

MOVES = [(state, state) for state in ("open", "paused", "closed")]
MANAGED = {"GET": Permission.SEE_RESULTS, "POST": Permission.MANAGE_DATA}


class BatchFields(serializers.Serializer):
    """What every batch is."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=BatchState.choices)
    origin = serializers.ChoiceField(choices=Origin.choices)
    labels = serializers.ListField(child=serializers.CharField())
    seed = serializers.IntegerField(allow_null=True)
    source = serializers.CharField()
    created_at = Moment()
    posts = serializers.IntegerField()


class CrowdBatch(BatchFields):
    """A round of the crowd: `votes` of `places` are given; `cost` is what all of them cost,
    with the votes that were taken out, which are paid as well.

    `check_share` is the share of checks among the posts of a sitting.
    """

    votes_wanted = serializers.IntegerField(allow_null=True)
    places = serializers.IntegerField(source="place_count")
    votes = serializers.IntegerField(source="filled_count")
    cost = serializers.SerializerMethodField()
    check_share = serializers.FloatField(source="crowd_round.check_share")

    def get_cost(self, batch: Any) -> str:
        """Return what the votes of the batch cost by the protocol."""
        return f"{batch.study.protocol.reward * batch.paid_count:.2f}"


class GoldBatch(BatchFields):
    """A batch of the gold pool; `mine` is how many of its posts you labelled."""

    mine = serializers.IntegerField()


class NewGoldBatch(serializers.Serializer):
    """Which posts: these, by their ids in the file, or so many drawn at random."""

    external_ids = serializers.ListField(
        child=serializers.CharField(max_length=200), required=False, max_length=MOST_POSTS
    )
    posts = serializers.IntegerField(required=False, min_value=1, max_value=MOST_POSTS)
    seed = serializers.IntegerField(required=False, min_value=0, max_value=MOST_SEED)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse two ways at once."""
        if "external_ids" in attrs and {"posts", "seed"} & set(attrs):
            raise bad_fields({"external_ids": [_("Name posts or have them drawn, not both.")]})
        return attrs


class NewCrowdBatch(NewGoldBatch):
    """Which posts, and how many votes each; what is not said comes from the protocol."""

    votes_wanted = serializers.IntegerField(required=False, min_value=1, max_value=100)


class Move(serializers.Serializer):
    """Whether a batch is opened, paused or closed."""

    to = serializers.ChoiceField(choices=MOVES)


class Discarded(serializers.Serializer):
    """A draft that is gone: its number is not given again, and its posts are free."""

    number = serializers.IntegerField()
    posts = serializers.IntegerField()


class GoldMove(Move):
    """Closing makes gold labels; `without_rest` leaves out posts without a second label."""

    without_rest = serializers.BooleanField(default=False)


class CrowdBatches(StudyEndpoint):
    """The rounds of the crowd."""

    needs = MANAGED

    @operation(CrowdBatch, is_page=True)
    def get(self, request: Request) -> Response:
        """List the rounds, newest first."""
        return self.page(crowd_rows(self), ("-number",))

    @operation(
        CrowdBatch,
        sends=NewCrowdBatch,
        code=201,
        example={"posts": 100, "seed": 7},
        refusals={BatchRefused: CONFLICT},
    )
    def post(self, request: Request) -> Response:
        """Make a batch: a draft, until it is opened."""
        batch = create_batch(by=self.access.user, study=self.access.study, **self.sent)
        return self.answer(crowd_rows(self).get(pk=batch.pk))


def crowd_rows(endpoint: StudyEndpoint) -> Any:
    """Return a study's rounds with what their cost needs."""
    rows = batches_of(endpoint.access.study, StageCode.CROWD)
    return rows.select_related("study__protocol", "crowd_round")


class OneCrowdBatch(StudyEndpoint):
    """One round of the crowd."""

    needs = MANAGED

    @operation(CrowdBatch)
    def get(self, request: Request, number: int) -> Response:
        """Tell how far a batch is, and what it costs."""
        return self.answer(of_study(crowd_rows(self), self.access, number=number))


class CrowdBatchMove(StudyEndpoint):
    """The state of a round."""

    needs = MANAGED

    @operation(CrowdBatch, sends=Move, example={"to": "open"}, refusals={BatchRefused: CONFLICT})
    def post(self, request: Request, number: int) -> Response:
        """Open, pause or close a batch; a closed one stays closed."""
        batch = of_study(crowd_rows(self), self.access, number=number)
        move_batch(by=self.access.user, batch=batch, to=self.sent["to"])
        return self.answer(crowd_rows(self).get(pk=batch.pk))


class DiscardOfStage(StudyEndpoint):
    """The end of a draft of one stage."""

    needs = {"POST": Permission.MANAGE_DATA}
    stage: str

    @operation(Discarded, refusals={BatchRefused: CONFLICT})
    def post(self, request: Request, number: int) -> Response:
        """Throw away a draft that never was open; its posts are free for other batches."""
        rows = Batch.objects.filter(stage=self.stage)
        batch = of_study(rows, self.access, number=number)
        return self.answer(discard_draft(by=self.access.user, batch=batch))


class CrowdBatchDiscard(DiscardOfStage):
    """The end of a draft of the crowd."""

    stage = StageCode.CROWD


class GoldBatchDiscard(DiscardOfStage):
    """The end of a draft of the gold pool."""

    stage = StageCode.GOLD


class GoldBatches(StudyEndpoint):
    """The batches of the gold pool."""

    needs = {"GET": Permission.LABEL_GOLD, "POST": Permission.MANAGE_DATA}

    @operation(GoldBatch, is_page=True)
    def get(self, request: Request) -> Response:
        """List the batches of the pool, newest first."""
        return self.page(gold_batches(self.access.study, self.access.member), ("-number",))

    @operation(GoldBatch, sends=NewGoldBatch, code=201, refusals={BatchRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Make a batch of the pool: a draft, until it is opened."""
        if not self.sent:
            raise bad_fields({"posts": [_("Say how many posts, or which.")]})
        batch = create_gold_batch(by=self.access.user, study=self.access.study, **self.sent)
        return self.answer(gold_batches(self.access.study, self.access.member).get(pk=batch.pk))


class GoldBatchMove(StudyEndpoint):
    """The state of a batch of the pool."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(GoldBatch, sends=GoldMove, refusals={BatchRefused: CONFLICT})
    def post(self, request: Request, number: int) -> Response:
        """Open or pause a batch of the pool, or close it, which makes its labels gold."""
        rows = Batch.objects.filter(stage=StageCode.GOLD)
        batch = of_study(rows, self.access, number=number)
        if self.sent["to"] == BatchState.CLOSED:
            without_rest = self.sent["without_rest"]
            close_pool(by=self.access.user, batch=batch, without_rest=without_rest)
        else:
            move_batch(by=self.access.user, batch=batch, to=self.sent["to"])
        return self.answer(gold_batches(self.access.study, self.access.member).get(pk=batch.pk))
