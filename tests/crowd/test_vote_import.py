"""Rounds that come in long form: people, repeats, label sets, and what is wrong with rows."""

import pytest

from annotation.models import Batch, ImportState, Member, Origin, Place, Task, Vote
from annotation.queries.counts import pattern_counts, rounds_of
from annotation.services.checking import check_file
from crowd.models import CrowdRound, LabelSet
from crowd.services.vote_import import import_votes
from infra.jobs import JobCancelled, JobRefused, no_report
from tests.cast import add_posts, upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def posts(cast):
    return add_posts(cast.study, 4)


def load(study, content, **more):
    file = upload(study, content, kind="crowd_votes", **more)
    return import_votes(by=None, file=file, report=no_report)


def test_a_round_brings_its_people_labels_and_overlap(cast, posts):
    result = load(
        cast.study,
        "item_id,annotator,label\np1,Ann1,0\np1,Ann2,1\np1,Ann3,1\np1,Ann4,0\np1,Ann5,1\np2,Ann1,1\n",
        name="elsewhere.csv",
    )
    assert {key: result[key] for key in ("round", "posts", "votes", "corrections", "people")} == {
        "round": 1,
        "posts": 2,
        "votes": 6,
        "corrections": 0,
        "people": 5,
    }
    batch = Batch.objects.get()
    assert (batch.origin, batch.labels, batch.state) == (Origin.IMPORTED, ["0", "1"], "closed")
    assert CrowdRound.objects.get(batch=batch).label_set.name == "elsewhere.csv"
    assert not Place.objects.exists() and Task.objects.count() == 2
    assert Member.objects.filter(user=None).count() == 5
    assert pattern_counts(rounds_of(cast.study, "crowd")) == {(2, 3): 1, (0, 1): 1}


def test_a_repeat_is_a_new_version_in_the_order_of_the_file(cast, posts):
    result = load(cast.study, "post_id,worker,label\np1,a,x\np2,a,x\np1,a,y\np1,a,z\n")
    assert result["corrections"] == 2
    votes = Vote.objects.filter(task__post=posts[0]).order_by("version")
    assert [(vote.version, vote.label) for vote in votes] == [(1, "x"), (2, "y"), (3, "z")]
    assert pattern_counts(rounds_of(cast.study, "crowd")) == {(0, 0, 1): 1, (1, 0, 0): 1}


def test_with_times_a_repeat_is_ordered_by_time_and_seconds_are_kept(cast, posts):
    load(
        cast.study,
        "id,annotator,label,seconds,time\n"
        "p1,a,late,3.5,2024-03-01 12:00:00\n"
        "p1,a,early,,2024-03-01T11:00:00+00:00\n"
        "p1,a,unknown,1,\n",
    )
    votes = list(Vote.objects.order_by("version"))
    assert [vote.label for vote in votes] == ["unknown", "early", "late"]
    assert [vote.seconds for vote in votes] == [1.0, None, 3.5]
    assert votes[2].created_at.isoformat() == "2024-03-01T12:00:00+00:00"


def test_labels_of_the_method_keep_its_order_and_its_label_set(cast, posts):
    load(cast.study, "id,annotator,label\np1,a,checkworthy\np1,b,no_claim\n")
    assert Batch.objects.get().labels == ["no_claim", "not_checkworthy", "checkworthy"]
    assert LabelSet.objects.get().origin == Origin.HERE


def test_numbers_are_ordered_by_value_and_names_by_alphabet(cast, posts):
    load(cast.study, "id,annotator,label\np1,a,10\np1,b,-3\np1,c,2\n")
    load(cast.study, "id,annotator,label\np1,a,zebra\np1,b,Ape\n")
    assert [batch.labels for batch in Batch.objects.all()] == [["-3", "2", "10"], ["Ape", "zebra"]]


def test_columns_may_be_chosen(cast, posts):
    content = "item_id,annotator,severity\np1,a,-1\n"
    with pytest.raises(JobRefused, match="label"):
        load(cast.study, content)
    assert load(cast.study, content, options={"columns": {"label": "severity"}})["votes"] == 1


BAD = (
    "id,annotator,label,seconds,time\n"
    "p1,a,x,,\n"
    "p9,a,x,,\n"
    ",a,x,,\n"
    "p2,,x,,\n"
    "p2,a,,,\n"
    "p2,a,x,-1,\n"
    "p2,a,x,,yesterday\n"
    "1.36E+18,a,x,,\n"
)


def test_bad_rows_are_told_with_their_lines_before_anything_is_written(cast, posts):
    file = upload(cast.study, BAD, kind="crowd_votes")
    report = check_file(file=file, report=no_report)
    assert report == {"good": 1, "bad": 7}
    reasons = {row["line"]: row["reason"] for row in file.report["bad_rows"]}
    assert "no post p9" in reasons[3] and "id is missing" in reasons[4]
    assert "annotator is missing" in reasons[5] and "label is missing" in reasons[6]
    assert "no number" in reasons[7] and "cannot be read" in reasons[8]
    assert "spreadsheet" in reasons[9]
    assert not Batch.objects.exists() and not Member.objects.filter(user=None).exists()


def test_good_rows_go_in_alone_only_when_that_is_chosen(cast, posts):
    with pytest.raises(JobRefused, match="7 of 8 rows are bad"):
        load(cast.study, BAD)
    assert not Batch.objects.exists()
    assert load(cast.study, BAD, bad_rows="skip")["votes"] == 1


def test_the_same_file_comes_in_once(cast, posts):
    content = "id,annotator,label\np1,a,x\n"
    load(cast.study, content, name="first.csv")
    with pytest.raises(JobRefused, match=r"crowd round 1 already \(imported as “first.csv”\)"):
        load(cast.study, content, name="again.csv")
    with pytest.raises(JobRefused, match="round 1"):
        check_file(file=upload(cast.study, content, kind="crowd_votes"), report=no_report)
    assert Vote.objects.count() == 1


def test_a_file_with_too_many_labels_is_taken_for_a_wrong_column(cast, posts):
    rows = "".join(f"p1,a{n},text {n}\n" for n in range(60))
    with pytest.raises(JobRefused, match="right column"):
        load(cast.study, "id,annotator,label\n" + rows)
    assert not Batch.objects.exists()


def test_a_cancelled_import_leaves_nothing(cast, posts):
    file = upload(cast.study, "id,annotator,label\np1,a,x\np2,a,x\n", kind="crowd_votes")

    def stop_when_writing(done, total, message=""):
        if "Writing" in message:
            raise JobCancelled

    with pytest.raises(JobCancelled):
        import_votes(by=None, file=file, report=stop_when_writing)
    file.refresh_from_db()
    assert file.state == ImportState.UPLOADED
    assert not Batch.objects.exists() and not Vote.objects.exists()


def test_rounds_with_other_labels_are_not_counted_together(cast, posts):
    from annotation.queries.counts import RoundsDiffer

    load(cast.study, "id,annotator,label\np1,a,0\n")
    load(cast.study, "id,annotator,label\np1,a,yes\n")
    with pytest.raises(RoundsDiffer):
        rounds_of(cast.study, "crowd")
    assert pattern_counts(rounds_of(cast.study, "crowd", 2)) == {(1,): 1}
