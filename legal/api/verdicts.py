"""Verdicts by the API: what the experts found together on each post that has all its votes."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Access, Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.lines import as_lines
from annotation.models import Post, StageCode
from annotation.queries.counts import RoundsDiffer, rounds_of
from legal.api.votes import ExpertVote, expert_vote
from legal.models import Misinformation
from legal.queries.answers import answers_to
from legal.queries.verdicts import Verdict, complete_verdicts, verdicts_of

SEEN = {"GET": Permission.SEE_RESULTS}


class VerdictQuery(serializers.Serializer):
    """Which verdicts; nothing said, all."""

    label = serializers.ChoiceField(choices=Misinformation.choices, required=False)
    tie = serializers.BooleanField(required=False, help_text="Whether no label has most votes.")
    decided = serializers.BooleanField(
        required=False, help_text="Whether an adjudicator's decision holds."
    )
    issue = serializers.CharField(
        required=False, max_length=200, help_text="The code of an issue that the verdict raises."
    )


class VerdictRow(serializers.Serializer):
    """The verdict on a post. `y` is 2 for MisLC, 1 for Unclear, 0 for Non-MisLC.

    `derived` is the label that follows by the definition from evidence and issues. `soft` is each
    label's share of the votes, `issue_counts` the experts who raised each issue.
    """

    post_id = serializers.IntegerField()
    post = serializers.CharField(help_text="The post's id in the imported file.")
    y = serializers.IntegerField()
    label = serializers.ChoiceField(choices=Misinformation.choices)
    tie = serializers.BooleanField()
    decided = serializers.BooleanField()
    derived = serializers.ChoiceField(choices=Misinformation.choices)
    experts = serializers.IntegerField()
    counts = serializers.DictField(child=serializers.IntegerField())
    soft = serializers.DictField(child=serializers.FloatField())
    issues = serializers.ListField(child=serializers.CharField())
    issue_counts = serializers.DictField(child=serializers.IntegerField())
    no_claim = serializers.BooleanField()
    defence = serializers.BooleanField()
    evidence = serializers.ListField(child=serializers.CharField())


class VerdictDetail(VerdictRow):
    """The verdict on a post with the votes behind it."""

    text = serializers.CharField()
    votes = ExpertVote(many=True)


class Verdicts(StudyEndpoint):
    """The verdicts of a study."""

    needs = SEEN

    @operation(VerdictRow, query=VerdictQuery, is_stream=True, refusals={RoundsDiffer: CONFLICT})
    def get(self, request: Request) -> StreamingHttpResponse:
        """Stream the verdicts on posts that have all their votes, in the order of import."""
        rounds = rounds_of(self.access.study, StageCode.LEGAL)
        blocks = complete_verdicts(self.access.study, rounds)
        return self.stream(as_lines(chosen(rows_of(blocks), self.query)))


class OneVerdict(StudyEndpoint):
    """One verdict."""

    needs = SEEN

    @operation(VerdictDetail, refusals={RoundsDiffer: CONFLICT})
    def get(self, request: Request, post_id: int) -> Response:
        """Tell the verdict on a post and the votes behind it, once the post has all of them."""
        post, verdict = complete_post(self.access, post_id)
        return self.answer(told(post, verdict))


def complete_post(access: Access, post_id: int) -> tuple[Post, Verdict]:
    """Return a post of the study that has all its votes, with its verdict; others show nothing."""
    post = of_study(Post.objects.all(), access, pk=post_id)
    verdict = verdicts_of(access.study, [post.pk]).get(post.pk)
    if verdict is None or not verdict.is_complete:
        raise Http404(_("This post does not have all its votes yet."))
    return post, verdict


def told(post: Post, verdict: Verdict) -> dict[str, Any]:
    """Return a verdict with the votes behind it."""
    votes = [expert_vote(vote, is_current=True) for vote in answers_to(post)]
    return verdict_row(verdict, post.external_id) | {"text": post.text, "votes": votes}


def rows_of(blocks: Iterable[list[Verdict]]) -> Iterator[dict[str, Any]]:
    """Yield the verdicts as they are told, with the posts' own ids."""
    for block in blocks:
        posts = Post.objects.only("external_id").in_bulk([one.post_id for one in block])
        yield from (verdict_row(one, posts[one.post_id].external_id) for one in block)


def verdict_row(verdict: Verdict, post: str) -> dict[str, Any]:
    """Return a verdict as it is told."""
    votes = sum(verdict.counts.values())
    return {
        "post_id": verdict.post_id,
        "post": post,
        "y": verdict.y,
        "label": verdict.label,
        "tie": verdict.is_tie,
        "decided": verdict.is_decided,
        "derived": verdict.derived,
        "experts": verdict.voters,
        "counts": dict(verdict.counts),
        "soft": {label: count / votes for label, count in verdict.counts.items()} if votes else {},
        "issues": list(verdict.issues),
        "issue_counts": dict(verdict.issue_counts),
        "no_claim": verdict.no_claim,
        "defence": verdict.defence,
        "evidence": list(verdict.evidence),
    }


def chosen(rows: Iterable[dict[str, Any]], asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows that were asked for."""
    wanted = {name: asked[name] for name in ("label", "tie", "decided") if name in asked}
    issue = asked.get("issue")
    for row in rows:
        if all(row[name] == value for name, value in wanted.items()) and (
            issue is None or issue in row["issues"]
        ):
            yield row
