"""What became known of releases, and how two of them differ, by the API."""

from typing import Any

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import bad_fields
from annotation.api.fields import Anything, Moment
from annotation.api.jobs import JobRow
from annotation.api.lines import as_lines
from annotation.queries.jobs import jobs_of
from releases.models import FlagKind, Release
from releases.queries.comparing import CHANGES, FILE_COLUMNS, comparisons_of
from releases.queries.flags import flags_of
from releases.services.comparing import ComparisonRefused, compare
from releases.services.flags import FlagRefused, flag_fault

SEEN = {"GET": Permission.SEE_RESULTS}
BLOCK = 2_000


class FlagShown(serializers.Serializer):
    """What became known of a release; `annotator` is the name in it of who withdrew."""

    kind = serializers.ChoiceField(source="flag.kind", choices=FlagKind.choices)
    reason = serializers.CharField(source="flag.reason")
    annotator = serializers.CharField()
    created_at = Moment(source="flag.created_at")


class NewFlag(serializers.Serializer):
    """What is wrong with a release."""

    reason = serializers.CharField(max_length=2_000)


class Earlier(serializers.Serializer):
    """The number of an earlier release."""

    earlier = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class ReleaseComparison(serializers.Serializer):
    """How two releases differ: posts, kinds of changes, moves of labels, settings, columns.

    `tables`, `table_1` and `agreement` hold rows, counts with shares, and alpha of both.
    """

    id = serializers.IntegerField()
    before = serializers.IntegerField(source="before.number")
    after = serializers.IntegerField(source="after.number")
    result = Anything()
    created_at = Moment()


class ChangedQuery(serializers.Serializer):
    """Posts that differ in what; nothing said, all."""

    changed = serializers.ChoiceField(choices=[(name, name) for name in CHANGES], required=False)


class ChangedRow(serializers.Serializer):
    """One line: a post that differs, in what, and what each release says of it."""

    post_id = serializers.CharField()
    changes = serializers.ListField(child=serializers.CharField())
    crowd_before = serializers.CharField(allow_null=True)
    crowd_after = serializers.CharField(allow_null=True)
    verdict_before = serializers.CharField(allow_null=True)
    verdict_after = serializers.CharField(allow_null=True)


def release_of(endpoint: StudyEndpoint, number: int) -> Release:
    """Return a release of the study."""
    return of_study(Release.objects.select_related("study"), endpoint.access, number=number)


class ReleaseFlags(StudyEndpoint):
    """The flags of a release."""

    needs = {"GET": Permission.SEE_RESULTS, "POST": Permission.MANAGE_DATA}

    @operation(FlagShown, is_list=True)
    def get(self, request: Request, number: int) -> Response:
        """List what became known of a release after it was made."""
        return self.answer(flags_of(release_of(self, number)))

    @operation(FlagShown, is_list=True, sends=NewFlag, code=201, refusals={FlagRefused: CONFLICT})
    def post(self, request: Request, number: int) -> Response:
        """Flag a release for a fault; the release stays what it is."""
        release = release_of(self, number)
        flag_fault(by=self.access.user, release=release, **self.sent)
        return self.answer(flags_of(release))


class ReleaseCompare(StudyEndpoint):
    """The comparison of a release with an earlier one."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(
        JobRow,
        sends=Earlier,
        code=201,
        refusals={ComparisonRefused: CONFLICT},
        example={"earlier": 1},
    )
    def post(self, request: Request, number: int) -> Response:
        """Compare a release with an earlier one, as a job whose result names the comparison."""
        after, study = release_of(self, number), self.access.study
        earlier = study.releases.filter(number=self.sent["earlier"], number__lt=number).first()
        if earlier is None:
            raise bad_fields({"earlier": [_("There is no such release before this one.")]})
        job = compare(by=self.access.user, before=earlier, after=after)
        return self.answer(jobs_of(study).get(pk=job.pk))


class Comparisons(StudyEndpoint):
    """The comparisons of releases."""

    needs = SEEN

    @operation(ReleaseComparison, is_page=True)
    def get(self, request: Request) -> Response:
        """List the comparisons that were made, newest first."""
        return self.page(comparisons_of(self.access.study), ("-pk",))


class OneComparison(StudyEndpoint):
    """One comparison."""

    needs = SEEN

    @operation(ReleaseComparison)
    def get(self, request: Request, comparison_id: int) -> Response:
        """Tell how two releases differ."""
        return self.answer(
            of_study(comparisons_of(self.access.study), self.access, pk=comparison_id)
        )


class ComparisonPosts(StudyEndpoint):
    """The posts that differ."""

    needs = SEEN

    @operation(ChangedRow, query=ChangedQuery, is_stream=True)
    def get(self, request: Request, comparison_id: int) -> StreamingHttpResponse:
        """Stream the posts that differ between two releases."""
        found = of_study(comparisons_of(self.access.study), self.access, pk=comparison_id)
        posts: Any = found.posts.order_by("pk")
        if changed := self.query.get("changed"):
            posts = posts.filter(changes__contains=[changed])
        return self.stream(as_lines(posts.values(*FILE_COLUMNS).iterator(chunk_size=BLOCK)))
