"""The charts of a study's work, undrawn: agreement over weeks, confusion, time, votes, pay.

They are made of the stored figures (releases/queries/work.py) and nothing else.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation import charts
from annotation.charts import Course, Drawing, HeatTable, Interval
from annotation.queries.agreement import StageAgreement
from annotation.queries.parts import Part
from annotation.services.week_drawings import agreement_over_weeks, every_week
from legal.models import Misinformation
from releases.services.row_drawings import STAGES, Content, Names, in_words, unlike

MOST_LABELS = 8
"""A table of more labels would not fit a page; its numbers are in the file of all figures."""

OVER_WEEKS = {
    "crowd": gettext_lazy("Agreement of the crowd, week by week"),
    "legal": gettext_lazy("Agreement of the experts, week by week"),
}
CONFUSION = {
    "crowd": gettext_lazy("What two people of the crowd said about the same post"),
    "legal": gettext_lazy("What two experts said about the same post"),
}
TIME = {
    "crowd": gettext_lazy("Active seconds of the crowd for a vote"),
    "legal": gettext_lazy("Active seconds of experts for an answer"),
}


def work_drawings(content: Content, names: Names) -> list[Drawing]:
    """Return the charts; `names` are those of the crowd's labels."""
    by_stage = {"crowd": names, "legal": {one.value: str(one.label) for one in Misinformation}}
    found = [
        *(agreement_by_week(content, stage) for stage in STAGES),
        *(confusion(content, stage, by_stage[stage]) for stage in STAGES),
        *(seconds(content, stage, by_stage[stage]) for stage in STAGES),
        votes_by_week(content),
        pay_by_week(content),
    ]
    return [drawing for drawing in found if drawing]


def agreement_by_week(content: Content, stage: str) -> Drawing | None:
    """Return a stage's agreement over the weeks."""
    parts = [
        Part(week["week"], week["week"], agreement_of(week))
        for week in content["agreement_by_week"][stage]
    ]
    return agreement_over_weeks(f"agreement-{stage}", str(OVER_WEEKS[stage]), parts)


def agreement_of(week: Mapping[str, Any]) -> StageAgreement:
    """Return the agreement that the figures of a week are."""
    return StageAgreement(
        alpha=week["alpha"],
        interval=tuple(week["interval"]) if week["interval"] else None,
        posts=week["posts"],
        votes=week["votes"],
        reason=week["reason"] or "",
        paired_posts=week["paired_posts"],
    )


def confusion(content: Content, stage: str, names: Names) -> Drawing | None:
    """Return what two votes on the same post said, each pair from both sides."""
    labels, cells = (content["confusion"][stage][name] for name in ("labels", "cells"))
    if not any(map(any, cells)) or len(labels) > MOST_LABELS:
        return None
    shown = unlike(labels, names)
    return Drawing(
        name=f"confusion-{stage}",
        title=str(CONFUSION[stage]),
        alternative=_("Each pair is counted from both sides.")
        + f" {in_words(shown, shown, cells)}",
        columns=("label", *labels),
        rows=[
            {"label": label} | dict(zip(labels, line, strict=True))
            for label, line in zip(labels, cells, strict=True)
        ],
        picture=charts.heat_table(
            HeatTable(shown, shown, cells),
            lines=_("One said"),
            columns=_("Another said"),
            rule=_("The darker, the greater its share of the line"),
        ),
    )


def seconds(content: Content, stage: str, names: Names) -> Drawing | None:
    """Return the median of the active seconds for each label, with the quartiles."""
    found = [one for one in content["time"][stage] if one["quartiles"]]
    if not found:
        return None
    labels = [one["label"] for one in found if one["label"] is not None]
    shown = [_("All votes"), *unlike(labels, names, [_("All votes")])]
    told = [
        quartiles_in_words(name, one["quartiles"]) for name, one in zip(shown, found, strict=True)
    ]
    return Drawing(
        name=f"seconds-{stage}",
        title=str(TIME[stage]),
        alternative=" ".join(told),
        columns=("label", "votes", "hours", "lower_quartile", "median", "upper_quartile"),
        rows=[
            {"label": one["label"], "votes": one["votes"], "hours": one["hours"]}
            | dict(
                zip(("lower_quartile", "median", "upper_quartile"), one["quartiles"], strict=True)
            )
            for one in found
        ],
        picture=charts.intervals(
            [
                Interval(name, middle, (low, high), _("%s s") % rounded(middle))
                for name, one in zip(shown, found, strict=True)
                for low, middle, high in [one["quartiles"]]
            ],
            x=_("Seconds: the median, and the middle half"),
        ),
    )


def quartiles_in_words(name: str, quartiles: list[float]) -> str:
    """Tell how long votes took."""
    low, middle, high = map(rounded, quartiles)
    words = _("%(name)s: the median is %(middle)s s, half of them took %(low)s to %(high)s s.")
    return words % {"name": name, "low": low, "middle": middle, "high": high}


def rounded(seconds: float) -> str:
    """Return seconds as people read them."""
    return f"{seconds:.1f}" if seconds < 10 else f"{seconds:,.0f}"


def votes_by_week(content: Content) -> Drawing | None:
    """Return how many votes that count were given in each week."""
    found = content["votes_by_week"]
    if not found:
        return None
    weeks = every_week([one["week"] for one in found])
    by_week = {one["week"]: one for one in found}
    courses = [
        Course(str(name), [by_week.get(week, {}).get(stage, 0) for week in weeks])
        for stage, name in STAGES.items()
        if any(one[stage] for one in found)
    ]
    told = [_("%(week)s: %(crowd)s of the crowd, %(legal)s of experts.") % one for one in found]
    return Drawing(
        name="votes-by-week",
        title=_("Votes week by week"),
        alternative=" ".join(told),
        columns=("week", *STAGES),
        rows=found,
        picture=charts.over_weeks(weeks, courses, y=_("Votes"), is_count=True),
    )


def pay_by_week(content: Content) -> Drawing | None:
    """Return what was entered into the ledger in each week, in each currency."""
    found = content["pay_by_week"]
    if not found:
        return None
    weeks = every_week([one["week"] for one in found])
    amounts = {(one["week"], one["currency"]): Decimal(one["amount"]) for one in found}
    currencies = list(dict.fromkeys(one["currency"] for one in found))
    courses = [
        Course(currency, [float(amounts.get((week, currency), 0)) for week in weeks])
        for currency in currencies
    ]
    return Drawing(
        name="pay-by-week",
        title=_("Pay of the crowd, week by week"),
        alternative=" ".join(f"{one['week']}: {one['amount']} {one['currency']}." for one in found),
        columns=("week", "currency", "amount"),
        rows=found,
        picture=charts.over_weeks(weeks, courses, y=", ".join(currencies), is_count=True),
    )
