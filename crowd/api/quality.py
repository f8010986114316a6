"""Rules about the quality of work, and what they saw."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import StudyEndpoint, operation
from annotation.api.errors import UNPROCESSABLE
from annotation.api.fields import Moment
from annotation.api.pages import PageQuery
from crowd.models import Action, QualityRule, Watched
from crowd.queries.quality import flags_of_study, rules_of
from crowd.services.quality import RuleRefused, settle, write_rule

OPEN, ALL = "open", "all"
MANAGED = dict.fromkeys(("GET", "POST", "PATCH"), Permission.MANAGE_DATA)


class RuleValues(serializers.Serializer):
    """When the last `over` rows lie on the wrong side of `threshold`, `action` follows."""

    watched = serializers.ChoiceField(choices=Watched.choices)
    over = serializers.IntegerField(min_value=1, max_value=1_000, default=10)
    threshold = serializers.FloatField(
        help_text="A share from 0 to 1, or seconds. Skips are bad above it, all else below."
    )
    action = serializers.ChoiceField(choices=Action.choices)
    is_active = serializers.BooleanField(default=True)


class RuleRow(RuleValues):
    """A rule with its number."""

    id = serializers.IntegerField()


class FlagQuery(PageQuery):
    """Only flags that nobody has settled, or all."""

    state = serializers.ChoiceField(default=OPEN, choices=[(OPEN, OPEN), (ALL, ALL)])


class FlagRow(serializers.Serializer):
    """What a rule saw in somebody's work, and how it was settled."""

    id = serializers.IntegerField()
    pseudonym = serializers.CharField(source="member.pseudonym")
    rule = serializers.IntegerField(source="rule_id")
    watched = serializers.ChoiceField(source="rule.watched", choices=Watched.choices)
    seen = serializers.FloatField()
    over = serializers.IntegerField()
    threshold = serializers.FloatField()
    action = serializers.ChoiceField(choices=Action.choices)
    created_at = Moment()
    settled_at = Moment(allow_null=True)
    settled_by_hand = serializers.SerializerMethodField()
    note = serializers.CharField()

    def get_settled_by_hand(self, flag: Any) -> bool:
        """Say whether a researcher settled it, not a newer flag of its rule."""
        return flag.settled_by_id is not None


class SettledWith(serializers.Serializer):
    """How a flag was settled."""

    note = serializers.CharField(max_length=2_000, default="", allow_blank=True)


class Rules(StudyEndpoint):
    """The rules of a study."""

    needs = MANAGED

    @operation(RuleRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List the rules, in the order in which they were made."""
        return self.page(rules_of(self.access.study))

    @operation(RuleRow, sends=RuleValues, code=201, refusals={RuleRefused: UNPROCESSABLE})
    def post(self, request: Request) -> Response:
        """Make a rule."""
        return self.answer(write_rule(by=self.access.user, study=self.access.study, **self.sent))


class OneRule(StudyEndpoint):
    """One rule."""

    needs = MANAGED

    def found(self, rule_id: int) -> QualityRule:
        """Return the rule that the address names."""
        return of_study(QualityRule.objects.all(), self.access, pk=rule_id)

    @operation(RuleRow)
    def get(self, request: Request, rule_id: int) -> Response:
        """Tell what a rule watches."""
        return self.answer(self.found(rule_id))

    @operation(RuleRow, sends=RuleValues, is_partial=True, refusals={RuleRefused: UNPROCESSABLE})
    def patch(self, request: Request, rule_id: int) -> Response:
        """Change a rule; what is not sent stays as it is."""
        rule, study = self.found(rule_id), self.access.study
        return self.answer(write_rule(by=self.access.user, study=study, rule=rule, **self.sent))


class Flags(StudyEndpoint):
    """What rules saw."""

    needs = MANAGED

    @operation(FlagRow, is_page=True, query=FlagQuery)
    def get(self, request: Request) -> Response:
        """List flags, newest first."""
        flags = flags_of_study(self.access.study)
        if self.query["state"] == OPEN:
            flags = flags.filter(settled_at=None)
        return self.page(flags, ("-pk",))


class FlagSettle(StudyEndpoint):
    """The end of a flag."""

    needs = MANAGED

    @operation(FlagRow, sends=SettledWith)
    def post(self, request: Request, flag_id: int) -> Response:
        """Settle a flag; one that is settled already stays as it is."""
        flag = get_object_or_404(flags_of_study(self.access.study), pk=flag_id)
        return self.answer(settle(by=self.access.user, flag=flag, note=self.sent["note"]))
