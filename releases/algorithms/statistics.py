"""The content of statistics.json: every figure that the dataset's rows add up to.

Each share names what it is a share of. Codes stay codes; whoever shows them has the words.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from releases.algorithms.row_counts import ANSWERS, PostSeen, RowCounts

CHECKWORTHY = "checkworthy"
VERDICTS = ("mislc", "unclear", "non_mislc")
SIDES = ("all", "before", "after")

Line = tuple[str, str | None]
"""A label by its code; or a tie, a post without votes, all together, which are no labels."""

TIE, NO_VOTES, ALL = ("tie", None), ("no_votes", None), ("all", None)

SPECIALS = (
    ("evidence", "Evidence available"),
    ("no_claim", "noClaim"),
    ("no_claim_any", "noClaim (any vote)"),
    ("defence", "defence"),
    ("defence_any", "defence (any vote)"),
)
VERDICT_LINES = (("mislc", "MisLC"), ("non_mislc", "Non-MisLC"), ("unclear", "Unclear"))


def gettext_noop(text: str) -> str:
    """Mark a sentence for the catalogue of translations; nothing is translated here."""
    return text


NOT_A_LABEL = gettext_noop("The labels of the crowd's rounds do not contain “checkworthy”.")

Share = dict[str, Any]


def statistics(counted: RowCounts, figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return what statistics.json holds of the rows and of the figures beside them.

    `figures` bring what no row says: `counts` of posts that were imported, kept and unanswered,
    `agreement` and `open_tasks` by stage, `issue_names`.
    """
    return {
        "counts": {**figures["counts"], **counts(counted)},
        "table_1": table_1(counted),
        "agreement": figures["agreement"],
        "issues": issues(counted, figures["issue_names"]),
        "distributions": distributions(counted),
        "votes_per_post": votes_per_post(counted),
        "crowd_by_verdict": crowd_by_verdict(counted),
        "open_tasks": figures["open_tasks"],
    }


def how_many(counted: RowCounts, holds: Callable[[PostSeen], object]) -> int:
    """Return on how many posts something holds."""
    return sum(number for post, number in counted.posts.items() if holds(post))


def counts(counted: RowCounts) -> dict[str, int]:
    """Return how many posts reached which point of their way."""
    verdicts = how_many(counted, lambda post: post.verdict)
    with_legal_votes = how_many(counted, lambda post: post.legal_votes)
    return {
        "released": counted.posts.total(),
        "with_crowd_votes": how_many(counted, lambda post: sum(post.crowd)),
        "crowd_majorities": how_many(counted, lambda post: post.crowd_label),
        "crowd_ties": how_many(counted, lambda post: post.crowd_tie),
        "filtered": how_many(counted, lambda post: post.kept),
        "removed_by_filter": how_many(counted, lambda post: post.kept is False),
        "with_legal_votes": with_legal_votes,
        "verdicts": verdicts,
        "verdict_ties": how_many(counted, lambda post: post.tie),
        "verdicts_decided": how_many(counted, lambda post: post.decided),
        "awaiting_votes": with_legal_votes - verdicts,
    }


def table_1(counted: RowCounts) -> list[Share]:
    """Return the rows of the paper's Table 1, each with the number that it is a share of."""
    found = counts(counted)
    released, verdicts = found["released"], found["verdicts"]
    lines = [
        {"key": "total", "label": "Total Dataset Size"} | share_of(released, released),
        {"key": CHECKWORTHY, "label": "Checkworthy"} | checkworthy(counted),
    ]
    so: Counter[str | None] = Counter()
    for post, number in counted.posts.items():
        so[post.verdict] += number
    so.update({key: how_many(counted, attrgetter(key)) for key, _label in SPECIALS})
    return lines + [
        {"key": key, "label": label} | share_of(so[key], verdicts)
        for key, label in (*VERDICT_LINES, *SPECIALS)
    ]


def checkworthy(counted: RowCounts) -> Share:
    """Return the share of checkworthy posts among those on which one label leads."""
    if counted.crowd and CHECKWORTHY not in counted.crowd:
        return {"count": None, "of": None, "share": None, "reason": NOT_A_LABEL}
    return share_of(
        how_many(counted, lambda post: post.crowd_label == CHECKWORTHY),
        how_many(counted, lambda post: post.crowd_label),
    )


def issues(counted: RowCounts, names: Mapping[str, str]) -> list[Share]:
    """Return Figure 2: on how many verdicts each issue is, and on how many that are MisLC."""
    verdicts = how_many(counted, lambda post: post.verdict)
    mislc = how_many(counted, lambda post: post.verdict == "mislc")
    return [
        {"code": code, "name": names[code]}
        | share_of(posts, verdicts)
        | {"mislc": share_of(counted.mislc_issues[code], mislc)}
        for code, posts in sorted(counted.issues.items(), key=lambda one: (-one[1], one[0]))
    ]


def distributions(counted: RowCounts) -> list[dict[str, Any]]:
    """Return how labels lie: of all posts, of those before the filter, and of those after it.

    `crowd_votes` and `answers` are votes, `crowd_labels` and `verdicts` posts; `answers` are those
    on posts with a complete verdict. Without a filter run there are all posts alone.
    """
    is_filtered = how_many(counted, lambda post: post.kept is not None) > 0
    return [
        distribution
        for side in (SIDES if is_filtered else SIDES[:1])
        for distribution in of_side(counted, side)
    ]


def of_side(counted: RowCounts, side: str) -> list[dict[str, Any]]:
    """Return the four distributions of one side."""
    order = {
        "crowd_votes": labels_of(counted.crowd),
        "crowd_labels": [*labels_of(counted.crowd), TIE],
        "answers": labels_of(ANSWERS),
        "verdicts": labels_of(VERDICTS),
    }
    found: dict[str, Counter[Line]] = {name: Counter() for name in order}
    for post, number in counted.of_side(side):
        for line, votes in zip(order["crowd_votes"], post.crowd, strict=True):
            found["crowd_votes"][line] += number * votes
        if sum(post.crowd):
            found["crowd_labels"][majority_of(post)] += number
        if post.verdict is not None:
            for line, votes in zip(order["answers"], post.answers, strict=True):
                found["answers"][line] += number * votes
            found["verdicts"]["label", post.verdict] += number
    return [
        {"of": name, "side": side, "total": found[name].total()}
        | {"lines": shares_in(found[name], order[name])}
        for name in order
    ]


def labels_of(codes: Iterable[str]) -> list[Line]:
    """Return labels as lines."""
    return [("label", code) for code in codes]


def majority_of(post: PostSeen) -> Line:
    """Return what the crowd's votes on a post come to."""
    if post.crowd_label is not None:
        return "label", post.crowd_label
    return TIE if post.crowd_tie else NO_VOTES


def shares_in(found: Counter[Line], order: Sequence[Line]) -> list[Share]:
    """Return the lines in their order, each with its number and share."""
    total = found.total()
    return [
        {"kind": kind, "label": label} | share_of(found[kind, label], total)
        for kind, label in order
    ]


def votes_per_post(counted: RowCounts) -> dict[str, list[dict[str, int]]]:
    """Return by stage how many posts have how many votes; posts without any are told as well."""
    found: dict[str, Counter[int]] = {"crowd": Counter(), "legal": Counter()}
    for post, number in counted.posts.items():
        found["crowd"][sum(post.crowd)] += number
        found["legal"][post.legal_votes] += number
    return {
        stage: [{"votes": votes, "posts": numbers[votes]} for votes in sorted(numbers)]
        for stage, numbers in found.items()
    }


def crowd_by_verdict(counted: RowCounts) -> list[dict[str, Any]]:
    """Return the crowd's majority against the verdict, over posts with one, with margins.

    A line for each label of the crowd, for ties, for posts without the crowd's votes, and for all.
    """
    found: Counter[tuple[Line, str]] = Counter()
    for post, number in counted.posts.items():
        if post.verdict is not None:
            for line in (majority_of(post), ALL):
                found[line, post.verdict] += number
    return [
        {"kind": line[0], "label": line[1]}
        | {verdict: found[line, verdict] for verdict in VERDICTS}
        | {"total": sum(found[line, verdict] for verdict in VERDICTS)}
        for line in (*labels_of(counted.crowd), TIE, NO_VOTES, ALL)
    ]


def share_of(count: int, of: int) -> Share:
    """Return a count with what it is a share of; there is no share of nothing."""
    return {"count": count, "of": of, "share": count / of if of else None}
