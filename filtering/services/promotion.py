"""Gives a run's kept posts to the experts as a legal batch; once for each run."""

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Batch, User
from annotation.services.batches import BatchRefused
from filtering.models import FilterRun, Promotion
from filtering.queries.runs import kept_ids
from filtering.services.runs import FilterRefused
from legal.services.batches import open_legal_batch


@transaction.atomic
def promote_run(*, by: User | None, run: FilterRun) -> Batch:
    """Open a legal batch of the posts that every trial kept, and record which run it came from.

    Posts that another run gave to the experts before are left out of the batch.
    """
    run = FilterRun.objects.select_for_update(of=("self",)).select_related("study").get(pk=run.pk)
    if not run.is_finished:
        raise FilterRefused(_("This run has no result yet. Wait until its job is done."))
    done = Promotion.objects.filter(run=run).select_related("batch").first()
    if done:
        sentence = _("The posts of this run are with the experts already, as legal batch %s.")
        raise FilterRefused(sentence % done.batch.number)
    if not run.kept_count:
        raise FilterRefused(_("No post was kept by every trial, so there is nothing to give."))
    source = _("Filter run %s") % run.number
    try:
        batch = open_legal_batch(by=by, study=run.study, post_ids=kept_ids(run), source=source)
    except BatchRefused as refusal:
        raise FilterRefused(str(refusal)) from None
    Promotion.objects.create(run=run, batch=batch, created_by=by)
    return batch
