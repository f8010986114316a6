"""Pay as researchers see it: who earned what, and the ledger of each person."""

import uuid
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Member
from crowd.forms.pay import EntryForm, RulesForm
from crowd.models import PayState
from crowd.queries.earnings import (
    IS_PAID,
    PersonPay,
    currencies_of,
    entries_of,
    forecast,
    people_pay,
    person_pay,
    total_of,
)
from crowd.queries.errands import errand_counts
from crowd.queries.pay import (
    in_pay_state,
    open_disputes,
    rules_of,
    sitting_rows,
    sittings_of,
    waiting_sittings,
)
from crowd.services.ledger import EntryRefused, add_entry
from crowd.services.pay_rules import change_rules

PER_PAGE = 50
COLUMNS: tuple[tuple[str, str | Promise, str], ...] = (
    ("person", gettext_lazy("Pseudonym"), ""),
    ("sittings", gettext_lazy("Sittings"), "number"),
    ("votes", gettext_lazy("Votes"), "number"),
    ("seconds", gettext_lazy("Active time"), "number"),
    ("entered", gettext_lazy("Approved"), "number"),
    ("waiting", gettext_lazy("Waiting"), "number"),
    ("paid", gettext_lazy("Paid"), "number"),
    ("to_pay", gettext_lazy("To pay"), "number"),
    ("hourly", gettext_lazy("By the hour"), "number"),
)


@require_safe
@study_view(Permission.REVIEW_PAY)
def pay(request: HttpRequest, access: Access) -> HttpResponse:
    """Show what everybody earned, and what is still to be spent."""
    rules = rules_of(access.study)
    people = access.study.members.all()
    currency, currencies = chosen_currency(request, currencies_of(people, today(access)))
    found = people_pay(people, currency)
    order = order_of(request)
    page = Paginator(in_order(found, order), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "study": access.study,
        "rules": rules,
        "currency": currency,
        "currencies": currencies,
        "total": total_of(found),
        "under": sum(mine.is_under(rules.hourly_floor) for mine in found),
        "forecast": forecast(access.study),
        "page": page,
        "rows": [(mine, mine.is_under(rules.hourly_floor)) for mine in page],
        "columns": columns(order, currency),
        "params": urlencode({"currency": currency, "sort": order}),
        "waiting": waiting_sittings(access.study).count(),
        "disputes": open_disputes(access.study).count(),
        "errands": errand_counts(access.study),
        "may_manage": access.may(Permission.MANAGE_PAY),
    }
    return render(request, "pay/pay.html", context)


def today(access: Access) -> str:
    """Return the currency in which a study pays now."""
    return access.study.protocol.currency


def chosen_currency(request: HttpRequest, known: list[str]) -> tuple[str, list[str]]:
    """Return the currency that the address asks for, today's without one; and all there are."""
    wanted = request.GET.get("currency", known[0])
    if wanted not in known:
        raise Http404(_("Nobody earned anything in “%s”.") % wanted[:10])
    return wanted, known


def order_of(request: HttpRequest) -> str:
    """Return the order that the address asks for: a column, with a hyphen from most to least."""
    wanted = request.GET.get("sort", "")
    return wanted if wanted.removeprefix("-") in {code for code, *_more in COLUMNS} else "person"


def in_order(people: list[PersonPay], order: str) -> list[PersonPay]:
    """Return people by a column; who has nothing there comes last."""
    column = order.removeprefix("-")

    def value(mine: PersonPay) -> Any:
        return mine.member.pseudonym if column == "person" else getattr(mine, column)

    people = sorted(people, key=lambda mine: mine.member.pseudonym)
    known = [mine for mine in people if value(mine) is not None]
    unknown = [mine for mine in people if value(mine) is None]
    return sorted(known, key=value, reverse=order.startswith("-")) + unknown


def columns(order: str, currency: str) -> list[dict[str, Any]]:
    """Return the heads of the table, each with the order that a click on it asks for."""
    found = []
    for code, title, kind in COLUMNS:
        direction = {code: "ascending", f"-{code}": "descending"}.get(order, "")
        is_first_down = kind == "number" and not direction
        wanted = f"-{code}" if is_first_down or direction == "ascending" else code
        query = urlencode({"currency": currency, "sort": wanted})
        found.append({"title": title, "kind": kind, "direction": direction, "query": query})
    return found


@require_safe
@study_view(Permission.REVIEW_PAY)
def pay_person(request: HttpRequest, access: Access, pseudonym: str) -> HttpResponse:
    """Show one person's sittings and entries: all, or those of one figure."""
    member = of_study(Member.objects.all(), access, pseudonym=pseudonym)
    people = access.study.members.filter(pk=member.pk)
    currency, currencies = chosen_currency(request, currencies_of(people, today(access)))
    mine = person_pay(member, currency)
    context = {
        "access": access,
        "study": access.study,
        "crumb": member.pseudonym,
        "member": member,
        "currency": currency,
        "currencies": currencies,
        "mine": mine,
        "is_under": mine.is_under(rules_of(access.study).hourly_floor),
        "floor": rules_of(access.study).hourly_floor,
        "may_manage": access.may(Permission.MANAGE_PAY),
    }
    return render(request, "pay/person.html", context | rows_of(request, member, currency))


def rows_of(request: HttpRequest, member: Member, currency: str) -> dict[str, Any]:
    """Return a page of somebody's sittings, and one of their entries, as the address asks."""
    sittings = sittings_of(member.study).filter(member=member, currency=currency, votes__gt=0)
    entries = entries_of(member).filter(currency=currency)
    show, entered = request.GET.get("show", ""), request.GET.get("entries", "")
    if show in set(PayState):
        sittings = in_pay_state(sittings, show)
    if entered in ("paid", "to_pay"):
        entries = entries.filter(IS_PAID if entered == "paid" else ~IS_PAID)
    page = Paginator(sittings, PER_PAGE).get_page(request.GET.get("page"))
    entry_page = Paginator(entries, PER_PAGE).get_page(request.GET.get("entry_page"))
    return {
        "show": show,
        "entered": entered,
        "page": page,
        "rows": sitting_rows(member.study, list(page)),
        "entry_page": entry_page,
        "params": urlencode({"currency": currency, "show": show, "entries": entered}),
    }


@study_view(Permission.MANAGE_PAY)
def pay_entry_new(request: HttpRequest, access: Access, pseudonym: str) -> HttpResponse:
    """Give somebody a bonus, or correct what was entered wrongly."""
    member = of_study(Member.objects.all(), access, pseudonym=pseudonym)
    form = EntryForm(request.POST or None, initial={"form": uuid.uuid4()})
    if request.method == "POST" and form.is_valid():
        try:
            add_entry(by=access.user, member=member, **form.cleaned_data)
            messages.success(request, _("Entered. The next payout holds it."))
            return redirect("pay_person", access.study.slug, member.pseudonym)
        except EntryRefused as refusal:
            form.add_error(None, str(refusal))
    context = {
        "access": access,
        "study": access.study,
        "member": member,
        "form": form,
        "owed": owed(member, today(access)),
        "crumb": _("Bonus or correction for %s") % member.pseudonym,
    }
    return render(request, "pay/entry.html", context)


def owed(member: Member, currency: str) -> Decimal:
    """Return what somebody is still to be paid."""
    return person_pay(member, currency).to_pay


@study_view(Permission.MANAGE_PAY)
def pay_rules(request: HttpRequest, access: Access) -> HttpResponse:
    """Change how the study pays."""
    form = RulesForm(request.POST or None, instance=rules_of(access.study))
    if request.method == "POST" and form.is_valid():
        change_rules(by=access.user, study=access.study, **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("pay", access.study.slug)
    context = {"access": access, "study": access.study, "form": form, "crumb": _("Rules of pay")}
    return render(request, "pay/rules.html", context)
