"""Posts to practise on, with their model answers."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import UNPROCESSABLE, bad_fields
from annotation.api.fields import Anything
from annotation.services.votes import VoteRefused
from legal.algorithms import CitationSaid, EvidenceSaid, ExpertAnswer, Finding, IssueSaid
from legal.models import Confidence, Misinformation, PracticePost, Stance
from legal.queries.practice import practice_posts
from legal.services.practice import (
    PracticeRefused,
    choose_practice,
    write_model_answer,
    write_practice,
)

MANAGED = dict.fromkeys(("GET", "POST", "PATCH"), Permission.MANAGE_DATA)
MOST = 200
FINDINGS = [(finding.value, finding.value) for finding in Finding]


class PracticeRow(serializers.Serializer):
    """A post to practise on: one of the study's (`post` is its id in the file), or a text.

    `done` is how many experts have answered it. Experts get it where it is `in_use`.
    """

    id = serializers.IntegerField()
    post = serializers.CharField(source="post.external_id", default=None, allow_null=True)
    text = serializers.CharField()
    catalogue = serializers.IntegerField(source="catalogue.version")
    model_answer = Anything(allow_null=True)
    explanation = serializers.CharField()
    in_use = serializers.BooleanField()
    done = serializers.IntegerField()


class NewPractice(serializers.Serializer):
    """One of the study's posts by its id in the file, or a text written for practice."""

    external_id = serializers.CharField(required=False, max_length=200)
    text = serializers.CharField(required=False, trim_whitespace=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse both at once, and neither."""
        if len(attrs) != 1:
            raise bad_fields({"text": [_("Name a post or write a text, one of them.")]})
        return attrs


class IssueGiven(serializers.Serializer):
    """What is said of an issue: findings and sentences by the criteria's codes."""

    code = serializers.CharField(max_length=MOST)
    is_ticked = serializers.BooleanField(default=True)
    findings = serializers.DictField(child=serializers.ChoiceField(choices=FINDINGS), default=dict)
    sentences = serializers.DictField(child=serializers.CharField(), default=dict)
    reasoning = serializers.CharField(default="", allow_blank=True)
    insistence = serializers.CharField(default="", allow_blank=True)


class EvidenceGiven(serializers.Serializer):
    """A page, and how it bears on the claim."""

    url = serializers.CharField()
    stance = serializers.ChoiceField(choices=Stance.choices, default="", allow_blank=True)
    quote = serializers.CharField(default="", allow_blank=True)
    note = serializers.CharField(default="", allow_blank=True)


class CitationGiven(serializers.Serializer):
    """A passage of the library by its id, for an issue or the whole answer."""

    passage = serializers.IntegerField()
    issue = serializers.CharField(default="", allow_blank=True)


class AnswerGiven(serializers.Serializer):
    """An answer, as an expert gives one; `spans` are [start, end) in code points of the text."""

    label = serializers.ChoiceField(choices=Misinformation.choices)
    issues = IssueGiven(many=True, default=list, max_length=MOST)
    no_claim = serializers.BooleanField(default=False)
    defence = serializers.BooleanField(default=False)
    evidence = EvidenceGiven(many=True, default=list, max_length=MOST)
    spans = serializers.ListField(
        child=serializers.ListField(
            child=serializers.IntegerField(min_value=0), min_length=2, max_length=2
        ),
        default=list,
        max_length=MOST,
    )
    citations = CitationGiven(many=True, default=list, max_length=MOST)
    kind = serializers.CharField(default="", allow_blank=True, max_length=100)
    confidence = serializers.ChoiceField(choices=Confidence.choices, default=None, allow_null=True)
    comment = serializers.CharField(default="", allow_blank=True)
    insists = serializers.BooleanField(
        default=False, help_text="The label stands although another one follows."
    )
    insistence = serializers.CharField(default="", allow_blank=True)


class ModelAnswer(serializers.Serializer):
    """The model answer, why it is right, and whether experts get the post."""

    answer = AnswerGiven()
    explanation = serializers.CharField(default="", allow_blank=True)
    in_use = serializers.BooleanField(default=False)


def answer_of(given: dict[str, Any]) -> ExpertAnswer:
    """Return an answer as services take it."""
    return ExpertAnswer(
        **{
            **given,
            "issues": tuple(IssueSaid(**one) for one in given["issues"]),
            "evidence": tuple(EvidenceSaid(**one) for one in given["evidence"]),
            "citations": tuple(CitationSaid(**one) for one in given["citations"]),
            "spans": tuple((start, end) for start, end in given["spans"]),
        }
    )


class PracticePosts(StudyEndpoint):
    """The posts to practise on."""

    needs = MANAGED

    @operation(PracticeRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List the posts that experts practise on, and those without a model answer yet."""
        return self.page(practice_posts(self.access.study))

    @operation(PracticeRow, sends=NewPractice, code=201, refusals={PracticeRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Add a post to practise on; its model answer comes next."""
        add = write_practice if "text" in self.sent else choose_practice
        made = add(by=self.access.member, study=self.access.study, **self.sent)
        return self.answer(practice_posts(self.access.study).get(pk=made.pk))


class OnePracticePost(StudyEndpoint):
    """One post to practise on."""

    needs = MANAGED

    @operation(PracticeRow)
    def get(self, request: Request, practice_id: int) -> Response:
        """Tell what a practice post is, with its model answer."""
        return self.answer(of_study(practice_posts(self.access.study), self.access, pk=practice_id))

    @operation(
        PracticeRow,
        sends=ModelAnswer,
        example={
            "answer": {
                "label": "yes",
                "issues": [{"code": "defamation", "findings": {"harm": "passes"}}],
                "evidence": [{"url": "https://example.org/minutes", "stance": "refutes"}],
            },
            "explanation": "A named person is accused, and the minutes refute it.",
            "in_use": True,
        },
        refusals={PracticeRefused: UNPROCESSABLE, VoteRefused: UNPROCESSABLE},
    )
    def patch(self, request: Request, practice_id: int) -> Response:
        """Write the model answer, checked as an expert's would be."""
        rows = PracticePost.objects.select_related("catalogue", "study", "post")
        found = of_study(rows, self.access, pk=practice_id)
        answer = answer_of(self.sent["answer"])
        more = {name: self.sent[name] for name in ("explanation", "in_use")}
        write_model_answer(by=self.access.member, practice=found, answer=answer, **more)
        return self.answer(practice_posts(self.access.study).get(pk=found.pk))
