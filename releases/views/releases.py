"""The releases' pages: all of them, one with its figures and files, and the download of a file."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.offers import may_change
from filtering.queries.voted_posts import crowd_rounds
from releases.choices import ReleaseChoices
from releases.forms import ReleaseForm
from releases.models import Release
from releases.queries.posts import released_posts
from releases.queries.releases import open_tasks, release_in_detail, releases_of, unfinished_job
from releases.queries.statistics import release_charts, release_drawing
from releases.queries.words import agreement_rows, table_lines
from releases.services.making import release_folder
from releases.services.releases import ReleaseRefused, make_release

PER_PAGE = 25


@study_view(Permission.SEE_RESULTS)
def releases(request: HttpRequest, access: Access) -> HttpResponseBase:
    """List the releases; make one."""
    if request.method == "POST":
        return start(request, access.study.slug)
    return releases_page(request, access, ReleaseForm(rounds=crowd_rounds(access.study)))


@study_view(Permission.MANAGE_DATA)
def start(request: HttpRequest, access: Access) -> HttpResponse:
    """Start the making of a release."""
    form = ReleaseForm(request.POST, rounds=crowd_rounds(access.study))
    if form.is_valid():
        try:
            choices = ReleaseChoices(**form.cleaned_data)
            job = make_release(by=access.user, study=access.study, choices=choices)
            return redirect("job", access.study.slug, job.pk)
        except ReleaseRefused as refusal:
            messages.error(request, str(refusal))
    return releases_page(request, access, form)


def releases_page(request: HttpRequest, access: Access, form: ReleaseForm) -> HttpResponse:
    """Show the releases, what a new one would leave open, and the form."""
    page = Paginator(releases_of(access.study), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "study": access.study,
        "page": page,
        "form": form,
        "posts": released_posts(access.study).count(),
        "open_tasks": open_tasks(access.study),
        "job": unfinished_job(access.study),
        "may_make": may_change(access, Permission.MANAGE_DATA),
    }
    return render(request, "releases/releases.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def release(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Show a release: Table 1, agreement, files."""
    found = of_study(release_in_detail(access.study), access, number=number)
    statistics = found.manifest["statistics"]
    context = {
        "access": access,
        "study": access.study,
        "release": found,
        "crumb": _("Release %s") % found.number,
        "statistics": statistics,
        "table": table_lines(statistics["table_1"]),
        "agreement": agreement_rows(statistics["agreement"]),
        "files": [(file, "") for file in found.files.all()],
        "charts": (charts := release_charts(found)),
        "drawing": None if charts else release_drawing(found),
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
