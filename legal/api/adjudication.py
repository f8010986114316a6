"""Posts that experts differ on: which want to be looked at together, what is said and decided."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.fields import Moment
from annotation.api.pages import PageQuery
from annotation.models import Post
from annotation.queries.counts import RoundsDiffer
from legal.api.verdicts import VerdictRow, complete_post, verdict_row
from legal.api.votes import ExpertVote, expert_vote
from legal.models import Misinformation
from legal.queries.adjudication import (
    TIES,
    WHICH,
    discussion,
    posts_by_kind,
    posts_in_order,
    voices,
)
from legal.queries.answers import answers_to
from legal.queries.verdicts import Verdict, verdicts_of
from legal.services.adjudication import AdjudicationRefused, decide, remark

ADJUDICATE = {"GET": Permission.ADJUDICATE, "POST": Permission.ADJUDICATE}
REFUSALS = {AdjudicationRefused: CONFLICT, RoundsDiffer: CONFLICT}


class WhichQuery(PageQuery):
    """Posts that wait: `ties`, `discuss` (an expert wants to), `differ` (from what follows); or
    those that are `decided`.
    """

    which = serializers.ChoiceField(choices=[(code, code) for code in WHICH], default=TIES)


class DecisionMade(serializers.Serializer):
    """An adjudicator's decision; the newest version holds."""

    version = serializers.IntegerField()
    label = serializers.ChoiceField(choices=Misinformation.choices)
    issues = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField()
    created_at = Moment()


class RemarkMade(serializers.Serializer):
    """A remark, by the letter of an expert or by an adjudicator."""

    by = serializers.CharField()
    text = serializers.CharField()
    created_at = Moment()


class PostTogether(VerdictRow):
    """A post with its votes under letters, what was said of it, and what was decided."""

    text = serializers.CharField()
    votes = ExpertVote(many=True)
    decisions = DecisionMade(many=True)
    remarks = RemarkMade(many=True)


class NewDecision(serializers.Serializer):
    """What is decided, with the codes of the issues that the post raises, and why."""

    label = serializers.ChoiceField(choices=Misinformation.choices)
    issues = serializers.ListField(
        child=serializers.CharField(max_length=200), default=list, max_length=200
    )
    reason = serializers.CharField()


class NewRemark(serializers.Serializer):
    """What is said of a post."""

    text = serializers.CharField()


class PostsTogether(StudyEndpoint):
    """The posts that want to be looked at together."""

    needs = {"GET": Permission.ADJUDICATE}

    @operation(VerdictRow, is_page=True, query=WhichQuery, refusals=REFUSALS)
    def get(self, request: Request) -> Response:
        """List posts that have all their votes and wait for a decision, or have one."""
        study = self.access.study
        found = posts_by_kind(study)[self.query["which"]]

        def with_verdicts(posts: list[Post]) -> list[dict[str, Any]]:
            verdicts = verdicts_of(study, [post.pk for post in posts])
            complete = [post for post in posts if is_complete(verdicts.get(post.pk))]
            return [verdict_row(verdicts[post.pk], post.external_id) for post in complete]

        return self.page(posts_in_order(found), ("pk",), with_verdicts)


def is_complete(verdict: Verdict | None) -> bool:
    """Say whether a verdict may be seen."""
    return verdict is not None and verdict.is_complete


class TogetherEndpoint(StudyEndpoint):
    """An address about one post that wants to be looked at together."""

    needs = ADJUDICATE

    def told(self, post_id: int) -> Response:
        """Answer with a post as it stands."""
        post, verdict = complete_post(self.access, post_id)
        said = voices(list(answers_to(post)), self.access.member)
        remarks = [
            {"by": by, "text": one.text, "created_at": one.created_at}
            for by, one in discussion(post, said)
        ]
        votes = [expert_vote(one.vote, is_current=True) | {"annotator": one.letter} for one in said]
        more = {
            "text": post.text,
            "votes": votes,
            "decisions": post.decisions.order_by("-version"),
            "remarks": remarks,
        }
        return self.answer(verdict_row(verdict, post.external_id) | more)


class OnePostTogether(TogetherEndpoint):
    """One post to be looked at together."""

    @operation(PostTogether, refusals=REFUSALS)
    def get(self, request: Request, post_id: int) -> Response:
        """Tell what each expert said of a post, under letters, and what was said since."""
        return self.told(post_id)


class PostDecision(TogetherEndpoint):
    """A decision on a post."""

    @operation(
        PostTogether,
        sends=NewDecision,
        example={"label": "yes", "issues": ["defamation"], "reason": "The minutes refute it."},
        refusals=REFUSALS,
    )
    def post(self, request: Request, post_id: int) -> Response:
        """Decide a post; the votes stay as they are."""
        post, _verdict = complete_post(self.access, post_id)
        decide(by=self.access.member, post=post, **self.sent)
        return self.told(post_id)


class PostRemark(TogetherEndpoint):
    """A remark on a post."""

    @operation(PostTogether, sends=NewRemark, refusals=REFUSALS)
    def post(self, request: Request, post_id: int) -> Response:
        """Add to the discussion of a post."""
        post, _verdict = complete_post(self.access, post_id)
        remark(by=self.access.member, post=post, text=self.sent["text"])
        return self.told(post_id)
