"""What a program may ask of the votes of a stage; whoever nobody is, is refused by name."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from annotation.api.errors import bad_fields
from annotation.api.fields import Moment
from annotation.models import Batch, Member, Study
from annotation.queries.vote_streams import VotesAsked

CURRENT, ALL = "current", "all"
MOST_ID, MOST_NUMBER, MOST_ROWS = 2**63 - 1, 2**31 - 1, 100_000


class VotesQuery(serializers.Serializer):
    """Which votes: those that stand or every version of each, of a batch, a person, with a label,
    given since a moment.

    `after` an id, rows are told in the order of their ids and each once, however votes come in: the
    stream ends before the first that may still appear.
    """

    versions = serializers.ChoiceField(default=CURRENT, choices=[(CURRENT, CURRENT), (ALL, ALL)])
    batch = serializers.IntegerField(required=False, min_value=1, max_value=MOST_NUMBER)
    annotator = serializers.CharField(
        required=False, max_length=100, help_text="The pseudonym of who voted."
    )
    label = serializers.CharField(required=False, max_length=60)
    since = Moment(required=False)
    after = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_ID,
        help_text="Where to go on: the id of the last row that you have, 0 to begin.",
    )
    limit = serializers.IntegerField(required=False, min_value=1, max_value=MOST_ROWS)


def asked_of(study: Study, stage: str, query: dict[str, Any]) -> VotesAsked:
    """Return which votes are asked for; refuse a batch or a person that the study does not have."""
    asked = dict(query)
    is_all = asked.pop("versions") == ALL
    batches = Batch.objects.filter(study=study, stage=stage)
    if "batch" in asked and not batches.filter(number=asked["batch"]).exists():
        raise bad_fields({"batch": [_("There is no such batch at this stage.")]})
    people = Member.objects.filter(study=study)
    if "annotator" in asked and not people.filter(pseudonym=asked["annotator"]).exists():
        raise bad_fields({"annotator": [_("Nobody of this study has this pseudonym.")]})
    return VotesAsked(all_versions=is_all, **asked)
