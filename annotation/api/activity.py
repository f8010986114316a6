"""Who did what in a study, and when."""

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, permissions_of
from annotation.api.endpoint import StudyEndpoint, operation
from annotation.api.errors import bad_fields
from annotation.api.fields import Moment
from annotation.models import Member
from annotation.queries.activity import Asked, NoSuchPlace, Place, activity
from annotation.registry import ActKind


class ChangeRow(serializers.Serializer):
    """A field that changed: without values told as changed only, without `old` unknown before."""

    label = serializers.CharField()
    old = serializers.CharField(allow_null=True)
    new = serializers.CharField(allow_null=True)


class ActRow(serializers.Serializer):
    """Something that somebody did; researchers by name, everybody else by pseudonym."""

    at = Moment()
    who = serializers.CharField()
    kind = serializers.ChoiceField(choices=ActKind.choices)
    title = serializers.CharField()
    name = serializers.CharField()
    done = serializers.CharField()
    action = serializers.CharField()
    changes = ChangeRow(many=True)


class ActivityPage(serializers.Serializer):
    """A part of the list; `below` is where the next one begins, null at the end."""

    below = serializers.CharField(allow_null=True)
    results = ActRow(many=True)


class ActivityQuery(serializers.Serializer):
    """Which acts."""

    below = serializers.CharField(required=False, help_text="Where to go on; take it from `below`.")
    size = serializers.IntegerField(required=False, min_value=1, max_value=500, default=100)
    kind = serializers.ChoiceField(choices=ActKind.choices, required=False)
    person = serializers.CharField(required=False, help_text="The pseudonym of who did it.")
    since = serializers.DateField(required=False)
    until = serializers.DateField(required=False)


class Activity(StudyEndpoint):
    """The study's log."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(ActivityPage, query=ActivityQuery)
    def get(self, request: Request) -> Response:
        """Tell who did what, newest first."""
        wanted = dict(self.query)
        size, person = wanted.pop("size"), wanted.pop("person", "")
        try:
            below = Place.parse(wanted.pop("below")) if "below" in wanted else None
        except NoSuchPlace:
            raise bad_fields({"below": [_("This is no place in this list.")]}) from None
        found, more = activity(
            self.access.study,
            permissions_of(self.access.member),
            Asked(person=self.member(person).user if person else None, **wanted),
            below=below,
            size=size,
        )
        return self.answer({"below": str(more) if more else None, "results": found})

    def member(self, pseudonym: str) -> Member:
        """Return the member of this name who has an account, or refuse."""
        found = Member.objects.select_related("user").filter(
            study=self.access.study, pseudonym=pseudonym, user__isnull=False
        )
        member = found.first()
        if member is None:
            raise bad_fields({"person": [_("Nobody of this study has this pseudonym.")]})
        return member
