"""All votes of a stage, line by line."""

from typing import ClassVar

from django.http import StreamingHttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from annotation.access import Permission
from annotation.api.endpoint import StudyEndpoint, operation
from annotation.api.fields import Moment
from annotation.api.lines import as_lines
from annotation.api.votes_query import VotesQuery, asked_of
from annotation.models import StageCode
from crowd.queries.votes import exported_votes

BLOCK = 2_000


class ExportedVote(serializers.Serializer):
    """One line: a version of somebody's vote. It `counts` when it stands and fills a place."""

    id = serializers.IntegerField()
    post = serializers.CharField(help_text="The post's id in the imported file.")
    batch = serializers.IntegerField()
    annotator = serializers.CharField()
    version = serializers.IntegerField()
    label = serializers.CharField()
    seconds = serializers.FloatField(allow_null=True)
    guide_version = serializers.IntegerField(allow_null=True)
    is_current = serializers.BooleanField()
    counts = serializers.BooleanField()
    created_at = Moment()


class CrowdVotes(StudyEndpoint):
    """The votes of the crowd."""

    stage: ClassVar[str] = StageCode.CROWD
    needs = {"GET": Permission.SEE_RESULTS}

    @operation(ExportedVote, query=VotesQuery, is_stream=True)
    def get(self, request: Request) -> StreamingHttpResponse:
        """Return the votes, one JSON object a line, without those that are hidden from you."""
        asked = asked_of(self.access.study, self.stage, self.query)
        rows = exported_votes(self.access, self.stage, asked)
        return self.stream(as_lines(rows.iterator(chunk_size=BLOCK)))


class GoldVotesOfAll(CrowdVotes):
    """The gold labels that you may see: of posts that you labelled, and of closed batches."""

    stage = StageCode.GOLD
    needs = {"GET": Permission.LABEL_GOLD}
