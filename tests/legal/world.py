"""Shortcuts to the states that tests of the legal stage need, through the services."""

from django.db import connection

from annotation.models import Batch, Member, Post, Role, StageCode, Study
from annotation.services.assignments import next_task
from legal.algorithms import ExpertAnswer
from legal.queries.verdicts import Verdict, verdicts_of
from legal.services.answers import Outcome, submit_answer
from legal.services.batches import open_legal_batch
from legal.services.catalogues import note_guide_read
from tests.cast import add_posts, join

LINK = "https://news.example/story"


def legal_batch(study: Study, texts: int | list[str] = 2) -> Batch:
    posts = add_posts(study, texts)
    return open_legal_batch(by=None, study=study, post_ids=[post.pk for post in posts])


def experts(study: Study, number: int) -> list[Member]:
    return [join(study, f"expert-{n}", Role.EXPERT) for n in range(1, number + 1)]


def answering(member: Member, **what: object) -> Outcome:
    """Take the next post and answer it."""
    held = next_task(by=member, stage=StageCode.LEGAL).assignment
    assert held is not None
    answer = ExpertAnswer.of_ticks(**{"label": "no", **what})
    return submit_answer(by=member, assignment_id=held.pk, answer=answer)


def read_guide(member: Member, batch: Batch) -> None:
    note_guide_read(by=member, catalogue=batch.legal_round.catalogue)


def lapse_all_leases() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE annotation_place SET lease_until = now() - interval '1 second' "
            "WHERE lease_until IS NOT NULL"
        )


def all_verdicts(study: Study) -> list[Verdict]:
    """Return the verdicts on all posts with a vote, by the post's id."""
    posts = Post.objects.filter(study=study).values_list("pk", flat=True)
    return [found for _post, found in sorted(verdicts_of(study, posts).items())]
