"""What went how over the weeks, undrawn; and the words and rows of agreement in parts."""

from collections.abc import Sequence
from datetime import date, timedelta

from django.utils.translation import gettext as _

from annotation import charts
from annotation.charts import Course, Drawing
from annotation.queries.agreement import RELIABLE, TENTATIVE
from annotation.queries.parts import Part

WEEK = timedelta(weeks=1)


def every_week(weeks: Sequence[str]) -> list[str]:
    """Return all weeks from the first to the last of some, as in “2026-W07”."""
    if not weeks:
        return []
    day, last = monday(min(weeks)), monday(max(weeks))
    found = []
    while day <= last:
        found.append(name_of_week(day))
        day += WEEK
    return found


def monday(week: str) -> date:
    """Return the Monday of a week."""
    year, number = week.split("-W")
    return date.fromisocalendar(int(year), int(number), 1)


def name_of_week(day: date) -> str:
    """Return the name of the week in which a day is."""
    year, number, _day = day.isocalendar()
    return f"{year:04}-W{number:02}"


def agreement_over_weeks(name: str, title: str, parts: Sequence[Part]) -> Drawing | None:
    """Return the alpha week by week; None where it is undefined in all of them."""
    found = {part.code: part.agreement for part in parts}
    if all(one.alpha is None for one in found.values()):
        return None
    weeks = every_week(list(found))
    known = [found.get(week) for week in weeks]
    course = Course(
        name=_("Alpha"),
        values=[one.alpha if one else None for one in known],
        intervals=[one.interval if one else None for one in known],
    )
    return Drawing(
        name=name,
        title=title,
        alternative=" ".join(map(part_in_words, parts)),
        columns=("week", "name", "posts", "alpha", "low", "high"),
        rows=[part_row(part, "week") for part in parts],
        picture=charts.over_weeks(
            weeks,
            [course],
            y=_("Alpha, with its 95% interval"),
            marks=(TENTATIVE, RELIABLE),
            rule=_("Dashed: 0.667, 0.8"),
        ),
    )


def part_in_words(part: Part) -> str:
    """Tell one alpha, or why there is none."""
    found = part.agreement
    if found.alpha is None:
        return f"{part.name}: {found.reason}"
    told = f"{part.name}: {found.alpha:.3f}"
    if not found.interval:
        return f"{told}."
    low, high = found.interval
    return f"{told} " + _("(%(low)s to %(high)s).") % {"low": f"{low:.3f}", "high": f"{high:.3f}"}


def part_row(part: Part, column: str) -> dict[str, object]:
    """Return one alpha as a row of the table."""
    found = part.agreement
    low, high = found.interval or (None, None)
    return {
        column: part.code,
        "name": part.name,
        "posts": found.paired_posts,
        "alpha": found.alpha,
        "low": low,
        "high": high,
    }
