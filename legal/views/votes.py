"""One's own answers: list them, open one, correct it until its batch is closed."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, study_view
from annotation.models import StageCode
from annotation.offers import is_over
from annotation.queries.own_work import standing_of
from annotation.queries.progress import own_progress
from annotation.services.votes import VoteRefused
from legal.forms import ExpertForm, OwnSearchForm
from legal.queries.answers import as_said, own_answer, own_answers_with
from legal.queries.catalogues import issue_names
from legal.services.answers import ChangedMeanwhile, correct_answer
from legal.views.expert_form import correction_page, own_assignment_or_404
from legal.views.work import CONFLICT, UNPROCESSABLE, to_work

PER_PAGE = 25


@require_safe
@study_view(Permission.WORK_LEGAL)
def votes(request: HttpRequest, access: Access) -> HttpResponse:
    """List the person's own answers, newest first; all of them, or those looked for."""
    form = OwnSearchForm(request.GET, issues=issue_names(access.study).items())
    wanted = form.wanted()
    found = own_answers_with(access.member, **wanted)
    context = {
        "access": access,
        "study": access.study,
        "form": form,
        "page": Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
        "progress": own_progress(access.member, StageCode.LEGAL),
        "wanted": wanted,
        "params": urlencode({name: str(value) for name, value in wanted.items()}),
        "may_go_on": not is_over(access.member, standing_of(access.member, StageCode.LEGAL)),
    }
    return render(request, "legal/votes.html", context)


@study_view(Permission.WORK_LEGAL)
def correct(request: HttpRequest, access: Access, assignment_id: int) -> HttpResponse:
    """Show one's answer; store a new version of it."""
    assignment = own_assignment_or_404(access, assignment_id)
    standing = own_answer(assignment)
    if standing is None:
        return redirect("legal_work", access.study.slug)
    version, status = standing.vote.version, 200
    posted = request.POST if request.method == "POST" else None
    form = ExpertForm(
        posted, text=assignment.task.post.text, known=as_said(standing), version=version
    )
    if request.method == "POST" and not form.is_citing:
        status = UNPROCESSABLE
        try:
            if form.is_valid():
                correct_answer(
                    by=access.member,
                    assignment_id=assignment.pk,
                    answer=form.answer(),
                    seen_version=form.cleaned_data["version"],
                )
                messages.success(request, _("Your answer was changed."))
                return to_work(access, assignment)
        except ChangedMeanwhile as change:
            version, status = change.answer.vote.version, CONFLICT
            form.refuse(change)
        except VoteRefused as refusal:
            form.refuse(refusal)
    return correction_page(request, access, assignment, form, version=version, status=status)
