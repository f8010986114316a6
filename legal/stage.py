"""The legal stage as the study's page and navigation show it."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.access import Permission, permissions_of
from annotation.models import Batch, BatchState, Member, Role, StageCode, Study
from annotation.queries.progress import has_open_batch, stage_progress
from annotation.queries.studies import open_work_of
from annotation.registry import (
    Count,
    Importer,
    ImportOption,
    Link,
    News,
    Page,
    Stage,
    StageReport,
    Text,
    register_stage,
)
from legal.models import LegalSettings
from legal.queries.acts import ACTS
from legal.queries.agreement import issue_parts
from legal.queries.hours import week_in_words, worked
from legal.services.cloning import copy_stage
from legal.services.importing import against_study
from legal.services.rows import WANTED, legal_reader, legal_sample


def describe(study: Study) -> StageReport:
    """Tell how many posts reached the experts, and how many have all their votes."""
    progress = stage_progress(study, StageCode.LEGAL)
    url = reverse("legal", args=[study.slug])
    counts = (
        Count(_("To the experts"), progress.posts, None, url),
        Count(_("Verdicts"), progress.complete, progress.posts, url),
    )
    if not progress.posts:
        blocked = _("No post has come here yet: promote what a filter run kept.")
        return StageReport(counts=counts, url=url, blocked=blocked)
    if not progress.open_posts:
        return StageReport(counts=counts, url=url)
    obstacle = what_blocks(study)
    return StageReport(
        counts=counts, url=url, blocked=obstacle, next_step=next_step(study, url, obstacle)
    )


def what_blocks(study: Study) -> Text:
    """Say why posts that want votes get none, or nothing."""
    if not has_open_batch(study, StageCode.LEGAL):
        return _("No batch is open, so experts get no post.")
    experts = Member.objects.filter(study=study, role=Role.EXPERT, is_active=True)
    if not experts.exclude(user=None).exists():
        return _("The study has no expert yet; an owner can add some.")
    return ""


def next_step(study: Study, url: str, obstacle: Text) -> Link | None:
    """Return what a researcher can do for posts that wait: open a batch, or follow the experts."""
    if not obstacle:
        return Link(_("See how the experts get on"), url)
    resting = Batch.objects.filter(
        study=study, stage=StageCode.LEGAL, state__in=[BatchState.DRAFT, BatchState.PAUSED]
    )
    if resting.exists() and not has_open_batch(study, StageCode.LEGAL):
        return Link(_("Open a batch for the experts"), url)
    return None


def work(member: Member) -> Link | None:
    """Return where an expert works."""
    if Permission.WORK_LEGAL not in permissions_of(member):
        return None
    return Link(_("Assess posts"), reverse("legal_work", args=[member.study.slug]))


def record(member: Member) -> Link | None:
    """Return where an expert finds their hours."""
    if Permission.WORK_LEGAL not in permissions_of(member):
        return None
    return Link(_("Hours"), reverse("legal_own_hours", args=[member.study.slug]))


def news(members: Sequence[Member]) -> dict[int, News]:
    """Tell experts how much of this week's hours is done, and whether posts wait. Four queries."""
    waiting, done = open_work_of(members), worked(members)
    goals = dict(
        LegalSettings.objects.filter(study__in={member.study_id for member in members}).values_list(
            "study", "weekly_hours"
        )
    )
    found = {}
    for member in members:
        own, goal = done[member.pk], goals.get(member.study_id)
        if goal or own.week_seconds:
            waits = (member.study_id, "legal") in waiting
            ahead = _("Posts are waiting.") if waits else _("Nothing is waiting just now.")
            found[member.pk] = News(f"{week_in_words(own, goal)}. {ahead}", waits=waits)
    return found


register_stage(
    Stage(
        code="legal",
        order=40,
        title=_("Legal"),
        describe=describe,
        work=work,
        record=record,
        news=news,
        copy=copy_stage,
        importers=(
            Importer(
                code="legal_votes",
                title=_("Expert answers"),
                help=_(
                    "One row an answer: post, annotator, and yes, no or unclear; issues, marks "
                    "for no claim and defence, evidence and a comment if there are any. Lists are "
                    "parted by semicolons."
                ),
                wanted=WANTED,
                reader=legal_reader,
                sample=legal_sample,
                load="import_legal_votes",
                against=against_study,
                options=(
                    ImportOption(
                        "issue_map",
                        _("What other names of issues mean"),
                        _(
                            "One line each: their name → our code, several codes with commas, "
                            "nothing to leave the name out. The guide shows our codes."
                        ),
                    ),
                ),
            ),
        ),
        agreement_by={"issue": issue_parts},
        acts=ACTS,
        pages=(
            Page(_("Legal"), "legal", Permission.SEE_RESULTS, place=400, colour="legal"),
            Page(
                _("Look at together"),
                "legal_adjudication",
                Permission.ADJUDICATE,
                place=402,
                colour="legal",
                unless=Permission.SEE_RESULTS,
            ),
            Page(_("Assess posts"), "legal_work", Permission.WORK_LEGAL, place=405, colour="legal"),
            Page(
                _("Parked posts"), "legal_parked", Permission.WORK_LEGAL, place=406, colour="legal"
            ),
            Page(_("My answers"), "legal_votes", Permission.WORK_LEGAL, place=407, colour="legal"),
            Page(_("Guide"), "legal_guide", Permission.WORK_LEGAL, place=408, colour="legal"),
            Page(
                _("Library"),
                "legal_library",
                Permission.READ_LIBRARY,
                place=409,
                colour="legal",
                unless=Permission.SEE_RESULTS,
            ),
        ),
    )
)
