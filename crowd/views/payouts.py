"""Payouts: what is to be paid, what was, and the file for whoever pays."""

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Member, Study
from annotation.tables import CsvWriter
from crowd.forms.pay import PayoutForm
from crowd.models import LedgerEntry, Payout, RecruitmentKind
from crowd.queries import mturk
from crowd.queries.earnings import currencies_of
from crowd.queries.errands import entries_at_prolific
from crowd.queries.payees import payees
from crowd.queries.payouts import newest_unpaid, paid_people, payable, payouts_of
from crowd.services.payouts import PayoutRefused, make_payout
from crowd.views.pay import chosen_currency, today

PER_PAGE = 50
COLUMNS = ("payout", "payee", "known_at", "annotator", "amount", "currency", "entries")


@dataclass(frozen=True)
class File:
    """A file for whoever pays: what is in it, and whether a spreadsheet can open it safely."""

    columns: tuple[str, ...]
    rows: Callable[[Any], Iterable[tuple[object, ...]]]
    is_safe: bool = True


def people_rows(payout: Payout) -> Iterator[tuple[object, ...]]:
    """Return a payout, one row a person."""
    for one in paid_people(payout):
        payee = (one.payee.name, one.payee.known_at)
        amount = (one.amount, payout.currency, one.entries)
        yield (payout.number, *payee, one.member.pseudonym, *amount)


FILES = {
    "payout.csv": File(COLUMNS, people_rows, is_safe=False),
    "spreadsheet.csv": File(COLUMNS, people_rows),
    "mturk-approve.csv": File(mturk.REVIEW_COLUMNS, mturk.approvals),
    "mturk-bonus.csv": File(mturk.BONUS_COLUMNS, mturk.bonuses),
}
STUDY_FILES = {
    "mturk-reject.csv": File(mturk.REVIEW_COLUMNS, mturk.rejections),
    "mturk-qualification.csv": File(mturk.QUALIFICATION_COLUMNS, mturk.qualified),
}


@require_safe
@study_view(Permission.MANAGE_PAY)
def pay_payouts(request: HttpRequest, access: Access) -> HttpResponse:
    """List the payouts."""
    page = Paginator(payouts_of(access.study), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Payouts"),
        "page": page,
        "has_mturk": has_mturk(access.study),
    }
    return render(request, "pay/payouts.html", context)


def has_mturk(study: Study) -> bool:
    """Say whether Mechanical Turk sends people to a study."""
    return study.recruitments.filter(kind=RecruitmentKind.MTURK).exists()


@study_view(Permission.MANAGE_PAY)
def pay_payout_new(request: HttpRequest, access: Access) -> HttpResponse:
    """Show what a payout would hold; make it."""
    if request.method == "POST":
        return make(request, access)
    known = currencies_of(access.study.members.all(), today(access))
    currency, currencies = chosen_currency(request, known)
    chosen = request.GET.getlist("person")
    last_entry = newest_unpaid(access.study, currency)
    rows = preview(access, currency, last_entry, chosen)
    paid = [one for _member, _payee, one, is_chosen in rows if is_chosen]
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("New payout"),
        "currency": currency,
        "currencies": currencies,
        "rows": rows,
        "at_prolific": entries_at_prolific(access.study),
        "number": len(paid),
        "total": sum((one.amount for one in paid), Decimal(0)),
        "last_entry": last_entry,
        "people": ",".join(chosen),
    }
    return render(request, "pay/new_payout.html", context)


def preview(
    access: Access, currency: str, last_entry: int, chosen: list[str]
) -> list[tuple[Any, ...]]:
    """Return everybody who can be paid, and whether they are among the chosen: all without any."""
    found = payable(access.study, currency, last_entry=last_entry)
    members = Member.objects.select_related("user").in_bulk([one.member_id for one in found])
    rows = [(members[one.member_id], one) for one in found]
    rows.sort(key=lambda row: row[0].pseudonym)
    names = payees(access.study, members.values())
    return [
        (member, names[member.pk], one, not chosen or member.pseudonym in chosen)
        for member, one in rows
    ]


def make(request: HttpRequest, access: Access) -> HttpResponse:
    """Make a payout of what the person has seen, or say why not."""
    form = PayoutForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Nothing was paid: look at the amounts first."))
        return redirect("pay_payout_new", access.study.slug)
    names, seen = form.pseudonyms(), form.cleaned_data
    people = access.study.members.filter(pseudonym__in=names).values_list("pk", flat=True)
    try:
        payout = make_payout(
            by=access.user,
            study=access.study,
            currency=seen["currency"],
            last_entry=seen["last_entry"],
            expected=seen["expected"],
            people=list(people) if names else None,
        )
    except PayoutRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("pay_payout_new", access.study.slug)
    messages.success(request, _("Payout %s is made. Download its file.") % payout.number)
    return redirect("pay_payout", access.study.slug, payout.number)


@require_safe
@study_view(Permission.MANAGE_PAY)
def pay_payout(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Show a payout: its people, and their entries."""
    payout = of_study(payouts_of(access.study), access, number=number)
    entries = LedgerEntry.objects.filter(line__payout=payout).select_related("member")
    page = Paginator(entries.order_by("pk"), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Payout %s") % payout.number,
        "payout": payout,
        "people": paid_people(payout),
        "page": page,
        "has_mturk": has_mturk(access.study),
    }
    return render(request, "pay/payout.html", context)


@require_safe
@study_view(Permission.MANAGE_PAY)
def pay_payout_file(request: HttpRequest, access: Access, number: int, name: str) -> HttpResponse:
    """Download a payout for whoever pays: for all of them, or for Mechanical Turk."""
    payout = of_study(Payout.objects.all(), access, number=number)
    if name not in FILES:
        raise Http404(_("A payout has no such file."))
    return download(FILES[name], payout, f"{access.study.slug}-payout-{number}-{name}")


@require_safe
@study_view(Permission.MANAGE_PAY)
def pay_mturk_file(request: HttpRequest, access: Access, name: str) -> HttpResponse:
    """Download what Mechanical Turk is told outside of payouts: rejections, who passed the test."""
    if name not in STUDY_FILES:
        raise Http404(_("There is no such file."))
    return download(STUDY_FILES[name], access.study, f"{access.study.slug}-{name}")


def download(file: File, about: Payout | Study, shown_as: str) -> HttpResponse:
    """Return a file of a payout or a study."""
    content = io.BytesIO()
    with CsvWriter(content, file.columns, spreadsheet_safe=file.is_safe) as writer:
        for cells in file.rows(about):
            writer.write(dict(zip(file.columns, cells, strict=True)))
    response = HttpResponse(content.getvalue(), content_type="application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="{shown_as}"'
    return response
