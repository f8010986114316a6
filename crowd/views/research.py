"""The crowd stage as researchers see it: rounds, agreement, labels, people, and their posts."""

from dataclasses import replace
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Batch, Origin, StageCode, Study
from annotation.offers import may_change
from annotation.queries.agreement import alpha_in_words, stage_agreement
from annotation.queries.counts import Rounds, RoundsDiffer, rounds_of
from annotation.services.batches import BatchRefused
from crowd.forms import BatchForm
from crowd.queries.estimates import likely_labels, newest_estimate
from crowd.queries.forecast import outlook_before, outlook_of
from crowd.queries.free_posts import free_posts
from crowd.queries.labels import label_names
from crowd.queries.reports import reported_posts
from crowd.queries.rounds import (
    TIE,
    PostRow,
    PostsByMajority,
    PostsOfRound,
    crowd_batches,
    distribution,
    hidden_posts,
)
from crowd.services.batches import create_batch
from crowd.views.gold import move, tell_of_fewer

PER_PAGE = 50


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the crowd's rounds and what came of them."""
    context = figures(access) | {
        "may_manage": may_change(access, Permission.MANAGE_DATA),
        "may_look": access.may(Permission.MANAGE_DATA),
        "batches": batch_rows(access),
    }
    return render(request, "crowd/crowd.html", context)


@study_view(Permission.MANAGE_DATA)
def crowd_batch_new(request: HttpRequest, access: Access) -> HttpResponse:
    """Make a batch of posts drawn at random."""
    protocol = access.study.protocol
    free = free_posts(access.study)
    wanted = min(protocol.batch_size, free) or protocol.batch_size
    initial = {"posts": wanted, "votes_wanted": protocol.crowd_votes}
    form = BatchForm(request.POST or None, initial=initial)
    numbers = form.cleaned_data if form.is_valid() else initial
    posts, votes = numbers["posts"], numbers["votes_wanted"]
    if request.method == "POST" and form.is_valid() and "look" not in request.POST:
        try:
            batch = create_batch(by=access.user, study=access.study, **form.cleaned_data)
            messages.success(request, _("Batch %s is made. Open it next.") % batch.number)
            tell_of_fewer(request, batch, form.cleaned_data["posts"])
            return redirect("crowd_batch", access.study.slug, batch.number)
        except BatchRefused as refusal:
            form.add_error("posts", str(refusal))
    context = {"access": access, "study": access.study, "form": form, "crumb": _("New batch")}
    context["outlook"] = outlook_before(access.study, posts=min(posts, free), votes=votes)
    context["free"] = free
    return render(request, "crowd/new_batch.html", context)


def batch_rows(access: Access) -> list[tuple[Batch, Decimal]]:
    """Return the rounds, each with what its votes cost."""
    reward = access.study.protocol.reward
    return [(batch, reward * batch.paid_count) for batch in crowd_batches(access.study)]


def figures(access: Access, number: int | None = None) -> dict[str, Any]:
    """Return agreement and labels of all rounds, or of one; a sentence where rounds differ."""
    agreement = stage_agreement(access.study, StageCode.CROWD, number)
    context: dict[str, Any] = {
        "access": access,
        "study": access.study,
        "agreement": agreement,
        "words": alpha_in_words(agreement.alpha),
        "tie": TIE,
    }
    try:
        rounds = rounds_of(access.study, StageCode.CROWD, number)
    except RoundsDiffer as difference:
        return context | {"difference": str(difference)}
    return context | {"rounds": rounds, "labels": distribution(rounds, label_names(access.study))}


@require_POST
@study_view(Permission.MANAGE_DATA)
def crowd_batch_move(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Open, pause or close a batch."""
    batch = of_study(Batch.objects.all(), access, stage=StageCode.CROWD, number=number)
    move(request, access, batch)
    return redirect("crowd", access.study.slug)


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_batch(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Show one round: its agreement, its labels and its posts."""
    batch = of_study(crowd_batches(access.study), access, number=number)
    rounds = rounds_of(access.study, StageCode.CROWD, number)
    context = figures(access, number) | {"batch": batch, "crumb": _("Batch %s") % number}
    context["may_manage"] = may_change(access, Permission.MANAGE_DATA)
    if batch.origin == Origin.HERE:
        context["outlook"] = outlook_of(access.study, batch)
    return render(request, "crowd/batch.html", context | posts_page(request, access, rounds, batch))


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_reports(request: HttpRequest, access: Access) -> HttpResponse:
    """List the posts that people skipped, those that harmed somebody first."""
    page = Paginator(reported_posts(access.study), PER_PAGE).get_page(request.GET.get("page"))
    context = {"access": access, "study": access.study, "crumb": _("Skipped posts"), "page": page}
    return render(request, "crowd/reports.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_posts(request: HttpRequest, access: Access) -> HttpResponse:
    """List the posts of all rounds that have votes, or those that one label or a tie has won."""
    try:
        rounds = rounds_of(access.study, StageCode.CROWD)
    except RoundsDiffer as difference:
        messages.info(request, str(difference))
        return redirect("crowd", access.study.slug)
    context = {"access": access, "study": access.study, "crumb": _("Posts with votes"), "tie": TIE}
    return render(request, "crowd/posts.html", context | posts_page(request, access, rounds))


def posts_page(
    request: HttpRequest, access: Access, rounds: Rounds, batch: Batch | None = None
) -> dict[str, Any]:
    """Return a page of posts with their counts, as the address asks for."""
    majority = request.GET.get("majority", "")
    names = label_names(access.study)
    hidden = hidden_posts(access)
    if majority and majority != TIE and majority not in rounds.labels:
        raise Http404(_("No round has the label “%s”.") % majority[:60])
    words = request.GET.get("q", "")
    order = "disagreement" if request.GET.get("order") == "disagreement" else ""
    posts: Any = PostsByMajority(rounds, majority, names, hidden, words, bool(order))
    if batch and not majority and not order:
        posts = PostsOfRound(rounds, batch, names, hidden, words)
    given = (("majority", majority), ("q", words), ("order", order))
    chosen = {name: said for name, said in given if said}
    page: Any = Paginator(posts, PER_PAGE).get_page(request.GET.get("page"))
    page.object_list = with_likely(access.study, page.object_list, names)
    choices = [(code, names.get(code, code)) for code in rounds.labels]
    return {
        "page": page,
        "params": urlencode(chosen),
        "q": words,
        "kept": {name: said for name, said in chosen.items() if name != "q"},
        "order": order,
        "majority": majority,
        "filters": [*choices, (TIE, _("Ties"))],
        "columns": [name for _code, name in choices],
        "has_hidden": bool(hidden),
    }


def with_likely(study: Study, rows: list[PostRow], names: dict[str, str]) -> list[PostRow]:
    """Return posts with the label that the newest estimate holds for likeliest."""
    shown = [row.post.pk for row in rows if row.counts]
    likely = likely_labels(newest_estimate(study), shown, names)
    return [replace(row, likely=likely.get(row.post.pk)) for row in rows]
