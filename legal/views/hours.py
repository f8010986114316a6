"""A statement of hours: for an expert their own, for researchers each expert's by pseudonym."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import Access, Permission, of_study, study_view
from annotation.models import Member, User
from annotation.services.votes import MOST_SECONDS
from annotation.tables import CsvWriter
from legal.queries.hours import HOUR, Week, experts_of, weeks_of, worked
from legal.queries.settings import settings_of

COLUMNS = (
    "study",
    "expert",
    "name",
    "week_begins",
    "week_ends",
    "posts",
    "corrections",
    "practice_posts",
    "without_time",
    "active_seconds",
    "hours",
    "time_zone",
)


@dataclass(frozen=True)
class Statement:
    """Somebody's hours in a study. `name` is given on their own statement only."""

    member: Member
    name: str
    weeks: Sequence[Week]

    @property
    def hours(self) -> float:
        """Return the hours of all weeks."""
        return sum(week.seconds for week in self.weeks) / HOUR

    @property
    def posts(self) -> int:
        """Return the posts answered."""
        return sum(week.posts for week in self.weeks)


@require_safe
@study_view(Permission.WORK_LEGAL)
def own_hours(request: HttpRequest, access: Access) -> HttpResponse:
    """Show one's own statement, ready to print."""
    return statement_page(request, access, own_statement(access))


@require_safe
@study_view(Permission.WORK_LEGAL)
def own_hours_file(request: HttpRequest, access: Access) -> HttpResponse:
    """Download one's own statement."""
    return statement_file(access, own_statement(access))


@require_safe
@study_view(Permission.SEE_RESULTS)
def hours(request: HttpRequest, access: Access, member_id: int) -> HttpResponse:
    """Show an expert's statement, ready to print."""
    return statement_page(request, access, statement_of(access, member_id))


@require_safe
@study_view(Permission.SEE_RESULTS)
def hours_file(request: HttpRequest, access: Access, member_id: int) -> HttpResponse:
    """Download an expert's statement."""
    return statement_file(access, statement_of(access, member_id))


def own_statement(access: Access) -> Statement:
    """Return somebody's own hours, under their name."""
    return Statement(access.member, called(access.user), weeks_of(access.member))


def called(user: User) -> str:
    """Return somebody's name, or what they sign in with."""
    return user.get_full_name() or user.get_username()


def statement_of(access: Access, member_id: int) -> Statement:
    """Return an expert's hours, or raise Http404."""
    member = of_study(experts_of(access.study), access, pk=member_id)
    return Statement(member, "", weeks_of(member))


def statement_page(request: HttpRequest, access: Access, statement: Statement) -> HttpResponse:
    """Show a statement."""
    context = {
        "access": access,
        "study": access.study,
        "statement": statement,
        "worked": worked([statement.member])[statement.member.pk],
        "settings": settings_of(access.study),
        "most_hours": MOST_SECONDS / HOUR,
        "zone": timezone.get_current_timezone_name(),
        "crumb": _("Hours"),
    }
    return render(request, "legal/hours.html", context)


def statement_file(access: Access, statement: Statement) -> HttpResponse:
    """Return a statement as a file that spreadsheets open safely."""
    content = io.BytesIO()
    with CsvWriter(content, COLUMNS, spreadsheet_safe=True) as writer:
        for week in statement.weeks:
            writer.write(row_of(access, statement, week))
    response = HttpResponse(content.getvalue(), content_type="text/csv; charset=utf-8")
    name = f"{access.study.slug}-hours-{statement.member.pseudonym}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def row_of(access: Access, statement: Statement, week: Week) -> dict[str, object]:
    """Return a week as a row."""
    return {
        "study": access.study.title,
        "expert": statement.member.pseudonym,
        "name": statement.name,
        "week_begins": week.begins,
        "week_ends": week.ends,
        "posts": week.posts,
        "corrections": week.corrections,
        "practice_posts": week.practised,
        "without_time": week.unmeasured,
        "active_seconds": round(week.seconds, 1),
        "hours": round(week.hours, 2),
        "time_zone": timezone.get_current_timezone_name(),
    }
