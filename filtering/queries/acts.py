"""What people do with the filter, for a study's activity."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.registry import ActKind, Acts
from filtering.models import FilterRun, Promotion

ACTS = (
    Acts(
        FilterRun,
        ActKind.FILTER,
        gettext_lazy("Filter run"),
        done=gettext_lazy("started"),
        named=lambda row: str(row.number),
        facts=("method", "k", "trial_count", "seed"),
        url=lambda study, row: reverse("filter_run", args=[study.slug, row.number]),
    ),
    Acts(
        Promotion,
        ActKind.FILTER,
        gettext_lazy("Posts of a filter run"),
        study="run__study",
        related=("run", "batch"),
        done=gettext_lazy("given to the experts"),
        named=lambda row: (
            _("run %(run)s, batch %(batch)s") % {"run": row.run.number, "batch": row.batch.number}
        ),
        url=lambda study, row: reverse("legal_batch", args=[study.slug, row.batch.number]),
    ),
)
