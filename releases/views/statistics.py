"""The figures of a study, as a job has counted and drawn them."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, study_view
from annotation.offers import may_change
from filtering.queries.voted_posts import crowd_rounds
from releases.forms import RoundForm
from releases.models import StudyStatistics
from releases.queries.figure_rows import figures_csv
from releases.queries.statistics import study_figures
from releases.queries.statistics_words import shown_figures
from releases.services.study_statistics import StatisticsRefused, queue_statistics


@require_safe
@study_view(Permission.SEE_RESULTS)
def statistics(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the figures, when they were made, and what has changed since."""
    study, figures = access.study, study_figures(access.study)
    context = {
        "access": access,
        "study": study,
        "figures": figures,
        "shown": shown_figures(study, figures.stored) if figures.stored else None,
        "form": RoundForm(rounds=crowd_rounds(study)),
        "may_draw": may_change(access, Permission.MANAGE_DATA),
    }
    return render(request, "releases/statistics.html", context)


@require_POST
@study_view(Permission.MANAGE_DATA)
def draw(request: HttpRequest, access: Access) -> HttpResponse:
    """Have the figures counted and drawn."""
    form = RoundForm(request.POST, rounds=crowd_rounds(access.study))
    if form.is_valid():
        try:
            queue_statistics(by=access.user, study=access.study, **form.cleaned_data)
        except StatisticsRefused as refusal:
            messages.error(request, str(refusal))
    else:
        messages.error(request, _("Choose one of the crowd's rounds."))
    return redirect("statistics", access.study.slug)


@require_safe
@study_view(Permission.SEE_RESULTS)
def all_figures(request: HttpRequest, access: Access) -> HttpResponse:
    """Download all tables as one file."""
    stored = StudyStatistics.objects.filter(study=access.study).first()
    if stored is None:
        raise Http404(_("No figures have been counted yet."))
    response = HttpResponse(figures_csv(stored.content), content_type="text/csv; charset=utf-8")
    name = f"{access.study.slug}-statistics.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
