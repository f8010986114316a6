"""The figures of the legal stage, as a job has drawn them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, study_view
from annotation.offers import may_change
from legal.queries.figures import legal_figures
from legal.services.figures import queue_figures


@require_safe
@study_view(Permission.SEE_RESULTS)
def figures(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the figures, and whether votes have changed since they were drawn."""
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Figures"),
        "figures": legal_figures(access.study),
        "may_manage": may_change(access, Permission.MANAGE_DATA),
    }
    return render(request, "legal/figures.html", context)


@require_POST
@study_view(Permission.MANAGE_DATA)
def draw(request: HttpRequest, access: Access) -> HttpResponse:
    """Have the figures drawn."""
    queue_figures(by=access.user, study=access.study)
    return redirect("legal_figures", access.study.slug)
