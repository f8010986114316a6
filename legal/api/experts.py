"""The human ceiling, and each expert's posts behind it."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.http import StreamingHttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import StudyEndpoint, operation
from annotation.api.lines import as_lines
from annotation.models import Member
from legal.queries.ceiling import Judged, human_ceiling, judged_posts, rows_of


class SpreadFigures(serializers.Serializer):
    """Mean and sample standard deviation of a score among the experts that count."""

    mean = serializers.FloatField(allow_null=True)
    deviation = serializers.FloatField(allow_null=True)
    number = serializers.IntegerField()


class LevelFigures(serializers.Serializer):
    """The three scores, as fractions."""

    bin_f1 = SpreadFigures()
    ma_f1 = SpreadFigures()
    mi_f1 = SpreadFigures()


class ScoreFigures(serializers.Serializer):
    """The three scores of one expert, as fractions; null where a score is undefined."""

    bin_f1 = serializers.FloatField(allow_null=True)
    ma_f1 = serializers.FloatField(allow_null=True)
    mi_f1 = serializers.FloatField(allow_null=True)
    posts = serializers.IntegerField()


class ExpertRow(serializers.Serializer):
    """One expert, against the verdict and against the others alone."""

    pseudonym = serializers.CharField(source="member.pseudonym")
    is_counted = serializers.BooleanField()
    verdict = ScoreFigures(source="scores.verdict")
    others = ScoreFigures(source="scores.others")


class CeilingFigures(serializers.Serializer):
    """The human ceiling over the experts with more than `least` votes."""

    least = serializers.IntegerField()
    verdict = LevelFigures()
    others = LevelFigures(help_text="Each expert's own vote is left out of the majority.")
    experts = ExpertRow(many=True)


class JudgedPost(serializers.Serializer):
    """Labels (yes, unclear, no) of a post; `others` is null where nobody else voted."""

    post = serializers.CharField()
    own = serializers.CharField()
    verdict = serializers.CharField()
    others = serializers.CharField(allow_null=True)


class LegalExperts(StudyEndpoint):
    """How well experts do at the task."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(CeilingFigures)
    def get(self, request: Request) -> Response:
        """Return the scores of each expert, and the mean over those with enough votes."""
        return self.answer(human_ceiling(self.access.study))


class LegalExpertPosts(StudyEndpoint):
    """The posts behind an expert's scores."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(JudgedPost, is_stream=True)
    def get(self, request: Request, pseudonym: str) -> StreamingHttpResponse:
        """Stream an expert's votes beside verdict and others, as JSON Lines."""
        member = of_study(Member.objects.all(), self.access, pseudonym=pseudonym)
        return self.stream(as_lines(told(judged_posts(self.access, member))))


def told(found: Sequence[tuple[int, Judged]]) -> Iterator[dict[str, Any]]:
    """Yield judged votes as they are told."""
    for row in rows_of(found):
        post = row.pop("post_id")
        yield {"post": post, **row}
