"""The releases' pages: all of them, one with its figures and files, and the downloads."""

from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.offers import may_change
from annotation.queries.jobs import awaited_job
from releases.forms import CompareForm, FlagForm
from releases.models import Release
from releases.queries.comparing import comparisons_of
from releases.queries.flags import flags_of, member_called
from releases.queries.releases import MAKING, files_by_table, release_in_detail, releases_of
from releases.queries.statistics import release_charts, release_drawing
from releases.queries.words import agreement_rows, table_lines
from releases.services.making import release_folder
from releases.services.packing import packed
from releases.views.facts import facts_of

PER_PAGE = 25


@require_safe
@study_view(Permission.SEE_RESULTS)
def releases(request: HttpRequest, access: Access) -> HttpResponseBase:
    """List the releases and the comparisons of two."""
    context = {
        "access": access,
        "study": access.study,
        "page": Paginator(releases_of(access.study), PER_PAGE).get_page(request.GET.get("page")),
        "comparisons": comparisons_of(access.study)[:PER_PAGE],
        "job": awaited_job(access.study, MAKING),
        "may_make": may_change(access, Permission.MANAGE_DATA),
    }
    return render(request, "releases/releases.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def release(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Show a release: Table 1, agreement, flags, files; find who has a name in it."""
    found = of_study(release_in_detail(access.study), access, number=number)
    statistics = found.manifest["statistics"]
    sought = request.GET.get("annotator", "").strip()
    may_manage = access.may(Permission.MANAGE_DATA)
    context = {
        "access": access,
        "study": access.study,
        "release": found,
        "crumb": _("Release %s") % found.number,
        "statistics": statistics,
        "facts": facts_of(found),
        "table": table_lines(statistics["table_1"]),
        "agreement": agreement_rows(statistics["agreement"]),
        "charts": (charts := release_charts(found)),
        "drawing": None if charts else release_drawing(found),
        "flags": flags_of(found),
        "files": files_by_table(found),
        "may_look_up": may_manage,
        "may_flag": may_change(access, Permission.MANAGE_DATA),
        "sought": sought,
        "member": member_called(access.study, sought) if sought and may_manage else None,
        "flag_form": FlagForm(),
        "compare_form": CompareForm(release=found),
    }
    return render(request, "releases/release.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def release_file(request: HttpRequest, access: Access, number: int, name: str) -> HttpResponseBase:
    """Download a file of a release. Only names that the release lists lead to a file."""
    found = of_study(Release.objects.select_related("study"), access, number=number)
    file = get_object_or_404(found.files, name=name)
    path = release_folder(found) / file.name
    if not path.is_file():
        raise Http404(_("The file is not on this server any more."))
    shown_as = f"{access.study.slug}-release-{found.number}-{file.name.replace('/', '-')}"
    return FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename=shown_as,
        content_type="application/octet-stream",
    )


@require_safe
@study_view(Permission.SEE_RESULTS)
def release_zip(request: HttpRequest, access: Access, number: int) -> HttpResponseBase:
    """Download all files of a release as one, packed while it is sent."""
    found = of_study(release_in_detail(access.study), access, number=number)
    if any(not (release_folder(found) / file.name).is_file() for file in found.files.all()):
        raise Http404(_("The files are not on this server any more."))
    name = f"{access.study.slug}-release-{found.number}"
    response = StreamingHttpResponse(packed(found, name), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{name}.zip"'
    return response
