"""Charts as files for papers and spreadsheets; pages hold the pictures themselves."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Chart

FORMS = {
    "svg": "image/svg+xml; charset=utf-8",
    "png": "image/png",
    "csv": "text/csv; charset=utf-8",
}


@require_safe
@study_view(Permission.SEE_RESULTS)
def chart_file(request: HttpRequest, access: Access, chart_id: int, form: str) -> HttpResponse:
    """Download a chart in one of its forms."""
    if form not in FORMS:
        raise Http404
    chart = of_study(Chart.objects.only("subject", "name", form), access, pk=chart_id)
    response = HttpResponse(getattr(chart, form), content_type=FORMS[form])
    name = f"{access.study.slug}-{chart.file_name}.{form}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
