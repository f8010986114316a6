"""The gold pool: how far a batch is, and what was said of the posts that are open to somebody."""

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import StudyEndpoint, operation
from annotation.api.errors import bad_fields
from annotation.api.pages import PageQuery
from annotation.models import Batch, StageCode
from crowd.queries.gold import (
    DIFFERING,
    WAITING,
    gold_rows,
    labels_of,
    open_to,
    pool_progress,
    tasks_shown,
)
from crowd.queries.labels import gold_codes


class PoolProgress(serializers.Serializer):
    """How far a batch of the pool is: `lacking` posts have no second label yet."""

    posts = serializers.IntegerField()
    labelled = serializers.IntegerField()
    lacking = serializers.IntegerField()


class GoldPostQuery(PageQuery):
    """Which posts: those with one gold label, those on which researchers differ, or that wait."""

    show = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=60,
        help_text=f"A label, `{DIFFERING}` or `{WAITING}`.",
    )


class SaidOfGold(serializers.Serializer):
    """What one researcher said."""

    annotator = serializers.CharField(source="member.pseudonym")
    label = serializers.CharField()


class GoldPost(serializers.Serializer):
    """A post that is open to you; `gold` is empty while it waits for a second researcher."""

    post = serializers.CharField(source="task.post.external_id")
    text = serializers.CharField(source="task.post.text")
    batch = serializers.IntegerField(source="task.batch.number")
    votes = SaidOfGold(many=True)
    gold = serializers.CharField(source="outcome")


class GoldPosts(StudyEndpoint):
    """The posts of the pool that you have labelled, and those of closed batches."""

    needs = {"GET": Permission.LABEL_GOLD}

    @operation(GoldPost, is_page=True, query=GoldPostQuery)
    def get(self, request: Request) -> Response:
        """List the posts of the pool that are open to you, with what each researcher said."""
        tasks, show = open_to(self.access.member, self.access.study), self.query["show"]
        if show and show not in {DIFFERING, WAITING, *gold_codes(self.access.study)}:
            raise bad_fields({"show": [_("The pool has no such label.")]})
        found = tasks.filter(pk__in=tasks_shown(labels_of(tasks), show))
        return self.page(found, ("pk",), gold_rows)


class GoldProgress(StudyEndpoint):
    """How far one batch of the pool is."""

    needs = {"GET": Permission.MANAGE_DATA}

    @operation(PoolProgress)
    def get(self, request: Request, number: int) -> Response:
        """Tell how many posts two researchers have labelled; it tells no label."""
        rows = Batch.objects.filter(stage=StageCode.GOLD)
        return self.answer(pool_progress(of_study(rows, self.access, number=number)))
