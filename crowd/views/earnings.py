"""A worker's own earnings, and a word against a rejection. Nobody else's figures are here."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, study_view
from annotation.models import StageCode
from annotation.offers import is_over
from annotation.queries.own_work import standing_of
from crowd.forms.pay import DisputeForm
from crowd.queries.earnings import own_extras, own_rows, own_sittings, own_sums
from crowd.queries.pay import own_sitting, rules_of
from crowd.services.pay import ReviewRefused
from crowd.services.pay import dispute as say_against

PER_PAGE = 25


@require_safe
@study_view(Permission.WORK_CROWD)
def earnings(request: HttpRequest, access: Access) -> HttpResponse:
    """Show what one has earned: waiting, approved, paid, and each sitting."""
    member = access.member
    page = Paginator(own_sittings(member), PER_PAGE).get_page(request.GET.get("page"))
    extras = Paginator(own_extras(member), PER_PAGE).get_page(request.GET.get("entry_page"))
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Earnings"),
        "sums": own_sums(member),
        "rules": rules_of(access.study),
        "may_go_on": not is_over(member, standing_of(member, StageCode.CROWD)),
        "page": page,
        "rows": own_rows(member, list(page)),
        "entries": extras,
    }
    return render(request, "earnings/earnings.html", context)


@study_view(Permission.WORK_CROWD)
def earnings_dispute(request: HttpRequest, access: Access, sitting_id: int) -> HttpResponse:
    """Say why the rejection of one's own sitting is wrong; see what was answered."""
    row = own_sitting(access.member, sitting_id)
    if row is None or row.sitting.decision not in ("rejected", "reinstated"):
        raise Http404(_("There is no rejected sitting of yours here."))
    form = DisputeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            say_against(by=access.member, sitting=row.sitting, text=form.cleaned_data["text"])
            messages.success(request, _("Sent. A researcher reads it and answers you here."))
        except ReviewRefused as refusal:
            messages.info(request, str(refusal))
        return redirect("earnings", access.study.slug)
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Rejected sitting"),
        "row": row,
        "form": form,
    }
    return render(request, "earnings/dispute.html", context)
