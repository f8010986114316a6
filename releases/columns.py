"""What a release consists of: its files, and the columns of its tables, each with its meaning.

Pure: docs/data-formats.md and the release's own README are held against these lists.
"""

from collections.abc import Sequence
from dataclasses import dataclass

LIST_SEPARATOR = "; "
"""Between the entries of a list in a CSV cell. No code and no address contains a space."""

DATASET_CSV, DATASET_JSONL, VOTES_CSV = "dataset.csv", "dataset.jsonl", "votes.csv"
EVIDENCE_CSV, STATISTICS, README = "evidence.csv", "statistics.json", "README.md"
SAFE_DATASET_CSV, SAFE_VOTES_CSV = "spreadsheet/dataset.csv", "spreadsheet/votes.csv"
SAFE_EVIDENCE_CSV = "spreadsheet/evidence.csv"
TEXT_START = 500
"""How many characters of a page's text are released."""


@dataclass(frozen=True)
class Described:
    """A file or a column, and what it holds."""

    name: str
    help: str


FILES = (
    Described(DATASET_CSV, "One row for each post of the dataset, exact to the last character."),
    Described(DATASET_JSONL, "The same rows as JSON Lines, with real lists, numbers and nulls."),
    Described(VOTES_CSV, "One row for each version of each vote, exact to the last character."),
    Described(EVIDENCE_CSV, "One row for each page or file that a vote names as evidence."),
    Described(STATISTICS, "Counts, the rows of Table 1, agreement, issues, open tasks."),
    Described(README, "What this release is, how it was made, and what the columns mean."),
    Described(
        SAFE_DATASET_CSV,
        "dataset.csv for spreadsheets: cells that might run as a formula start with an apostrophe.",
    ),
    Described(SAFE_VOTES_CSV, "votes.csv for spreadsheets, likewise."),
    Described(SAFE_EVIDENCE_CSV, "evidence.csv for spreadsheets, likewise."),
)

CROWD_LABEL = "crowd_<label>"
"""Stands for one column for each label of the crowd's label set, in the set's order."""

DATASET = (
    Described("post_id", "The post's id as it was imported, always text."),
    Described(
        "text",
        "The post's text, cleaned or original as the release says; no such column with ids only.",
    ),
    Described(
        CROWD_LABEL,
        "Votes of the crowd for this label, with imported counts added; one column for each label.",
    ),
    Described("crowd_votes", "Counted votes of the crowd for all labels."),
    Described("crowd_label", "The label with most votes; empty without votes and in a tie."),
    Described("crowd_tie", "Whether several labels share first place; empty without votes."),
    Described(
        "filter_kept",
        "Whether every trial of the filter run kept the post; empty where the run did not see it. "
        "The run is the newest whose posts went to the experts, else the newest finished one.",
    ),
    Described("legal_votes", "Counted votes of experts."),
    Described(
        "y",
        "The verdict as a number: 2 MisLC, 1 Unclear, 0 Non-MisLC. This and what follows is empty "
        "as long as the post has no expert's vote or still wants some.",
    ),
    Described("verdict", "The verdict by majority: mislc, unclear or non_mislc. A tie is unclear."),
    Described("verdict_tie", "Whether several answers share first place."),
    Described(
        "verdict_decided",
        "Whether an adjudicator decided; verdict and issues are theirs then, not the majority's.",
    ),
    Described(
        "verdict_derived",
        "What follows by the method's definition (Equation 1) from all experts' evidence, and from "
        "issues and “no claim” by majority: mislc, unclear or non_mislc.",
    ),
    Described("issues", "Codes of the legal issues that more than half of the experts raised."),
    Described("no_claim", "Whether more than half of the experts found no factual claim."),
    Described("defence", "Whether more than half of the experts found that a defence applies."),
    Described("no_claim_any", "Whether any expert found no factual claim."),
    Described("defence_any", "Whether any expert found that a defence applies."),
    Described(
        "evidence",
        "Addresses of all web pages that any expert named as evidence; attached files as sha256:….",
    ),
)

VOTES = (
    Described("post_id", "The post's id, as in the dataset."),
    Described("stage", "crowd or legal; gold votes are not released."),
    Described("round", "Number of the batch within its stage."),
    Described("annotator", "The person's pseudonym, the same throughout the study."),
    Described("version", "1 for the first answer; a correction has the next number."),
    Described("is_current", "Whether this is the person's newest version."),
    Described("counted", "Whether the vote fills a wanted place; late ones beyond it do not."),
    Described("label", "Code of the label; for experts yes, no or unclear."),
    Described("seconds", "Active seconds on the post, where known."),
    Described("guide_version", "Version of the instructions or the catalogue that was in force."),
    Described("voted_at", "When, in UTC (ISO 8601)."),
    Described("issues", "Experts only: codes of the issues raised."),
    Described("no_claim", "Experts only: whether no factual claim was found."),
    Described("defence", "Experts only: whether a defence applies."),
    Described("evidence", "Experts only: what was named as evidence, as in evidence.csv."),
    Described("comment", "Experts only: their remark."),
    Described("derived", "Experts only: the label that follows from their evidence and issues."),
    Described("insistence", "Experts only: why the label stands where another one follows."),
    Described("kind", "Experts only: the kind of misinformation, where they said so."),
    Described("confidence", "Experts only: how sure they are: 1 low, 2 medium, 3 high."),
    Described("discuss", "Experts only: whether they want to look at the post again together."),
    Described(
        "claims",
        "Experts only: the claims marked in the cleaned text, as start-end in code points, the end "
        "not included.",
    ),
    Described(
        "citations",
        "Experts only: passages of the legal library that they cite, by document and section, with "
        "the issue where one is named; JSON.",
    ),
    Described(
        "reasoning",
        "Experts only: JSON with what they said of each issue: ticked, raised, findings on tests "
        "and defences with a sentence each, reasoning, and why raised all the same.",
    ),
)

EVIDENCE = (
    Described(
        "evidence",
        "The address as an expert wrote it, as in the dataset; an attached file is sha256:….",
    ),
    Described("domain", "The address's site, without www."),
    Described(
        "state",
        "fetched; dead: the website answered with an error; failed: no answer, or one that is not "
        "kept; waiting: not asked yet; attached: a file that an expert gave.",
    ),
    Described("status", "The HTTP status, where the website answered."),
    Described("final_address", "Where the address led to in the end."),
    Described("title", "The page's title."),
    Described("published_on", "The day of publication that the page declares."),
    Described("retrieved_at", "When it was fetched, tried, or attached, in UTC (ISO 8601)."),
    Described("content_type", "What kind of file it is."),
    Described("size", "Its bytes, without the packing of the transport."),
    Described("sha256", "The checksum of these bytes."),
    Described("reason", "Why a page could not be had."),
    Described("text_start", f"The first {TEXT_START} characters of the page's main text."),
)

COLUMNS = {DATASET_CSV: DATASET, DATASET_JSONL: DATASET, VOTES_CSV: VOTES, EVIDENCE_CSV: EVIDENCE}


def dataset_columns(labels: Sequence[str], *, with_text: bool) -> list[str]:
    """Return the names of the dataset's columns for these labels of the crowd."""
    names: list[str] = []
    for column in DATASET:
        if column.name == CROWD_LABEL:
            names += [crowd_column(label) for label in labels]
        elif column.name != "text" or with_text:
            names.append(column.name)
    return names


def crowd_column(label: str) -> str:
    """Return the name of a label's column; one that would name another column twice is longer."""
    name = f"crowd_{label}"
    return f"{name}_votes" if name in {column.name for column in DATASET} else name


def vote_columns() -> list[str]:
    """Return the names of the columns of votes.csv."""
    return [column.name for column in VOTES]


def evidence_columns() -> list[str]:
    """Return the names of the columns of evidence.csv."""
    return [column.name for column in EVIDENCE]
