"""Releases by the API: listed, made, and their files downloaded."""

from typing import Any

from django.http import FileResponse, Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import bad_fields
from annotation.api.fields import Anything, Moment
from annotation.api.jobs import JobRow
from annotation.queries.counts import RoundsDiffer
from annotation.queries.jobs import jobs_of
from crowd.queries.rounds import hidden_posts
from releases.choices import ReleaseChoices, Splits, Stage, Versions
from releases.models import TEXTS, Release
from releases.queries.flags import member_called
from releases.queries.preview import Preview, preview
from releases.queries.releases import open_tasks, release_in_detail, releases_of
from releases.queries.sources import sources_of
from releases.services.making import release_folder
from releases.services.releases import ReleaseRefused, make_release

SEEN = {"GET": Permission.SEE_RESULTS}
SHARES = ("train", "validation", "test")


class ReleaseRow(serializers.Serializer):
    """A frozen dataset; `open_tasks` counts what was still to be voted on when it was made,
    `flag_count` what became known of it since.
    """

    number = serializers.IntegerField()
    texts = serializers.ChoiceField(choices=TEXTS)
    complete = serializers.BooleanField()
    open_tasks = serializers.IntegerField()
    flag_count = serializers.IntegerField()
    created_at = Moment()


class ReleasedFile(serializers.Serializer):
    """A file of a release: its name, what it must contain, and its rows where it is a table."""

    name = serializers.CharField()
    sha256 = serializers.CharField()
    size = serializers.IntegerField()
    rows = serializers.IntegerField(allow_null=True)


class ReleaseDetail(ReleaseRow):
    """A release with its manifest (choices, versions, statistics) and its files."""

    manifest = Anything()
    files = ReleasedFile(many=True)


class TablePreview(serializers.Serializer):
    """A table that a release would have, and its first rows, as text."""

    table = serializers.CharField(source="table.name")
    columns = serializers.SerializerMethodField()
    rows = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))

    def get_columns(self, found: Preview) -> list[str]:
        """Return the names of the columns."""
        return [column.name for column in found.table.columns]


class PreviewAnswer(serializers.Serializer):
    """The tables of a release, and by stage how many posts still want votes."""

    open_tasks = serializers.DictField(child=serializers.IntegerField())
    tables = TablePreview(many=True)


class ReleasedMember(serializers.Serializer):
    """Who has a name in a release, by the pseudonym of the study."""

    pseudonym = serializers.CharField()


class ReleaseSplits(serializers.Serializer):
    """How many of a hundred posts fall into each split; `seed` mixes them."""

    train = serializers.IntegerField(min_value=0, max_value=100, default=0)
    validation = serializers.IntegerField(min_value=0, max_value=100, default=0)
    test = serializers.IntegerField(min_value=0, max_value=100, default=0)
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=0)

    def validate(self, attrs: dict[str, int]) -> dict[str, int]:
        """Refuse shares that do not add up."""
        if sum(attrs[share] for share in SHARES) != 100:
            raise bad_fields({"splits": [_("The shares must add up to 100.")]})
        return attrs


class NewRelease(serializers.Serializer):
    """What is released; what is not sent is as usual: both stages, cleaned texts, current votes,
    all posts in the split `test`, licence and citation of the data card.

    With `insists`, the reason why, an owner releases what the scan for personal data found.
    """

    stages = serializers.MultipleChoiceField(
        choices=[(stage.value, stage.value) for stage in Stage], required=False, allow_empty=False
    )
    texts = serializers.ChoiceField(choices=TEXTS, required=False)
    versions = serializers.ChoiceField(
        choices=[(version.value, version.value) for version in Versions], required=False
    )
    crowd_round = serializers.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    splits = ReleaseSplits(required=False)
    licence = serializers.CharField(required=False, max_length=200)
    citation = serializers.CharField(required=False, max_length=5_000)
    insists = serializers.CharField(required=False, max_length=5_000)


def choices_of(sent: dict[str, Any]) -> ReleaseChoices:
    """Return what was chosen, as services take it."""
    chosen = dict(sent)
    if "stages" in chosen:
        chosen["stages"] = tuple(stage for stage in Stage if stage in chosen["stages"])
    if "splits" in chosen:
        chosen["splits"] = Splits(**chosen["splits"])
    return ReleaseChoices(**chosen)


class Releases(StudyEndpoint):
    """The releases of a study."""

    needs = {"GET": Permission.SEE_RESULTS, "POST": Permission.MANAGE_DATA}

    @operation(ReleaseRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List the releases, newest first."""
        return self.page(releases_of(self.access.study), ("-number",))

    @operation(
        JobRow,
        sends=NewRelease,
        code=201,
        refusals={ReleaseRefused: CONFLICT},
        example={"texts": "ids", "licence": "CC-BY-4.0"},
    )
    def post(self, request: Request) -> Response:
        """Make a release, as a job; nothing of it can be seen before it is whole."""
        if "insists" in self.sent and not self.access.may(Permission.MANAGE_STUDY):
            raise bad_fields({"insists": [_("Only an owner of the study may insist.")]})
        study = self.access.study
        job = make_release(by=self.access.user, study=study, choices=choices_of(self.sent))
        return self.answer(jobs_of(study).get(pk=job.pk))


class ReleasePreview(StudyEndpoint):
    """A look at what would be released."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(PreviewAnswer, sends=NewRelease, refusals={RoundsDiffer: CONFLICT})
    def post(self, request: Request) -> Response:
        """Show the tables of a release with these choices, and their first rows; make nothing."""
        study = self.access.study
        tables = preview(sources_of(study, choices_of(self.sent)), hidden_posts(self.access))
        return self.answer({"open_tasks": open_tasks(study), "tables": tables})


class OneRelease(StudyEndpoint):
    """One release."""

    needs = SEEN

    @operation(ReleaseDetail)
    def get(self, request: Request, number: int) -> Response:
        """Tell what a release is, with its files."""
        return self.answer(
            of_study(release_in_detail(self.access.study), self.access, number=number)
        )


class ReleaseAnnotator(StudyEndpoint):
    """Who is behind a name."""

    needs = {"GET": Permission.MANAGE_DATA}

    @operation(ReleasedMember)
    def get(self, request: Request, number: int, name: str) -> Response:
        """Tell who has a name in a release, as its page does."""
        of_study(Release.objects.all(), self.access, number=number)
        member = member_called(self.access.study, name)
        if member is None:
            raise Http404(_("Nobody of this study has this name in releases."))
        return self.answer(member)


class ReleaseDownload(StudyEndpoint):
    """A file of a release."""

    needs = SEEN
    gives_files = True

    @operation(ReleasedFile, is_file=True)
    def get(self, request: Request, number: int, name: str) -> HttpResponseBase:
        """Download a file of a release, as it was made."""
        found = of_study(Release.objects.select_related("study"), self.access, number=number)
        file = get_object_or_404(found.files, name=name.replace("\0", ""))
        path = release_folder(found) / file.name
        if not path.is_file():
            raise Http404(_("The file is not on this server any more."))
        return FileResponse(path.open("rb"), content_type="application/octet-stream")
