"""The crowd and the gold pool as stages on the way of a post."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.access import Permission, permissions_of
from annotation.models import BatchState, Member, Origin, StageCode, Study
from annotation.queries.progress import stage_progress
from annotation.queries.studies import post_totals
from annotation.registry import (
    Count,
    Importer,
    ImportOption,
    Link,
    News,
    Page,
    Stage,
    StageReport,
    register_stage,
)
from crowd.queries.acts import ACTS
from crowd.queries.earnings import earned_by
from crowd.queries.news import Ahead, ahead_of
from crowd.queries.rounds import crowd_batches
from crowd.services.cloning import copy_set_up
from crowd.services.count_import import column_names, count_reader, count_sample
from crowd.services.rounds import COUNTS, VOTES
from crowd.services.vote_import import vote_reader, vote_sample


def describe(study: Study) -> StageReport:
    """Tell how many posts the crowd has, how many are complete, and what comes next."""
    progress = stage_progress(study, StageCode.CROWD)
    url = reverse("crowd", args=[study.slug])
    kept = post_totals(study)["kept"]
    return StageReport(
        counts=(Count(_("With all crowd votes"), progress.complete, progress.posts or None, url),),
        url=url,
        blocked="" if kept else _("There is no post yet."),
        next_step=next_step(study, url, kept, progress.posts) if kept else None,
    )


def next_step(study: Study, url: str, kept: int, in_batches: int) -> Link | None:
    """Return what is to be done: make a batch, open it, or wait until the first is complete."""
    batches = list(crowd_batches(study))
    waiting = [batch for batch in batches if batch.state in {BatchState.DRAFT, BatchState.PAUSED}]
    if waiting:
        return Link(_("Open crowd batch %s") % waiting[-1].number, url)
    running = [batch for batch in batches if batch.state == BatchState.OPEN]
    if not batches:
        return Link(_("Make a batch for the crowd"), url)
    if len(running) == len(batches):
        if any(batch.filled_count < batch.place_count for batch in running):
            return Link(_("See how the crowd gets on"), url)
        return more(study, url, kept, in_batches)
    are_imported = any(batch.origin == Origin.IMPORTED for batch in batches)
    return None if running or are_imported else more(study, url, kept, in_batches)


def more(study: Study, url: str, kept: int, in_batches: int) -> Link | None:
    """Return the link to the next batch, until the crowd has as many posts as wanted."""
    wanted = min(study.protocol.crowd_posts, kept)
    return Link(_("Make the next batch for the crowd"), url) if in_batches < wanted else None


def crowd_work(member: Member) -> Link | None:
    """Return where a crowd worker works."""
    if Permission.WORK_CROWD not in permissions_of(member):
        return None
    return Link(_("Judge posts"), reverse("work", args=[member.study.slug]))


def crowd_record(member: Member) -> Link | None:
    """Return where a crowd worker finds their sittings and their pay."""
    if Permission.WORK_CROWD not in permissions_of(member):
        return None
    return Link(_("Your earnings"), reverse("earnings", args=[member.study.slug]))


NEWS = {
    Ahead.TEST: News(
        gettext_lazy("A short test comes first: posts like those of the work."), waits=True
    ),
    Ahead.AT_TEST: News(
        gettext_lazy("You are in the midst of the test; go on with it."), waits=True
    ),
    Ahead.LOOKED_AT: News(gettext_lazy("A researcher looks at your test before you go on.")),
    Ahead.NOT_PASSED: News(gettext_lazy("The test was not passed, so there is no work for you.")),
    Ahead.VISIT_DONE: News(gettext_lazy("You have done all that was asked of you here.")),
    Ahead.LIMIT: News(gettext_lazy("You have voted on as many posts as one person may.")),
    Ahead.DAILY_CAP: News(gettext_lazy("That is enough for today; there is more tomorrow (UTC).")),
}


def crowd_news(members: Sequence[Member]) -> dict[int, News]:
    """Tell what stands between people and the posts."""
    return {member: NEWS[what] for member, what in ahead_of(members).items()}


def describe_gold(study: Study) -> StageReport:
    """Tell where the gold pool is; nothing of the way of a post waits for it."""
    return StageReport(counts=(), url=reverse("gold", args=[study.slug]))


def gold_work(member: Member) -> Link | None:
    """Return where a researcher labels gold."""
    if Permission.LABEL_GOLD not in permissions_of(member):
        return None
    return Link(_("Label gold"), reverse("gold", args=[member.study.slug]))


register_stage(
    Stage(
        code="gold",
        order=15,
        title=gettext_lazy("Gold"),
        describe=describe_gold,
        work=gold_work,
        pages=(Page(gettext_lazy("Gold"), "gold", Permission.LABEL_GOLD, place=30, colour="gold"),),
    )
)
register_stage(
    Stage(
        code="crowd",
        order=20,
        title=gettext_lazy("Crowd"),
        describe=describe,
        work=crowd_work,
        copy=copy_set_up,
        record=crowd_record,
        news=crowd_news,
        earned=earned_by,
        acts=ACTS,
        importers=(
            Importer(
                code=VOTES,
                title=gettext_lazy("Crowd votes, one row a vote"),
                help=gettext_lazy(
                    "Post, annotator and label; seconds and time where they are known. "
                    "A repeat by the same person on the same post counts as a correction."
                ),
                wanted={
                    "id": True,
                    "annotator": True,
                    "label": True,
                    "seconds": False,
                    "time": False,
                },
                reader=vote_reader,
                sample=vote_sample,
                load="import_crowd_votes",
            ),
            Importer(
                code=COUNTS,
                title=gettext_lazy("Crowd votes, counted for each post"),
                help=gettext_lazy(
                    "One row a post, with one column a label or one column of objects such as "
                    '{"yes": 2, "no": 1}. The counts are found by themselves.'
                ),
                wanted={"id": True},
                reader=count_reader,
                sample=count_sample,
                load="import_crowd_counts",
                options=(
                    ImportOption(
                        "counts",
                        gettext_lazy("Columns that hold the counts"),
                        gettext_lazy(
                            "With commas: one column a label, or a single one that holds objects. "
                            "Leave it empty to have them found."
                        ),
                        parse=column_names,
                    ),
                ),
            ),
        ),
        pages=(
            Page(gettext_lazy("Work"), "work", Permission.WORK_CROWD, place=5, colour="crowd"),
            Page(gettext_lazy("Earnings"), "earnings", Permission.WORK_CROWD, place=6),
            Page(gettext_lazy("Crowd"), "crowd", Permission.SEE_RESULTS, place=40, colour="crowd"),
            Page(
                gettext_lazy("Prescreening"),
                "crowd_prescreening",
                Permission.SEE_RESULTS,
                place=35,
                colour="prescreening",
            ),
            Page(gettext_lazy("Pay"), "pay", Permission.REVIEW_PAY, place=45),
            Page(
                gettext_lazy("Recruitment"),
                "recruitments",
                Permission.SEE_RESULTS,
                place=45,
                colour="crowd",
            ),
        ),
    )
)
