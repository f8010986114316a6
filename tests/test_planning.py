"""After a file came in, the database plans with the rows that are there, before the commit."""

import pytest
from django.db import connection

from annotation.models import Post, Task, Vote
from crowd.services.vote_import import import_votes
from infra.jobs import no_report
from legal.models import ArchivedPage, Evidence, IssueAnswer, LegalAnswer
from legal.services.importing import import_legal_votes
from tests.cast import add_posts, upload

pytestmark = pytest.mark.usefixtures("counted")


def believed(model) -> int:
    """Return how many rows the database believes a table to have."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT reltuples FROM pg_class WHERE oid = %s::regclass", [model._meta.db_table]
        )
        return int(cursor.fetchone()[0])


@pytest.fixture
def study(cast):
    add_posts(cast.study, 70)
    return cast.study


def test_after_posts(study):
    assert believed(Post) == Post.objects.count() == 70


def test_after_votes_of_a_crowd(study):
    rows = "\n".join(f"p{number},w1,checkworthy" for number in range(1, 71))
    import_votes(
        by=None,
        file=upload(study, f"post_id,annotator,label\n{rows}", "crowd_votes"),
        report=no_report,
    )
    assert believed(Vote) == believed(Task) == Vote.objects.count() == 70


def test_after_answers_of_experts(study):
    rows = "\n".join(f"p{number},e1,yes,defamation,https://a.example/" for number in range(1, 71))
    header = "post_id,annotator,misinformation,issues,evidence"
    file = upload(study, f"{header}\n{rows}", "legal_votes")
    import_legal_votes(by=None, file=file, report=no_report)
    for model in (Vote, LegalAnswer, IssueAnswer, Evidence):
        assert believed(model) == model.objects.count() == 70
    assert believed(ArchivedPage) == 1
