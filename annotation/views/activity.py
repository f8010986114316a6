"""Who did what in a study: a page, and the same as a file."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, permissions_of, study_view
from annotation.forms import ActivityForm
from annotation.queries.activity import (
    Act,
    NoSuchPlace,
    Place,
    activity,
    all_activity,
    people_who_act,
)
from annotation.tables import csv_blocks
from annotation.views.files import csv_file

COLUMNS = ("at", "who", "kind", "what", "name", "done", "field", "old", "new", "action")


def place_in(request: HttpRequest) -> Place | None:
    """Return where the list is to go on; at its top where that is no place."""
    try:
        return Place.parse(request.GET["below"]) if "below" in request.GET else None
    except NoSuchPlace:
        return None


@require_safe
@study_view(Permission.SEE_RESULTS)
def study_activity(request: HttpRequest, access: Access) -> HttpResponse:
    """List who did what, newest first."""
    form = ActivityForm(request.GET, people=people_who_act(access.study))
    below = place_in(request)
    found, more = activity(access.study, permissions_of(access.member), form.asked, below=below)
    context = {"access": access, "study": access.study, "form": form, "acts": found}
    context |= {"more": more, "is_top": below is None, "params": form.params}
    return render(request, "activity/activity.html", context)


@require_safe
@study_view(Permission.SEE_RESULTS)
def activity_file(request: HttpRequest, access: Access) -> HttpResponseBase:
    """Download all that the list shows, one row for each field, safe for spreadsheets."""
    form = ActivityForm(request.GET, people=people_who_act(access.study))
    found = all_activity(access.study, permissions_of(access.member), form.asked)
    rows = (row for act in found for row in rows_of(act))
    lines = csv_blocks(COLUMNS, rows, spreadsheet_safe=True)
    return csv_file(lines, f"{access.study.slug}-activity.csv")


def rows_of(act: Act) -> list[dict[str, Any]]:
    """Return an act as rows of the file: one for each field that is told."""
    same = {
        "at": act.at.isoformat(),
        "who": act.who,
        "kind": act.kind,
        "what": str(act.title),
        "name": act.name,
        "done": str(act.done),
        "action": act.action,
    }
    nothing = {"field": "", "old": None, "new": None}
    told = [{"field": one.label, "old": one.old, "new": one.new} for one in act.changes]
    return [same | one for one in told or [nothing]]
