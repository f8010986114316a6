"""Does a filter run: writes its posts down, has texts encoded and trials done, and concludes.

Run again and again by its job, it finds by what is stored how far it is: so it may be cancelled,
fail or lose its worker at any moment, and is tried again without doing anything twice.
"""

from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from filtering.algorithms import Method, votes_shift
from filtering.models import FilterRun
from filtering.services.charts import queue_charts
from filtering.services.encoding import encoding_parts
from filtering.services.previews import previews_of
from filtering.services.snapshot import write_down
from filtering.services.trials import posts_of
from infra.jobs import Parts, Report

SEED = 0
"""Intervals of alpha are drawn with one seed, so that the same run gives the same ones."""

DECIDE = """
    UPDATE filtering_filteredpost AS filtered
    SET kept_in = found.kept_in, kept = found.kept_in >= %(at_least)s, is_near = found.is_near
    FROM (
        SELECT mine.post_id, count(*) FILTER (WHERE mine.left_in = 0) AS kept_in,
            bool_or(mine.is_near) AS is_near
        FROM filtering_trialpost AS mine
        JOIN filtering_trial AS trial ON trial.id = mine.trial_id
        WHERE trial.run_id = %(run)s GROUP BY mine.post_id
    ) AS found
    WHERE filtered.run_id = %(run)s AND filtered.post_id = found.post_id
"""


def run_filter(*, run: FilterRun, report: Report) -> dict[str, Any] | Parts:
    """Bring a run as far as it comes without its parts; one that is finished stays as it is."""
    if not run.is_finished:
        run = write_down(run)
        if trials := trial_parts(run):
            return encoding_parts(run, report) or trials
        conclude(run)
    return {"run": run.number, "posts": run.post_count, "kept": run.kept_count}


def trial_parts(run: FilterRun) -> Parts | None:
    """Return the trials that are still to be done; None where none is."""
    done = set(run.trials.values_list("number", flat=True))
    missing = [number for number in range(1, run.trial_count + 1) if number not in done]
    if not missing:
        return None
    parameters = [{"run": run.number, "trial": number} for number in missing]
    return Parts("filter_trial", parameters, _("Trials"))


def shift_of(counts: npt.NDArray[np.int64], kept: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """Return how votes lie, and how far people agree, before the run, after it, and on the rest."""
    told = votes_shift(counts, kept, generator=np.random.default_rng(SEED))
    sides = {"before": told.before, "after": told.after, "left": told.left}
    return {
        name: {
            **asdict(side.mix),
            "alpha": side.agreement.alpha,
            "interval": side.agreement.interval,
            "undefined": side.agreement.reason,
        }
        for name, side in sides.items()
    }


@transaction.atomic
def conclude(run: FilterRun) -> None:
    """Decide on each post, once all trials are done, and ask for a run's charts."""
    with connection.cursor() as cursor:
        cursor.execute(DECIDE, {"run": run.pk, "at_least": run.at_least})
    counts = posts_of(run).counts
    marks = run.posts.order_by("post_id").values_list("kept", flat=True)
    kept = np.fromiter(marks.iterator(), dtype=np.bool_, count=len(counts))
    run.kept_count = int(kept.sum())
    run.near_count = run.posts.filter(is_near=True).count()
    run.shift = shift_of(counts, kept)
    run.previews = previews_of(run, counts) if run.method == Method.KL else []
    run.finished_at = timezone.now()
    run.save()
    if not run.is_preview:
        queue_charts(run=run)
