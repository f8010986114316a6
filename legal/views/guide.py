"""The guide: one version of the catalogue as experts read and print it, and what changed."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, study_view
from legal.models import Catalogue
from legal.queries.catalogues import catalogues_of, changes_of, guide, has_read, last_read
from legal.services.readers import refuse_others


@require_safe
@study_view(Permission.SEE_STUDY)
def legal_guide(request: HttpRequest, access: Access) -> HttpResponse:
    """Show one version of the guide, the newest unless another is asked for."""
    refuse_others(access)
    versions = list(catalogues_of(access.study))
    shown = wanted_version(request, versions)
    before = version_before(request, access, versions, shown)
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Guide"),
        "versions": versions,
        "catalogue": shown,
        "topics": guide(shown) if shown else [],
        "before": before,
        "changes": changes_of(before, shown) if before and shown else None,
        "is_reader": access.may(Permission.WORK_LEGAL),
        "may_see_versions": access.may(Permission.SEE_RESULTS),
    }
    return render(request, "legal/guide.html", context)


def wanted_version(request: HttpRequest, versions: list[Catalogue]) -> Catalogue | None:
    """Return the version that the address names, the newest one where it names none."""
    wanted = request.GET.get("version")
    if wanted is None:
        return versions[0] if versions else None
    return version_or_404(versions, wanted)


def version_or_404(versions: list[Catalogue], wanted: str) -> Catalogue:
    """Return a version by its number as it was typed."""
    found = [version for version in versions if str(version.version) == wanted]
    if not found:
        raise Http404(_("The guide has no such version."))
    return found[0]


def version_before(
    request: HttpRequest, access: Access, versions: list[Catalogue], shown: Catalogue | None
) -> Catalogue | None:
    """Return what a version is compared with: as asked, as last read, or the one before it."""
    if shown is None or "since" in request.GET:
        wanted = request.GET.get("since")
        return version_or_404(versions, wanted) if wanted else None
    if access.may(Permission.WORK_LEGAL):
        read = None if has_read(access.member, shown) else last_read(access.member, shown)
        return read.catalogue if read else None
    older = [version for version in versions if version.version < shown.version]
    return older[0] if older else None


def news_of_guide(access: Access, catalogue: Catalogue | None) -> dict[str, Any]:
    """Return what a person read of the guide before, and what changed since."""
    read = last_read(access.member, catalogue) if catalogue else None
    if read is None or catalogue is None:
        return {}
    return {"read": read, "changes": changes_of(read.catalogue, catalogue)}
