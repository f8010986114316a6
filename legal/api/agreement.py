"""How far experts agree, in all and in parts, and the posts behind each figure."""

from collections.abc import Iterator
from typing import Any

from django.http import StreamingHttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission
from annotation.api.endpoint import StudyEndpoint, operation
from annotation.api.lines import as_lines
from annotation.api.pages import RoundQuery
from annotation.models import StageCode
from annotation.queries.agreement import StageAgreement, alpha_in_words
from annotation.queries.breakdowns import breakdown
from annotation.queries.counts import rounds_of
from annotation.queries.parts import PostsOfPart
from legal.queries.agreement import SUMS, entered, legal_agreement

BY = ("issue", "week", "batch", "pair")


class PartsQuery(RoundQuery):
    """In which parts."""

    by = serializers.ChoiceField(choices=[(by, by) for by in BY], default="issue")


class SumQuery(RoundQuery):
    """Which figure: `part` is the code of an issue, a week (2026-W48) or a batch's number."""

    of = serializers.ChoiceField(choices=[(of, of) for of in SUMS], default="label")
    part = serializers.CharField(default="", allow_blank=True, max_length=200)


class AlphaFigures(serializers.Serializer):
    """Krippendorff's alpha over the posts with two votes or more, or why it is undefined."""

    alpha = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="95%, by bootstrap over posts."
    )
    words = serializers.SerializerMethodField(help_text="What the alpha means.")
    reason = serializers.CharField()
    posts = serializers.IntegerField(source="paired_posts")

    def get_words(self, found: StageAgreement) -> str:
        """Say what the alpha means."""
        return alpha_in_words(found.alpha)


class LegalAlphas(serializers.Serializer):
    """Agreement on the three labels, and with Unclear and Non-MisLC made one."""

    label = AlphaFigures()
    mislc = AlphaFigures()


class AlphaOfPart(serializers.Serializer):
    """Agreement in one part: on an issue, in a week or a batch, or of two experts."""

    part = serializers.CharField(source="code")
    name = serializers.CharField()
    agreement = AlphaFigures()


class SumPost(serializers.Serializer):
    """A post that entered a figure, and how often what was said of it."""

    post = serializers.CharField()
    votes = serializers.DictField(child=serializers.IntegerField())


class LegalAgreementFigures(StudyEndpoint):
    """How far the experts agree."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(LegalAlphas, query=RoundQuery)
    def get(self, request: Request) -> Response:
        """Return the agreement on the label, and on MisLC or not."""
        number = self.query.get("batch")
        return self.answer(legal_agreement(rounds_of(self.access.study, StageCode.LEGAL, number)))


class LegalAgreementParts(StudyEndpoint):
    """How far the experts agree, in parts."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(AlphaOfPart, query=PartsQuery, is_list=True)
    def get(self, request: Request) -> Response:
        """Return the agreement by issue, week, batch or pair of experts."""
        by, number = self.query["by"], self.query.get("batch")
        return self.answer(breakdown(self.access.study, StageCode.LEGAL, by, number))


class LegalAgreementPosts(StudyEndpoint):
    """The posts behind a figure."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(SumPost, query=SumQuery, is_stream=True)
    def get(self, request: Request) -> StreamingHttpResponse:
        """Stream the posts that entered a figure, in the order of import, as JSON Lines."""
        of, part = self.query["of"], self.query["part"]
        found = entered(self.access, of, part, self.query.get("batch"))
        return self.stream(as_lines(rows_of(found)))


def rows_of(posts: PostsOfPart) -> Iterator[dict[str, Any]]:
    """Yield each post with its votes."""
    for one in posts:
        votes = dict(zip(posts.found.labels, one.counts, strict=True))
        yield {"post": one.post.external_id, "votes": votes}
