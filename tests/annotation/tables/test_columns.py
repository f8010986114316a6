"""Guessing columns by name."""

from __future__ import annotations

import pytest

from annotation.tables import guess_columns


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (["split", "tweet_id", "text", "label3"], {"id": "tweet_id", "text": "text"}),
        (["Post ID", "Full-Text"], {"id": "Post ID", "text": "Full-Text"}),
        (["postId", "claim"], {"id": "postId", "text": "claim"}),
        (["id_str", "id", "content"], {"id": "id", "text": "content"}),
        (["post", "item"], {"id": "item", "text": "post"}),
        (["a", "b"], {"id": None, "text": None}),
    ],
)
def test_id_and_text(columns, expected):
    assert guess_columns(columns, ["id", "text"]) == expected


def test_votes():
    assert guess_columns(
        ["item_id", "worker", "answer", "created_at", "lead_time_s"],
        ["id", "annotator", "label", "seconds", "time"],
    ) == {
        "id": "item_id",
        "annotator": "worker",
        "label": "answer",
        "seconds": "lead_time_s",
        "time": "created_at",
    }


def test_no_column_serves_twice():
    guessed = guess_columns(["post"], ["id", "text"])
    assert guessed == {"id": "post", "text": None}
