"""Has the figures of a study counted, drawn and kept by a job."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Job, StageCode, Study, User
from annotation.queries.counts import RoundsDiffer, rounds_of
from annotation.queries.jobs import job_under_way
from annotation.services.archive import lock_study
from annotation.services.charts import store_charts
from annotation.services.jobs import queue_job
from crowd.queries.labels import label_names
from infra.jobs import JobRefused, Report
from releases.algorithms import statistics
from releases.choices import ReleaseChoices, Texts
from releases.models import StudyStatistics
from releases.queries.figures import figures_of
from releases.queries.posts import legal_sources, post_blocks, released_posts
from releases.queries.sources import sources_of
from releases.queries.statistics import DRAWING, SUBJECT, state_of
from releases.queries.work import work_of
from releases.services.making import one_snapshot
from releases.services.row_drawings import row_drawings
from releases.services.tables import count_block, counts_for
from releases.services.work_drawings import work_drawings


class StatisticsRefused(Exception):
    """Figures that cannot be counted; its text is a sentence for the person."""


@transaction.atomic
def queue_statistics(*, by: User | None, study: Study, crowd_round: int | None = None) -> Job:
    """Queue the counting of a study's figures; where it waits or runs already, return that job."""
    lock_study(study.pk)
    if job := job_under_way(study, DRAWING):
        return job
    if not released_posts(study).exists():
        raise StatisticsRefused(_("The study has no post yet, so there is nothing to count."))
    try:
        rounds = rounds_of(study, StageCode.CROWD, crowd_round)
    except RoundsDiffer as difference:
        raise StatisticsRefused(str(difference)) from None
    if crowd_round is not None and not rounds.batch_ids:
        raise StatisticsRefused(_("There is no crowd round %s.") % crowd_round)
    return queue_job(by=by, study=study, kind=DRAWING, parameters={"crowd_round": crowd_round})


def draw_statistics(*, study: Study, crowd_round: int | None, report: Report) -> dict[str, Any]:
    """Count the figures in one snapshot, draw them, and let them take the place of the old ones."""
    try:
        with one_snapshot():
            state = state_of(study)
            content = content_of(study, crowd_round, report)
    except RoundsDiffer as difference:
        raise JobRefused(str(difference)) from None
    names = label_names(study)
    drawings = [*row_drawings(content, names), *work_drawings(content, names)]
    with transaction.atomic():
        stored = store_charts(study=study, subject=SUBJECT, drawings=drawings, report=report)
        StudyStatistics.objects.update_or_create(
            study=study,
            defaults={
                "content": content,
                "state": state,
                "crowd_round": crowd_round,
                "made_at": timezone.now(),
            },
        )
    return {"charts": [chart.name for chart in stored]}


def content_of(study: Study, crowd_round: int | None, report: Report) -> dict[str, Any]:
    """Return all figures of a study; those of rows exactly as a release would state them."""
    sources = sources_of(study, ReleaseChoices(texts=Texts.IDS, crowd_round=crowd_round))
    counted, total, done = counts_for(sources), released_posts(study).count(), 0
    for block in post_blocks(sources, legal_sources(study, {})):
        count_block(counted, block)
        done += len(block.posts)
        report(done, total, _("Counting posts"))
    return statistics(counted, figures_of(sources)) | work_of(study, crowd_round=crowd_round)
