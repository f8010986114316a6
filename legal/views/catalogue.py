"""The guide: the catalogue as experts read and print it."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, study_view
from annotation.offers import may_change
from legal.models import Catalogue
from legal.queries.catalogues import catalogues_of, current_catalogue, guide
from legal.services.catalogues import CatalogueRefused, load_catalogue

READERS = (Permission.WORK_LEGAL, Permission.SEE_RESULTS)


@require_safe
@study_view(Permission.SEE_STUDY)
def catalogue(request: HttpRequest, access: Access) -> HttpResponse:
    """Show one version of the guide, the newest unless another is asked for."""
    if not any(access.may(permission) for permission in READERS):
        raise PermissionDenied(_("The guide is for the experts and researchers of this study."))
    versions = list(catalogues_of(access.study))
    shown = wanted_version(request, versions)
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Guide"),
        "versions": versions,
        "catalogue": shown,
        "topics": guide(shown) if shown else [],
        "may_load": may_change(access, Permission.MANAGE_DATA),
    }
    return render(request, "legal/catalogue.html", context)


def wanted_version(request: HttpRequest, versions: list[Catalogue]) -> Catalogue | None:
    """Return the version that the address names, the newest one where it names none."""
    wanted = request.GET.get("version")
    if wanted is None:
        return versions[0] if versions else None
    found = [version for version in versions if str(version.version) == wanted]
    if not found:
        raise Http404(_("The guide has no such version."))
    return found[0]


@require_POST
@study_view(Permission.MANAGE_DATA)
def load(request: HttpRequest, access: Access) -> HttpResponse:
    """Take the catalogue that Juryroom ships as the newest version."""
    before = current_catalogue(access.study)
    try:
        loaded = load_catalogue(by=access.user, study=access.study)
    except CatalogueRefused as refusal:
        messages.error(request, str(refusal))
    else:
        if before and loaded.pk == before.pk:
            messages.info(request, _("The newest version is the shipped catalogue already."))
        else:
            messages.success(request, _("Version %s of the guide is in force.") % loaded.version)
    return redirect("legal_catalogue", access.study.slug)
