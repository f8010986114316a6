"""The crowd's people for researchers: how well each of them works, and what to do about it."""

import io
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import ExclusionKind, Member, StageCode
from annotation.offers import may_change
from annotation.queries.jobs import awaited_job
from annotation.services.standings import StandingRefused, change_standing, exclude
from annotation.tables import CsvWriter
from crowd.forms.quality import StandingForm, WhyForm
from crowd.queries.estimates import KIND, error_rows, newest_estimate, reliability_of
from crowd.queries.labels import label_names
from crowd.queries.people import (
    SORTS,
    PersonFigures,
    figures_of,
    in_order,
    label_shares,
    people_figures,
    why_no_agreement,
)
from crowd.queries.person import SHOWN, exclusion_of, flags_of, record_of, rows_of
from crowd.queries.prescreening import rules_of
from crowd.queries.rounds import hidden_posts
from crowd.services.candidates import requalify
from crowd.services.estimates import start_estimate
from crowd.services.prescreening import PrescreeningRefused

PER_PAGE = 50
FIGURES = (
    "pseudonym",
    "state",
    "votes",
    "gold_right",
    "gold_checks",
    "attention_right",
    "attention_checks",
    "agreeing",
    "compared",
    "skill",
    "median_seconds",
    "skipped",
    "ended",
    "open_flags",
)


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_people(request: HttpRequest, access: Access) -> HttpResponse:
    """List everybody who voted, by any figure."""
    by, descending = sorting(request)
    rows = in_order(people_figures(access.study), by, descending=descending)
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("People"),
        "page": Paginator(rows, PER_PAGE).get_page(request.GET.get("page")),
        "columns": sort_columns(by, descending=descending),
        "params": urlencode({"sort": by, "order": "down" if descending else "up"}),
        "estimate": newest_estimate(access.study),
        "job": awaited_job(access.study, KIND),
        "no_agreement": why_no_agreement(access.study),
        "may_manage": may_change(access, Permission.MANAGE_DATA),
    }
    return render(request, "crowd/people.html", context)


def sorting(request: HttpRequest) -> tuple[str, bool]:
    """Return by which figure people are listed, and whether from the greatest down."""
    by = request.GET.get("sort", "votes")
    if by not in SORTS:
        raise Http404(_("People have no figure “%s”.") % by[:60])
    return by, request.GET.get("order", "down") != "up"


def sort_columns(by: str, *, descending: bool) -> list[dict[str, str]]:
    """Return the columns of the list with the address that sorts by each."""
    titles = {
        "votes": _("Votes"),
        "gold": _("Gold checks right"),
        "attention": _("Attention posts right"),
        "agreement": _("Agrees with the others"),
        "skill": _("Skill"),
        "seconds": _("Median seconds"),
        "skips": _("Skipped"),
        "flags": _("Open flags"),
    }
    columns = []
    for key, title in titles.items():
        is_present = key == by
        order = "up" if is_present and descending else "down"
        said = ("descending" if descending else "ascending") if is_present else ""
        url = "?" + urlencode({"sort": key, "order": order})
        columns.append({"title": title, "url": url, "sort": said})
    return columns


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_people_file(_request: HttpRequest, access: Access) -> HttpResponse:
    """Give the figures of all people as CSV, by pseudonym."""
    stream = io.BytesIO()
    with CsvWriter(stream, FIGURES) as writer:
        for row in people_figures(access.study):
            writer.write(file_row(row))
    response = HttpResponse(stream.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{access.study.slug}-people.csv"'
    return response


def file_row(row: PersonFigures) -> dict[str, Any]:
    """Return a person as a row of the file; what is not known stays empty."""
    values = (
        row.member.pseudonym,
        row.state,
        row.votes,
        row.gold.right,
        row.gold.of,
        row.attention.right,
        row.attention.of,
        row.others.agreeing,
        row.others.votes,
        row.skill,
        row.seconds,
        row.skips.skipped,
        row.skips.of,
        row.flags,
    )
    return dict(zip(FIGURES, values, strict=True))


@require_POST
@study_view(Permission.MANAGE_DATA)
def crowd_estimate(request: HttpRequest, access: Access) -> HttpResponse:
    """Start an estimate of how reliable people are."""
    job = start_estimate(by=access.user, study=access.study)
    return redirect("job", access.study.slug, job.pk)


def person_of(access: Access, pseudonym: str) -> Member:
    """Return the person that an address names."""
    return of_study(Member.objects.select_related("user"), access, pseudonym=pseudonym)


@require_safe
@study_view(Permission.SEE_RESULTS)
def crowd_person(request: HttpRequest, access: Access, pseudonym: str) -> HttpResponse:
    """Show one person: figures, flags, what was done, and the rows behind each figure."""
    member = person_of(access, pseudonym)
    names = label_names(access.study)
    context = {
        "access": access,
        "study": access.study,
        "member": member,
        "crumb": member.pseudonym,
        "figures": figures_of(access.study, [member])[0],
        "no_agreement": why_no_agreement(access.study),
        "labels": label_shares(access.study, member, names),
        "flags": flags_of(member),
        "record": record_of(member),
        "has_prescreening": rules_of(access.study).is_open,
        "may_manage": may_change(access, Permission.MANAGE_DATA) and member.user_id is not None,
    }
    context |= reliability(access, member, names) | rows(request, access, member, names)
    return render(request, "crowd/person.html", context)


def reliability(access: Access, member: Member, names: dict[str, str]) -> dict[str, Any]:
    """Return what the newest estimate says of a person."""
    estimate = newest_estimate(access.study)
    found = reliability_of(estimate, member)
    if estimate is None or found is None:
        return {"estimate": estimate}
    said = [names.get(code, code) for code in estimate.labels]
    rates = error_rows(estimate, found, names)
    return {"estimate": estimate, "reliability": found, "said": said, "rates": rates}


def rows(
    request: HttpRequest, access: Access, member: Member, names: dict[str, str]
) -> dict[str, Any]:
    """Return a page of a person's rows, as the address asks for."""
    show, label = request.GET.get("show", ""), request.GET.get("label", "")
    if show and show not in SHOWN:
        raise Http404(_("There are no rows called “%s”.") % show[:60])
    hidden = hidden_posts(access)
    found = rows_of(member, show, label, hidden)
    return {
        "page": Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
        "shown": SHOWN.get(show, _("All votes")),
        "label": names.get(label, label),
        "params": urlencode({k: v for k, v in (("show", show), ("label", label)) if v}),
        "has_hidden": bool(hidden),
        "names": names,
    }


@require_POST
@study_view(Permission.MANAGE_DATA)
def crowd_person_standing(request: HttpRequest, access: Access, pseudonym: str) -> HttpResponse:
    """Pause somebody, or let them go on."""
    member = person_of(access, pseudonym)
    form = StandingForm(request.POST)
    if form.is_valid():
        try:
            change_standing(
                by=access.user, member=member, stage=StageCode.CROWD, **form.cleaned_data
            )
            messages.success(request, _("It is done, and on record below."))
        except StandingRefused as refusal:
            messages.error(request, str(refusal))
    else:
        messages.error(request, _("Choose whether the person is paused or may work."))
    return redirect("crowd_person", access.study.slug, pseudonym)


@require_POST
@study_view(Permission.MANAGE_DATA)
def crowd_person_requalify(request: HttpRequest, access: Access, pseudonym: str) -> HttpResponse:
    """Take somebody's qualification back, so that they take a test before they go on."""
    member = person_of(access, pseudonym)
    form = WhyForm(request.POST)
    if form.is_valid():
        try:
            requalify(by=access.user, member=member, reason=form.cleaned_data["reason"])
            messages.success(request, _("%s takes a test before they go on.") % member.pseudonym)
        except (PrescreeningRefused, StandingRefused) as refusal:
            messages.error(request, str(refusal))
    else:
        messages.error(request, _("Say why first; it stays on record."))
    return redirect("crowd_person", access.study.slug, pseudonym)


@study_view(Permission.MANAGE_DATA)
def crowd_person_dismiss(request: HttpRequest, access: Access, pseudonym: str) -> HttpResponse:
    """Ask before somebody is dismissed, saying what it changes; dismiss them."""
    member = person_of(access, pseudonym)
    form = WhyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return dismiss(request, access, member, form.cleaned_data["reason"])
    context = {
        "access": access,
        "study": access.study,
        "crumb": _("Dismiss"),
        "member": member,
        "form": form,
        "change": exclusion_of(member),
    }
    return render(request, "crowd/dismiss.html", context)


def dismiss(request: HttpRequest, access: Access, member: Member, reason: str) -> HttpResponse:
    """Take somebody's votes out."""
    kind = ExclusionKind.DISMISSED
    try:
        done = exclude(
            by=access.user, member=member, stage=StageCode.CROWD, kind=kind, reason=reason
        )
        sentence = _("%(name)s is dismissed; %(places)s votes are asked for anew.")
        words = {"name": member.pseudonym, "places": done.places}
        messages.success(request, sentence % words)
    except StandingRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("crowd_person", access.study.slug, member.pseudonym)
