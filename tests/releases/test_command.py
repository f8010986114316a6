"""manage.py make_release: the files in a folder, facts as JSON, nothing overwritten."""

import hashlib
import io
import json

import pytest
from django.core.management import CommandError, call_command

from releases.models import Release
from tests.cast import add_posts

pytestmark = pytest.mark.django_db


def make_release(*words):
    out = io.StringIO()
    call_command("make_release", *words, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_it_copies_the_files_and_prints_their_checksums(cast, judged, tmp_path):
    folder = tmp_path / "new" / "folder with spaces"
    found = make_release("rumours", "--out", str(folder), "--texts", "ids")
    assert (found["number"], found["choices"]["texts"], found["complete"]) == (1, "ids", True)
    assert found["open_tasks"] == {"crowd": 0, "legal": 0} and found["counts"]["verdicts"] == 3
    assert {"README.md", "manifest.json", "data/votes-test.parquet"} <= set(found["files"])
    for name, file in found["files"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == file["sha256"]


def test_a_folder_with_files_of_a_release_is_refused_before_anything_is_made(cast, tmp_path):
    add_posts(cast.study, 1)
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(CommandError, match=r"has files of a release already \(README.md\)"):
        make_release("rumours", "--out", str(tmp_path))
    assert (tmp_path / "README.md").read_text() == "mine" and not Release.objects.exists()


def test_other_files_in_the_folder_stay(cast, tmp_path):
    add_posts(cast.study, 1)
    (tmp_path / "notes.txt").write_text("mine")
    make_release("rumours", "--out", str(tmp_path))
    assert (tmp_path / "notes.txt").read_text() == "mine" and (tmp_path / "README.md").exists()


def test_a_folder_that_cannot_be_made_gets_a_sentence(cast, tmp_path):
    add_posts(cast.study, 1)
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be made"):
        make_release("rumours", "--out", str(tmp_path / "file"))


def test_a_study_without_posts_gets_a_sentence(cast, tmp_path):
    with pytest.raises(CommandError, match="no post to release"):
        make_release("rumours", "--out", str(tmp_path))


def test_every_choice_is_a_flag(cast, judged, tmp_path):
    found = make_release(
        "rumours", "--out", str(tmp_path), "--stages", "crowd", "--versions", "all",
        "--train", "60",
        "--validation", "20", "--seed", "7", "--licence", "CC-BY-4.0", "--citation", "Us (2026)",
    )  # fmt: skip
    chosen = found["choices"]
    assert chosen["stages"] == ["crowd"] and chosen["versions"] == "all"
    assert chosen["splits"] == {"train": 60, "validation": 20, "test": 20, "seed": 7}
    assert (chosen["licence"], chosen["citation"]) == ("CC-BY-4.0", "Us (2026)")
    parts = [found["files"][f"data/posts-{one}.parquet"]["rows"] for one in ("train", "test")]
    assert sum(parts) + found["files"]["data/posts-validation.parquet"]["rows"] == 6
    assert not any("verdicts" in name or "evidence" in name for name in found["files"])


def test_shares_that_exceed_a_hundred_get_a_sentence(cast, tmp_path):
    add_posts(cast.study, 1)
    with pytest.raises(CommandError, match="shares of a hundred"):
        make_release("rumours", "--out", str(tmp_path), "--train", "90", "--validation", "20")
