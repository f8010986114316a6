"""The ways into a study, and the study on Prolific that one may stand for."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import bad_fields
from annotation.api.fields import Moment
from crowd.forms.recruitment import CODE, MOST_PEOPLE, PARAMETER, STUDY_ID
from crowd.models import Recruitment, RecruitmentKind, RecruitmentState
from crowd.queries.recruitment import entry_address, recruitments_of
from crowd.services.prolific import ProlificRefused, move_on_prolific, study_on_prolific
from crowd.services.recruitment import RecruitmentRefused, create_recruitment, move_recruitment

MANAGED = {"GET": Permission.MANAGE_DATA, "POST": Permission.MANAGE_DATA}
ACTIONS = [(name, name) for name in ("publish", "pause", "go_on", "change_places")]


class WayIn(serializers.Serializer):
    """A way into a study; how many came, are at work, finished and left, never who."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=RecruitmentKind.choices)
    state = serializers.ChoiceField(choices=RecruitmentState.choices)
    link = serializers.SerializerMethodField()
    places = serializers.IntegerField(allow_null=True)
    sitting_size = serializers.IntegerField(allow_null=True)
    completion_code = serializers.CharField()
    screen_out_code = serializers.CharField()
    id_parameter = serializers.CharField()
    signature_parameter = serializers.CharField()
    signing_secret = serializers.CharField()
    external_study_id = serializers.CharField()
    arrived = serializers.IntegerField()
    at_work = serializers.IntegerField()
    complete = serializers.IntegerField()
    left = serializers.IntegerField()
    created_at = Moment()

    def get_link(self, recruitment: Recruitment) -> str:
        """Return the address to give to people or to a platform, below this site's."""
        return entry_address(recruitment)


class NewWayIn(serializers.Serializer):
    """A way in; codes that are not given are made. It lets nobody in before it is opened."""

    kind = serializers.ChoiceField(choices=RecruitmentKind.choices)
    name = serializers.CharField(max_length=100)
    panel = serializers.CharField(max_length=30, required=False, allow_blank=True)
    places = serializers.IntegerField(required=False, min_value=1, max_value=MOST_PEOPLE)
    sitting_size = serializers.IntegerField(required=False, min_value=1, max_value=10_000)
    completion_code = serializers.CharField(required=False, validators=[CODE])
    screen_out_code = serializers.CharField(required=False, validators=[CODE])
    id_parameter = serializers.CharField(required=False, validators=[PARAMETER])
    signature_parameter = serializers.CharField(required=False, validators=[PARAMETER])
    external_study_id = serializers.CharField(required=False, validators=[STUDY_ID])

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse one code for two outcomes."""
        code = attrs.get("completion_code")
        if code and code == attrs.get("screen_out_code"):
            raise bad_fields({"screen_out_code": [_("The two codes must differ.")]})
        return attrs


class WayMove(serializers.Serializer):
    """Whether people are let in; what was closed stays closed."""

    to = serializers.ChoiceField(choices=RecruitmentState.choices)


class PlatformStudy(serializers.Serializer):
    """A study as Prolific knows it."""

    name = serializers.CharField()
    status = serializers.CharField()
    places = serializers.IntegerField()
    places_taken = serializers.IntegerField()
    currency = serializers.CharField()


class PlatformMove(serializers.Serializer):
    """What Prolific is asked for; `places` in all with `change_places`."""

    action = serializers.ChoiceField(choices=ACTIONS)
    places = serializers.IntegerField(required=False, min_value=1, max_value=MOST_PEOPLE)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Ask for the number of places where it is needed."""
        if attrs["action"] == "change_places" and "places" not in attrs:
            raise bad_fields({"places": [_("Say how many places in all.")]})
        return attrs


class WaysIn(StudyEndpoint):
    """The ways into a study."""

    needs = MANAGED

    @operation(WayIn, is_page=True)
    def get(self, request: Request) -> Response:
        """List the ways in, newest first."""
        return self.page(recruitments_of(self.access.study), ("-number",))

    @operation(WayIn, sends=NewWayIn, code=201, refusals={RecruitmentRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Make a way in; open it when all is ready."""
        made = create_recruitment(by=self.access.user, study=self.access.study, **self.sent)
        return self.answer(recruitments_of(self.access.study).get(pk=made.pk))


class OneWayIn(StudyEndpoint):
    """One way in."""

    needs = MANAGED

    @operation(WayIn)
    def get(self, request: Request, number: int) -> Response:
        """Tell a way's link, its codes, and how many came."""
        rows = recruitments_of(self.access.study)
        return self.answer(of_study(rows, self.access, number=number))


class WayInMove(StudyEndpoint):
    """The state of a way in."""

    needs = MANAGED

    @operation(WayIn, sends=WayMove, refusals={RecruitmentRefused: CONFLICT})
    def post(self, request: Request, number: int) -> Response:
        """Open, pause or close a way in."""
        found = of_study(Recruitment.objects.all(), self.access, number=number)
        move_recruitment(by=self.access.user, recruitment=found, to=self.sent["to"])
        return self.answer(recruitments_of(self.access.study).get(pk=found.pk))


class WayInPlatform(StudyEndpoint):
    """The study on Prolific that a way in stands for."""

    needs = {"GET": Permission.MANAGE_STUDY, "POST": Permission.MANAGE_STUDY}

    def found(self, number: int) -> Recruitment:
        """Return the way in."""
        ways = Recruitment.objects.filter(kind=RecruitmentKind.PROLIFIC)
        return of_study(ways, self.access, number=number)

    @operation(PlatformStudy, refusals={ProlificRefused: CONFLICT})
    def get(self, request: Request, number: int) -> Response:
        """Tell how the study stands on Prolific."""
        return self.answer(study_on_prolific(self.found(number)))

    @operation(PlatformStudy, sends=PlatformMove, refusals={ProlificRefused: CONFLICT})
    def post(self, request: Request, number: int) -> Response:
        """Publish or pause it there, let it go on, or change its places."""
        found = self.found(number)
        move_on_prolific(recruitment=found, **self.sent)
        return self.answer(study_on_prolific(found))
