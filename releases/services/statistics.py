"""Adds up the dataset's rows while they are written; what Table 1 says comes from these rows alone.

Each share names what it is a share of: posts with a verdict, or posts on which the crowd has one
label with most votes.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

CHECKWORTHY = "checkworthy"

VERDICT_ROWS = (
    ("mislc", "MisLC"),
    ("non_mislc", "Non-MisLC"),
    ("unclear", "Unclear"),
    ("evidence", "Evidence available"),
    ("no_claim", "noClaim"),
    ("no_claim_any", "noClaim (any vote)"),
    ("defence", "defence"),
    ("defence_any", "defence (any vote)"),
)


@dataclass
class RowCounts:
    """What was counted so far."""

    found: Counter[str] = field(default_factory=Counter)
    issues: Counter[str] = field(default_factory=Counter)

    def add(self, row: Mapping[str, Any]) -> None:
        """Count one row of the dataset."""
        holds = {
            "rows": True,
            "with_crowd_votes": row["crowd_votes"] > 0,
            "crowd_majorities": row["crowd_label"] is not None,
            "crowd_ties": row["crowd_tie"],
            CHECKWORTHY: row["crowd_label"] == CHECKWORTHY,
            "filtered": row["filter_kept"],
            "removed_by_filter": row["filter_kept"] is False,
            "with_legal_votes": row["legal_votes"] > 0,
            "verdicts": row["verdict"] is not None,
            "verdict_ties": row["verdict_tie"],
            "evidence": bool(row["evidence"]),
            str(row["verdict"]): True,
            **{name: row[name] for name in ("no_claim", "no_claim_any", "defence", "defence_any")},
        }
        self.found.update(name for name, does_hold in holds.items() if does_hold)
        self.issues.update(row["issues"])


def statistics(counted: RowCounts, figures: Mapping[str, Any], labels: list[str]) -> dict[str, Any]:
    """Return what statistics.json holds of the rows and of the figures beside them."""
    found = counted.found
    names = figures["issue_names"]
    return {
        "counts": {
            **figures["counts"],
            "released": found["rows"],
            "with_crowd_votes": found["with_crowd_votes"],
            "crowd_majorities": found["crowd_majorities"],
            "crowd_ties": found["crowd_ties"],
            "filtered": found["filtered"],
            "removed_by_filter": found["removed_by_filter"],
            "with_legal_votes": found["with_legal_votes"],
            "verdicts": found["verdicts"],
            "verdict_ties": found["verdict_ties"],
            "awaiting_votes": found["with_legal_votes"] - found["verdicts"],
        },
        "table_1": table_1(found, labels),
        "agreement": figures["agreement"],
        "issues": [
            {"code": code, "name": names[code]} | share_of(posts, found["verdicts"])
            for code, posts in counted.issues.most_common()
        ],
        "open_tasks": figures["open_tasks"],
    }


def table_1(found: Mapping[str, int], labels: list[str]) -> list[dict[str, Any]]:
    """Return the rows of the paper's Table 1, each with the number that it is a share of."""
    checkworthy = share_of(found[CHECKWORTHY], found["crowd_majorities"])
    if labels and CHECKWORTHY not in labels:
        reason = _("The labels of the crowd's rounds do not contain “checkworthy”.")
        checkworthy = {"count": None, "of": None, "share": None, "reason": reason}
    rows = [
        {"key": "total", "label": "Total Dataset Size"} | share_of(found["rows"], found["rows"]),
        {"key": CHECKWORTHY, "label": "Checkworthy"} | checkworthy,
    ]
    return rows + [
        {"key": key, "label": label} | share_of(found[key], found["verdicts"])
        for key, label in VERDICT_ROWS
    ]


def share_of(count: int, of: int) -> dict[str, Any]:
    """Return a count with what it is a share of; there is no share of nothing."""
    return {"count": count, "of": of, "share": count / of if of else None}
