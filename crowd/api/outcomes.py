"""What the crowd's votes make of each post, line by line."""

from collections.abc import Iterator
from typing import Any

from django.http import StreamingHttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from annotation.access import Permission
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.lines import as_lines
from annotation.api.pages import RoundQuery
from annotation.models import StageCode
from annotation.queries.counts import RoundsDiffer, rounds_of
from crowd.queries.estimates import newest_estimate
from crowd.queries.outcomes import Outcome, outcomes
from crowd.queries.rounds import hidden_posts


class OutcomeRow(serializers.Serializer):
    """One line: a post. `label` has most votes, null in a tie, whose labels are `tied`.

    `soft` is each label's share of the votes; `chances` are Dawid and Skene's by the newest
    estimate, and `likeliest` the label with the greatest.
    """

    post = serializers.CharField(help_text="The post's id in the imported file.")
    votes = serializers.IntegerField()
    counts = serializers.DictField(child=serializers.IntegerField())
    label = serializers.CharField(allow_null=True)
    tie = serializers.BooleanField()
    tied = serializers.ListField(child=serializers.CharField())
    soft = serializers.DictField(child=serializers.FloatField())
    likeliest = serializers.CharField(allow_null=True)
    chances = serializers.DictField(child=serializers.FloatField(), allow_null=True)


class CrowdOutcomes(StudyEndpoint):
    """The posts on which the crowd voted."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(OutcomeRow, query=RoundQuery, is_stream=True, refusals={RoundsDiffer: CONFLICT})
    def get(self, request: Request) -> StreamingHttpResponse:
        """Return what the votes make of each post, without those that are hidden from you."""
        study = self.access.study
        rounds = rounds_of(study, StageCode.CROWD, self.query.get("batch"))
        found = outcomes(rounds, newest_estimate(study), hidden_posts(self.access))
        return self.stream(as_lines(rows_of(found)))


def rows_of(found: Iterator[Outcome]) -> Iterator[dict[str, Any]]:
    """Yield outcomes as they are told."""
    for outcome in found:
        yield {
            "post": outcome.post,
            "votes": outcome.majority.votes,
            "counts": outcome.majority.counts,
            "label": outcome.majority.label,
            "tie": outcome.majority.tie,
            "tied": outcome.majority.tied,
            "soft": outcome.soft,
            "likeliest": outcome.likeliest,
            "chances": outcome.chances,
        }
