"""Gives a run's kept posts to the experts as a legal batch; once for each run."""

import random

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Batch, User
from annotation.services.batches import BatchRefused
from filtering.models import FilterRun, Promotion
from filtering.queries.runs import post_ids
from filtering.services.runs import FilterRefused
from legal.services.batches import open_legal_batch


@transaction.atomic
def promote_run(*, by: User | None, run: FilterRun, control_share: float = 0.0) -> Batch:
    """Open a legal batch of the posts that a run kept, and record which run it came from.

    A share of the posts that left may go with them, to control what the filter does: drawn by the
    run's seed, among the others in the batch's random order, and nothing tells the experts which
    they are. Posts that another run gave to the experts before are left out of the batch.
    """
    if not 0 <= control_share <= 1:
        raise FilterRefused(_("The share of dropped posts lies between 0 and 1."))
    run = FilterRun.objects.select_for_update(of=("self",)).select_related("study").get(pk=run.pk)
    if run.is_preview:
        raise FilterRefused(_("A preview is not given to the experts. Start a run with its k."))
    if not run.is_finished:
        raise FilterRefused(_("This run has no result yet. Wait until its job is done."))
    done = Promotion.objects.filter(run=run).select_related("batch").first()
    if done:
        sentence = _("The posts of this run are with the experts already, as legal batch %s.")
        raise FilterRefused(sentence % done.batch.number)
    if not run.kept_count:
        raise FilterRefused(_("No post was kept, so there is nothing to give."))
    source = _("Filter run %s") % run.number
    controls = drawn_controls(run, control_share)
    posts = [*post_ids(run, kept=True), *controls]
    try:
        batch = open_legal_batch(by=by, study=run.study, post_ids=posts, source=source)
    except BatchRefused as refusal:
        raise FilterRefused(str(refusal)) from None
    Promotion.objects.create(run=run, batch=batch, created_by=by, control_count=len(controls))
    return batch


def drawn_controls(run: FilterRun, share: float) -> list[int]:
    """Return a random share of the posts that left, the same whenever the run is asked."""
    dropped = post_ids(run, kept=False)
    generator = random.Random(f"controls of {run.seed}")  # noqa: S311 -- reproducible
    return generator.sample(dropped, round(share * len(dropped)))
