"""Filter runs by the API: started, read trial by trial and post by post, compared, given on."""

from collections.abc import Iterable
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
from annotation.models import Pooling
from filtering.algorithms import Method
from filtering.models import METHODS, FilteredPost, FilterRun
from filtering.queries.comparison import Comparison, LabelsDiffer, compared
from filtering.queries.previews import in_sentences, warnings
from filtering.queries.runs import finished_runs, run_in_detail, runs_of, ways_of
from filtering.services.promotion import promote_run
from filtering.services.runs import MOST_TRIALS, SEEDS, FilterRefused, names_a_folder, start_run

MANAGED = {"GET": Permission.SEE_RESULTS, "POST": Permission.MANAGE_DATA}


class PreviewRow(serializers.Serializer):
    """What a k would keep: each trial's sizes down to its last, the votes, and what to mind."""

    k = serializers.IntegerField()
    sizes = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    kept = serializers.IntegerField()
    shift = Anything()
    cautions = serializers.SerializerMethodField()

    def get_cautions(self, told: dict[str, Any]) -> list[str]:
        """Return what should make a reader careful, as sentences."""
        return in_sentences(told)


class FilterRunRow(serializers.Serializer):
    """A run: its settings, and once it is finished what it kept.

    `shift` tells how votes lie before and after, `near` how many posts came near to a threshold,
    `previews` what greater k would have kept, `legal_batch` where the kept posts went. With a
    `previewed_k` it is a preview of that k and others: `k` is the smallest of them, and `kept` and
    `shift` are that one's.
    """

    number = serializers.IntegerField()
    job = serializers.IntegerField(source="job_id")
    state = serializers.CharField(source="job.state")
    method = serializers.ChoiceField(choices=METHODS)
    k = serializers.IntegerField(allow_null=True)
    previewed_k = serializers.IntegerField(allow_null=True)
    trials = serializers.IntegerField(source="trial_count")
    at_least = serializers.IntegerField()
    seed = serializers.IntegerField()
    encoder = serializers.CharField()
    encoder_revision = serializers.CharField()
    pooling = serializers.ChoiceField(choices=Pooling.choices)
    settings = Anything()
    round = serializers.IntegerField(source="round_number", allow_null=True)
    labels = serializers.ListField(child=serializers.CharField())
    posts = serializers.IntegerField(source="post_count", allow_null=True)
    kept = serializers.IntegerField(source="kept_count", allow_null=True)
    near = serializers.IntegerField(source="near_count", allow_null=True)
    shift = Anything()
    previews = PreviewRow(many=True)
    legal_batch = serializers.SerializerMethodField()
    created_at = Moment()
    finished_at = Moment(allow_null=True)

    def get_legal_batch(self, run: FilterRun) -> int | None:
        """Return the legal batch of the kept posts."""
        promotion = getattr(run, "promotion", None)
        return promotion.batch.number if promotion else None


class FilterRoundRow(serializers.Serializer):
    """A round of a trial."""

    number = serializers.IntegerField()
    size = serializers.IntegerField()
    threshold = serializers.FloatField()
    above = serializers.IntegerField()
    would_remain = serializers.IntegerField()
    removed = serializers.BooleanField()


class FilterTrialRow(serializers.Serializer):
    """A trial with its rounds, and why it stopped."""

    number = serializers.IntegerField()
    seed = serializers.IntegerField()
    kept = serializers.IntegerField(source="kept_count")
    stop_reason = serializers.CharField()
    rounds = FilterRoundRow(many=True, source="rounds.all")


class FilterRunDetail(FilterRunRow):
    """A run with its trials, and what should make a reader careful about it."""

    trial_rows = FilterTrialRow(many=True, source="trials.all")
    warnings = serializers.SerializerMethodField()

    def get_warnings(self, run: FilterRun) -> list[str]:
        """Return what should make a reader careful, as sentences."""
        return warnings(run) if run.is_finished else []


class NewFilterRun(serializers.Serializer):
    """What a run is told; what is left out comes from the protocol or is the method's default.

    `settings` are the method's (docs/filter.md); `at_least` trials must keep a post; a `preview`
    tells what this k and others would keep and is never given on.
    """

    method = serializers.ChoiceField(choices=METHODS, default=Method.KL.value)
    k = serializers.IntegerField(required=False, min_value=1)
    trials = serializers.IntegerField(required=False, min_value=1, max_value=MOST_TRIALS)
    at_least = serializers.IntegerField(required=False, min_value=1, max_value=MOST_TRIALS)
    seed = serializers.IntegerField(required=False, min_value=0, max_value=SEEDS - 1)
    encoder = serializers.CharField(required=False, max_length=200)
    revision = serializers.CharField(required=False, max_length=80)
    pooling = serializers.ChoiceField(required=False, choices=Pooling.choices)
    round_number = serializers.IntegerField(required=False, min_value=1)
    settings = serializers.DictField(required=False)
    preview = serializers.BooleanField(source="is_preview", default=False)

    def validate_encoder(self, value: str) -> str:
        """Refuse folders: what lies on the server is nothing that a program opens."""
        if names_a_folder(value):
            raise serializers.ValidationError(_("Name an encoder of the hub, not a folder."))
        return value


class TrialWay(serializers.Serializer):
    """What a trial made of a post: its score in each round in which it was present."""

    trial = serializers.IntegerField(source="trial.number")
    scores = serializers.ListField(child=serializers.FloatField())
    left_in = serializers.IntegerField()


class FilteredPostRow(serializers.Serializer):
    """A post of a run: its votes by label, in how many trials it was kept, and its way."""

    external_id = serializers.CharField(source="post.external_id")
    counts = serializers.ListField(child=serializers.IntegerField())
    kept = serializers.BooleanField()
    kept_in = serializers.IntegerField()
    near = serializers.BooleanField(source="is_near", allow_null=True)
    ways = TrialWay(many=True)


class FilteredPostQuery(PageQuery):
    """Which posts: the kept ones, the others, those that came near to a threshold, or all."""

    kept = serializers.BooleanField(required=False, allow_null=True, default=None)
    near = serializers.BooleanField(required=False, allow_null=True, default=None)


class Promote(serializers.Serializer):
    """What share of the dropped posts goes along as a control."""

    control_share = serializers.FloatField(default=0.0, min_value=0, max_value=1)


class CompareQuery(serializers.Serializer):
    """The numbers of two finished runs."""

    first = serializers.IntegerField(min_value=1)
    second = serializers.IntegerField(min_value=1)


class SideRow(serializers.Serializer):
    """What one of two runs keeps."""

    run = serializers.IntegerField(source="run.number")
    kept = serializers.IntegerField()
    only = serializers.IntegerField()
    unanimous = serializers.FloatField(allow_null=True)
    majorities = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    alpha = serializers.FloatField(allow_null=True)


class ComparisonRow(serializers.Serializer):
    """Two runs side by side; `overlap` is the share of what either keeps that both keep."""

    both = serializers.SerializerMethodField()
    neither = serializers.SerializerMethodField()
    unshared = serializers.IntegerField(source="found.unshared")
    overlap = serializers.FloatField(source="found.overlap", allow_null=True)
    by_chance = serializers.FloatField(source="found.by_chance", allow_null=True)
    first = SideRow()
    second = SideRow()

    def get_both(self, told: Comparison) -> int:
        """Return how many posts both keep."""
        return len(told.found.both)

    def get_neither(self, told: Comparison) -> int:
        """Return how many posts neither keeps."""
        return len(told.found.neither)


class FilterRuns(StudyEndpoint):
    """The runs of the filter and of what it is compared with."""

    needs = MANAGED

    @operation(FilterRunRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List the runs, newest first."""
        return self.page(runs_of(self.access.study), ("-number",))

    @operation(
        FilterRunRow,
        sends=NewFilterRun,
        example={"k": 1000, "trials": 3},
        code=201,
        refusals={FilterRefused: CONFLICT},
    )
    def post(self, request: Request) -> Response:
        """Start a run."""
        run = start_run(by=self.access.user, study=self.access.study, **self.sent)
        return self.answer(runs_of(self.access.study).get(pk=run.pk))


class OneFilterRun(StudyEndpoint):
    """One run."""

    needs = MANAGED

    @operation(FilterRunDetail)
    def get(self, request: Request, number: int) -> Response:
        """Tell what a run did, trial by trial and round by round."""
        return self.answer(of_study(run_in_detail(self.access.study), self.access, number=number))


class FilterRunPosts(StudyEndpoint):
    """The posts of a finished run."""

    needs = MANAGED

    @operation(FilteredPostRow, is_page=True, query=FilteredPostQuery)
    def get(self, request: Request, number: int) -> Response:
        """List a finished run's posts with their scores in each round of each trial."""
        run = of_study(runs_of(self.access.study), self.access, number=number)
        asked = {"kept": self.query["kept"], "is_near": self.query["near"]}
        chosen = {name: value for name, value in asked.items() if value is not None}
        posts = run.posts.filter(kept__isnull=False, **chosen).select_related("post")
        return self.page(posts, ("post_id",), lambda rows: with_ways(run, rows))


def with_ways(run: FilterRun, rows: list[FilteredPost]) -> Iterable[Any]:
    """Give each post its way through the trials."""
    ways = ways_of(run, [row.post_id for row in rows])
    for row in rows:
        row.ways = ways[row.post_id]  # type: ignore[attr-defined]
    return rows


class FilterRunPromote(StudyEndpoint):
    """The way on to the experts."""

    needs = MANAGED

    @operation(
        FilterRunRow,
        sends=Promote,
        example={"control_share": 0.1},
        refusals={FilterRefused: CONFLICT},
    )
    def post(self, request: Request, number: int) -> Response:
        """Give a run's kept posts to the experts, once."""
        run = of_study(FilterRun.objects.all(), self.access, number=number)
        promote_run(by=self.access.user, run=run, **self.sent)
        return self.answer(runs_of(self.access.study).get(pk=run.pk))


class FilterCompare(StudyEndpoint):
    """Two finished runs."""

    needs = MANAGED

    @operation(ComparisonRow, query=CompareQuery)
    def get(self, request: Request) -> Response:
        """Lay two finished runs with the same labels side by side."""
        finished = finished_runs(self.access.study)
        first, second = (
            of_study(finished, self.access, number=self.query[name]) for name in ("first", "second")
        )
        try:
            return self.answer(compared(first, second))
        except LabelsDiffer as refusal:
            raise bad_fields({"second": [str(refusal)]}) from None
