"""Evidence by the API: the archive's pages, and from which sites they are."""

from typing import Any

from django.core.files.storage import default_storage
from django.http import FileResponse, Http404
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.fields import Moment
from annotation.api.jobs import JobRow
from annotation.api.pages import PageQuery
from annotation.queries.jobs import jobs_of
from legal.models import ArchivedPage, PageState
from legal.queries.evidence import archived_pages, citing_votes, evidence_domains
from legal.services.archiving import ArchivingRefused, fetch_again

SEEN = {"GET": Permission.SEE_RESULTS}


class EvidenceQuery(PageQuery):
    """Which pages: those of a state, of a site."""

    state = serializers.ChoiceField(choices=PageState.choices, default="", allow_blank=True)
    domain = serializers.CharField(default="", allow_blank=True, max_length=253)


class EvidenceRow(serializers.Serializer):
    """A page that was named as evidence; what was found is null or empty until it is fetched.

    `votes` are the counting votes that cite it, `reason` why it could not be had.
    """

    id = serializers.IntegerField()
    address = serializers.CharField(source="url")
    domain = serializers.CharField()
    state = serializers.ChoiceField(choices=PageState.choices)
    reason = serializers.CharField()
    status = serializers.IntegerField(allow_null=True)
    final_address = serializers.CharField(source="final_url")
    title = serializers.CharField()
    published_on = serializers.DateField(allow_null=True)
    retrieved_at = Moment(allow_null=True)
    content_type = serializers.CharField()
    size = serializers.IntegerField(allow_null=True)
    sha256 = serializers.CharField()
    votes = serializers.IntegerField()


class EvidenceDetail(EvidenceRow):
    """A page with its text."""

    text = serializers.CharField()


class DomainRow(serializers.Serializer):
    """A site: pages named, pages fetched, and citations by counting votes."""

    name = serializers.CharField()
    pages = serializers.IntegerField()
    fetched = serializers.IntegerField()
    votes = serializers.IntegerField()


def with_votes(pages: list[ArchivedPage]) -> list[Any]:
    """Give each page the number of votes that cite it."""
    cited = citing_votes(page.pk for page in pages)
    for page in pages:
        page.votes = cited.get(page.pk, 0)  # type: ignore[attr-defined]
    return pages


class EvidencePages(StudyEndpoint):
    """The pages of a study's archive."""

    needs = SEEN

    @operation(EvidenceRow, is_page=True, query=EvidenceQuery)
    def get(self, request: Request) -> Response:
        """List the pages that experts named as evidence, newest first."""
        asked = {name: self.query[name] for name in ("state", "domain")}
        return self.page(archived_pages(self.access.study, **asked), ("-pk",), with_votes)


class OneEvidencePage(StudyEndpoint):
    """One page."""

    needs = SEEN

    @operation(EvidenceDetail)
    def get(self, request: Request, page_id: int) -> Response:
        """Tell what is known of a page, with its text."""
        page = of_study(ArchivedPage.objects.all(), self.access, pk=page_id)
        return self.answer(with_votes([page])[0])


class EvidenceWarc(StudyEndpoint):
    """A page as it was fetched."""

    needs = SEEN
    gives_files = True

    @operation(EvidenceRow, is_file=True)
    def get(self, request: Request, page_id: int) -> HttpResponseBase:
        """Download a fetched page's WARC file."""
        fetched = ArchivedPage.objects.filter(state=PageState.FETCHED)
        page = of_study(fetched, self.access, pk=page_id)
        if not default_storage.exists(page.warc):
            raise Http404(_("The file is not on this server any more."))
        file = default_storage.open(page.warc)
        return FileResponse(file, content_type="application/octet-stream")


class EvidenceFetch(StudyEndpoint):
    """Another attempt at what could not be had."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(JobRow, code=201, refusals={ArchivingRefused: CONFLICT})
    def post(self, request: Request) -> Response:
        """Fetch the pages that could not be had, as a job."""
        job = fetch_again(by=self.access.user, study=self.access.study)
        return self.answer(jobs_of(self.access.study).get(pk=job.pk))


class EvidenceDomains(StudyEndpoint):
    """The sites that evidence is on."""

    needs = SEEN

    @operation(DomainRow, is_list=True)
    def get(self, request: Request) -> Response:
        """List the sites that evidence is on, those that most votes cite first."""
        return self.answer(evidence_domains(self.access.study))
