"""Releases: exact files, true figures, nothing of people, nothing half-made, nothing changed."""

import csv
import hashlib
import json
from pathlib import Path

import polars as pl
import pytest
from django.db import IntegrityError, transaction

from annotation.models import BatchState, JobState, Post, StageCode, Vote
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.importing import import_posts
from annotation.services.jobs import run_job
from annotation.services.votes import Answer, correct_vote, submit_vote
from annotation.tables import spreadsheet_safe_text
from crowd.services.batches import create_batch
from infra.jobs import JobCancelled, no_report
from legal.services.batches import open_legal_batch
from releases.algorithms.pseudonyms import is_pseudonym
from releases.choices import ReleaseChoices, Splits
from releases.layout import DOCUMENTS
from releases.models import Release, ReleaseFile
from releases.services import making
from releases.services.describing import layout_of
from releases.services.making import release_folder, study_folder
from releases.services.releases import ReleaseRefused, make_release
from releases.services.tables import Steps
from tests.cast import add_posts, upload
from tests.filtering.rounds import LABELS, add_round
from tests.releases.ways import (
    PAGES,
    TEXTS,
    YES,
    answer_all,
    by_id,
    content,
    lines,
    make,
    parquet,
    rows,
)

pytestmark = pytest.mark.django_db

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
TWEETS = SHARED / "ct22_en_three_way.csv"


def open_batch(cast, posts):
    batch = create_batch(by=cast.owner.user, study=cast.study, posts=posts, seed=1)
    return move_batch(by=None, batch=batch, to=BatchState.OPEN)


def test_each_kept_post_is_a_row_in_the_order_of_import(cast, judged):
    Post.objects.filter(external_id="p2").update(dropped_reason="empty_after_cleaning")
    release = make(cast.study)
    ids = ["p1", "p3", "p4", "p5", "p6"]
    assert [row["post_id"] for row in rows(release, "posts")] == ids
    assert [row["post_id"] for row in lines(release)] == ids
    assert "p2" not in {row["post_id"] for row in rows(release, "votes")}


def test_the_columns_are_the_documented_ones(released):
    for table in layout_of(released).tables:
        expected = [column.name for column in table.columns]
        for form in ("csv", "spreadsheet"):
            header = content(released, f"{form}/{table.name}.csv").partition("\n")[0]
            assert header.split(",") == expected
        for found in lines(released, table.name)[:1]:
            assert list(found) == expected
        for name in layout_of(released).parquet_files(table).values():
            assert pl.read_parquet_schema(release_folder(released) / name).names() == expected


def test_what_crowd_filter_and_experts_said_stands_in_the_rows(cast, released):
    found = by_id(lines(released))
    assert [found["p1"][f"crowd_{label}"] for label in LABELS] == [0, 0, 3]
    assert found["p3"]["crowd_label"] == "not_checkworthy" and found["p3"]["crowd_tie"] is False
    assert found["p4"]["crowd_label"] is None and found["p4"]["crowd_tie"] is True
    assert found["p6"]["crowd_votes"] == 0 and found["p6"]["crowd_tie"] is None
    run = cast.study.filter_runs.get()
    kept = set(run.posts.filter(kept=True).values_list("post__external_id", flat=True))
    assert {key for key, row in found.items() if row["filter_kept"]} == kept
    assert found["p6"]["filter_kept"] is None
    assert (found["p1"]["y"], found["p1"]["verdict"], found["p1"]["legal_votes"]) == (2, "mislc", 3)
    assert (found["p6"]["y"], found["p6"]["verdict"], found["p6"]["legal_votes"]) == (None, None, 0)
    assert [found["p3"][f"crowd_share_{label}"] for label in LABELS] == [0, 2 / 3, 1 / 3]
    assert found["p6"]["crowd_share_checkworthy"] is found["p1"]["crowd_chance_no_claim"] is None


def test_a_verdict_stands_with_what_it_rests_on(released):
    found = by_id(lines(released, "verdicts"))
    first, second, third = (found[key] for key in ("p1", "p2", "p3"))
    assert len(found) == 3
    assert (first["y"], first["verdict"], first["tie"], first["decided"]) == (
        2,
        "mislc",
        False,
        False,
    )
    assert (first["votes"], first["votes_yes"], first["votes_unclear"]) == (3, 2, 1)
    assert (first["share_yes"], first["share_no"]) == (2 / 3, 0)
    assert first["issues"] == ["defamation", "hate_speech"] and first["evidence"] == PAGES
    assert (second["y"], second["no_claim"], second["no_claim_any"]) == (0, True, True)
    assert (second["defence"], second["defence_any"]) == (False, True)
    assert (third["y"], third["verdict"], third["tie"]) == (1, "unclear", True)
    assert third["issues"] == [] and third["evidence"] == PAGES
    for row in found.values():
        chances = [row[f"chance_{answer}"] for answer in ("yes", "no", "unclear")]
        assert sum(chances) == pytest.approx(1)
    assert first["chance_yes"] > 0.9 and second["chance_no"] > 0.9


def test_each_issue_of_a_post_is_a_row_with_who_raised_it(released):
    found = {(row["post_id"], row["issue"]): row for row in lines(released, "issues")}
    assert set(found) == {
        (post, issue) for post in ("p1", "p3") for issue in ("defamation", "hate_speech")
    }
    row = found["p1", "defamation"]
    assert (row["raised"], row["votes"], row["majority"], row["in_verdict"]) == (2, 3, True, True)
    assert found["p3", "hate_speech"]["majority"] is False
    assert row["name"] and json.loads(row["findings"]) == {}


def test_csv_has_empty_cells_words_and_joined_lists(released):
    posts, verdicts = by_id(rows(released, "posts")), by_id(rows(released, "verdicts"))
    assert verdicts["p1"]["issues"] == "defamation; hate_speech"
    assert verdicts["p1"]["evidence"].split("; ") == PAGES
    assert verdicts["p1"]["tie"] == "false" and verdicts["p2"]["no_claim"] == "true"
    assert posts["p6"]["y"] == posts["p6"]["filter_kept"] == "" == verdicts["p3"]["issues"]
    line = next(one for one in content(released, "csv/posts.csv").splitlines() if "last" in one)
    assert line.endswith(",0,,")  # a null is no empty text


def test_a_post_that_still_wants_experts_has_no_verdict_but_its_votes_are_counted(
    cast, judged, experts
):
    open_legal_batch(by=None, study=cast.study, external_ids=["p5"])
    answer_all(experts[0], {"p5": YES})
    release = make(cast.study)
    row = by_id(lines(release))["p5"]
    assert row["legal_votes"] == 1 and row["y"] is None
    assert "p5" not in by_id(lines(release, "verdicts"))
    assert "p5" not in {one["post_id"] for one in lines(release, "issues")}
    counts = release.manifest["statistics"]["counts"]
    assert (counts["with_legal_votes"], counts["verdicts"], counts["awaiting_votes"]) == (4, 3, 1)


@pytest.mark.parametrize(("texts", "field"), [("cleaned", "text"), ("original", "original_text")])
def test_texts_are_exact_to_the_last_character(cast, judged, texts, field):
    release = make(cast.study, texts=texts, insists="A test.")
    expected = [getattr(post, field) for post in judged]
    assert [row["text"] for row in rows(release, "posts")] == expected
    assert [row["text"] for row in lines(release)] == expected
    assert texts != "original" or expected == TEXTS


def test_with_ids_only_no_file_holds_a_text(cast, judged):
    release = make(cast.study, texts="ids")
    assert "text" not in lines(release)[0] and "text" not in rows(release, "posts")[0]
    for file in release.files.all():
        raw = (release_folder(release) / file.name).read_bytes()
        assert b"quoted" not in raw or file.name == "README.md"
    assert "text" not in parquet(release, "posts-test")[0]


def test_formula_cells_are_neutralised_in_the_copies_for_spreadsheets_alone(cast, judged):
    release = make(cast.study, texts="original", insists="A test.")
    exact, safe = rows(release, "posts"), rows(release, "posts", "spreadsheet")
    assert exact[0]["text"] == "=1+1" and safe[0]["text"] == "'=1+1"
    assert [row["text"] for row in safe] == [spreadsheet_safe_text(row["text"]) for row in exact]
    votes, safe_votes = rows(release, "votes"), rows(release, "votes", "spreadsheet")
    assert "=cmd()" in {row["comment"] for row in votes}
    assert "=cmd()" not in {row["comment"] for row in safe_votes}
    for row in safe + safe_votes:
        assert not [cell for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]


def test_people_have_names_of_their_own_in_releases(cast, released, experts):
    names = {row["annotator"] for row in rows(released, "votes")}
    assert len(names) == 3 and all(is_pseudonym(name) for name in names)
    assert {row["annotator"] for row in rows(released, "workers")} == names
    again = {row["annotator"] for row in rows(make(cast.study), "votes")}
    assert again == names
    everything = b"".join(
        (release_folder(released) / file.name).read_bytes() for file in released.files.all()
    )
    key = bytes(cast.study.release_key.key)
    assert key not in everything and key.hex().encode() not in everything
    for member in [*experts, cast.owner, cast.researcher]:
        for told in (member.user.email, member.pseudonym):
            assert len(told) > 5 and told.encode() not in everything


def test_the_newest_or_every_version_of_a_vote_is_released(cast, posts):
    batch = open_batch(cast, 1)
    held = next_task(by=cast.worker, stage=StageCode.CROWD).assignment
    submit_vote(by=cast.worker, assignment_id=held.pk, answer=Answer("no_claim", seconds=2.5))
    correct_vote(by=cast.worker, assignment_id=held.pk, answer=Answer("checkworthy"))
    (current,) = rows(make(cast.study), "votes")
    assert (current["version"], current["label"], current["is_current"]) == (
        "2",
        "checkworthy",
        "true",
    )
    found = rows(make(cast.study, versions="all"), "votes")
    assert [(row["version"], row["label"], row["is_current"]) for row in found] == [
        ("1", "no_claim", "false"),
        ("2", "checkworthy", "true"),
    ]
    assert {row["round"] for row in found} == {str(batch.number)}
    assert found[0]["seconds"] == "2.5" and found[0]["issues"] == found[0]["no_claim"] == ""
    assert found[0]["voted_at"].endswith("+00:00")


def test_an_experts_vote_carries_the_answer(released):
    found = [row for row in rows(released, "votes") if row["post_id"] == "p1"]
    assert found[0]["issues"] == "defamation; hate_speech"
    assert found[0]["evidence"].split("; ") == PAGES
    assert (found[0]["stage"], found[0]["comment"]) == ("legal", "=cmd()")
    assert Vote.objects.count() == len(rows(released, "votes")) == 9


def test_table_1_names_what_each_share_is_a_share_of(released):
    table = {
        row["label"]: (row["count"], row["of"])
        for row in json.loads(content(released, "statistics.json"))["table_1"]
    }
    assert table == {
        "Total Dataset Size": (6, 6),
        "Checkworthy": (2, 4),
        "MisLC": (1, 3),
        "Non-MisLC": (1, 3),
        "Unclear": (1, 3),
        "Evidence available": (2, 3),
        "noClaim": (1, 3),
        "noClaim (any vote)": (2, 3),
        "defence": (0, 3),
        "defence (any vote)": (1, 3),
    }


def test_statistics_tell_counts_agreement_and_issues(released):
    found = json.loads(content(released, "statistics.json"))
    assert found["counts"]["imported"] == found["counts"]["kept"] == 6
    assert found["counts"]["with_crowd_votes"] == 5 and found["counts"]["crowd_ties"] == 1
    assert found["counts"]["verdicts"] == 3 and found["counts"]["verdict_ties"] == 1
    for stage in ("crowd", "legal"):
        assert set(found["agreement"][stage]) == {
            "alpha", "interval", "posts", "votes", "people", "reason",
        }  # fmt: skip
    assert found["agreement"]["legal"]["votes"] == 9
    assert [(issue["code"], issue["count"]) for issue in found["issues"]] == [
        ("defamation", 1),
        ("hate_speech", 1),
    ]
    assert found["release"] == released.number and found["complete"] is True


def test_without_votes_shares_and_agreement_are_said_to_be_undefined(cast):
    add_posts(cast.study, 2)
    found = json.loads(content(make(cast.study), "statistics.json"))
    assert {row["share"] for row in found["table_1"][1:]} == {None}
    assert found["agreement"]["crowd"]["alpha"] is None and found["agreement"]["crowd"]["reason"]


def test_open_tasks_do_not_forbid_but_mark_the_release(cast, posts):
    open_batch(cast, 2)
    release = make(cast.study)
    assert not release.complete and release.open_tasks == 2
    assert release.manifest["statistics"]["open_tasks"] == {"crowd": 2, "legal": 0}
    assert "**This release is incomplete**: 2 posts were" in content(release, "README.md")


def test_a_release_without_open_tasks_is_complete(released):
    assert released.complete and released.open_tasks == 0
    assert "incomplete" not in content(released, "README.md")


def test_the_files_are_the_documented_ones_with_true_checksums(released):
    files = {file.name: file for file in released.files.all()}
    layout = layout_of(released)
    tables = {name for table in layout.tables for name in layout.files_of(table)}
    documents = {document.name for document in DOCUMENTS} - {"instructions.md", "ids.txt"}
    assert set(files) == tables | documents, "the crowd's votes are imported: they name none"
    for name, file in files.items():
        raw = (release_folder(released) / name).read_bytes()
        assert (file.sha256, file.size) == (hashlib.sha256(raw).hexdigest(), len(raw))
    for name in ("csv/posts.csv", "jsonl/posts.jsonl", "data/posts-test.parquet"):
        assert files[name].rows == 6
    assert files["spreadsheet/votes.csv"].rows == 9 and files["README.md"].rows is None


def test_the_manifest_names_every_other_file_with_its_checksum(released):
    manifest = json.loads(content(released, "manifest.json"))
    others = released.files.exclude(name="manifest.json")
    assert manifest["files"] == {
        file.name: {"sha256": file.sha256, "bytes": file.size, "rows": file.rows} for file in others
    }
    assert (manifest["release"], manifest["complete"]) == (1, True)
    assert manifest["software"]["version"] and manifest["made_at"].endswith("+00:00")
    assert ReleaseChoices.from_json(manifest["choices"]) == ReleaseChoices()
    assert manifest["counts"]["released"] == 6


def test_the_manifest_holds_the_filter_run_whole_and_the_guides_of_released_votes(cast, released):
    run = cast.study.filter_runs.get()
    assert released.manifest["filter_run"] == {
        "number": 1,
        "method": "kl",
        "k": 3,
        "trials": 1,
        "at_least": 1,
        "seed": run.seed,
        "encoder": run.encoder,
        "encoder_revision": run.encoder_revision,
        "pooling": run.pooling,
        "settings": run.settings,
        "posts": 5,
        "kept": run.kept_count,
    }
    assert run.encoder and run.settings and run.kept_count
    assert released.manifest["catalogue"] == [1] and released.manifest["instructions"] == []
    batch = create_batch(by=None, study=cast.study, posts=1, seed=1)
    move_batch(by=None, batch=batch, to="open")
    held = next_task(by=cast.worker, stage="crowd").assignment
    submit_vote(by=cast.worker, assignment_id=held.pk, answer=Answer("no_claim", 5.0, 2))
    assert make(cast.study).manifest["instructions"] == [2]
    without = make(cast.study, stages=("legal",)).manifest
    assert (without["instructions"], without["catalogue"]) == ([], [1])


def test_a_study_without_a_filter_names_no_run(cast, posts):
    manifest = make(cast.study).manifest
    assert (manifest["filter_run"], manifest["instructions"], manifest["catalogue"]) == (
        None,
        [],
        [],
    )


def test_ids_stand_in_a_file_of_their_own_where_texts_are_left_out(cast, posts, released):
    release = make(cast.study, texts="ids", splits=Splits(train=50, test=50))
    ids = content(release, "ids.txt")
    assert sorted(ids.splitlines()) == sorted(row["post_id"] for row in rows(release, "posts"))
    assert ids.endswith("\n") and release.files.get(name="ids.txt").rows is None
    assert "`ids.txt`" in content(release, "README.md")
    assert not released.files.filter(name="ids.txt").exists()


def test_the_readme_explains_files_columns_and_figures(released):
    text = content(released, "README.md")
    assert text.startswith("---\nlicense: unknown\n") and "\n# Rumours, release 1\n" in text
    for file in released.files.exclude(name__in=["README.md", "manifest.json"]):
        assert f"`{file.name}`" in text and file.sha256 in text
    for name in ("crowd_checkworthy", "filter_kept", "derived", "guide_version"):
        assert f"| `{name}` | " in text
    assert "| MisLC | 1 | 3 | 33.3% |" in text and "Languages: en." in text
    assert "&#" not in text and "{{" not in text


def test_numbers_count_up_and_none_is_given_twice(cast, posts):
    first, second = make(cast.study), make(cast.study)
    assert (first.number, second.number) == (1, 2)
    copy = Release(**{**vars_of(first), "job_id": make_release(by=None, study=cast.study).pk})
    with pytest.raises(IntegrityError, match="release_number_once"), transaction.atomic():
        copy.save(force_insert=True)


def vars_of(release):
    fields = (field.attname for field in release._meta.concrete_fields)
    return {name: getattr(release, name) for name in fields if name != "id"}


@pytest.mark.parametrize(
    "change",
    [
        lambda: Release.objects.update(complete=True),
        lambda: ReleaseFile.objects.update(sha256=""),
        lambda: ReleaseFile.objects.all().delete(),
        lambda: Release.objects.all()._raw_delete("default"),
    ],
)
def test_a_release_cannot_be_changed_or_deleted(cast, posts, change):
    make(cast.study)
    with pytest.raises(Exception, match=r"Cannot (update|delete)"), transaction.atomic():
        change()


def test_a_job_that_made_its_release_makes_no_other(cast, posts):
    release = make(cast.study)
    again = making.make(job=release.job, report=no_report)
    assert again["release"] == release.number and Release.objects.count() == 1


@pytest.mark.parametrize("error", [JobCancelled, RuntimeError])
def test_a_job_that_ends_half_way_leaves_nothing(cast, judged, monkeypatch, error):
    job = make_release(by=None, study=cast.study)
    real = Steps.add

    def stop(self, rows, message):
        if "votes" in message:
            assert list(study_folder(cast.study).glob(".making-*/csv/posts.csv"))
            raise error
        real(self, rows, message)

    monkeypatch.setattr(Steps, "add", stop)
    assert run_job(job_id=job.pk).state in {JobState.CANCELLED, JobState.FAILED}
    assert not Release.objects.exists() and not list(study_folder(cast.study).iterdir())
    monkeypatch.setattr(Steps, "add", real)
    assert make(cast.study).number == 1


def test_a_failure_after_the_tables_leaves_nothing(cast, judged, monkeypatch):
    monkeypatch.setattr(making, "readme", lambda *_: 1 / 0)
    job = run_job(job_id=make_release(by=None, study=cast.study).pk)
    assert job.state == JobState.FAILED and not Release.objects.exists()
    assert not list(study_folder(cast.study).iterdir())


def test_what_a_dead_process_left_is_replaced(cast, posts):
    left = study_folder(cast.study) / "1"
    left.mkdir(parents=True)
    (left / "README.md").write_text("half")
    release = make(cast.study)
    assert len(rows(release, "posts")) == 6


def test_an_empty_study_and_a_second_release_at_a_time_are_refused(cast):
    with pytest.raises(ReleaseRefused, match="no post to release"):
        make_release(by=None, study=cast.study)
    add_posts(cast.study, 1)
    make_release(by=None, study=cast.study)
    with pytest.raises(ReleaseRefused, match="being made already"):
        make_release(by=None, study=cast.study)


def test_rounds_with_other_labels_need_a_choice(cast, posts):
    add_round(cast.study, posts[:2], [(1, 4), (5, 0)], labels=("0", "1"))
    with pytest.raises(ReleaseRefused, match="different label sets"):
        make_release(by=None, study=cast.study)
    with pytest.raises(ReleaseRefused, match="no crowd round 9"):
        make_release(by=None, study=cast.study, choices=ReleaseChoices(crowd_round=9))
    release = make(cast.study, crowd_round=2)
    row = lines(release)[0]
    assert (row["crowd_0"], row["crowd_1"], row["crowd_label"]) == (1, 4, "1")
    checkworthy = release.manifest["statistics"]["table_1"][1]
    assert checkworthy["count"] is None and "do not contain" in checkworthy["reason"]


def test_a_label_that_would_name_another_column_gets_a_longer_one(cast):
    posts = add_posts(cast.study, 1)
    add_round(cast.study, posts, [(2, 1)], labels=("votes", "tie"))
    row = lines(make(cast.study))[0]
    assert (row["crowd_votes_votes"], row["crowd_tie_votes"], row["crowd_votes"]) == (2, 1, 3)
    assert row["crowd_tie"] is False and row["crowd_label"] == "votes"


@pytest.mark.skipif(not TWEETS.exists(), reason="the real tweets are not here")
def test_real_tweets_come_out_as_they_went_in(cast):
    with TWEETS.open(encoding="utf-8", newline="") as source:
        given = [(row["tweet_id"], row["text"]) for row in csv.DictReader(source)]
    file = upload(cast.study, TWEETS.read_bytes(), name=TWEETS.name)
    import_posts(by=None, file=file, report=no_report)
    release = make(cast.study, texts="original", insists="A test.")
    assert len(given) == 4542
    assert [(row["post_id"], row["text"]) for row in rows(release, "posts")] == given
    assert [(row["post_id"], row["text"]) for row in lines(release)] == given
