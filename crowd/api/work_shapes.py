"""What the endpoints of one's own work take and give: no batch, no stage, no id of a post.

So a check looks like any other post.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy
from rest_framework import serializers

from annotation.api.fields import Anything, Moment
from annotation.models import SittingState, SkipReason
from annotation.services.assignments import Nothing
from crowd.queries.reasons import REASONS
from crowd.queries.recruitment import completion_of
from crowd.queries.work import takes_corrections

GATE, UNREAD = "gate", "instructions"
# What comes before the work, by the name of the address where it is settled in a browser.
GATES: Mapping[str, str] = {
    "work_visit": "visit",
    "work_consent": "consent",
    "work_background": "questions",
    "work_screened_out": "screened_out",
    "prescreening": "prescreening",
}
SENTENCES: Mapping[str, Any] = {
    GATE: gettext_lazy("Something comes first; in a browser it is settled here: %s"),
    UNREAD: gettext_lazy("Read version %s of the instructions first, and start with it."),
    **{code: reason.sentence for code, reason in REASONS.items()},
}


class Choice(serializers.Serializer):
    """An answer that may be given."""

    code = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()


class HeldPost(serializers.Serializer):
    """A post that is yours to answer until `until`."""

    assignment = serializers.IntegerField()
    text = serializers.CharField()
    metadata = Anything(help_text="The columns that the researchers chose to show.")
    question = serializers.CharField()
    choices = Choice(many=True)
    guide_version = serializers.IntegerField()


class SittingNow(serializers.Serializer):
    """What one visit asks for; the code shows once it has ended."""

    state = serializers.ChoiceField(choices=SittingState.choices)
    votes = serializers.IntegerField()
    size = serializers.IntegerField()
    reward = serializers.DecimalField(max_digits=8, decimal_places=2)
    currency = serializers.CharField()
    completion_code = serializers.SerializerMethodField()

    def get_completion_code(self, sitting: Any) -> str:
        """Return the code of a complete sitting; of a test, where it ends a visit."""
        found = completion_of(sitting) if sitting.state == SittingState.COMPLETE else None
        return found.code if found else ""


class Next(serializers.Serializer):
    """The post that comes next, or why there is none: `nothing` is the reason as a word."""

    post = HeldPost(allow_null=True)
    until = Moment(allow_null=True)
    nothing = serializers.ChoiceField(
        choices=[(code, code) for code in ("", GATE, UNREAD, *map(str, Nothing))], allow_blank=True
    )
    gate = serializers.ChoiceField(
        choices=[(code, code) for code in ("", *GATES.values())],
        allow_blank=True,
        help_text="What is to be settled first, where `nothing` is `gate`.",
    )
    detail = serializers.CharField()
    sitting = SittingNow(allow_null=True)


class Guide(serializers.Serializer):
    """The instructions in force, and whether you have said that you read them."""

    version = serializers.IntegerField()
    introduction = serializers.CharField()
    markdown = serializers.CharField()
    is_read = serializers.BooleanField()


class Start(serializers.Serializer):
    """The version of the instructions that you have read."""

    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class AnswerSent(serializers.Serializer):
    """An answer: a label's code, active seconds, and the version of the instructions you had."""

    label = serializers.CharField(max_length=60)
    seconds = serializers.FloatField(min_value=0, allow_null=True, default=None)
    guide_version = serializers.IntegerField(min_value=1, allow_null=True, default=None)


class Correction(AnswerSent):
    """Another answer; `seen_version` is the version of the vote that you saw."""

    seen_version = serializers.IntegerField(min_value=1)


class Skip(serializers.Serializer):
    """Why you pass a post on."""

    reason = serializers.ChoiceField(choices=SkipReason.choices)


class VoteGiven(serializers.Serializer):
    """The vote that stands; not `counted` when it came after the post had all its votes."""

    label = serializers.CharField()
    version = serializers.IntegerField()
    counted = serializers.BooleanField()


class Submitted(serializers.Serializer):
    """Your vote, what the researchers' rules say about your work, and the next post."""

    vote = VoteGiven()
    warnings = serializers.ListField(child=serializers.CharField())
    next = Next()


class Lease(serializers.Serializer):
    """Until when a post is yours."""

    until = Moment()


class OwnVote(serializers.Serializer):
    """One of your votes."""

    assignment = serializers.IntegerField(source="assignment_id")
    text = serializers.CharField(source="task.post.text")
    label = serializers.CharField()
    version = serializers.IntegerField()
    counted = serializers.BooleanField()
    created_at = Moment()
    may_be_corrected = serializers.SerializerMethodField()

    def get_may_be_corrected(self, vote: Any) -> bool:
        """Say whether it still can be corrected: in an open batch, in a test that goes on."""
        return takes_corrections(vote.task, vote.sitting_state)
