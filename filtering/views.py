"""The filter's pages: its runs, one run in detail, and the way on to the experts."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.offers import may_change
from annotation.queries.jobs import watch
from embeddings.encoders import OFFLINE_ENCODER
from filtering.algorithms import Method
from filtering.forms import ComparisonForm, LikeForm, PromotionForm, RunForm, told_by_run
from filtering.models import FilterRun
from filtering.queries.charts import run_charts
from filtering.queries.comparison import compared
from filtering.queries.previews import asked, other_ks, warnings
from filtering.queries.runs import (
    SHOWN,
    filtered_posts,
    finished_runs,
    run_in_detail,
    runs_of,
    ways_of,
)
from filtering.queries.voted_posts import crowd_rounds, voted_posts
from filtering.queries.words import (
    SCORES,
    comparison_words,
    name_of,
    named_votes,
    percent,
    post_ways,
    shift_rows,
    shows,
    told_settings,
    trial_stories,
)
from filtering.services.promotion import promote_run
from filtering.services.runs import FilterRefused, start_run

RUNS_PER_PAGE = 25
POSTS_PER_PAGE = 50


@study_view(Permission.SEE_RESULTS)
def filters(request: HttpRequest, access: Access) -> HttpResponseBase:
    """List the runs; start one."""
    if request.method == "POST":
        return start(request, access.study.slug)
    rounds = crowd_rounds(access.study)
    form = RunForm(study=access.study, rounds=rounds, initial=asked_for(request, access))
    return runs_page(request, access, form)


def asked_for(request: HttpRequest, access: Access) -> dict[str, Any]:
    """Return the settings that the form is filled with, where a link names a run to be like."""
    form = LikeForm(request.GET)
    if not form.is_valid():
        return {}
    told = told_by_run(of_study(runs_of(access.study), access, number=form.cleaned_data["like"]))
    return told | ({"k": form.cleaned_data["k"]} if form.cleaned_data["k"] else {})


@study_view(Permission.MANAGE_DATA)
def start(request: HttpRequest, access: Access) -> HttpResponse:
    """Start a run, or a preview of one, with the settings sent."""
    form = RunForm(request.POST, study=access.study, rounds=crowd_rounds(access.study))
    if form.is_valid():
        try:
            is_preview = "preview" in request.POST
            run = start_run(
                by=access.user, study=access.study, is_preview=is_preview, **form.settings()
            )
            return redirect("filter_run", access.study.slug, run.number)
        except FilterRefused as refusal:
            form.add_error(None, str(refusal))
    return runs_page(request, access, form)


def runs_page(request: HttpRequest, access: Access, form: RunForm) -> HttpResponse:
    """Show the runs and the form."""
    page = Paginator(runs_of(access.study), RUNS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "study": access.study,
        "page": page,
        "form": form,
        "posts": voted_posts(access.study).count(),
        "encoders": sorted({access.study.protocol.encoder, OFFLINE_ENCODER}),
        "may_start": may_change(access, Permission.MANAGE_DATA),
    }
    return render(request, "filtering/filters.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def filter_run(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Show how a run stands, or what it did."""
    run = of_study(run_in_detail(access.study), access, number=number)
    context = {
        "access": access,
        "study": access.study,
        "run": run,
        "score": SCORES[Method(run.method)],
        "settings": told_settings(run),
        "crumb": name_of(run),
        "may_manage": may_change(access, Permission.MANAGE_DATA),
        "watched": watch([run.job], with_parts=False)[0],
    }
    if run.is_finished:
        context |= preview_context(run) if run.is_preview else outcome_context(request, run)
    return render(request, "filtering/filter_run.html", context)


def preview_context(run: FilterRun) -> dict[str, Any]:
    """Return what a finished preview's page shows."""
    return {
        "asked": asked(run),
        "before": percent(run.shift["before"]["unanimous"]),
        "warnings": warnings(run),
        "other_ks": other_ks(run),
    }


def outcome_context(request: HttpRequest, run: FilterRun) -> dict[str, Any]:
    """Return what a finished run's page shows."""
    shown = request.GET.get("show", "")
    shown = shown if shown in SHOWN else "kept"
    page = Paginator(filtered_posts(run, shown), POSTS_PER_PAGE).get_page(request.GET.get("page"))
    ways = ways_of(run, [one.post_id for one in page])
    return {
        "stories": trial_stories(run),
        "warnings": warnings(run),
        "shift": shift_rows(run),
        "charts": run_charts(run),
        "other_ks": other_ks(run),
        "page": page,
        "rows": [(one, ways[one.post_id]) for one in page],
        "shown": shown,
        "shows": shows(run),
        "dropped_count": (run.post_count or 0) - (run.kept_count or 0),
        "promotion": getattr(run, "promotion", None),
    }


@require_POST
@study_view(Permission.MANAGE_DATA)
def promote(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Give a run's kept posts to the experts."""
    run = of_study(FilterRun.objects.all(), access, number=number)
    form = PromotionForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("The share of dropped posts is a number from 0 to 100."))
        return redirect("filter_run", access.study.slug, number)
    try:
        batch = promote_run(by=access.user, run=run, control_share=form.share())
        messages.success(request, _("The posts are legal batch %s now.") % batch.number)
    except FilterRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("filter_run", access.study.slug, number)


@require_safe
@study_view(Permission.SEE_RESULTS)
def filter_post(request: HttpRequest, access: Access, number: int, post_id: int) -> HttpResponse:
    """Show what each round of each trial made of one post."""
    run = of_study(run_in_detail(access.study), access, number=number)
    post = get_object_or_404(run.posts.select_related("post"), post=post_id, kept__isnull=False)
    context = {
        "access": access,
        "study": access.study,
        "run": run,
        "filtered": post,
        "crumb": post.post.external_id,
        "ways": post_ways(run, post_id),
        "votes": named_votes(run, post.counts),
    }
    return render(request, "filtering/post.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def filter_compare(request: HttpRequest, access: Access) -> HttpResponse:
    """Show two finished runs side by side."""
    finished = finished_runs(access.study)
    form = ComparisonForm(request.GET or None, runs=finished)
    context: dict[str, Any] = {
        "access": access,
        "study": access.study,
        "form": form,
        "runs": finished,
        "crumb": _("Two runs side by side"),
    }
    if form.is_valid():
        context["comparison"] = comparison_words(compared(*form.chosen()))
    return render(request, "filtering/compare.html", context)
