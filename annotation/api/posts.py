"""The posts of a study, and all that was said about one."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import StudyEndpoint, operation
from annotation.api.fields import Anything, Moment
from annotation.api.pages import PageQuery
from annotation.models import BatchState, Origin, Post, StageCode
from annotation.queries.posts import awaits_gold_vote, post_trace
from annotation.queries.studies import search_posts
from annotation.services.posts import mark_graphic

ORDERS = {"id": ("pk",), "-id": ("-pk",)}


class PostQuery(PageQuery):
    """Which posts, and in which order."""

    search = serializers.CharField(
        default="", allow_blank=True, max_length=500, help_text="All of these words, or an id."
    )
    kept = serializers.ChoiceField(
        default="",
        choices=[("kept", "kept"), ("dropped", "dropped")],
        help_text="Only posts that cleaning kept, or those that it dropped.",
    )
    order = serializers.ChoiceField(default="id", choices=[(name, name) for name in ORDERS])


class PostRow(serializers.Serializer):
    """A post as it came, and as annotators see it."""

    id = serializers.IntegerField()
    external_id = serializers.CharField()
    text = serializers.CharField()
    original_text = serializers.CharField()
    dropped_reason = serializers.CharField()
    is_graphic = serializers.BooleanField()
    metadata = Anything()


class PostVote(serializers.Serializer):
    """One version of somebody's vote; `is_newest` where it stands."""

    annotator = serializers.CharField(source="member.pseudonym")
    version = serializers.IntegerField()
    label = serializers.CharField()
    is_newest = serializers.BooleanField()
    counted = serializers.BooleanField()
    seconds = serializers.FloatField(allow_null=True)
    guide_version = serializers.IntegerField(allow_null=True)
    created_at = Moment()


class PostTally(serializers.Serializer):
    """How many votes for a label an imported round reports."""

    label = serializers.CharField()
    count = serializers.IntegerField()


class PostRound(serializers.Serializer):
    """What was said about a post in one batch."""

    stage = serializers.ChoiceField(source="batch.stage", choices=StageCode.choices)
    batch = serializers.IntegerField(source="batch.number")
    origin = serializers.ChoiceField(source="batch.origin", choices=Origin.choices)
    state = serializers.ChoiceField(source="batch.state", choices=BatchState.choices)
    votes = PostVote(many=True)
    tallies = PostTally(many=True)


class PostHistory(PostRow):
    """A post with its votes of all stages; hidden from who has yet to label it as gold."""

    is_hidden = serializers.BooleanField()
    rounds = PostRound(many=True)


class PostMark(serializers.Serializer):
    """Whether annotators see the text only when they ask for it."""

    is_graphic = serializers.BooleanField()


class Posts(StudyEndpoint):
    """The posts of a study."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(PostRow, is_page=True, query=PostQuery)
    def get(self, request: Request) -> Response:
        """List a study's posts, or those with all the words."""
        asked = self.query
        posts = search_posts(self.access.study, asked["search"], asked["kept"])
        return self.page(posts, ORDERS[asked["order"]])


class OnePost(StudyEndpoint):
    """One post."""

    needs = {"GET": Permission.SEE_RESULTS, "PATCH": Permission.MANAGE_DATA}

    @operation(PostHistory)
    def get(self, request: Request, post_id: int) -> Response:
        """Tell all that was said about a post, oldest first, by pseudonym."""
        return self.told(of_study(Post.objects.all(), self.access, pk=post_id))

    @operation(PostHistory, sends=PostMark)
    def patch(self, request: Request, post_id: int) -> Response:
        """Mark a post as graphic, or take the mark away."""
        post = of_study(Post.objects.all(), self.access, pk=post_id)
        return self.told(mark_graphic(by=self.access.user, post=post, **self.sent))

    def told(self, post: Any) -> Response:
        """Answer with a post and its votes, unless they are hidden from whoever asks."""
        member = self.access.member
        is_hidden = self.access.may(Permission.LABEL_GOLD) and awaits_gold_vote(post, member)
        post.is_hidden = is_hidden
        post.rounds = [] if is_hidden else post_trace(post).rounds
        return self.answer(post)
