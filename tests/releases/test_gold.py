"""Posts that only serve as gold or attention are in no release; gold that was worked on is."""

import pytest

from annotation.models import BatchState, StageCode
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.votes import Answer, submit_vote
from crowd.models import GoldLabel
from crowd.services.batches import create_batch, create_gold_batch
from crowd.services.checks import choose_checks, set_check_share, write_attention_post
from crowd.services.gold import close_pool
from legal.services.batches import open_legal_batch
from releases.queries.cards import part_of
from releases.services.making import release_folder
from releases.services.releases import ReleaseRefused, make_release
from tests.cast import add_posts
from tests.filtering.rounds import CLEAR, add_round
from tests.releases.ways import YES, answer_all, by_id, content, lines, make, rows

pytestmark = pytest.mark.django_db


def vote_on_all(member, stage, label):
    while held := next_task(by=member, stage=stage).assignment:
        submit_vote(by=member, assignment_id=held.pk, answer=Answer(label, 3.0, 1))


@pytest.fixture
def pool(cast):
    """p1 and p2 of four posts are gold and serve as checks, beside an attention post."""
    add_posts(cast.study, 4)
    gold = create_gold_batch(by=None, study=cast.study, external_ids=["p1", "p2"])
    move_batch(by=None, batch=gold, to=BatchState.OPEN)
    for member in (cast.owner, cast.researcher):
        vote_on_all(member, StageCode.GOLD, "checkworthy")
    close_pool(by=None, batch=gold)
    choose_checks(
        by=None, study=cast.study, gold_ids=GoldLabel.objects.values_list("pk", flat=True)
    )
    write_attention_post(by=None, study=cast.study, text="Press no claim", label="no_claim")
    return gold


def work_with_checks(cast):
    """Let the worker judge p3 and p4, with checks among them."""
    batch = create_batch(by=None, study=cast.study, external_ids=["p3", "p4"], votes_wanted=1)
    set_check_share(by=None, batch=batch, share=0.5)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    vote_on_all(cast.worker, StageCode.CROWD, "no_claim")


def ids_of(release):
    return {row["post_id"] for row in lines(release)}


def test_posts_that_only_served_as_gold_are_in_no_file_of_a_release(cast, pool):
    work_with_checks(cast)
    release = make(cast.study)
    assert ids_of(release) == {"p3", "p4"}
    assert {row["post_id"] for row in rows(release, "posts")} == {"p3", "p4"}
    assert {row["post_id"] for row in rows(release, "votes")} == {"p3", "p4"}
    counts = release.manifest["statistics"]["counts"]
    assert (counts["imported"], counts["kept"], counts["released"]) == (4, 4, 2)
    told = "2 of these only served as posts with a known answer"
    assert told in content(release, "README.md")
    assert told in part_of(cast.study, "collection").text
    for file in release.files.all():
        raw = (release_folder(release) / file.name).read_bytes()
        assert b"attention-" not in raw, file.name


def test_without_a_gold_pool_every_kept_post_is_released(cast):
    add_posts(cast.study, 2)
    release = make(cast.study)
    assert ids_of(release) == {"p1", "p2"}
    assert "of these only served" not in content(release, "README.md")


def test_a_gold_post_that_the_experts_got_is_released_with_their_votes_alone(cast, pool):
    open_legal_batch(by=None, study=cast.study, external_ids=["p1"])
    answer_all(cast.expert, {"p1": YES})
    release = make(cast.study)
    found = by_id(lines(release))
    assert set(found) == {"p1", "p3", "p4"}
    assert (found["p1"]["crowd_votes"], found["p1"]["legal_votes"]) == (0, 1)
    assert {row["stage"] for row in rows(release, "votes")} == {"legal"}


def test_a_gold_post_of_an_imported_round_is_released_with_the_votes_of_that_round(cast):
    posts = add_posts(cast.study, 3)
    add_round(cast.study, posts[:1], [CLEAR])
    gold = create_gold_batch(by=None, study=cast.study, external_ids=["p1", "p2"])
    move_batch(by=None, batch=gold, to=BatchState.OPEN)
    vote_on_all(cast.researcher, StageCode.GOLD, "checkworthy")
    other = create_gold_batch(by=None, study=cast.study, external_ids=["p3"])
    assert other.state == BatchState.DRAFT
    found = by_id(lines(make(cast.study)))
    assert set(found) == {"p1"} and found["p1"]["crowd_votes"] == 3


def test_a_study_of_nothing_but_gold_has_nothing_to_release(cast):
    add_posts(cast.study, 1)
    create_gold_batch(by=None, study=cast.study, external_ids=["p1"])
    with pytest.raises(ReleaseRefused, match="only serve as gold"):
        make_release(by=None, study=cast.study)
