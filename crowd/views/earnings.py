"""A worker's own earnings, and a word against a rejection. Nobody else's figures are here."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, study_view
from annotation.models import Member
from crowd.forms.pay import DisputeForm
from crowd.models import EARNINGS
from crowd.queries.earnings import currencies_of, entries_of, person_pay
from crowd.queries.pay import own_sitting, rules_of, sitting_rows, sittings_of
from crowd.services.pay import ReviewRefused
from crowd.services.pay import dispute as say_against

PER_PAGE = 25


@require_safe
@study_view(Permission.WORK_CROWD)
def earnings(request: HttpRequest, access: Access) -> HttpResponse:
    """Show what one has earned: waiting, approved, paid, and each sitting."""
    mine = Member.objects.filter(pk=access.member.pk)
    known = currencies_of(mine, access.study.protocol.currency)
    sittings = sittings_of(access.study).filter(member=access.member)
    page = Paginator(sittings, PER_PAGE).get_page(request.GET.get("page"))
    others = entries_of(access.member).exclude(kind__in=EARNINGS)
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Earnings"),
        "sums": [(currency, person_pay(access.member, currency)) for currency in known],
        "rules": rules_of(access.study),
        "page": page,
        "rows": sitting_rows(access.study, list(page)),
        "entries": Paginator(others, PER_PAGE).get_page(request.GET.get("entry_page")),
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
