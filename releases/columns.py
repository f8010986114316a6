"""The tables of a release and their columns, each with its type and its meaning.

Pure. The schemas of the files, the data card, Croissant and docs/data-formats.md all come from
these lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from releases.choices import Stage

LIST_SEPARATOR = "; "
"""Between the entries of a list in a CSV cell. No code and no address contains a space."""

TEXT_START = 500
"""How many characters of a page's text are released."""


class Type(StrEnum):
    """What the cells of a column are."""

    TEXT = "text"
    WHOLE = "whole"
    NUMBER = "number"
    TRUTH = "truth"
    TIME = "time"
    LIST = "list"


TYPES = {
    Type.TEXT: "Text.",
    Type.WHOLE: "A whole number.",
    Type.NUMBER: "A number with a fraction.",
    Type.TRUTH: "true or false.",
    Type.TIME: "A moment in UTC, to the second (ISO 8601).",
    Type.LIST: f"A list of texts; in CSV its entries are separated by “{LIST_SEPARATOR}”.",
}


@dataclass(frozen=True)
class Column:
    """A column: its name, what its cells are, what it means, and the stage that it belongs to.

    A name with `<label>` or `<name>` stands for several columns, one for each label of the crowd
    or each column of the imported file that the study shows.
    """

    name: str
    type: Type
    help: str
    stage: str = ""


@dataclass(frozen=True)
class Table:
    """A table: its name, what a row is, its columns, whether it is parted into splits."""

    name: str
    help: str
    columns: tuple[Column, ...]
    has_splits: bool = False
    stage: str = ""


@dataclass(frozen=True)
class Described:
    """A file, and what it holds."""

    name: str
    help: str


LABEL, NAME = "<label>", "<name>"

CROWD, LEGAL = Stage.CROWD, Stage.LEGAL
TEXT, WHOLE, NUMBER = Type.TEXT, Type.WHOLE, Type.NUMBER
TRUTH, TIME, LIST = Type.TRUTH, Type.TIME, Type.LIST

POST_ID = Column("post_id", TEXT, "The post's id as it was imported, always text.")
SPLIT = Column("split", TEXT, "The split that the post falls into: train, validation or test.")

POSTS = Table(
    "posts",
    "One row for each post, in the order of import.",
    (
        POST_ID,
        Column("text", TEXT, "The post's text, cleaned or original as the release says."),
        SPLIT,
        Column(
            f"crowd_{LABEL}",
            WHOLE,
            "Votes of the crowd for this label, with imported counts added.",
            CROWD,
        ),
        Column("crowd_votes", WHOLE, "Counted votes of the crowd for all labels.", CROWD),
        Column(
            "crowd_label", TEXT, "The label with most votes; null without votes or in a tie.", CROWD
        ),
        Column("crowd_tie", TRUTH, "Whether labels share first place; null without votes.", CROWD),
        Column(
            f"crowd_share_{LABEL}",
            NUMBER,
            "The label's share of the crowd's votes, its soft label; null without votes.",
            CROWD,
        ),
        Column(
            f"crowd_chance_{LABEL}",
            NUMBER,
            "The chance that the label is right, by the newest estimate after Dawid and Skene of "
            "the crowd's votes; null where there is none or it did not see the post.",
            CROWD,
        ),
        Column(
            "filter_kept",
            TRUTH,
            "Whether every trial of the filter run kept the post; null where the run did not see "
            "it. The run is the newest whose posts went to the experts, else the newest finished "
            "one.",
        ),
        Column("legal_votes", WHOLE, "Counted votes of experts.", LEGAL),
        Column(
            "y",
            WHOLE,
            "The verdict as a number: 2 MisLC, 1 Unclear, 0 Non-MisLC; null as long as the post "
            "has no expert's vote or still wants some.",
            LEGAL,
        ),
        Column("verdict", TEXT, "The verdict: mislc, unclear or non_mislc; null as y is.", LEGAL),
        Column(
            f"meta_{NAME}",
            TEXT,
            "What the imported file says in this column, which the study shows to annotators.",
        ),
    ),
    has_splits=True,
)

VOTES = Table(
    "votes",
    "One row for each post and annotator; with all versions one for each version of a vote.",
    (
        POST_ID,
        SPLIT,
        Column("stage", TEXT, "crowd or legal; votes on gold are not released."),
        Column("round", WHOLE, "Number of the batch within its stage."),
        Column("annotator", TEXT, "The person's pseudonym, the same in all releases of a study."),
        Column("version", WHOLE, "1 for the first answer; a correction has the next number."),
        Column("is_current", TRUTH, "Whether this is the person's newest version."),
        Column("counted", TRUTH, "Whether it fills a wanted place; late votes beyond it do not."),
        Column("label", TEXT, "Code of the label; for experts yes, no or unclear."),
        Column("seconds", NUMBER, "Active seconds on the post, where known."),
        Column("guide_version", WHOLE, "Version of the instructions or catalogue then in force."),
        Column("voted_at", TIME, "When the vote was given."),
        Column("issues", LIST, "Experts only: codes of the issues raised.", LEGAL),
        Column("no_claim", TRUTH, "Experts only: whether no factual claim was found.", LEGAL),
        Column("defence", TRUTH, "Experts only: whether a defence applies.", LEGAL),
        Column("evidence", LIST, "Experts only: what they named, as in the table evidence.", LEGAL),
        Column("comment", TEXT, "Experts only: their remark.", LEGAL),
        Column(
            "derived",
            TEXT,
            "Experts only: the label that follows from their evidence and issues.",
            LEGAL,
        ),
        Column(
            "insistence",
            TEXT,
            "Experts only: why the label stands where another one follows.",
            LEGAL,
        ),
        Column(
            "kind", TEXT, "Experts only: the kind of misinformation, where they said so.", LEGAL
        ),
        Column(
            "confidence",
            WHOLE,
            "Experts only: how sure they are: 1 low, 2 medium, 3 high.",
            LEGAL,
        ),
        Column(
            "discuss",
            TRUTH,
            "Experts only: whether they want to look at the post again together.",
            LEGAL,
        ),
        Column(
            "claims",
            LIST,
            "Experts only: the claims marked in the cleaned text, as start-end in code points, the "
            "end not included.",
            LEGAL,
        ),
        Column(
            "citations",
            TEXT,
            "Experts only: JSON of the passages of the legal library that they cite, by document "
            "and section, with the issue where one is named.",
            LEGAL,
        ),
        Column(
            "reasoning",
            TEXT,
            "Experts only: JSON with what they said of each issue: ticked, raised, findings on "
            "tests and defences with a sentence each, reasoning, and why raised all the same.",
            LEGAL,
        ),
    ),
    has_splits=True,
)

VERDICTS = Table(
    "verdicts",
    "One row for each post on which all wanted experts have voted.",
    (
        POST_ID,
        SPLIT,
        Column("y", WHOLE, "The verdict as a number: 2 MisLC, 1 Unclear, 0 Non-MisLC."),
        Column("verdict", TEXT, "By majority: mislc, unclear or non_mislc. A tie is unclear."),
        Column("tie", TRUTH, "Whether several answers share first place."),
        Column(
            "decided",
            TRUTH,
            "Whether an adjudicator decided; verdict and issues are theirs then, not the "
            "majority's.",
        ),
        Column(
            "derived",
            TEXT,
            "What follows by the method's definition (Equation 1) from all experts' evidence, and "
            "from issues and “no claim” by majority: mislc, unclear or non_mislc.",
        ),
        Column("votes", WHOLE, "Counted votes of experts."),
        *(
            Column(f"votes_{answer}", WHOLE, f"Votes for {answer}: “{words}”.")
            for answer, words in (
                ("yes", "misinformation"),
                ("no", "not misinformation"),
                ("unclear", "unclear"),
            )
        ),
        *(
            Column(f"share_{answer}", NUMBER, f"The share of votes for {answer}: the soft label.")
            for answer in ("yes", "no", "unclear")
        ),
        *(
            Column(
                f"chance_{answer}",
                NUMBER,
                f"The chance that {answer} is right, after Dawid and Skene, from all experts' "
                "counted votes; null where no person is known behind the votes.",
            )
            for answer in ("yes", "no", "unclear")
        ),
        Column("issues", LIST, "Codes of the legal issues that more than half of them raised."),
        Column("no_claim", TRUTH, "Whether more than half of them found no factual claim."),
        Column("defence", TRUTH, "Whether more than half found that a defence applies."),
        Column("no_claim_any", TRUTH, "Whether any of them found no factual claim."),
        Column("defence_any", TRUTH, "Whether any of them found that a defence applies."),
        Column(
            "evidence",
            LIST,
            "Addresses of all web pages that any of them named; attached files as sha256:….",
        ),
    ),
    has_splits=True,
    stage=LEGAL,
)

EVIDENCE = Table(
    "evidence",
    "One row for each page or file that a released vote names as evidence.",
    (
        Column(
            "evidence",
            TEXT,
            "The address as an expert wrote it, as in the verdicts; an attached file is sha256:….",
        ),
        Column("domain", TEXT, "The address's site, without www."),
        Column(
            "state",
            TEXT,
            "fetched; dead: the website answered with an error; failed: no answer, or one that is "
            "not kept; waiting: not asked yet; attached: a file that an expert gave.",
        ),
        Column("status", WHOLE, "The HTTP status, where the website answered."),
        Column("final_address", TEXT, "Where the address led to in the end."),
        Column("title", TEXT, "The page's title."),
        Column("published_on", TEXT, "The day of publication that the page declares (ISO 8601)."),
        Column("retrieved_at", TIME, "When it was fetched, tried, or attached."),
        Column("content_type", TEXT, "What kind of file it is."),
        Column("size", WHOLE, "Its bytes, without the packing of the transport."),
        Column("sha256", TEXT, "The checksum of these bytes."),
        Column("reason", TEXT, "Why a page could not be had."),
        Column("text_start", TEXT, f"The first {TEXT_START} characters of the page's main text."),
    ),
    stage=LEGAL,
)

ISSUES = Table(
    "issues",
    "One row for each post with a verdict and each legal issue that an expert raised on it.",
    (
        POST_ID,
        Column("issue", TEXT, "Code of the legal issue."),
        Column("name", TEXT, "Its name in the catalogue."),
        Column("raised", WHOLE, "Experts on the post who raised it."),
        Column("votes", WHOLE, "Experts on the post."),
        Column("majority", TRUTH, "Whether more than half of them raised it."),
        Column("in_verdict", TRUTH, "Whether it is among the verdict's issues."),
        Column(
            "findings",
            TEXT,
            "JSON: for each test and defence of the issue, by its code, how many experts on the "
            "post found that it passes, fails, or that they cannot tell.",
        ),
    ),
    stage=LEGAL,
)

WORKERS = Table(
    "workers",
    "One row for each annotator who has a released vote.",
    (
        Column("annotator", TEXT, "The person's pseudonym, as in the votes."),
        Column("stages", LIST, "Stages at which they voted: crowd, legal."),
        Column("crowd_votes", WHOLE, "Posts that they voted on with the crowd.", CROWD),
        Column(
            "crowd_seconds", NUMBER, "The median of their active seconds there, if known.", CROWD
        ),
        Column("gold_checks", WHOLE, "Posts with a known answer that they met at work.", CROWD),
        Column(
            "gold_accuracy",
            NUMBER,
            "The share of these that they answered right; null without any.",
            CROWD,
        ),
        Column("legal_votes", WHOLE, "Posts that they voted on as an expert.", LEGAL),
        Column(
            "legal_seconds", NUMBER, "The median of their active seconds there, if known.", LEGAL
        ),
    ),
)

TABLES = {table.name: table for table in (POSTS, VOTES, VERDICTS, EVIDENCE, ISSUES, WORKERS)}

STATISTICS, README = "statistics.json", "README.md"
DATASET_CSV, DATASET_JSONL, VOTES_CSV = "dataset.csv", "dataset.jsonl", "votes.csv"
EVIDENCE_CSV = "evidence.csv"
SAFE_DATASET_CSV, SAFE_VOTES_CSV = "spreadsheet/dataset.csv", "spreadsheet/votes.csv"
SAFE_EVIDENCE_CSV = "spreadsheet/evidence.csv"
FILES = (
    Described(DATASET_CSV, "One row for each post of the dataset, exact to the last character."),
    Described(DATASET_JSONL, "The same rows as JSON Lines, with real lists, numbers and nulls."),
    Described(VOTES_CSV, "One row for each version of each vote, exact to the last character."),
    Described(EVIDENCE_CSV, "One row for each page or file that a vote names as evidence."),
    Described(STATISTICS, "Counts, Table 1, agreement, issues, how labels lie, open tasks."),
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

OLD_VOTES = (
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

OLD_EVIDENCE = (
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

COLUMNS = {
    DATASET_CSV: DATASET,
    DATASET_JSONL: DATASET,
    VOTES_CSV: OLD_VOTES,
    EVIDENCE_CSV: OLD_EVIDENCE,
}


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
    return [column.name for column in OLD_VOTES]


def evidence_columns() -> list[str]:
    """Return the names of the columns of evidence.csv."""
    return [column.name for column in OLD_EVIDENCE]
