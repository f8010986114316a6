"""The experts' votes by the API, line by line, with everything that was said in each."""

from collections.abc import Iterator
from typing import Any

from django.http import StreamingHttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from annotation.access import Permission
from annotation.api.endpoint import StudyEndpoint, operation
from annotation.api.fields import Moment
from annotation.api.lines import as_lines
from annotation.api.votes_query import VotesQuery, asked_of
from annotation.models import StageCode, Vote
from legal.models import Misinformation, Stance
from legal.queries.answers import as_said, exported_answers


class LegalVotesQuery(VotesQuery):
    __doc__ = VotesQuery.__doc__

    label = serializers.ChoiceField(choices=Misinformation.choices, required=False)


class IssueFound(serializers.Serializer):
    """What an expert said of an issue: `is_raised` where it counts, findings by criterion."""

    code = serializers.CharField()
    is_ticked = serializers.BooleanField()
    is_raised = serializers.BooleanField()
    findings = serializers.DictField(child=serializers.CharField())
    sentences = serializers.DictField(child=serializers.CharField())
    reasoning = serializers.CharField()
    insistence = serializers.CharField()


class EvidenceNamed(serializers.Serializer):
    """A page that an expert named, and how it bears on the claim."""

    url = serializers.CharField()
    stance = serializers.ChoiceField(choices=[("", ""), *Stance.choices])
    quote = serializers.CharField()
    note = serializers.CharField()


class CitationMade(serializers.Serializer):
    """A passage of the legal library that an expert cited, for an issue or the whole answer."""

    passage = serializers.IntegerField()
    issue = serializers.CharField()
    title = serializers.CharField()


class ExpertVote(serializers.Serializer):
    """A version of an expert's vote. It `counts` when it stands and fills a place.

    `claims` are [start, end) in code points of the text, `files` checksums of what was attached.
    """

    id = serializers.IntegerField()
    post = serializers.CharField(help_text="The post's id in the imported file.")
    batch = serializers.IntegerField()
    annotator = serializers.CharField()
    version = serializers.IntegerField()
    is_current = serializers.BooleanField()
    counts = serializers.BooleanField()
    created_at = Moment()
    seconds = serializers.FloatField(allow_null=True)
    label = serializers.ChoiceField(choices=Misinformation.choices)
    derived = serializers.ChoiceField(choices=Misinformation.choices)
    insistence = serializers.CharField()
    issues = IssueFound(many=True)
    no_claim = serializers.BooleanField()
    defence = serializers.BooleanField()
    evidence = EvidenceNamed(many=True)
    files = serializers.ListField(child=serializers.CharField())
    claims = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    citations = CitationMade(many=True)
    kind = serializers.CharField()
    confidence = serializers.IntegerField(allow_null=True)
    comment = serializers.CharField()
    discuss = serializers.BooleanField()


class ExpertVotes(StudyEndpoint):
    """The votes of the experts."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(ExpertVote, query=LegalVotesQuery, is_stream=True)
    def get(self, request: Request) -> StreamingHttpResponse:
        """Stream the votes on posts that have all of theirs, in the order in which they came."""
        asked = asked_of(self.access.study, StageCode.LEGAL, self.query)
        return self.stream(as_lines(rows_of(exported_answers(self.access.study, asked))))


def rows_of(votes: Iterator[Any]) -> Iterator[dict[str, Any]]:
    """Yield the votes as they are told."""
    for vote in votes:
        yield expert_vote(vote, is_current=vote.is_current)


def expert_vote(vote: Vote, *, is_current: bool) -> dict[str, Any]:
    """Return a vote as it is told."""
    answer = vote.legal_answer
    said = as_said(answer)
    raised = {one.issue.code for one in answer.raised_issues}
    is_vacated = bool(vote.place and vote.place.vacated_at)
    return {
        "id": vote.pk,
        "post": vote.task.post.external_id,
        "batch": vote.task.batch.number,
        "annotator": vote.member.pseudonym,
        "version": vote.version,
        "is_current": is_current,
        "counts": is_current and vote.counted and not is_vacated,
        "created_at": vote.created_at,
        "seconds": vote.seconds,
        "label": vote.label,
        "derived": answer.derived,
        "insistence": said.insistence,
        "issues": [
            {
                "code": one.code,
                "is_ticked": one.is_ticked,
                "is_raised": one.code in raised,
                "findings": dict(one.findings),
                "sentences": dict(one.sentences),
                "reasoning": one.reasoning,
                "insistence": one.insistence,
            }
            for one in said.issues
        ],
        "no_claim": said.no_claim,
        "defence": said.defence,
        "evidence": [vars(one) for one in said.evidence],
        "files": [one.named for one in answer.evidence.all() if one.attachment_id],
        "claims": [list(span) for span in said.spans],
        "citations": [vars(one) for one in said.citations],
        "kind": said.kind,
        "confidence": said.confidence,
        "comment": said.comment,
        "discuss": said.discuss,
    }
