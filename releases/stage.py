"""The release as the last stage on the way of a post."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.access import Permission
from annotation.models import Study
from annotation.queries.progress import stage_progress
from annotation.registry import Count, Link, Page, Stage, StageReport, register_stage
from releases.queries.acts import ACTS
from releases.queries.posts import released_posts
from releases.queries.releases import STAGES, releases_of


def describe(study: Study) -> StageReport:
    """Tell how many posts the newest release holds, and whether one is to be made."""
    newest, posts = releases_of(study).first(), released_posts(study).count()
    url = reverse("releases", args=[study.slug])
    released = newest.manifest["statistics"]["counts"]["released"] if newest else 0
    title = _("Release %s") % newest.number if newest else _("Released")
    page = reverse("release", args=[study.slug, newest.number]) if newest else url
    is_due = newest is None and any(stage_progress(study, stage).complete for stage in STAGES)
    return StageReport(
        counts=(Count(title, released, posts, page),),
        url=url,
        blocked="" if posts else _("There is no post to release yet."),
        next_step=Link(_("Make a release"), url) if is_due else None,
    )


register_stage(
    Stage(
        code="release",
        order=50,
        title=gettext_lazy("Release"),
        describe=describe,
        acts=ACTS,
        pages=(
            Page(
                gettext_lazy("Statistics"),
                "statistics",
                Permission.SEE_RESULTS,
                place=75,
                colour="release",
            ),
            Page(
                gettext_lazy("Releases"),
                "releases",
                Permission.SEE_RESULTS,
                place=80,
                colour="release",
            ),
            Page(
                gettext_lazy("Data card"),
                "data_card",
                Permission.SEE_RESULTS,
                place=85,
                colour="release",
            ),
        ),
    )
)
