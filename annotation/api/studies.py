"""One's studies, and the protocol of a study."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, permissions_of
from annotation.api.endpoint import CONFLICT, Endpoint, StudyEndpoint, operation
from annotation.api.fields import Moment
from annotation.forms import PROTOCOL_GROUPS
from annotation.models import ApiToken, Member, Protocol, Role, StudyState
from annotation.queries.studies import studies_of
from annotation.services.people import PeopleRefused, change_study, create_study
from annotation.services.studies import StudyRefused, archive_study, clone_study, reopen_study


class Study(serializers.Serializer):
    """A study, and what the person who asks is in it."""

    slug = serializers.CharField(source="study.slug")
    title = serializers.CharField(source="study.title")
    description = serializers.CharField(source="study.description")
    state = serializers.ChoiceField(source="study.state", choices=StudyState.choices)
    created_at = Moment(source="study.created_at")
    role = serializers.ChoiceField(choices=Role.choices)
    pseudonym = serializers.CharField()
    permissions = serializers.SerializerMethodField()

    def get_permissions(self, member: Member) -> list[str]:
        """Return what the person may do."""
        return sorted(permissions_of(member))


class ProtocolSettings(serializers.ModelSerializer):
    """The words, state and settings of a study; what is not sent stays as it is."""

    title = serializers.CharField(source="study.title", max_length=200)
    description = serializers.CharField(source="study.description", allow_blank=True)
    state = serializers.ChoiceField(source="study.state", choices=StudyState.choices)

    class Meta:
        model = Protocol
        fields = [
            "title",
            "description",
            "state",
            *(name for _title, names in PROTOCOL_GROUPS for name in names),
        ]


class CloneOfStudy(serializers.Serializer):
    """What a clone is called; its slug stands in addresses."""

    slug = serializers.SlugField(max_length=60)
    title = serializers.CharField(max_length=200)


class NewStudy(CloneOfStudy):
    """What a new study is called; its settings are the usual ones until they are changed."""

    description = serializers.CharField(default="", allow_blank=True)


class ArchiveMove(serializers.Serializer):
    """Whether a study goes into the archive, or comes out of it."""

    to = serializers.ChoiceField(choices=[(word, word) for word in ("archive", "reopen")])


class Studies(Endpoint):
    """The studies of the person who asks."""

    opens_to_tokens_of_studies = frozenset({"GET"})

    @operation(Study, is_page=True)
    def get(self, request: Request) -> Response:
        """List one's studies; with a token for one study, that one."""
        members = studies_of(request.user)
        if isinstance(request.auth, ApiToken) and request.auth.study:
            members = members.filter(study=request.auth.study)
        return self.page(members)

    @operation(
        Study,
        sends=NewStudy,
        code=201,
        example={"slug": "rumours", "title": "Rumours"},
        refusals={PeopleRefused: CONFLICT},
    )
    def post(self, request: Request) -> Response:
        """Make a study, if your account may, and become its owner."""
        if not request.user.may_create_studies:
            sentence = _("Your account may not create studies; ask a site administrator.")
            raise PermissionDenied(sentence)
        study = create_study(by=request.user, owner=request.user, **self.sent)
        return self.answer(studies_of(request.user).get(study=study))


class OneStudy(StudyEndpoint):
    """One study."""

    needs = {"GET": Permission.SEE_STUDY}

    @operation(Study)
    def get(self, request: Request) -> Response:
        """Tell what a study is, and what one is in it."""
        return self.answer(self.access.member)


class StudyProtocol(StudyEndpoint):
    """What governs a study."""

    needs = {"GET": Permission.MANAGE_STUDY, "PATCH": Permission.MANAGE_STUDY}

    @operation(ProtocolSettings)
    def get(self, request: Request) -> Response:
        """Tell the words, state and settings of a study."""
        return self.answer(self.access.study.protocol)

    @operation(
        ProtocolSettings, sends=ProtocolSettings, is_partial=True, example={"crowd_votes": 5}
    )
    def patch(self, request: Request) -> Response:
        """Change some of a study's words and settings; the history keeps the old values."""
        study = self.access.study
        changed: dict[str, Any] = dict(self.sent)
        words = {name: getattr(study, name) for name in ("title", "description", "state")}
        words |= changed.pop("study", {})
        changed_study = change_study(by=self.access.member, study=study, **words, **changed)
        return self.answer(changed_study.protocol)


class StudyClone(StudyEndpoint):
    """A study like another."""

    needs = {"POST": Permission.MANAGE_STUDY}

    @operation(Study, sends=CloneOfStudy, code=201, refusals={PeopleRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Make a study with the same rules, without posts and people, and become its owner."""
        study = clone_study(by=self.access.member, **self.sent)
        return self.answer(studies_of(self.access.user).get(study=study))


class StudyArchive(StudyEndpoint):
    """The archive."""

    needs = {"POST": Permission.MANAGE_STUDY}

    @operation(Study, sends=ArchiveMove, refusals={StudyRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Archive a study, which can only be read from then on, or take it out of the archive."""
        move = {"archive": archive_study, "reopen": reopen_study}[self.sent["to"]]
        move(by=self.access.member)
        return self.answer(studies_of(self.access.user).get(study=self.access.study))
