"""The importers on real rounds; skipped where the shared data is missing."""

import csv
import json
import time
from collections import Counter
from pathlib import Path

import pytest

from annotation.models import Member, Tally, Vote
from annotation.queries.counts import pattern_counts, rounds_of
from annotation.services.importing import import_posts
from crowd.services.count_import import import_counts
from crowd.services.vote_import import import_votes
from infra.jobs import no_report
from tests.cast import upload

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"the real data is not at {DATA}"),
]


def bring_in(study, name, kind, run, **more):
    file = upload(study, (DATA / name).read_bytes(), kind=kind, name=name, **more)
    return run(by=None, file=file, report=no_report)


def test_the_counts_of_the_interim_set_are_those_of_the_file(cast):
    name = "mislc_interim_670.jsonl"
    rows = [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
    known = [row["crowd_counts"] for row in rows if row["crowd_counts"]]
    bring_in(cast.study, name, "posts", import_posts)
    result = bring_in(cast.study, name, "crowd_counts", import_counts)
    assert (result["posts"], result["without_counts"], result["bad"]) == (556, 114, 0)
    assert result["votes"] == sum(sum(counts.values()) for counts in known)
    expected = Counter(tuple(counts.values()) for counts in known)
    assert pattern_counts(rounds_of(cast.study, "crowd")) == expected
    assert sum(n for counts, n in expected.items() if sum(counts) in (4, 5)) == 45
    assert not Member.objects.filter(user=None).exists()
    assert Tally.objects.filter(batch__labels__contains=["checkworthy"]).exists()


def votes_of_file(name, label):
    """Return each person's last vote on each post, and how many were superseded."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    last = {(row["item_id"], row["annotator"]): row[label] for row in rows}
    return last, len(rows) - len(last)


def patterns(last, labels):
    by_post = {}
    for (post, _annotator), label in last.items():
        by_post.setdefault(post, Counter())[label] += 1
    return Counter(tuple(counts[label] for label in labels) for counts in by_post.values())


def test_fifty_thousand_votes_come_in_quickly_and_exactly(cast):
    bring_in(cast.study, "md_agreement_items.csv", "posts", import_posts)
    before = time.monotonic()
    result = bring_in(cast.study, "md_agreement_votes.csv", "crowd_votes", import_votes)
    assert time.monotonic() - before < 60
    assert (result["votes"], result["people"], result["posts"]) == (53_765, 819, 10_753)
    last, superseded = votes_of_file("md_agreement_votes.csv", "label")
    assert (result["corrections"], result["labels"]) == (superseded, ["0", "1"])
    assert pattern_counts(rounds_of(cast.study, "crowd")) == patterns(last, ["0", "1"])


def test_a_round_with_a_label_column_of_another_name_comes_in(cast):
    bring_in(
        cast.study,
        "convabuse_items.csv",
        "posts",
        import_posts,
        options={"columns": {"text": "agent"}},
    )
    severity = {"columns": {"label": "severity"}}
    result = bring_in(
        cast.study, "convabuse_votes.csv", "crowd_votes", import_votes, options=severity
    )
    last, superseded = votes_of_file("convabuse_votes.csv", "severity")
    labels = ["-3", "-2", "-1", "0", "1"]
    assert (result["people"], result["labels"]) == (8, labels)
    assert result["votes"] == Vote.objects.count() == len(last) + superseded
    assert result["corrections"] == superseded
    assert pattern_counts(rounds_of(cast.study, "crowd")) == patterns(last, labels)
