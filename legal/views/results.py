"""What the experts found, for researchers; a verdict shows only when its post is complete."""

from collections.abc import Mapping

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Batch, BatchState, Post, StageCode
from annotation.offers import may_change
from annotation.queries.agreement import stage_agreement
from annotation.queries.progress import batches_of, stage_progress
from annotation.services.batches import MOVES, BatchRefused, move_batch
from legal.forms import MoveForm
from legal.models import Misinformation
from legal.queries.adjudication import differing, differing_answers, posts_in_order, waiting
from legal.queries.answers import answers_to
from legal.queries.catalogues import current_catalogue, issue_names
from legal.queries.hours import experts_of, worked
from legal.queries.settings import settings_of
from legal.queries.summary import legal_summary
from legal.queries.verdict_posts import WHICH, judged_posts
from legal.queries.verdicts import verdicts_of

PER_PAGE = 50


@require_safe
@study_view(Permission.SEE_RESULTS)
def legal(request: HttpRequest, access: Access) -> HttpResponse:
    """Show progress, agreement, labels, issues, batches and people of the stage."""
    study = access.study
    summary = legal_summary(study)
    people = Paginator(experts_of(study), PER_PAGE).get_page(request.GET.get("page"))
    hours = worked(people)
    context = {
        "access": access,
        "study": study,
        "progress": stage_progress(study, StageCode.LEGAL),
        "agreement": stage_agreement(study, StageCode.LEGAL),
        "summary": summary,
        "labels": [(Misinformation(code), posts) for code, posts in summary.labels.items()],
        "batches": batches_of(study, StageCode.LEGAL),
        "people": people,
        "experts": [(member, hours[member.pk]) for member in people],
        "weekly_hours": settings_of(study).weekly_hours,
        "catalogue": current_catalogue(study),
        "may_manage": may_change(access, Permission.MANAGE_DATA),
        "may_adjudicate": access.may(Permission.ADJUDICATE),
        "waiting": waiting(study),
        "differing": differing(study),
    }
    return render(request, "legal/legal.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def differences(request: HttpRequest, access: Access) -> HttpResponse:
    """List the answers that are not the ones that follow from their evidence and issues."""
    answers = Paginator(differing_answers(access.study), PER_PAGE)
    context = {
        "access": access,
        "study": access.study,
        "page": answers.get_page(request.GET.get("page")),
        "crumb": _("Answers and the definition"),
    }
    return render(request, "legal/differences.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def batch(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Show a batch's posts, with the verdict on those that have all their votes."""
    found = of_study(
        batches_of(access.study, StageCode.LEGAL).select_related("legal_round__catalogue"),
        access,
        number=number,
    )
    tasks = found.tasks.select_related("post").order_by("position", "pk")
    page = Paginator(tasks, PER_PAGE).get_page(request.GET.get("page"))
    verdicts = verdicts_of(access.study, [task.post_id for task in page])
    names = issue_names(access.study)
    context = {
        "access": access,
        "study": access.study,
        "batch": found,
        "page": page,
        "rows": [(task.post, verdicts.get(task.post_id)) for task in page],
        "names": names,
        "moves": MOVES[BatchState(found.state)],
        "crumb": _("Batch %s") % found.number,
    }
    return render(request, "legal/batch.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def verdicts(request: HttpRequest, access: Access) -> HttpResponse:
    """List the posts that have a verdict: all, or those behind one figure."""
    which = request.GET.get("which", "")
    if which not in WHICH:
        raise Http404(_("There are no verdicts of the kind “%s”.") % which[:60])
    posts = posts_in_order(judged_posts(access.study, which))
    page = Paginator(posts, PER_PAGE).get_page(request.GET.get("page"))
    found = verdicts_of(access.study, [post.pk for post in page])
    context = {
        "access": access,
        "study": access.study,
        "page": page,
        "rows": [(post, found[post.pk]) for post in page],
        "names": issue_names(access.study),
        "which": which,
        "filters": WHICH.items(),
        "params": urlencode({"which": which}) if which else "",
        "crumb": _("Verdicts"),
    }
    return render(request, "legal/verdicts.html", context)


@require_POST
@study_view(Permission.MANAGE_DATA)
def move(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Open, pause or close a batch."""
    found = of_study(Batch.objects.filter(stage=StageCode.LEGAL), access, number=number)
    form = MoveForm(request.POST)
    if form.is_valid():
        try:
            move_batch(by=access.user, batch=found, to=form.cleaned_data["to"])
        except BatchRefused as refusal:
            messages.error(request, str(refusal))
    return redirect("legal_batch", access.study.slug, number)


@require_safe
@study_view(Permission.SEE_RESULTS)
def post(request: HttpRequest, access: Access, post_id: int) -> HttpResponse:
    """Show who found what on a post, on which evidence, once it has all its votes."""
    found = of_study(Post.objects.all(), access, pk=post_id)
    verdict = verdicts_of(access.study, [found.pk]).get(found.pk)
    is_complete = verdict is not None and verdict.is_complete
    context = {
        "access": access,
        "study": access.study,
        "post": found,
        "verdict": verdict,
        "is_complete": is_complete,
        "counts": in_words(verdict.counts) if verdict else [],
        "names": issue_names(access.study),
        "votes": answers_to(found) if is_complete else [],
        "may_adjudicate": access.may(Permission.ADJUDICATE),
        "crumb": found.external_id,
    }
    return render(request, "legal/post.html", context)


def in_words(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return votes by label with the labels as people read them."""
    return [(str(Misinformation(code).label), votes) for code, votes in counts.items()]
