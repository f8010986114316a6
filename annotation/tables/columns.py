"""Guesses which column holds what, by its name; the person may choose otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NAMES: dict[str, tuple[str, ...]] = {
    "id": _names(
        "item_id post_id external_id tweet_id id id_str status_id message_id statement_id "
        "claim_id comment_id document_id doc_id uid uuid item post idx index"
    ),
    "text": _names(
        "text original_text tweet tweet_text post_text full_text content body message post "
        "statement claim comment sentence title"
    ),
    "annotator": _names(
        "annotator annotator_id worker worker_id expert expert_id rater rater_id coder coder_id "
        "user user_id participant participant_id person"
    ),
    "label": _names(
        "label vote answer annotation rating choice class category value checkworthiness "
        "misinformation legality"
    ),
    "seconds": _names(
        "seconds duration duration_seconds time_spent time_taken lead_time lead_time_s "
        "work_time_in_seconds elapsed"
    ),
    "time": _names(
        "time created_at submitted_at annotated_at submit_time submission_time timestamp datetime "
        "date updated_at"
    ),
    "misinformation": _names("misinformation is_misinformation legality expert_legality label"),
    "issues": _names("issues legal_issues expert_legal_issues legal_issue issue"),
    "no_claim": _names("no_claim noclaim"),
    "defence": _names("defence defense defences defenses def"),
    "evidence": _names("evidence links urls sources evidence_links"),
    "comment": _names("comment comments expert_comment note notes remark"),
}
"""What may be wanted → the names that such a column bears, the likeliest first."""


def guess_columns(columns: Sequence[str], wanted: Iterable[str]) -> dict[str, str | None]:
    """For each wanted thing the column that holds it, or None; no column serves twice.

    Upper and lower case, blanks, hyphens and camel case make no difference. What is wanted first
    chooses first. Raises KeyError for a thing that `NAMES` does not know.
    """
    free = {_plain_name(column): column for column in reversed(columns)}
    chosen: dict[str, str | None] = {}
    for thing in wanted:
        name = next((name for name in NAMES[thing] if name in free), None)
        chosen[thing] = free.pop(name) if name else None
    return chosen


def _plain_name(column: str) -> str:
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", column.strip())
    return re.sub(r"[^a-z0-9]+", "_", parted.lower()).strip("_")
