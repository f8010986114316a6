"""The members of a study."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import GIVEN_ON_TOP, Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.fields import Moment
from annotation.models import Member, Role
from annotation.queries.studies import members_of
from annotation.services.people import PeopleRefused, change_member, let_in, reset_password


class MemberRow(serializers.Serializer):
    """Somebody in a study; people of imported rounds have no user name."""

    pseudonym = serializers.CharField()
    username = serializers.CharField(source="user.username", default=None, allow_null=True)
    name = serializers.CharField(source="user.name", default="")
    imported_name = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    is_active = serializers.BooleanField()
    created_at = Moment()


class NewMember(serializers.Serializer):
    """Whom to let in, and as what."""

    name_or_email = serializers.CharField(max_length=150)
    name = serializers.CharField(max_length=150, default="", allow_blank=True)
    role = serializers.ChoiceField(choices=Role.choices)


class LetIn(serializers.Serializer):
    """A new member; the one-time password of an account that was made for them, else nothing."""

    member = MemberRow()
    password = serializers.CharField()


class NewPassword(serializers.Serializer):
    """A one-time password; it is shown in this answer only."""

    password = serializers.CharField()


class MemberChange(serializers.Serializer):
    """What a member is from now on; what is not sent stays as it is."""

    role = serializers.ChoiceField(choices=Role.choices, required=False)
    is_active = serializers.BooleanField(required=False)
    permissions = serializers.ListField(
        child=serializers.ChoiceField(choices=[code.value for code in GIVEN_ON_TOP]),
        required=False,
        help_text="What they may do beyond the role.",
    )


class Members(StudyEndpoint):
    """Who takes part."""

    needs = {"GET": Permission.MANAGE_STUDY, "POST": Permission.MANAGE_STUDY}

    @operation(MemberRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List the members of a study, in the order in which they came."""
        return self.page(members_of(self.access.study))

    @operation(
        LetIn,
        sends=NewMember,
        code=201,
        example={"name_or_email": "ada@example.org", "role": "expert"},
        refusals={PeopleRefused: CONFLICT},
    )
    def post(self, request: Request) -> Response:
        """Let somebody in, with a new account where they have none."""
        member, password = let_in(by=self.access.user, study=self.access.study, **self.sent)
        return self.answer({"member": member, "password": password})


class OneMember(StudyEndpoint):
    """One member."""

    needs = {"GET": Permission.MANAGE_STUDY, "PATCH": Permission.MANAGE_STUDY}

    def found(self, pseudonym: str) -> Member:
        """Return the member with this pseudonym."""
        return of_study(Member.objects.select_related("user"), self.access, pseudonym=pseudonym)

    @operation(MemberRow)
    def get(self, request: Request, pseudonym: str) -> Response:
        """Tell who a member is."""
        return self.answer(self.found(pseudonym))

    @operation(MemberRow, sends=MemberChange, refusals={PeopleRefused: CONFLICT})
    def patch(self, request: Request, pseudonym: str) -> Response:
        """Change what a member is."""
        member = self.found(pseudonym)
        wanted: dict[str, Any] = {"role": member.role, "is_active": member.is_active} | self.sent
        changed = change_member(by=self.access.member, member=member, **wanted)
        return self.answer(changed)


class MemberPassword(StudyEndpoint):
    """The way back in for who cannot sign in any more."""

    needs = {"POST": Permission.MANAGE_STUDY}

    @operation(NewPassword, refusals={PeopleRefused: CONFLICT})
    def post(self, request: Request, pseudonym: str) -> Response:
        """Give a member a new password."""
        members = Member.objects.select_related("user")
        member = of_study(members, self.access, pseudonym=pseudonym)
        return self.answer({"password": reset_password(by=self.access.member, member=member)})
