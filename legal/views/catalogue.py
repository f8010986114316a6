"""The catalogue as researchers look after it: its versions, and files of them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.offers import may_change
from legal.catalogues.writing import as_json, as_yaml
from legal.models import Catalogue
from legal.queries.catalogues import counted_versions, text_of
from legal.queries.drafts import draft_of
from legal.services.readers import refuse_others

WRITERS = {"yaml": (as_yaml, "application/yaml"), "json": (as_json, "application/json")}


@require_safe
@study_view(Permission.SEE_STUDY)
def catalogue(request: HttpRequest, access: Access) -> HttpResponse:
    """List the versions of the catalogue, and say whether somebody writes the next one."""
    refuse_others(access)
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Catalogue"),
        "versions": counted_versions(access.study),
        "may_see_all": access.may(Permission.SEE_RESULTS),
        "may_manage": may_change(access, Permission.MANAGE_DATA),
        "draft": draft_of(access.study),
    }
    return render(request, "legal/catalogue.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def export(request: HttpRequest, access: Access, version: int, form: str) -> HttpResponse:
    """Send a version as a file that can be imported again."""
    found = of_study(Catalogue.objects.all(), access, version=version)
    write, content_type = WRITERS[form]
    name = f"{access.study.slug}-catalogue-{found.version}.{form}"
    return HttpResponse(
        write(text_of(found)),
        content_type=f"{content_type}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
