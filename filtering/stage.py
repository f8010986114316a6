"""The filter as a stage on the way of a post."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.access import Permission
from annotation.models import UNDER_WAY, Study
from annotation.registry import Count, Link, Page, Stage, StageReport, register_stage
from filtering.models import FilterRun
from filtering.queries.acts import ACTS
from filtering.queries.runs import deciding_run, runs_of
from filtering.queries.voted_posts import voted_posts


def describe(study: Study) -> StageReport:
    """Tell how many posts have votes, how many the deciding run kept, and what comes next."""
    posts, run = voted_posts(study).count(), deciding_run(study)
    url = reverse("filters", args=[study.slug])
    kept = Count(_("Filtered"), 0, posts or None, url)
    if run:
        kept = Count(_("Filtered"), run.kept_count or 0, run.post_count, run_url(run))
    return StageReport(
        counts=(kept,),
        url=url,
        blocked="" if posts else _("No post has crowd votes yet."),
        next_step=next_step(study, run, url) if posts else None,
    )


def next_step(study: Study, run: FilterRun | None, url: str) -> Link | None:
    """Return what is to be done: run the filter, or give what it kept to the experts."""
    if run is None:
        is_under_way = runs_of(study).filter(previewed_k=None, job__state__in=UNDER_WAY).exists()
        return None if is_under_way else Link(_("Run the filter"), url)
    if hasattr(run, "promotion") or not run.kept_count:
        return None
    return Link(_("Give the kept posts to the experts"), run_url(run))


def run_url(run: FilterRun) -> str:
    """Return a run's page."""
    return reverse("filter_run", args=[run.study.slug, run.number])


register_stage(
    Stage(
        code="filter",
        order=30,
        title=gettext_lazy("Filter"),
        describe=describe,
        acts=ACTS,
        pages=(
            Page(
                gettext_lazy("Filter"), "filters", Permission.SEE_RESULTS, place=50, colour="filter"
            ),
        ),
    )
)
