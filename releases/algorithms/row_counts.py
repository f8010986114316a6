"""Counts the dataset's rows while they pass: whoever reads them feeds each post once.

Posts of which the same is known are counted together, so memory grows with the kinds of posts and
not with their number.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

ANSWERS = {answer: f"votes_{answer}" for answer in ("yes", "unclear", "no")}
"""The experts' answers, in the order of y, and the columns of `verdicts` that hold their votes."""


class PostSeen(NamedTuple):
    """What is counted of a post. `verdict` and what follows are about a complete verdict.

    `crowd` are the crowd's votes by label, `answers` the experts' in the order of `ANSWERS`. `kept`
    is None where the filter run did not see the post.
    """

    crowd: tuple[int, ...]
    crowd_label: str | None
    crowd_tie: bool
    kept: bool | None
    legal_votes: int
    verdict: str | None = None
    tie: bool = False
    decided: bool = False
    answers: tuple[int, ...] = ()
    evidence: bool = False
    no_claim: bool = False
    no_claim_any: bool = False
    defence: bool = False
    defence_any: bool = False


@dataclass
class RowCounts:
    """What was counted so far.

    `crowd` names for each label of the crowd the column of `posts` that holds its votes, in the
    order of the label set; it is empty where the crowd's columns are left out. `issues` are posts
    by issue, `mislc_issues` those of them whose verdict is MisLC.
    """

    crowd: Mapping[str, str]
    posts: Counter[PostSeen] = field(default_factory=Counter)
    issues: Counter[str] = field(default_factory=Counter)
    mislc_issues: Counter[str] = field(default_factory=Counter)

    def add(self, post_row: Mapping[str, Any], verdict_row: Mapping[str, Any] | None) -> None:
        """Count a row of `posts`, with its row of `verdicts` where it has a complete verdict."""
        known = (
            tuple([post_row[column] for column in self.crowd.values()]),
            post_row.get("crowd_label"),
            bool(post_row.get("crowd_tie")),
            post_row["filter_kept"],
            post_row.get("legal_votes", 0),
        )
        if verdict_row is None:
            self.posts[PostSeen(*known)] += 1
            return
        self.posts[PostSeen(*known, *judged(verdict_row))] += 1
        self.issues.update(verdict_row["issues"])
        if verdict_row["verdict"] == "mislc":
            self.mislc_issues.update(verdict_row["issues"])

    def of_side(self, side: str) -> Iterator[tuple[PostSeen, int]]:
        """Yield the posts of a side with their numbers: “all”, or “before” or “after” the filter.

        Before the filter is what its run saw, after it what the run kept.
        """
        for post, number in self.posts.items():
            if side == "all" or post.kept or (side == "before" and post.kept is not None):
                yield post, number


def judged(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what is counted of a complete verdict, in the order of `PostSeen`."""
    return (
        row["verdict"],
        bool(row["tie"]),
        bool(row["decided"]),
        tuple([row[column] for column in ANSWERS.values()]),
        bool(row["evidence"]),
        bool(row["no_claim"]),
        bool(row["no_claim_any"]),
        bool(row["defence"]),
        bool(row["defence_any"]),
    )
