"""Draws charts and keeps them. For jobs: drawing loads heavy libraries."""

import io
from collections.abc import Sequence

from django.db import transaction

from annotation.charts import Drawing, rendered
from annotation.models import Chart, Study
from annotation.services.archive import lock_study
from annotation.tables.writing import CsvWriter
from infra.jobs import Report, no_report


def store_charts(
    *, study: Study, subject: str, drawings: Sequence[Drawing], report: Report = no_report
) -> list[Chart]:
    """Draw all charts about something, and let them take the place of those that were there.

    There are all of them afterwards, or those from before.
    """
    drawn = []
    for place, drawing in enumerate(drawings):
        report(place, len(drawings), drawing.title)
        drawn.append(drawn_chart(study, subject, place, drawing))
    with transaction.atomic():
        lock_study(study.pk)
        Chart.objects.filter(study=study, subject=subject).delete()
        return Chart.objects.bulk_create(drawn)


def drawn_chart(study: Study, subject: str, place: int, drawing: Drawing) -> Chart:
    """Return a chart in its three forms, unsaved."""
    label = f"chart-{subject}-{drawing.name}".replace("/", "-")
    pictures = rendered(drawing, label=label)
    return Chart(
        study=study,
        subject=subject,
        name=drawing.name,
        place=place,
        title=drawing.title,
        alternative=drawing.alternative,
        svg=pictures.svg,
        png=pictures.png,
        csv=table_of(drawing),
    )


def table_of(drawing: Drawing) -> str:
    """Return the numbers behind a chart as CSV, safe to open in a spreadsheet."""
    target = io.BytesIO()
    with CsvWriter(target, drawing.columns, spreadsheet_safe=True) as writer:
        for row in drawing.rows:
            writer.write(row)
    return target.getvalue().decode()
