"""Two releases side by side, and what became known of one."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.tables import csv_blocks
from annotation.views.files import csv_file
from releases.forms import CompareForm, FlagForm
from releases.models import Release
from releases.queries.comparing import (
    CHANGES,
    FILE_COLUMNS,
    changes_in,
    comparisons_of,
    file_rows,
    in_words,
)
from releases.services.comparing import ComparisonRefused, compare
from releases.services.flags import flag_fault
from releases.views.words import changed_figures, changed_settings, moved_labels

PER_PAGE = 50


@require_POST
@study_view(Permission.MANAGE_DATA)
def release_flag(request: HttpRequest, access: Access, number: int) -> HttpResponseBase:
    """Flag a release for a fault."""
    release = of_study(Release.objects.all(), access, number=number)
    form = FlagForm(request.POST)
    if form.is_valid():
        flag_fault(by=access.user, release=release, reason=form.cleaned_data["reason"])
        messages.success(request, _("The release is flagged."))
    else:
        messages.error(request, _("Say what is wrong with the release."))
    return redirect("release", access.study.slug, number)


@require_POST
@study_view(Permission.MANAGE_DATA)
def release_compare(request: HttpRequest, access: Access, number: int) -> HttpResponseBase:
    """Compare a release with an earlier one."""
    release = of_study(Release.objects.select_related("study"), access, number=number)
    form = CompareForm(request.POST, release=release)
    if not form.is_valid():
        messages.error(request, _("Choose an earlier release."))
        return redirect("release", access.study.slug, number)
    try:
        job = compare(by=access.user, before=form.cleaned_data["other"], after=release)
    except ComparisonRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("release", access.study.slug, number)
    if "comparison" in job.result:
        return redirect("comparison", access.study.slug, job.result["comparison"])
    return redirect("job", access.study.slug, job.pk)


@require_safe
@study_view(Permission.SEE_RESULTS)
def comparison(request: HttpRequest, access: Access, comparison_id: int) -> HttpResponseBase:
    """Show what differs between two releases, and the posts."""
    found = of_study(comparisons_of(access.study), access, pk=comparison_id)
    posts = found.posts.order_by("pk")
    kind = request.GET.get("changed", "")
    if kind := kind if kind in CHANGES else "":
        posts = posts.filter(changes__contains=[kind])
    page = Paginator(posts, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "study": access.study,
        "comparison": found,
        "changes": changes_in(found),
        "figures": changed_figures(found.result),
        "moves": moved_labels(found.result),
        "settings": changed_settings(found.result["settings"]),
        "posts": in_words(page),
        "crumb": _("Releases %(before)s and %(after)s")
        % {"before": found.before.number, "after": found.after.number},
        "changed": kind,
        "params": urlencode({"changed": kind}) if kind else "",
        "page": page,
    }
    return render(request, "releases/comparison.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def comparison_file(request: HttpRequest, access: Access, comparison_id: int) -> HttpResponseBase:
    """Download the posts that differ, safe for spreadsheets."""
    found = of_study(comparisons_of(access.study), access, pk=comparison_id)
    name = f"{access.study.slug}-releases-{found.before.number}-{found.after.number}.csv"
    return csv_file(csv_blocks(FILE_COLUMNS, file_rows(found), spreadsheet_safe=True), name)
