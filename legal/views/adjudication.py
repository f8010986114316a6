"""Looking at posts together: which ones want it, what was said, and what is decided."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Assignment, BatchState, Post
from annotation.offers import may_change
from legal.forms import DecisionForm, RemarkForm
from legal.models import Misinformation
from legal.queries.adjudication import (
    TIES,
    WHICH,
    decisions_on,
    discussion,
    posts_by_kind,
    posts_in_order,
    voices,
)
from legal.queries.answers import answers_to
from legal.queries.catalogues import issue_names
from legal.queries.verdicts import Verdict, verdicts_of
from legal.services.adjudication import AdjudicationRefused, decide, remark
from legal.views.expert_form import own_assignment_or_404

PER_PAGE = 25
UNPROCESSABLE = 422


@require_safe
@study_view(Permission.ADJUDICATE)
def adjudication(request: HttpRequest, access: Access) -> HttpResponse:
    """List the posts that want to be looked at together."""
    found = posts_by_kind(access.study)
    which = request.GET.get("which", TIES)
    which = which if which in WHICH else TIES
    page = Paginator(posts_in_order(found[which]), PER_PAGE).get_page(request.GET.get("page"))
    verdicts = verdicts_of(access.study, [post.pk for post in page])
    context = {
        "access": access,
        "study": access.study,
        "kinds": [(code, words, len(found[code])) for code, words in WHICH.items()],
        "which": which,
        "page": page,
        "rows": [(post, verdicts.get(post.pk)) for post in page],
        "crumb": _("Look at together"),
    }
    return render(request, "legal/adjudication.html", context)


def complete_or_404(access: Access, post_id: int) -> tuple[Post, Verdict]:
    """Return a post of the study that has all its votes, with its verdict; others show nothing."""
    post = of_study(Post.objects.all(), access, pk=post_id)
    verdict = verdicts_of(access.study, [post.pk]).get(post.pk)
    if verdict is None or not verdict.is_complete:
        raise Http404(_("This post does not have all its votes yet."))
    return post, verdict


@require_safe
@study_view(Permission.ADJUDICATE)
def together(request: HttpRequest, access: Access, post_id: int) -> HttpResponse:
    """Show the votes on a post side by side, what was said of it, and the form to decide."""
    post, verdict = complete_or_404(access, post_id)
    standing = decisions_on([post.pk]).get(post.pk)
    initial = {
        "label": verdict.label,
        "issues": list(verdict.issues),
        "reason": standing.reason if standing else "",
    }
    form = DecisionForm(initial=initial, study=access.study)
    return together_page(request, access, post, verdict, form=form)


def together_page(
    request: HttpRequest,
    access: Access,
    post: Post,
    verdict: Verdict,
    *,
    form: DecisionForm | None,
    said: RemarkForm | None = None,
    assignment: Assignment | None = None,
) -> HttpResponse:
    """Show a post with its votes; `form` for those who decide, `assignment` for its experts."""
    votes = voices(list(answers_to(post)), access.member)
    bound = [one for one in (form, said) if one is not None and one.is_bound]
    context: dict[str, Any] = {
        "access": access,
        "study": access.study,
        "post": post,
        "verdict": verdict,
        "decisions": post.decisions.select_related("member").order_by("-version"),
        "voices": votes,
        "remarks": discussion(post, votes),
        "names": issue_names(access.study),
        "labels": Misinformation,
        "form": form,
        "remark_form": said or RemarkForm(),
        "assignment": assignment,
        "may_see": access.may(Permission.SEE_RESULTS),
        "may_say": may_change(access, Permission.SEE_STUDY),
        "crumb": post.external_id,
    }
    status = UNPROCESSABLE if bound else 200
    return render(request, "legal/together.html", context, status=status)


@require_POST
@study_view(Permission.ADJUDICATE)
def decision(request: HttpRequest, access: Access, post_id: int) -> HttpResponse:
    """Record a decision."""
    post, verdict = complete_or_404(access, post_id)
    form = DecisionForm(request.POST, study=access.study)
    if form.is_valid():
        try:
            decide(by=access.member, post=post, **form.cleaned_data)
            messages.success(request, _("Decided. The votes stay as they are."))
            return redirect("legal_adjudication", access.study.slug)
        except AdjudicationRefused as refusal:
            form.add_error(None, str(refusal))
    return together_page(request, access, post, verdict, form=form)


@require_POST
@study_view(Permission.ADJUDICATE)
def say(request: HttpRequest, access: Access, post_id: int) -> HttpResponse:
    """Add an adjudicator's remark."""
    post, verdict = complete_or_404(access, post_id)
    form = RemarkForm(request.POST)
    if said(access, post, form):
        return redirect("legal_together", access.study.slug, post.pk)
    to_decide = DecisionForm(study=access.study)
    return together_page(request, access, post, verdict, form=to_decide, said=form)


def said(access: Access, post: Post, form: RemarkForm) -> bool:
    """Add a remark; say whether it was taken."""
    if form.is_valid():
        try:
            remark(by=access.member, post=post, text=form.cleaned_data["text"])
            return True
        except AdjudicationRefused as refusal:
            form.add_error("text", str(refusal))
    return False


@study_view(Permission.WORK_LEGAL)
def own_together(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Show an expert what the others said, once no vote can change any more; let them speak."""
    assignment = own_assignment_or_404(access, assignment_id)
    if assignment.task.batch.state != BatchState.CLOSED:
        raise Http404(_("The answers of others stand here once the batch is closed."))
    post, verdict = complete_or_404(access, assignment.task.post_id)
    if not post.tasks.filter(votes__member=access.member).exists():
        raise Http404(_("You did not vote on this post."))
    form = RemarkForm(request.POST or None)
    if request.method == "POST" and said(access, post, form):
        return redirect("legal_own_together", access.study.slug, assignment_id)
    return together_page(
        request, access, post, verdict, form=None, said=form, assignment=assignment
    )
