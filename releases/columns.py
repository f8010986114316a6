"""The tables of a release and their columns, each with its type and its meaning.

Pure. The schemas of the files, the data card, Croissant and docs/data-formats.md all come from
these lists.
"""

from __future__ import annotations

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


LABEL, NAME = "<label>", "<name>"
META = f"meta_{NAME}"

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
            "the crowd's votes; null where there is none, it did not see the post, one round was "
            "chosen, or somebody's votes were taken out since.",
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
            META,
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
    "One row for each post with a verdict and each legal issue that an expert or the "
    "adjudicator found on it.",
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
