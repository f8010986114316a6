"""Says figures as people read them: shares in per cent, and what agreement means in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from filtering.queries.words import percent

RELIABLE, TENTATIVE = 0.8, 0.667  # Krippendorff, Content Analysis, chapter on reliability


def words_of(agreement: Mapping[str, Any]) -> str:
    """Return what a stage's alpha means, or why it has none."""
    alpha = agreement["alpha"]
    if alpha is None:
        return str(agreement["reason"] or "")
    if alpha >= RELIABLE:
        return _("Reliable by the usual threshold of 0.8.")
    if alpha >= TENTATIVE:
        return _("Between 0.667 and 0.8: enough for tentative conclusions only.")
    return _("Below 0.667, the usual minimum; common where labels are subjective.")


def interval_of(agreement: Mapping[str, Any]) -> str:
    """Return the interval as people read it; empty where there is none."""
    if not agreement["interval"]:
        return ""
    low, high = (f"{end:.3f}" for end in agreement["interval"])
    return _("%(low)s to %(high)s") % {"low": low, "high": high}


def agreement_rows(agreement: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return each stage's agreement with its words."""
    return [
        {**found, "stage": stage, "interval": interval_of(found), "words": words_of(found)}
        for stage, found in agreement.items()
    ]


@dataclass(frozen=True)
class Line:
    """One line of Table 1, with dashes where there is no number."""

    label: str
    count: str
    of: str
    share: str
    reason: str = ""
    url: str = ""


def table_lines(table: Iterable[Mapping[str, Any]], urls: Mapping[str, str] = {}) -> list[Line]:
    """Return Table 1 as people read it; `urls` lead from a line's key to the rows behind it."""
    return [
        Line(
            label=row["label"],
            count="–" if row["count"] is None else f"{row['count']:,}",
            of="–" if row["of"] is None else f"{row['of']:,}",
            share=percent(row["share"]),
            reason=_(row["reason"]) if "reason" in row else "",
            url=urls.get(row["key"], "") if row["count"] else "",
        )
        for row in table
    ]


def told_share(found: Mapping[str, Any]) -> str:
    """Return a count with its share, as “93 (13.1%)”."""
    return f"{found['count']:,} ({percent(found['share'])})"
