"""The commands: one JSON object or one sentence, on a fresh machine as on a running one."""

import io
import json
import os
import signal
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Batch, Job, JobState, Member, Post, Protocol, Role, Study, User
from annotation.queries.agreement import stage_agreement
from tests.processes import ROOT, manage, start, wait_for

pytestmark = pytest.mark.django_db

VOTES = "post_id,annotator,label\n" + "".join(
    f"p{post},{person},{label}\n"
    for post, labels in enumerate(["aab", "abb", "aaa", "bbb"], start=1)
    for person, label in zip("xyz", labels, strict=True)
)


def run(*words):
    out = io.StringIO()
    call_command(*words, "--json", stdout=out)
    return json.loads(out.getvalue())


def refused(*words):
    with pytest.raises(CommandError) as error:
        run(*words)
    sentence = str(error.value)
    assert "\n" not in sentence and sentence
    return sentence


def can_sign_in(client, name, password):
    answer = client.post("/accounts/login/", {"login": name, "password": password})
    return answer.status_code == 302


@pytest.fixture
def posts_file(tmp_path):
    path = tmp_path / "posts.csv"
    path.write_text("post_id,tweet,date\n" + "".join(f"p{n},post {n},2024\n" for n in range(1, 5)))
    return str(path)


@pytest.fixture
def votes_file(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text(VOTES)
    return str(path)


@pytest.fixture
def study(db, posts_file):
    run("create_study", "rumours")
    run("import_posts", "rumours", posts_file)
    return Study.objects.get()


def test_a_study_is_made_with_the_method_s_protocol(db):
    assert run("create_study", "flood", "--title", "The flood") == {
        "study": "flood",
        "title": "The flood",
        "owner": None,
        "password": None,
    }
    assert Protocol.objects.get().crowd_votes == 3


def test_its_owner_gets_an_account_whose_password_is_printed_once(db, client):
    made = run("create_study", "flood", "--owner", "ann@juryroom.example")
    assert made["title"] == "flood" and made["password"]
    assert can_sign_in(client, "ann@juryroom.example", made["password"])
    assert Member.objects.get().role == Role.OWNER
    again = run("create_study", "storm", "--owner", "Ann@juryroom.example")
    assert again["password"] is None and User.objects.count() == 1


def test_a_study_that_exists_is_refused_and_no_account_is_left_behind(db):
    run("create_study", "flood")
    assert "flood" in refused("create_study", "flood", "--owner", "ann@juryroom.example")
    assert not User.objects.exists()


@pytest.mark.parametrize("slug", ["two words", "über", "x" * 61, "a/b"])
def test_a_short_name_that_is_none_is_refused(db, slug):
    assert refused("create_study", slug)
    assert not Study.objects.exists()


def test_an_owner_that_is_no_address_is_refused(db):
    assert "a@b@c" in refused("create_study", "flood", "--owner", "a@b@c")
    assert not Study.objects.exists()


def test_an_account_is_made_for_a_site_administrator(db, client):
    made = run("create_account", "root", "--site-administrator")
    user = User.objects.get()
    assert user.is_site_administrator and user.may_create_studies
    assert can_sign_in(client, "root", made["password"])
    assert "ROOT" in refused("create_account", "ROOT")


def test_posts_go_in_with_guessed_columns_and_the_job_is_on_record(study):
    post = Post.objects.first()
    assert (post.external_id, post.text, post.metadata) == ("p1", "post 1", {"date": "2024"})
    job = Job.objects.get()
    assert (job.state, job.created_by, job.result["added"]) == ("succeeded", None, 4)


def test_columns_format_and_encoding_can_be_said(db, tmp_path):
    run("create_study", "rumours")
    path = tmp_path / "odd.txt"
    path.write_bytes("a|b\n1|Zürich\n".encode("cp1252"))
    found = run(
        *("import_posts", "rumours", str(path), "--id-column", "a", "--text-column", "b"),
        *("--format", "csv", "--delimiter", "|", "--encoding", "cp1252"),
    )
    assert found["added"] == 1 and Post.objects.get().original_text == "Zürich"


def test_bad_rows_refuse_the_file_or_stay_out(db, tmp_path):
    run("create_study", "rumours")
    path = tmp_path / "posts.csv"
    path.write_text("id,text\n1,one\n2,\n")
    assert "Line 3" in refused("import_posts", "rumours", str(path))
    found = run("import_posts", "rumours", str(path), "--bad-rows", "skip")
    assert (found["added"], found["bad"], found["bad_rows"][0]["line"]) == (1, 1, 3)


def test_what_cannot_be_imported_is_said_in_one_sentence(study, tmp_path, posts_file):
    empty = tmp_path / "empty.csv"
    empty.touch()
    assert "rumours" in refused("import_posts", "nowhere", posts_file)
    assert "cannot be read" in refused("import_posts", "rumours", str(tmp_path / "none.csv"))
    assert "cannot be read" in refused("import_posts", "rumours", str(tmp_path))
    assert "empty" in refused("import_posts", "rumours", str(empty))
    assert "no column" in refused("import_posts", "rumours", posts_file, "--text-column", "body")


def test_a_file_over_the_browser_s_limit_goes_in_by_command(study, posts_file, settings):
    settings.UPLOAD_BYTES = 10
    assert run("import_posts", "rumours", posts_file)["known"] == 4


def test_votes_become_a_round_and_its_agreement_is_the_pages_figure(study, votes_file):
    found = run("import_votes", "rumours", votes_file, "--stage", "crowd")
    assert found["votes"] == 12
    figures = run("agreement", "rumours", "--stage", "crowd")
    assert list(figures) == ["alpha", "interval", "posts", "votes", "people", "reason"]
    assert figures["alpha"] == pytest.approx(1 - (4 / 12) / (72 / 132))
    assert (figures["posts"], figures["votes"], figures["people"]) == (4, 12, 3)
    assert figures["reason"] is None
    assert figures == stage_agreement(study, "crowd").figures()
    assert run("agreement", "rumours", "--stage", "crowd", "--round", "1") == figures


def test_counts_are_recognised_and_come_without_people(study, tmp_path):
    path = tmp_path / "counts.jsonl"
    path.write_text(
        '{"item_id": "p1", "crowd_counts": {"a": 2, "b": 1}}\n'
        '{"item_id": "p2", "crowd_counts": {"a": 3}}\n'
    )
    run("import_votes", "rumours", str(path), "--stage", "crowd")
    figures = run("agreement", "rumours", "--stage", "crowd")
    assert (figures["posts"], figures["votes"], figures["people"]) == (2, 6, None)


def test_the_columns_of_counts_can_be_said(study, tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("post,label,annotator,yes,no\np1,x,y,2,1\np2,x,y,0,3\n")
    run("import_votes", "rumours", str(path), "--stage", "crowd", "--counts", "yes", "no")
    assert set(Batch.objects.get().labels) == {"yes", "no"}


def test_a_column_is_said_by_the_thing_that_it_holds(study, tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("post_id,annotator,severity\np1,x,1\np1,y,2\n")
    words = ("import_votes", "rumours", str(path), "--stage", "crowd", "--column")
    assert "known are" in refused(*words, "colour=severity")
    assert "known are" in refused(*words, "label")
    assert run(*words, "label=severity")["votes"] == 2


def test_undefined_agreement_is_null_with_its_reason(study, tmp_path):
    assert run("agreement", "rumours", "--stage", "legal") == {
        "alpha": None,
        "interval": None,
        "posts": 0,
        "votes": 0,
        "people": None,
        "reason": "There are no votes yet.",
    }
    path = tmp_path / "single.csv"
    path.write_text("post_id,annotator,label\np1,x,a\np2,x,b\n")
    run("import_votes", "rumours", str(path), "--stage", "crowd")
    figures = run("agreement", "rumours", "--stage", "crowd")
    assert figures["alpha"] is None and "two people" in figures["reason"]
    assert (figures["votes"], figures["people"]) == (2, 1)


def test_rounds_with_other_labels_are_not_counted_together(study, votes_file, tmp_path):
    run("import_votes", "rumours", votes_file, "--stage", "crowd")
    other = tmp_path / "other.csv"
    other.write_text("post_id,annotator,label\np1,x,yes\np1,y,no\n")
    run("import_votes", "rumours", str(other), "--stage", "crowd")
    figures = run("agreement", "rumours", "--stage", "crowd")
    assert figures["alpha"] is None and "Choose one round" in figures["reason"]
    assert run("agreement", "rumours", "--stage", "crowd", "--round", "2")["votes"] == 2
    assert "no round 7" in refused("agreement", "rumours", "--stage", "crowd", "--round", "7")


@pytest.mark.parametrize("content", ["[1, 2]", "{", '{"a": 3}'])
def test_a_mapping_that_is_none_is_refused(study, votes_file, tmp_path, content):
    path = tmp_path / "map.json"
    path.write_text(content)
    words = ("import_votes", "rumours", votes_file, "--stage", "legal", "--issue-map", str(path))
    assert "mapping" in refused(*words)


def test_without_json_people_read_words(study, votes_file):
    out = io.StringIO()
    call_command("import_votes", "rumours", votes_file, "--stage", "crowd", stdout=out)
    assert "Votes: 12" in out.getvalue()
    out = io.StringIO()
    call_command("agreement", "rumours", "--stage", "crowd", stdout=out)
    assert out.getvalue().startswith("alpha = 0.3")


@pytest.mark.django_db(transaction=True)
def test_a_failure_is_one_sentence_on_stderr_and_nothing_on_stdout():
    ended = manage("agreement", "nowhere", "--stage", "crowd", "--json")
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.startswith("There is no study called “nowhere”.")
    assert ended.stderr.count("\n") == 1


@pytest.mark.django_db(transaction=True)
def test_a_cancelled_command_cancels_its_job_and_changes_nothing(tmp_path):
    run("create_study", "rumours")
    path = tmp_path / "posts.csv"
    path.write_text("id,text\n" + "".join(f"{n},post {n}\n" for n in range(60_000)))
    process = start("manage.py", "import_posts", "rumours", str(path), "--json")
    wait_for(lambda: Job.objects.filter(state=JobState.RUNNING).exists(), what="the job")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "")
    assert err.startswith("Cancelled")
    assert Job.objects.get().state == JobState.CANCELLED and not Post.objects.exists()


def test_a_fresh_machine_needs_no_server_running(tmp_path):
    ours = {"DATABASE_URL", "REDIS_URL", "SECRET_KEY"}
    clean = {name: value for name, value in os.environ.items() if name not in ours}
    clean["JURYROOM_DATA"] = str(tmp_path / "a new folder")
    ended = subprocess.run(
        [sys.executable, "manage.py", "create_study", "first", "--json"],
        cwd=ROOT,
        env=clean,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["study"] == "first"


def test_a_database_that_is_not_up_to_date_is_left_alone(db, monkeypatch):
    from django.db.migrations.executor import MigrationExecutor

    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: ["something"])
    assert "migrate" in refused("create_study", "flood")
    assert not Study.objects.exists()
