"""Prescreening: its rules, the candidates, their answers beside gold, and decisions by hand."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import bad_fields
from annotation.api.fields import Moment
from annotation.api.pages import PageQuery
from annotation.models import Member, SkipReason, Study
from annotation.services.standings import StandingRefused
from crowd.models import Approval, PrescreeningOutcome, QualifiedState
from crowd.queries.candidates import candidates
from crowd.queries.prescreening import (
    acceptable_qualifications,
    accepted_studies,
    pool_labels,
    qualified_of,
    rows_of,
    rules_of,
    taken_tests,
)
from crowd.services.candidates import decide_candidate
from crowd.services.prescreening import (
    PrescreeningRefused,
    change_rules,
    close_prescreening,
    open_prescreening,
)

OPEN, CLOSED = "open", "closed"
APPROVE, REFUSE = "approve", "refuse"
MOVES = [(OPEN, OPEN), (CLOSED, CLOSED)]
DECISIONS = [(APPROVE, APPROVE), (REFUSE, REFUSE)]


class PassingRules(serializers.Serializer):
    """What a test is, and what passing takes."""

    pass_share = serializers.DecimalField(max_digits=5, decimal_places=4, min_value=0, max_value=1)
    min_votes = serializers.IntegerField(min_value=1, max_value=1_000)
    min_per_label = serializers.IntegerField(min_value=0, max_value=100)
    test_size = serializers.IntegerField(min_value=1, max_value=1_000)
    max_tests = serializers.IntegerField(min_value=1, max_value=20)
    approval = serializers.ChoiceField(choices=Approval.choices)
    accepted = serializers.ListField(
        child=serializers.SlugField(),
        max_length=1_000,
        help_text="The studies of the group whose qualifications count here, too.",
    )


class Prescreened(PassingRules):
    """The rules in force, the posts of the closed pool, and whose qualifications can be accepted.

    While it is open, nobody begins to work without the qualification.
    """

    is_open = serializers.BooleanField()
    pool = serializers.IntegerField()
    unambiguous = serializers.IntegerField()
    acceptable = serializers.ListField(child=serializers.SlugField())


class PrescreeningMove(serializers.Serializer):
    """Whether prescreening is opened or closed."""

    to = serializers.ChoiceField(choices=MOVES)


class CandidateRow(serializers.Serializer):
    """Somebody who took a test: what was decided, and how their newest test came out."""

    pseudonym = serializers.CharField()
    decision = serializers.ChoiceField(choices=QualifiedState.choices, allow_null=True)
    outcome = serializers.ChoiceField(choices=PrescreeningOutcome.choices)
    correct = serializers.IntegerField(allow_null=True)
    scored = serializers.IntegerField(allow_null=True)
    tests = serializers.IntegerField(source="test_count")
    votes = serializers.IntegerField(source="vote_count")


class QualificationDecided(serializers.Serializer):
    """What was decided on somebody, by a researcher or by the rules."""

    state = serializers.ChoiceField(choices=QualifiedState.choices)
    correct = serializers.IntegerField(allow_null=True)
    scored = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()
    by_hand = serializers.SerializerMethodField()
    decided_at = Moment()

    def get_by_hand(self, qualified: Any) -> bool:
        """Say whether a researcher decided."""
        return qualified.decided_by_id is not None


class AnswerBesideGold(serializers.Serializer):
    """A post of a test with its gold label, and the answer or why it was skipped."""

    post = serializers.CharField(source="slot.task.post.external_id")
    gold = serializers.CharField()
    label = serializers.CharField(source="vote")
    skip_reason = serializers.ChoiceField(choices=SkipReason.choices, allow_blank=True)
    is_scored = serializers.BooleanField()
    is_right = serializers.BooleanField()


class CandidateTest(serializers.Serializer):
    """One test; its answers show once it is complete."""

    number = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=PrescreeningOutcome.choices)
    only_unambiguous = serializers.BooleanField()
    seed = serializers.IntegerField()
    size = serializers.IntegerField(source="sitting.size")
    votes = serializers.IntegerField(source="sitting.votes")
    correct = serializers.IntegerField(allow_null=True)
    scored = serializers.IntegerField(allow_null=True)
    decided_at = Moment(allow_null=True)
    answers = AnswerBesideGold(many=True)


class CandidateShown(serializers.Serializer):
    """One candidate; no `qualification` where nothing was decided yet."""

    pseudonym = serializers.CharField()
    qualification = QualificationDecided(allow_null=True)
    tests = CandidateTest(many=True)


class CandidateDecision(serializers.Serializer):
    """Whether somebody may work, whatever the rules said; only researchers read the reason."""

    decision = serializers.ChoiceField(choices=DECISIONS)
    reason = serializers.CharField(max_length=500, default="", allow_blank=True)


def prescreened(study: Study) -> dict[str, Any]:
    """Return the rules of a study with what they rest on."""
    rules, golds = rules_of(study), pool_labels(study)
    kept = ("is_open", *(name for name in PassingRules().fields if name != "accepted"))
    return {name: getattr(rules, name) for name in kept} | {
        "accepted": accepted_studies(rules),
        "acceptable": [one.study.slug for one in acceptable_qualifications(study)],
        "pool": len(golds),
        "unambiguous": sum(gold is not None for gold in golds),
    }


class Prescreening(StudyEndpoint):
    """The rules of the prescreening."""

    needs = {"GET": Permission.SEE_RESULTS, "PATCH": Permission.MANAGE_DATA}

    @operation(Prescreened)
    def get(self, request: Request) -> Response:
        """Tell what passing takes, and whether prescreening is open."""
        return self.answer(prescreened(self.access.study))

    @operation(
        Prescreened,
        sends=PassingRules,
        is_partial=True,
        refusals={PrescreeningRefused: CONFLICT},
    )
    def patch(self, request: Request) -> Response:
        """Change the rules; tests that were decided stay as they were."""
        sent, study = dict(self.sent), self.access.study
        if "accepted" in sent:
            sent["accepted"] = self.qualifications(sent["accepted"])
        change_rules(by=self.access.user, study=study, **sent)
        return self.answer(prescreened(study))

    def qualifications(self, slugs: list[str]) -> list[int]:
        """Return the qualifications of studies that can be accepted."""
        known = {one.study.slug: one.pk for one in acceptable_qualifications(self.access.study)}
        if unknown := sorted(set(slugs) - set(known)):
            sentence = _("These studies have no qualification that can be accepted: %s.")
            raise bad_fields({"accepted": [sentence % ", ".join(unknown)]})
        return [known[slug] for slug in slugs]


class PrescreeningState(StudyEndpoint):
    """Whether candidates take tests."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(Prescreened, sends=PrescreeningMove, refusals={PrescreeningRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Open prescreening over the closed gold pool, or close it."""
        change = open_prescreening if self.sent["to"] == OPEN else close_prescreening
        change(by=self.access.user, study=self.access.study)
        return self.answer(prescreened(self.access.study))


class Candidates(StudyEndpoint):
    """Who took a test."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(CandidateRow, is_page=True, query=PageQuery)
    def get(self, request: Request) -> Response:
        """List the candidates, the newest first."""
        return self.page(candidates(self.access.study), ("-pk",))


class CandidateEndpoint(StudyEndpoint):
    """An address of one candidate."""

    def member(self, pseudonym: str) -> Member:
        """Return the member with this pseudonym."""
        return of_study(Member.objects.all(), self.access, pseudonym=pseudonym)

    def shown(self, member: Member) -> Response:
        """Answer with somebody's tests and what was decided."""
        tests: list[Any] = taken_tests(member)
        for test in tests:
            test.answers = rows_of(test) if test.decided_at else []
        return self.answer(
            {
                "pseudonym": member.pseudonym,
                "qualification": qualified_of(member),
                "tests": tests,
            }
        )


class OneCandidate(CandidateEndpoint):
    """One candidate."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(CandidateShown)
    def get(self, request: Request, pseudonym: str) -> Response:
        """Tell how somebody's tests came out, each answer beside gold."""
        return self.shown(self.member(pseudonym))


class CandidateDecide(CandidateEndpoint):
    """A decision on a candidate."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(
        CandidateShown,
        sends=CandidateDecision,
        refusals={PrescreeningRefused: CONFLICT, StandingRefused: CONFLICT},
    )
    def post(self, request: Request, pseudonym: str) -> Response:
        """Approve or refuse a candidate by hand."""
        member, sent = self.member(pseudonym), self.sent
        is_approved = sent["decision"] == APPROVE
        decide_candidate(
            by=self.access.user, member=member, is_approved=is_approved, reason=sent["reason"]
        )
        return self.shown(member)
