"""Silent checks: which posts serve, attention posts, and the share of checks in a batch."""

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import UNPROCESSABLE, bad_fields
from annotation.api.pages import PageQuery
from annotation.models import Batch, StageCode
from annotation.services.batches import BatchRefused
from crowd.api.batches import CrowdBatch, crowd_rows
from crowd.forms import MOST_POSTS
from crowd.models import GoldSource
from crowd.models.labels import MOST_CHECKS
from crowd.queries.checks import gold_by_post, known_answers
from crowd.services.checks import (
    CheckRefused,
    choose_checks,
    set_check_share,
    write_attention_post,
)


class CheckRow(serializers.Serializer):
    """A post with a known answer; `votes` were given to it as a check, `right` with that answer."""

    post = serializers.CharField(source="post.external_id")
    text = serializers.CharField(source="post.text")
    label = serializers.CharField()
    source = serializers.ChoiceField(choices=GoldSource.choices)
    in_use = serializers.BooleanField(source="check_post.in_use", default=False)
    votes = serializers.IntegerField()
    right = serializers.IntegerField()


class ChecksChosen(serializers.Serializer):
    """The posts that serve from now on, by their ids in the file, and no others."""

    external_ids = serializers.ListField(
        child=serializers.CharField(max_length=200), max_length=MOST_POSTS
    )


class NumberOfChecks(serializers.Serializer):
    """How many posts serve."""

    in_use = serializers.IntegerField()


class NewAttentionPost(serializers.Serializer):
    """A post that reads like any other and asks for one of the labels."""

    text = serializers.CharField(max_length=5_000)
    label = serializers.CharField(max_length=60)


class CheckShare(serializers.Serializer):
    """What share of a sitting's posts are checks while the batch is handed out."""

    share = serializers.FloatField(min_value=0, max_value=MOST_CHECKS)


class Checks(StudyEndpoint):
    """The posts with a known answer."""

    needs = dict.fromkeys(("GET", "PATCH"), Permission.MANAGE_DATA)

    @operation(CheckRow, is_page=True, query=PageQuery)
    def get(self, request: Request) -> Response:
        """List the posts that can serve as checks, and what became of them."""
        return self.page(known_answers(self.access.study))

    @operation(NumberOfChecks, sends=ChecksChosen)
    def patch(self, request: Request) -> Response:
        """Say which posts serve as checks."""
        wanted = set(self.sent["external_ids"])
        known = gold_by_post(self.access.study, wanted)
        if unknown := sorted(wanted - set(known)):
            sentence = _("These posts have no answer that is known for certain: %s.")
            raise bad_fields({"external_ids": [sentence % ", ".join(unknown[:5])]})
        user, study = self.access.user, self.access.study
        number = choose_checks(by=user, study=study, gold_ids=list(known.values()))
        return self.answer({"in_use": number})


class AttentionPosts(StudyEndpoint):
    """Posts that ask for a certain answer."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(CheckRow, sends=NewAttentionPost, code=201, refusals={CheckRefused: UNPROCESSABLE})
    def post(self, request: Request) -> Response:
        """Write an attention post, which serves as a check from now on."""
        study = self.access.study
        post = write_attention_post(by=self.access.user, study=study, **self.sent)
        return self.answer(known_answers(study).get(post=post))


class BatchChecks(StudyEndpoint):
    """The share of checks in one batch."""

    needs = {"PATCH": Permission.MANAGE_DATA}

    @operation(
        CrowdBatch, sends=CheckShare, refusals={CheckRefused: CONFLICT, BatchRefused: CONFLICT}
    )
    def patch(self, request: Request, number: int) -> Response:
        """Set the share for sittings that begin from now on."""
        rows = Batch.objects.filter(stage=StageCode.CROWD)
        batch = of_study(rows, self.access, number=number)
        set_check_share(by=self.access.user, batch=batch, share=self.sent["share"])
        return self.answer(crowd_rows(self).get(pk=batch.pk))
