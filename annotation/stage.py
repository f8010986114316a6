"""The first stage: posts come in."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import Study
from annotation.queries.acts import ACTS
from annotation.queries.studies import post_totals
from annotation.registry import (
    Count,
    Importer,
    Link,
    Page,
    Stage,
    StageReport,
    register_stage,
)
from annotation.services.importing import against_study, post_reader, post_sample


def describe(study: Study) -> StageReport:
    """Tell how many posts came in, and how many are kept after cleaning."""
    totals = post_totals(study)
    imports = reverse("imports", args=[study.slug])
    posts = reverse("posts", args=[study.slug])
    goal = max(study.protocol.sample_size, totals["imported"])
    return StageReport(
        counts=(
            Count(_("Imported"), totals["imported"], goal, posts),
            Count(_("Kept"), totals["kept"], totals["imported"], f"{posts}?kept=kept"),
        ),
        url=posts,
        next_step=None if totals["imported"] else Link(_("Import posts"), imports),
    )


register_stage(
    Stage(
        code="posts",
        order=10,
        title=_("Posts"),
        describe=describe,
        importers=(
            Importer(
                code="posts",
                title=_("Posts"),
                help=_("One row a post, with an id and a text; other columns are kept beside it."),
                wanted={"id": True, "text": True},
                reader=post_reader,
                sample=post_sample,
                load="import_posts",
                against=against_study,
            ),
        ),
        acts=ACTS,
        pages=(
            Page(_("Posts"), "posts", "see_results", place=10),
            Page(_("Imports"), "imports", "manage_data", place=20),
        ),
    )
)
