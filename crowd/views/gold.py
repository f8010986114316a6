"""The gold pool: researchers label it blind, then compare."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Batch, BatchState, Member, StageCode
from annotation.offers import may_change
from annotation.queries.agreement import alpha_in_words
from annotation.services.batches import BatchRefused, move_batch
from crowd.forms import ClosePoolForm, MoveForm, SampleForm
from crowd.models.defaults import AMBIGUOUS, AMBIGUOUS_NAME
from crowd.queries.agreement import gold_agreement
from crowd.queries.gold import (
    DIFFERING,
    WAITING,
    GoldRow,
    gold_batches,
    gold_figures,
    gold_rows,
    labels_of,
    open_to,
    pool_progress,
    tasks_shown,
)
from crowd.queries.labels import gold_codes, label_names
from crowd.services.batches import create_gold_batch
from crowd.services.gold import close_pool
from crowd.views import labelling
from crowd.views.rooms import GOLD

PER_PAGE = 50
POOL = 100


@require_safe
@study_view(Permission.LABEL_GOLD)
def gold(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the pool, and the labels of the posts that one has labelled oneself."""
    return render(request, "gold/gold.html", pool(request, access))


@study_view(Permission.MANAGE_DATA)
def gold_batch_new(request: HttpRequest, access: Access) -> HttpResponse:
    """Make a batch of the pool."""
    form = SampleForm(request.POST or None, initial={"posts": POOL})
    if request.method == "POST" and form.is_valid():
        try:
            batch = create_gold_batch(by=access.user, study=access.study, **form.cleaned_data)
            messages.success(request, _("Gold batch %s is made. Open it next.") % batch.number)
            tell_of_fewer(request, batch, form.cleaned_data["posts"])
            return redirect("gold", access.study.slug)
        except BatchRefused as refusal:
            form.add_error("posts", str(refusal))
    context = {"access": access, "study": access.study, "form": form, "crumb": _("New batch")}
    return render(request, "gold/new_batch.html", context)


def pool(request: HttpRequest, access: Access) -> dict[str, Any]:
    """Return what the page shows of the pool."""
    labels = gold_codes(access.study)
    names = label_names(access.study) | {AMBIGUOUS: str(AMBIGUOUS_NAME)}
    tasks = open_to(access.member, access.study)
    chosen = labels_of(tasks)
    figures = gold_figures(chosen, labels)
    agreement = gold_agreement(figures.patterns)
    shown = {DIFFERING: _("Researchers differ"), WAITING: _("Waiting for a second researcher")}
    shown |= {code: names.get(code, code) for code in labels}
    show = request.GET.get("show", "")
    show = show if show in shown else ""
    found = tasks.filter(pk__in=tasks_shown(chosen, show))
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    return {
        "access": access,
        "study": access.study,
        "batches": gold_batches(access.study, access.member),
        "may_manage": may_change(access, Permission.MANAGE_DATA),
        "page": page,
        "rows": [shown_row(row, access.member, names) for row in gold_rows(page.object_list)],
        "figures": figures,
        "outcomes": [
            (code, names.get(code, code), figures.by_outcome.get(code, 0)) for code in labels
        ],
        "waiting": figures.by_outcome.get("", 0),
        "filters": shown.items(),
        "show": show,
        "params": urlencode({"show": show}) if show else "",
        "agreement": agreement,
        "words": alpha_in_words(agreement.alpha),
    }


def shown_row(row: GoldRow, member: Member, names: dict[str, str]) -> dict[str, Any]:
    """Return a labelled post in words."""
    labels = [
        (vote.member.pseudonym, names.get(vote.label, vote.label))
        for vote in row.votes
        if vote.member_id != member.pk
    ]
    mine = next((vote.label for vote in row.votes if vote.member_id == member.pk), "")
    return {
        "post": row.task.post,
        "mine": names.get(mine, mine),
        "others": labels,
        "outcome": names.get(row.outcome, row.outcome),
        "is_ambiguous": row.outcome == AMBIGUOUS,
    }


def tell_of_fewer(request: HttpRequest, batch: Batch, wanted: int) -> None:
    """Say it where a new batch has fewer posts than were asked for: no more were left."""
    found = batch.tasks.count()
    if found < wanted:
        told = _("It has %(found)s posts, not %(wanted)s: no others were left.")
        messages.warning(request, told % {"found": found, "wanted": wanted})


@require_POST
@study_view(Permission.MANAGE_DATA)
def gold_batch_move(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Open or pause a batch of the pool; closing one has a page of its own."""
    batch = of_study(Batch.objects.all(), access, stage=StageCode.GOLD, number=number)
    if request.POST.get("to") == BatchState.CLOSED:
        return redirect("gold_batch_close", access.study.slug, number)
    move(request, access, batch)
    return redirect("gold", access.study.slug)


@study_view(Permission.MANAGE_DATA)
def gold_batch_close(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Say how far a batch of the pool is; close it, which makes its labels gold."""
    batch = of_study(Batch.objects.all(), access, stage=StageCode.GOLD, number=number)
    form = ClosePoolForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            made = close_pool(by=access.user, batch=batch, **form.cleaned_data)
            sentence = ngettext(
                "Closed. %s post has a gold label now.",
                "Closed. %s posts have a gold label now.",
                made,
            )
            messages.success(request, sentence % made)
            return redirect("gold", access.study.slug)
        except BatchRefused as refusal:
            form.add_error(None, str(refusal))
    context = {"access": access, "study": access.study, "batch": batch, "form": form}
    context |= {"progress": pool_progress(batch), "crumb": _("Close gold batch %s") % number}
    return render(request, "gold/close.html", context)


def move(request: HttpRequest, access: Access, batch: Batch) -> None:
    """Move a batch as asked, or say why not."""
    form = MoveForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose whether to open, pause or close the batch."))
        return
    try:
        moved = move_batch(by=access.user, batch=batch, to=form.cleaned_data["to"])
    except BatchRefused as refusal:
        messages.error(request, str(refusal))
        return
    sentence = _("Batch %(number)s is %(state)s now.")
    words = {"number": moved.number, "state": moved.get_state_display().lower()}
    messages.success(request, sentence % words)


@require_safe
@study_view(Permission.LABEL_GOLD)
def gold_work(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the next post of the pool to a researcher."""
    return labelling.show_next(request, access, GOLD)


@study_view(Permission.LABEL_GOLD)
def gold_submit(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Record a researcher's label."""
    return labelling.take_answer(request, access, GOLD, assignment_id)


@study_view(Permission.LABEL_GOLD)
def gold_skip(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Leave a post of the pool out."""
    return labelling.skip_post(request, access, GOLD, assignment_id)


@require_safe
@study_view(Permission.LABEL_GOLD)
def gold_votes(request: HttpRequest, access: Access) -> HttpResponse:
    """List one's own gold labels."""
    return labelling.list_votes(request, access, GOLD)


@study_view(Permission.LABEL_GOLD)
def gold_correct(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Correct one of one's own gold labels."""
    return labelling.correct_answer(request, access, GOLD, assignment_id)
