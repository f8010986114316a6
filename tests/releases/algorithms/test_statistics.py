"""Every figure of statistics.json, counted again from plain rows by other means."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from releases.algorithms import RowCounts, statistics
from releases.algorithms.statistics import NOT_A_LABEL

LABELS = ("no_claim", "not_checkworthy", "checkworthy")
ISSUES = ("defamation", "election", "hate")
FIGURES = {
    "counts": {"imported": 9, "kept": 8, "unanswered": 0},
    "agreement": {"crowd": {}, "legal": {}},
    "issue_names": {code: code.title() for code in ISSUES},
    "open_tasks": {"crowd": 0, "legal": 0},
}


@st.composite
def rows(draw):
    """A row of posts and one of verdicts, where there is one, as a release has them."""
    votes = draw(st.tuples(*[st.integers(0, 3)] * 3))
    best = [label for label, number in zip(LABELS, votes, strict=True) if number == max(votes)]
    has_one = sum(votes) > 0
    post = dict(zip([f"crowd_{label}" for label in LABELS], votes, strict=True)) | {
        "crowd_votes": sum(votes),
        "crowd_label": best[0] if has_one and len(best) == 1 else None,
        "crowd_tie": len(best) > 1 if has_one else None,
        "filter_kept": draw(st.sampled_from([None, True, False])),
        "legal_votes": draw(st.integers(0, 3)),
    }
    if not post["legal_votes"] or draw(st.booleans()):
        return post, None
    answers = draw(st.tuples(*[st.integers(0, 3)] * 3))
    truths = ("tie", "decided", "no_claim", "no_claim_any", "defence", "defence_any")
    return post, {
        "verdict": draw(st.sampled_from(["mislc", "unclear", "non_mislc"])),
        **{name: draw(st.booleans()) for name in truths},
        **dict(zip(("votes_yes", "votes_unclear", "votes_no"), answers, strict=True)),
        "issues": draw(st.lists(st.sampled_from(ISSUES), unique=True)),
        "evidence": draw(st.lists(st.just("https://a.example/"), max_size=1)),
    }


def counted(found, labels=LABELS):
    counts = RowCounts({label: f"crowd_{label}" for label in labels})
    for post, verdict in found:
        counts.add(post, verdict)
    return statistics(counts, FIGURES)


def lines_of(told, of, side):
    (found,) = [one for one in told["distributions"] if (one["of"], one["side"]) == (of, side)]
    return {line["label"] or line["kind"]: line["count"] for line in found["lines"]}


@given(st.lists(rows(), max_size=30))
def test_each_count_is_the_number_of_rows_of_which_it_is_true(found):
    told = counted(found)
    posts, verdicts = [post for post, _ in found], [verdict for _, verdict in found if verdict]
    counts = told["counts"]
    assert counts["imported"] == 9 and counts["released"] == len(posts)
    assert counts["with_crowd_votes"] == len([post for post in posts if post["crowd_votes"]])
    assert counts["crowd_ties"] == [post["crowd_tie"] for post in posts].count(True)
    assert counts["filtered"] == [post["filter_kept"] for post in posts].count(True)
    assert counts["removed_by_filter"] == [post["filter_kept"] for post in posts].count(False)
    assert counts["verdicts"] == len(verdicts)
    assert counts["verdict_ties"] == len([one for one in verdicts if one["tie"]])
    assert counts["verdicts_decided"] == len([one for one in verdicts if one["decided"]])
    legal = len([post for post in posts if post["legal_votes"]])
    assert counts["with_legal_votes"] == legal
    assert counts["awaiting_votes"] == legal - len(verdicts)


@given(st.lists(rows(), max_size=30))
def test_each_line_of_table_1_is_a_share_of_what_it_says(found):
    table = {line["key"]: line for line in counted(found)["table_1"]}
    verdicts = [verdict for _, verdict in found if verdict]
    majorities = Counter(post["crowd_label"] for post, _ in found if post["crowd_label"])
    assert table["checkworthy"]["count"] == majorities["checkworthy"]
    assert table["checkworthy"]["of"] == majorities.total()
    for key in ("mislc", "non_mislc", "unclear"):
        assert table[key]["count"] == len([one for one in verdicts if one["verdict"] == key])
    for key in ("no_claim", "no_claim_any", "defence", "defence_any", "evidence"):
        assert table[key]["count"] == len([one for one in verdicts if one[key]])
    for line in table.values():
        assert line["share"] == (line["count"] / line["of"] if line["of"] else None)


@given(st.lists(rows(), max_size=30))
def test_issues_are_counted_among_all_verdicts_and_among_those_that_are_mislc(found):
    told = {one["code"]: one for one in counted(found)["issues"]}
    verdicts = [verdict for _, verdict in found if verdict]
    for code in ISSUES:
        with_it = [one["verdict"] for one in verdicts if code in one["issues"]]
        assert (code in told) == bool(with_it)
        if with_it:
            assert (told[code]["count"], told[code]["of"]) == (len(with_it), len(verdicts))
            assert told[code]["mislc"]["count"] == with_it.count("mislc")
    numbers = [one["count"] for one in counted(found)["issues"]]
    assert numbers == sorted(numbers, reverse=True)


@given(st.lists(rows(), max_size=30))
def test_labels_lie_as_the_rows_say_before_and_after_the_filter(found):
    told = counted(found)
    marks = {
        "all": {None, True, False},
        "before": {True, False},
        "after": {True},
    }
    is_filtered = any(post["filter_kept"] is not None for post, _ in found)
    assert {one["side"] for one in told["distributions"]} == (
        set(marks) if is_filtered else {"all"}
    )
    for side in {one["side"] for one in told["distributions"]}:
        here = [one for one in found if one[0]["filter_kept"] in marks[side]]
        votes = {label: sum(post[f"crowd_{label}"] for post, _ in here) for label in LABELS}
        assert lines_of(told, "crowd_votes", side) == votes
        voted = [post for post, _ in here if post["crowd_votes"]]
        majorities = Counter(post["crowd_label"] or "tie" for post in voted)
        expected = {line: majorities[line] for line in (*LABELS, "tie")}
        assert lines_of(told, "crowd_labels", side) == expected
        verdicts = [verdict for _, verdict in here if verdict]
        assert lines_of(told, "answers", side) == {
            answer: sum(one[f"votes_{answer}"] for one in verdicts)
            for answer in ("yes", "unclear", "no")
        }
        by_verdict = Counter(one["verdict"] for one in verdicts)
        assert {
            key: number for key, number in lines_of(told, "verdicts", side).items() if number
        } == (by_verdict)


@given(st.lists(rows(), max_size=30))
def test_posts_are_told_by_their_number_of_votes(found):
    told = counted(found)["votes_per_post"]
    for stage, column in (("crowd", "crowd_votes"), ("legal", "legal_votes")):
        expected = Counter(post[column] for post, _ in found)
        assert {line["votes"]: line["posts"] for line in told[stage]} == expected


@given(st.lists(rows(), max_size=30))
def test_the_crowd_is_told_against_the_verdict_with_margins(found):
    lines = {line["label"] or line["kind"]: line for line in counted(found)["crowd_by_verdict"]}
    cells = Counter(
        (post["crowd_label"] or ("tie" if post["crowd_tie"] else "no_votes"), verdict["verdict"])
        for post, verdict in found
        if verdict
    )
    assert list(lines) == [*LABELS, "tie", "no_votes", "all"]
    for verdict in ("mislc", "unclear", "non_mislc"):
        for crowd in (*LABELS, "tie", "no_votes"):
            assert lines[crowd][verdict] == cells[crowd, verdict]
        assert lines["all"][verdict] == sum(
            number for (_, one), number in cells.items() if one == verdict
        )
    assert lines["all"]["total"] == cells.total()


def test_a_label_that_is_called_tie_is_not_counted_among_ties():
    post = {"crowd_tie": 3, "crowd_label": "tie", "filter_kept": None, "legal_votes": 0}
    counts = RowCounts({"tie": "crowd_tie_votes"})
    counts.add(post | {"crowd_tie_votes": 3, "crowd_tie": False}, None)
    (told,) = [
        one for one in statistics(counts, FIGURES)["distributions"] if one["of"] == "crowd_labels"
    ]
    assert [(line["kind"], line["label"], line["count"]) for line in told["lines"]] == [
        ("label", "tie", 1),
        ("tie", None, 0),
    ]


def test_without_the_crowds_columns_the_experts_are_counted_alone():
    counts = RowCounts({})
    counts.add({"filter_kept": True, "legal_votes": 2}, None)
    told = statistics(counts, FIGURES)
    assert told["counts"]["with_crowd_votes"] == 0 and told["counts"]["with_legal_votes"] == 1


def test_other_labels_leave_checkworthy_without_a_number_and_say_so():
    line = counted([], labels=("true", "false"))["table_1"][1]
    assert (line["count"], line["share"], line["reason"]) == (None, None, NOT_A_LABEL)


def test_nothing_at_all_has_no_shares():
    told = counted([])
    assert {line["share"] for line in told["table_1"]} == {None}
    assert told["issues"] == [] and told["crowd_by_verdict"][-1]["total"] == 0
