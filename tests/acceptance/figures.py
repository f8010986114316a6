"""Counts the figures of the interim set again, from the file and by nothing of Juryroom's."""

from collections import Counter
from typing import Any

from tests.acceptance.findings import Findings

LABELS = ("no_claim", "not_checkworthy", "checkworthy")
VERDICTS = {"yes": "mislc", "unclear": "unclear", "no": "non_mislc"}
TIE, NO_VOTES = "tie", "no_votes"
Posts = list[dict[str, Any]]


def figures(
    told: dict[str, Any], posts: Posts, issue_map: dict[str, list[str]], findings: Findings
) -> None:
    """Compare statistics.json with the file."""
    judged = [post for post in posts if post["expert_legality"]]
    table_1(told, posts, judged, findings)
    issues(told, judged, issue_map, findings)
    crowd_by_verdict(told, judged, findings)
    distributions(told, posts, judged, findings)


def majority(post: dict[str, Any]) -> str:
    """Return the label that leads, or that none does, or that nobody voted."""
    counts = post["crowd_counts"]
    if not counts:
        return NO_VOTES
    most = [label for label in LABELS if counts[label] == max(counts.values())]
    return most[0] if len(most) == 1 else TIE


def table_1(told: dict[str, Any], posts: Posts, judged: Posts, findings: Findings) -> None:
    found = {line["label"]: (line["count"], line["of"]) for line in told["table_1"]}
    leads = Counter(map(majority, posts))
    verdicts = Counter(post["expert_legality"] for post in judged)
    specials = Counter(special for post in judged for special in set(post["expert_special"]))
    of, no_claim, defence = len(judged), specials["noclaim"], specials["def"]
    findings.check_each(
        "Table 1, lines",
        found,
        {
            "Total Dataset Size": (len(posts), len(posts)),
            "Checkworthy": (leads["checkworthy"], sum(leads[label] for label in LABELS)),
            "MisLC": (verdicts["yes"], of),
            "Non-MisLC": (verdicts["no"], of),
            "Unclear": (verdicts["unclear"], of),
            "Evidence available": (0, of),
            "noClaim": (no_claim, of),
            "noClaim (any vote)": (no_claim, of),
            "defence": (defence, of),
            "defence (any vote)": (defence, of),
        },
    )
    findings.check("Table 1, MisLC", found["MisLC"][0], 98)
    findings.check("Table 1, Non-MisLC", found["Non-MisLC"][0], 468)
    findings.check("Table 1, Unclear", found["Unclear"][0], 103)


def issues(
    told: dict[str, Any], judged: Posts, issue_map: dict[str, list[str]], findings: Findings
) -> None:
    among = {"all": Counter[str](), "mislc": Counter[str]()}
    for post in judged:
        codes = {code for issue in post["expert_legal_issues"] for code in issue_map[issue]}
        among["all"].update(codes)
        among["mislc"].update(codes if post["expert_legality"] == "yes" else ())
    found = {one["code"]: (one["count"], one["mislc"]["count"]) for one in told["issues"]}
    expected = {code: (number, among["mislc"][code]) for code, number in among["all"].items()}
    findings.check_each("Figure 2, issues", found, expected)


def crowd_by_verdict(told: dict[str, Any], judged: Posts, findings: Findings) -> None:
    cells = Counter((majority(post), VERDICTS[post["expert_legality"]]) for post in judged)
    found = {
        (line["label"] or line["kind"], verdict): line[verdict]
        for line in told["crowd_by_verdict"]
        for verdict in VERDICTS.values()
        if line["kind"] != "all"
    }
    expected = {
        (line, verdict): cells[line, verdict]
        for line in (*LABELS, TIE, NO_VOTES)
        for verdict in VERDICTS.values()
    }
    findings.check_each("cells of crowd and verdict", found, expected)


def distributions(told: dict[str, Any], posts: Posts, judged: Posts, findings: Findings) -> None:
    counted = [post["crowd_counts"] for post in posts if post["crowd_counts"]]
    expected = {
        "crowd_votes": {label: sum(counts[label] for counts in counted) for label in LABELS},
        "answers": dict(Counter(post["expert_legality"] for post in judged)),
        "verdicts": dict(Counter(VERDICTS[post["expert_legality"]] for post in judged)),
    }
    found = {
        one["of"]: {line["label"]: line["count"] for line in one["lines"]}
        for one in told["distributions"]
        if one["side"] == "all" and one["of"] in expected
    }
    findings.check_each("distributions of labels", found, expected)
    numbers = Counter(
        sum(post["crowd_counts"].values()) if post["crowd_counts"] else 0 for post in posts
    )
    told_numbers = {line["votes"]: line["posts"] for line in told["votes_per_post"]["crowd"]}
    findings.check_each("votes per post", told_numbers, numbers)
