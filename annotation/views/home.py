"""One's studies, one's profile, and a new study."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import person
from annotation.forms import NewStudyForm, ProfileForm
from annotation.models import Member, StandingState, StudyState, worked_at
from annotation.offers import is_over
from annotation.queries.own_work import OwnWork, own_work
from annotation.queries.progress import own_progress
from annotation.queries.studies import open_work_of, studies_of
from annotation.registry import stages
from annotation.services.people import PeopleRefused, create_study


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the studies that one is a member of, and where work waits."""
    members = list(studies_of(person(request)))
    cards = cards_of(members)
    memberships: list[dict[str, Any]] = [
        {"member": member, "study": member.study, "work": cards[member.pk]} for member in members
    ]
    over = {member.study_id for member in members if member.study.state == StudyState.ARCHIVED}
    context = {
        "memberships": memberships,
        "current": [one for one in memberships if one["study"].pk not in over],
        "archived": [one for one in memberships if one["study"].pk in over],
    }
    return render(request, "home.html", context)


def cards_of(members: Sequence[Member]) -> dict[int, list[dict[str, Any]]]:
    """Return for each member where they can work, what waits there, and what they did there."""
    cards: dict[int, list[dict[str, Any]]] = {member.pk: [] for member in members}
    waiting, done = open_work_of(members), own_work(members)
    for stage in stages():
        links = {member: link for member in members if (link := stage.work(member))}
        news = stage.news(list(links)) if links else {}
        earned = stage.earned(list(links)) if links else {}
        for member, link in links.items():
            own = done.get((member.pk, stage.code), OwnWork())
            told = None if own.state != StandingState.ACTIVE else news.get(member.pk)
            is_open = (member.study_id, stage.code) in waiting
            cards[member.pk].append(
                {
                    "link": link,
                    "stage": stage,
                    "own": own,
                    "earned": earned.get(member.pk, []),
                    "news": told,
                    "is_over": is_over(member, own.state),
                    "waits": may_go_on(member, own, told.waits if told else is_open),
                    "record": stage.record(member),
                }
            )
    return cards


def may_go_on(member: Member, own: OwnWork, something_waits: bool) -> bool:
    """Say whether what waits at a stage is open to somebody now."""
    is_active = member.study.state == StudyState.ACTIVE and own.state == StandingState.ACTIVE
    return is_active and something_waits


def work_of(member: Member) -> list[dict[str, Any]]:
    """Return where this member can work, whether work waits there, and how far they are."""
    return [
        one | {"progress": progress_of(member, one["stage"].code)}
        for one in cards_of([member])[member.pk]
    ]


def progress_of(member: Member, stage: str) -> dict[str, int] | None:
    """Return how far somebody is at a stage; None where checks stand among the posts.

    There the number that is left would stay as it is after a check, and so tell it apart. A sitting
    says how far one is.
    """
    return own_progress(member, stage) if worked_at(stage) == (stage,) else None


def profile(request: HttpRequest) -> HttpResponse:
    """Change one's name and time zone."""
    form = ProfileForm(request.POST or None, instance=person(request))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("profile")
    return render(request, "profile.html", {"form": form})


def new_study(request: HttpRequest) -> HttpResponse:
    """Make a study and become its owner."""
    user = person(request)
    if not user.may_create_studies:
        raise PermissionDenied(_("Your account may not create studies; ask a site administrator."))
    form = NewStudyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            study = create_study(by=user, owner=user, **form.cleaned_data)
            return redirect("study", study.slug)
        except PeopleRefused as refusal:
            form.add_error("slug", str(refusal))
    return render(request, "studies/new.html", {"form": form})
