"""Silent checks: drawn at random, told apart by nothing, and part of no figure."""

import re
from itertools import pairwise

import pytest
from django.urls import reverse

from annotation.models import (
    ATTENTION,
    Batch,
    BatchState,
    Member,
    Place,
    Post,
    Role,
    Sitting,
    StageCode,
    TaskKind,
    Vote,
)
from annotation.queries.agreement import stage_agreement
from annotation.queries.progress import annotators_of, batches_of, stage_progress
from annotation.queries.studies import post_totals, search_posts
from annotation.services.assignments import next_task, skip_task
from annotation.services.batches import move_batch, sample_posts
from annotation.services.sittings import end_sitting
from annotation.services.standings import change_standing
from crowd.models import Check, GoldLabel
from crowd.queries.checks import check_votes, known_answers
from crowd.services import checks
from crowd.services.batches import create_batch
from crowd.services.checks import (
    CheckRefused,
    choose_checks,
    set_check_share,
    write_attention_post,
)
from crowd.services.instructions import write_instructions
from releases.queries.votes import released_votes
from tests.cast import add_posts, join
from tests.crowd.checks import batch_with_checks, begin_anew, closed_gold, work_through
from tests.crowd.conftest import has_read

pytestmark = pytest.mark.django_db

GOLD = {f"p{number}": "checkworthy" for number in range(31, 41)}
WORK = [f"p{number}" for number in range(1, 31)]
SCRIPT = {"Sec-Fetch-Dest": "empty"}


@pytest.fixture
def study(cast):
    add_posts(cast.study, 40)
    cast.study.protocol.sitting_size = 10
    cast.study.protocol.save()
    return cast.study


@pytest.fixture
def batch(study) -> Batch:
    return batch_with_checks(study, WORK, GOLD)


@pytest.fixture
def worker(cast, batch) -> Member:
    worker = has_read(join(cast.study, "careful", Role.CROWD_WORKER, posts=0))
    begin_anew(worker)
    return worker


def slots_of(member):
    return list(
        Sitting.objects.filter(member=member).first().slots.values_list("number", "task__post")
    )


def test_a_new_sitting_holds_the_share_of_checks_and_never_begins_with_one(batch, worker):
    slots = slots_of(worker)
    assert len(slots) == 5 and min(number for number, _post in slots) > 1
    met = work_through(worker, GOLD)
    assert len(met) == 10
    numbers = [place for place, task in enumerate(met, 1) if task.stage == StageCode.CHECK]
    assert numbers == [number for number, _post in slots]
    assert all(task.kind == TaskKind.OPEN for task in met if task.stage == StageCode.CHECK)


def test_places_and_posts_are_drawn_anew_for_everybody(cast, batch):
    drawn = set()
    for number in range(8):
        person = has_read(join(cast.study, f"person{number}", Role.CROWD_WORKER, posts=0))
        begin_anew(person)
        drawn.add(tuple(slots_of(person)))
    assert len(drawn) > 4


def test_nobody_meets_a_check_twice_and_without_new_ones_there_are_none(batch, worker):
    met = work_through(worker, GOLD)
    begin_anew(worker)
    met += work_through(worker, GOLD)
    begin_anew(worker)
    assert slots_of(worker) == []
    posts = [task.post_id for task in met if task.stage == StageCode.CHECK]
    assert len(posts) == len(set(posts)) == len(GOLD)


def test_a_check_that_was_skipped_does_not_come_back_and_one_only_held_may(worker):
    number, post = slots_of(worker)[0]
    for _place in range(number - 1):
        held = next_task(by=worker, stage=StageCode.CROWD).assignment
        checks_answer(worker, held)
    held = next_task(by=worker, stage=StageCode.CROWD).assignment
    assert held.task.post_id == post
    change_standing(by=None, member=worker, stage="crowd", state="paused", reason="")
    change_standing(by=None, member=worker, stage="crowd", state="active", reason="")
    again = next_task(by=worker, stage=StageCode.CROWD).assignment
    assert again.pk == held.pk
    skip_task(by=worker, assignment_id=held.pk, reason="not_sure")
    assert next_task(by=worker, stage=StageCode.CROWD).assignment.task.post_id != post
    end_sitting(by=worker, stage=StageCode.CROWD, state="left")
    begin_anew(worker)
    assert post not in [drawn for _number, drawn in slots_of(worker)]


def test_a_check_held_past_its_lease_keeps_nobody_waiting_and_its_answer_is_kept(
    cast, study, batch
):
    """A check has no place to hand over: each person has their own, and comes back to it."""
    one = GoldLabel.objects.get(post__external_id="p31")
    choose_checks(by=None, study=study, gold_ids=[one.pk])
    slow, quick = (has_read(join(study, name, Role.CROWD_WORKER, posts=0)) for name in "ab")
    begin_anew(slow)
    while (held := next_task(by=slow, stage=StageCode.CROWD).assignment).task.post != one.post:
        checks_answer(slow, held)
    Place.objects.filter(filled_at=None).exclude(lease_until=None).update(
        lease_until="2000-01-01T00:00:00Z"
    )
    begin_anew(quick)
    assert one.post_id in [task.post_id for task in work_through(quick, GOLD)]
    assert next_task(by=slow, stage=StageCode.CROWD).assignment.pk == held.pk
    checks_answer(slow, held)
    votes = Vote.objects.filter(task__stage=StageCode.CHECK, task__post=one.post)
    assert {vote.member: vote.counted for vote in votes} == {slow: True, quick: True}


def checks_answer(member, held):
    from annotation.services.votes import Answer, submit_vote

    submit_vote(by=member, assignment_id=held.pk, answer=Answer("no_claim", 3.0, 1))


def test_without_a_share_there_is_no_check(cast, study):
    choose_checks(by=None, study=study, gold_ids=[gold.pk for gold in closed_gold(study, GOLD)])
    move_batch(
        by=None, batch=create_batch(by=None, study=study, external_ids=WORK), to=BatchState.OPEN
    )
    person = has_read(join(study, "alone", Role.CROWD_WORKER, posts=0))
    begin_anew(person)
    assert slots_of(person) == []


def test_a_fraction_of_a_check_is_right_on_average(monkeypatch):
    monkeypatch.setattr(checks.CHANCE, "random", lambda: 0.4)
    assert checks.rounded(2.5) == 3 and checks.rounded(2.3) == 2 and checks.rounded(2.0) == 2


def masked(html: str, post: Post) -> str:
    """Return a page without its text, ids and tokens, which differ between any two posts."""
    html = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "TOKEN", html)
    html = html.replace(post.text, "TEXT")
    html = re.sub(r'key="\d+:\d+"', "DRAFT", html)
    html = re.sub(r"/work/(votes/)?\d+/", r"/work/\1ID/", html)
    html = re.sub(r"\d{4}-\d\d-\d\dT[\d:.+]+", "TIME", html)
    html = re.sub(r">\s*\d\d?:\d\d( UTC)?\s*<", ">TIME<", html)
    return re.sub(r"\d+ done, \d+ left(, about \d+ min)?|Post \d+ of \d+", "PLACE", html)


def neutral(html: str) -> str:
    """Return a page without how far the sitting is."""
    html = re.sub(r'value="\d+"', "VALUE", html)
    html = re.sub(r"[\d.]+ USD earned", "EARNED", html)
    return re.sub(r"U\+\d+", "", html)


def pages_of(client, slug, stage, assignment):
    """Return every page that a worker can fetch of a post they hold."""
    post = assignment.task.post
    urls = [reverse("work", args=[slug]), reverse("work_skip", args=[slug, assignment.pk])]
    found = [neutral(masked(client.get(url).content.decode(), post)) for url in urls]
    extended = client.post(reverse("work_extend", args=[slug, assignment.pk]))
    return [*found, sorted(extended.json()), extended.status_code]


def test_a_check_and_any_other_post_have_the_same_pages_byte_by_byte(cast, worker, sign_in):
    write_instructions(by=None, study=cast.study, markdown="# Read", shown_metadata=["date"])
    Post.objects.filter(study=cast.study).update(metadata={"date": "2024-03-01"})
    has_read(worker)
    client = sign_in(worker)
    seen = {StageCode.CROWD: set(), StageCode.CHECK: set()}
    answered = {StageCode.CROWD: set(), StageCode.CHECK: set()}
    parts = {StageCode.CROWD: set(), StageCode.CHECK: set()}
    html = client.get(reverse("work", args=[cast.study.slug])).content.decode()
    kept = SCRIPT | {"X-Kept": re.search(r'data-keeps="([^"]+)"', html)[1]}
    for place in range(9):
        held = next_task(by=worker, stage=StageCode.CROWD).assignment
        stage = StageCode(held.task.stage)
        if place > 0:  # the very first page has no last vote yet
            seen[stage].add(repr(pages_of(client, cast.study.slug, stage, held)))
        form = {"label": "no_claim", "seconds": "3", "guide_version": "2"}
        response = client.post(
            reverse("work_submit", args=[cast.study.slug, held.pk]), form, headers=kept
        )
        follows = next_task(by=worker, stage=StageCode.CROWD).assignment
        if follows:
            part = neutral(masked(response.content.decode(), follows.task.post))
            parts[StageCode(follows.task.stage)].add(part)
        correct = client.get(reverse("work_correct", args=[cast.study.slug, held.pk]))
        shown = neutral(masked(correct.content.decode(), held.task.post))
        answered[stage].add((response.status_code, shown))
    assert len(seen[StageCode.CHECK]) == len(seen[StageCode.CROWD]) == 1
    assert seen[StageCode.CHECK] == seen[StageCode.CROWD]
    assert answered[StageCode.CHECK] == answered[StageCode.CROWD]
    assert len(parts[StageCode.CROWD]) == 1 and "data-part" in parts[StageCode.CROWD].copy().pop()
    assert parts[StageCode.CHECK] == parts[StageCode.CROWD]


def test_the_list_of_ones_votes_tells_no_check_apart_also_once_the_batch_is_closed(
    cast, batch, worker, sign_in
):
    work_through(worker, GOLD, "checkworthy")
    client = sign_in(worker)
    for to in (None, BatchState.CLOSED):
        if to:
            move_batch(by=None, batch=batch, to=to)
        html = client.get(reverse("work_votes", args=[cast.study.slug])).content.decode()
        rows = re.findall(r"<tr>.*?</tr>", html, re.DOTALL)[1:]
        bare = {
            re.sub(
                r"Post number \d+|/votes/\d+/|\d{4}-\S+|<time.*?</time>|: [0-9:]+</span>", "", row
            )
            for row in rows
        }
        assert len(rows) == 10 and len(bare) == 1
        assert "check" not in html.lower().replace("checkworthy", "")


def test_no_number_on_a_workers_other_pages_moves_differently_after_a_check(cast, worker, sign_in):
    client = sign_in(worker)
    pages = [reverse("home"), reverse("study", args=[cast.study.slug])]
    stages, seen = [], {page: [] for page in pages}
    for _place in range(9):
        held = next_task(by=worker, stage=StageCode.CROWD).assignment
        checks_answer(worker, held)
        stages.append(held.task.stage)
        for page in pages:
            seen[page].append(numbers_on(client.get(page).content.decode()))
    assert set(stages) == {StageCode.CROWD, StageCode.CHECK}
    for found in seen.values():
        moves = {
            tuple(new - old for old, new in zip(before, after, strict=True))
            for before, after in pairwise(found)
        }
        assert len(moves) == 1 and any(moves.pop()), "each vote moves the same numbers alike"


def numbers_on(html: str) -> list[int]:
    """Return all whole numbers of a page, without its token and its money, which moves by cents."""
    html = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", html)
    return [int(number) for number in re.findall(r"\d+", re.sub(r"\d+\.\d\d", "", html))]


def test_checks_are_open_paused_and_closed_with_their_batch(batch, worker):
    follower = Batch.objects.get(follows=batch)
    assert follower.state == BatchState.OPEN and follower.stage == StageCode.CHECK
    for to in (BatchState.PAUSED, BatchState.OPEN, BatchState.CLOSED):
        move_batch(by=None, batch=batch, to=to)
        follower.refresh_from_db()
        assert follower.state == to
    assert next_task(by=worker, stage=StageCode.CROWD).assignment is None


def test_while_the_batch_is_paused_no_check_is_handed_out(batch, worker):
    first = slots_of(worker)[0][0]
    for _place in range(first - 1):
        checks_answer(worker, next_task(by=worker, stage=StageCode.CROWD).assignment)
    move_batch(by=None, batch=batch, to=BatchState.PAUSED)
    assert next_task(by=worker, stage=StageCode.CROWD).nothing == "paused"


def test_votes_on_checks_are_in_no_figure_and_no_release(study, batch, worker):
    write_attention_post(by=None, study=study, text="Choose no claim here", label="no_claim")
    before = figures(study, batch)
    begin_anew(worker)
    met = work_through(worker, GOLD)
    checked = [task for task in met if task.stage == StageCode.CHECK]
    assert checked and check_votes(study).count() == len(checked)
    after = figures(study, batch)
    work = len(met) - len(checked)
    assert after["filled"] == before["filled"] + work
    assert after["votes"] == work and after["released"] == work
    assert after["places"] == before["places"] == 90 and after["posts"] == before["posts"] == 30
    assert annotators_of(study, StageCode.CROWD).get().vote_count == work
    assert not released_votes(study).filter(task__stage=StageCode.CHECK).exists()


def figures(study, batch):
    row = batches_of(study, StageCode.CROWD).get(pk=batch.pk)
    progress = stage_progress(study, StageCode.CROWD)
    assert (progress.places, progress.filled) == (row.place_count, row.filled_count)
    return {
        "filled": row.filled_count,
        "places": row.place_count,
        "posts": row.posts,
        "votes": stage_agreement(study, StageCode.CROWD).votes,
        "released": released_votes(study).count(),
    }


def test_an_attention_post_is_cleaned_like_others_and_is_no_post_of_the_dataset(study):
    Post.objects.filter(study=study).update(metadata={"date": "2024-03-01"})
    before = post_totals(study)
    text = "@ada Choose  no claim ☂"
    post = write_attention_post(by=None, study=study, text=text, label="no_claim")
    assert post.text == "<user> Choose no claim" and post.original_text == text
    assert post.metadata == {"date": "2024-03-01"} and post.dropped_reason == ATTENTION
    assert post_totals(study) == before and post not in search_posts(study)
    assert post.pk not in sample_posts(study=study, stage="crowd", number=100, seed=1)
    assert GoldLabel.objects.get(post=post).label == "no_claim"
    assert Check.objects.get(gold__post=post).in_use


def test_an_attention_post_needs_words_and_a_label_of_the_study(study):
    with pytest.raises(CheckRefused, match="none"):
        write_attention_post(by=None, study=study, text="Choose x", label="maybe")
    with pytest.raises(CheckRefused, match="Nothing is left"):
        write_attention_post(by=None, study=study, text="☂", label="no_claim")
    assert not Check.objects.exists() and not GoldLabel.objects.exists()


def test_only_certain_answers_become_checks_and_what_is_not_chosen_is_drawn_no_more(study):
    sure, unsure = closed_gold(study, {"p31": "checkworthy", "p32": "ambiguous"})
    with pytest.raises(CheckRefused, match="known for certain"):
        choose_checks(by=None, study=study, gold_ids=[sure.pk, unsure.pk])
    assert not Check.objects.exists()
    assert choose_checks(by=None, study=study, gold_ids=[sure.pk]) == 1
    assert choose_checks(by=None, study=study, gold_ids=[]) == 0
    assert not Check.objects.get().in_use
    assert [gold.pk for gold in known_answers(study)] == [sure.pk]


def test_a_share_beyond_half_and_a_closed_batch_are_refused(study, batch):
    with pytest.raises(CheckRefused, match="between 0 and 50%"):
        set_check_share(by=None, batch=batch, share=0.6)
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)
    with pytest.raises(CheckRefused, match="closed"):
        set_check_share(by=None, batch=batch, share=0.1)


def test_what_became_of_each_check_is_counted_by_current_votes(study, batch, worker):
    write_attention_post(by=None, study=study, text="Choose no claim here", label="no_claim")
    work_through(worker, GOLD | {"p31": "no_claim"}, "no_claim")
    rows = {gold.post.external_id: (gold.votes, gold.right) for gold in known_answers(study)}
    met = {task.post.external_id for task in tasks_met(worker)}
    assert {name for name, (votes, _right) in rows.items() if votes} == met
    assert all(right == (name != "p31") for name, (votes, right) in rows.items() if votes)


def tasks_met(member):
    votes = check_votes(member.study).filter(member=member).select_related("task__post")
    return [vote.task for vote in votes]
