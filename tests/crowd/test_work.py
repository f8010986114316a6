"""The labelling screen over HTTP: what becomes of an answer, whatever happens on its way."""

import pytest
from django.db import connection
from django.urls import reverse

from annotation.models import Assignment, AssignmentState, BatchState, Place, Role, StudyState, Vote
from annotation.services.batches import move_batch
from annotation.services.people import change_member
from crowd.services.instructions import write_instructions
from tests.cast import add_posts, join, make_cast
from tests.crowd.conftest import has_read, held_by

pytestmark = pytest.mark.django_db

ANSWER = {"label": "checkworthy", "seconds": "12.5", "guide_version": "1"}


def url(name, cast, *more):
    return reverse(name, args=[cast.study.slug, *more])


@pytest.fixture
def client(sign_in, worker):
    return sign_in(worker)


def page(response):
    return response.content.decode()


def test_before_the_first_post_stands_what_is_asked_and_what_it_pays(cast, batch, sign_in):
    cast.study.protocol.contact = "desk@juryroom.example"
    cast.study.protocol.save()
    client = sign_in(cast.worker)
    html = page(client.get(url("work", cast)))
    for words in ("0.18", "USD", "desk@juryroom.example", "Posts in a sitting", "Guideline"):
        assert words in html
    assert "Rumour number" not in html and not Assignment.objects.exists()
    assert "Rumour number" in page(
        client.post(url("work_start", cast), {"version": "1"}, follow=True)
    )


def test_a_new_version_of_the_instructions_is_read_before_the_next_post(cast, batch, client):
    assert "Rumour number" in page(client.get(url("work", cast)))
    write_instructions(by=None, study=cast.study, markdown="# Anew\n\nJudge *again*.")
    html = page(client.get(url("work", cast)))
    assert "The instructions have changed" in html and "Rumour number" not in html
    assert "Rumour number" in page(
        client.post(url("work_start", cast), {"version": "2"}, follow=True)
    )


def test_starting_with_a_version_that_is_not_there_says_so(cast, batch, sign_in):
    client = sign_in(cast.worker)
    for version in ("99", "x", ""):
        answer = client.post(url("work_start", cast), {"version": version}, follow=True)
        assert "no such version" in page(answer)


def test_an_answer_is_stored_with_its_seconds_and_guide_and_the_next_post_follows(
    cast, batch, client
):
    held = held_by(cast.worker)
    answer = client.post(url("work_submit", cast, held), ANSWER)
    assert answer.status_code == 302 and answer.url == url("work", cast)
    vote = Vote.objects.get()
    assert (vote.label, vote.seconds, vote.guide_version, vote.counted) == (
        "checkworthy",
        12.5,
        1,
        True,
    )
    html = page(client.get(url("work", cast)))
    assert f'key="{cast.worker.user_id}:{held}"></draft-saved>' in html
    assert "Post 2 of" in html


def test_a_script_gets_the_next_post_in_the_same_answer(cast, batch, client):
    held = held_by(cast.worker)
    answer = client.post(
        url("work_submit", cast, held), ANSWER, headers={"Sec-Fetch-Dest": "empty"}
    )
    assert answer.status_code == 200 and "Post 2 of" in page(answer)


def test_sent_twice_or_after_going_back_it_is_one_vote(cast, batch, client):
    held = held_by(cast.worker)
    for _time in range(3):
        assert client.post(url("work_submit", cast, held), ANSWER).status_code == 302
    assert Vote.objects.count() == 1


def test_reloading_the_address_of_an_answer_shows_the_next_post(cast, batch, client):
    held = held_by(cast.worker)
    assert client.get(url("work_submit", cast, held)).url == url("work", cast)


def test_a_second_tab_with_another_answer_is_asked_and_nothing_is_lost(cast, batch, client):
    held = held_by(cast.worker)
    client.post(url("work_submit", cast, held), ANSWER)
    answer = client.post(url("work_submit", cast, held), ANSWER | {"label": "no_claim"})
    html = page(answer)
    assert answer.status_code == 409
    assert "with another answer" in html and "Save the correction" in html
    assert 'value="no_claim" required data-key="3" checked' in " ".join(html.split())
    assert [vote.label for vote in Vote.objects.all()] == ["checkworthy"]


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("maybe", "is none of them"),
        ("", "Choose one of the answers"),
        ("ambiguous", "none of them"),
    ],
)
def test_an_answer_that_is_none_is_refused_with_a_sentence(cast, batch, client, label, sentence):
    held = held_by(cast.worker)
    answer = client.post(url("work_submit", cast, held), {"label": label})
    assert answer.status_code == 422 and sentence in page(answer)
    assert "Rumour number" in page(answer) and not Vote.objects.exists()
    assert Assignment.objects.get().state == AssignmentState.HELD


def test_measurements_that_cannot_be_never_cost_a_vote(cast, batch, client):
    held = held_by(cast.worker)
    odd = {"label": "no_claim", "seconds": "nan", "guide_version": "-7"}
    client.post(url("work_submit", cast, held), odd)
    vote = Vote.objects.get()
    assert (vote.seconds, vote.guide_version) == (None, 1)


def test_somebody_elses_post_does_not_exist(cast, batch, client):
    other = has_read(join(cast.study, "other", Role.CROWD_WORKER))
    held = held_by(other)
    for name in ("work_submit", "work_skip", "work_extend", "work_correct"):
        assert client.post(url(name, cast, held), ANSWER).status_code == 404
    assert not Vote.objects.exists()


def test_a_post_of_another_study_does_not_exist_here(cast, batch, client):
    elsewhere = make_cast("elsewhere")
    mine = has_read(join(elsewhere.study, cast.worker.user.username, Role.CROWD_WORKER))
    add_posts(elsewhere.study, 2)
    from crowd.services.batches import create_batch

    move_batch(
        by=None, batch=create_batch(by=None, study=elsewhere.study, posts=2), to=BatchState.OPEN
    )
    held = held_by(mine)
    assert client.post(url("work_submit", cast, held), ANSWER).status_code == 404
    assert client.post(url("work_submit", elsewhere, held), ANSWER).status_code == 302


def test_a_gold_post_is_not_taken_by_the_crowds_address(cast, gold_batch, sign_in):
    cast.researcher.permissions = ["work_crowd"]
    cast.researcher.save()
    held = held_by(cast.researcher, "gold")
    client = sign_in(cast.researcher)
    assert client.post(url("work_submit", cast, held), ANSWER).status_code == 404


def test_a_closed_batch_takes_no_vote_and_keeps_the_answer_on_the_page(cast, batch, client):
    held = held_by(cast.worker)
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)
    answer = client.post(url("work_submit", cast, held), ANSWER)
    html = page(answer)
    assert answer.status_code == 409 and "This batch is closed" in html
    assert "checked" in html and "Go on to the next post" in html
    assert not Vote.objects.exists()


@pytest.mark.parametrize("what", ["study", "batch"])
def test_an_answer_to_a_paused_study_or_batch_is_kept_and_then_work_is_paused(
    cast, batch, client, what
):
    held = held_by(cast.worker)
    if what == "batch":
        move_batch(by=None, batch=batch, to=BatchState.PAUSED)
    else:
        cast.study.state = StudyState.PAUSED
        cast.study.save()
    answer = client.post(url("work_submit", cast, held), ANSWER, follow=True)
    assert Vote.objects.count() == 1
    assert "The work is paused" in page(answer)


def lapse():
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE annotation_place SET lease_until = now() - interval '1 second' "
            "WHERE lease_until IS NOT NULL"
        )


def test_an_answer_after_the_lease_ended_still_counts_where_there_is_room(cast, batch, client):
    held = held_by(cast.worker)
    lapse()
    held_by(has_read(join(cast.study, "quick", Role.CROWD_WORKER)))
    client.post(url("work_submit", cast, held), ANSWER)
    assert Vote.objects.get().counted


def test_an_answer_beyond_the_overlap_is_kept_and_the_person_hears_so(cast, batch, client):
    held = held_by(cast.worker)
    lapse()
    for name in ("a", "b", "c"):
        other = has_read(join(cast.study, name, Role.CROWD_WORKER))
        taken = Assignment.objects.get(pk=held_by(other))
        Place.objects.filter(task=taken.task, member=other).update(
            filled_at=taken.opened_at, lease_until=None
        )
    answer = client.post(url("work_submit", cast, held), ANSWER, follow=True)
    assert "it does not count" in page(answer)
    assert not Vote.objects.get().counted


def test_a_lease_is_prolonged_and_its_end_is_told(cast, batch, client):
    held = held_by(cast.worker)
    answer = client.post(url("work_extend", cast, held))
    assert answer.status_code == 200 and answer.json()["seconds"] == 20 * 60
    client.post(url("work_skip", cast, held), {"reason": "not_sure"})
    assert client.post(url("work_extend", cast, held)).status_code == 409
    assert client.get(url("work_extend", cast, held)).status_code == 405


def test_skipping_asks_for_a_reason_and_the_post_goes_to_others(cast, batch, client):
    held = held_by(cast.worker)
    html = page(client.get(url("work_skip", cast, held)))
    assert "I do not understand the language" in html and "This is harmful to me" in html
    assert client.post(url("work_skip", cast, held), {}).status_code == 422
    assert client.post(url("work_skip", cast, held), {"reason": "boredom"}).status_code == 422
    answer = client.post(url("work_skip", cast, held), {"reason": "harmful"}, follow=True)
    assert "costs you nothing" in page(answer)
    skipped = Assignment.objects.get(pk=held)
    assert (skipped.state, skipped.skip_reason) == (AssignmentState.SKIPPED, "harmful")


def test_a_post_that_was_voted_on_cannot_be_skipped(cast, batch, client):
    held = held_by(cast.worker)
    client.post(url("work_submit", cast, held), ANSWER)
    assert client.get(url("work_skip", cast, held)).status_code == 302
    answer = client.post(url("work_skip", cast, held), {"reason": "not_sure"}, follow=True)
    assert "voted on this post already" in page(answer)
    assert Vote.objects.counting().count() == 1


def test_ones_last_vote_is_opened_and_corrected_as_a_new_version(cast, batch, client):
    held = held_by(cast.worker)
    client.post(url("work_submit", cast, held), ANSWER)
    html = page(client.get(url("work", cast)))
    assert url("work_correct", cast, held) in html
    correction = {"label": "no_claim", "vote_version": "1"}
    for _time in range(2):
        answer = client.post(url("work_correct", cast, held), correction, follow=True)
        assert "Your vote is corrected" in page(answer)
    assert [vote.label for vote in Vote.objects.order_by("version")] == ["checkworthy", "no_claim"]
    assert Place.objects.filter(filled_at__isnull=False).count() == 1


def test_a_correction_never_overwrites_one_from_another_tab(cast, batch, client):
    held = held_by(cast.worker)
    client.post(url("work_submit", cast, held), ANSWER)
    there = {"label": "no_claim", "vote_version": "1"}
    here = {"label": "not_checkworthy", "vote_version": "1"}
    client.post(url("work_correct", cast, held), there)
    answer = client.post(url("work_correct", cast, held), here)
    assert answer.status_code == 409 and "changed this vote elsewhere" in page(answer)
    assert 'name="vote_version" value="2"' in page(answer)
    client.post(url("work_correct", cast, held), here | {"vote_version": "2"})
    assert Vote.objects.counting().get().label == "not_checkworthy"


def test_a_vote_of_a_closed_batch_cannot_be_corrected(cast, batch, client):
    held = held_by(cast.worker)
    client.post(url("work_submit", cast, held), ANSWER)
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)
    correction = {"label": "no_claim", "vote_version": "1"}
    answer = client.post(url("work_correct", cast, held), correction)
    assert answer.status_code == 409 and "cannot be corrected any more" in page(answer)
    assert "closed" in page(client.get(url("work_votes", cast)))


def test_without_a_vote_there_is_nothing_to_correct(cast, batch, client):
    held = held_by(cast.worker)
    assert client.get(url("work_correct", cast, held)).status_code == 302


def test_one_sees_ones_own_votes_only(cast, batch, client, sign_in):
    held = held_by(cast.worker)
    client.post(url("work_submit", cast, held), ANSWER)
    mine = page(client.get(url("work_votes", cast)))
    assert "1 vote" in mine and "Checkworthy" in mine
    other = has_read(join(cast.study, "other", Role.CROWD_WORKER))
    assert "No votes yet" in page(sign_in(other).get(url("work_votes", cast)))


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("no batch", "No post is waiting yet"),
        ("draft", "No post is waiting yet"),
        ("paused", "The work is paused"),
        ("archived", "This study has ended"),
        ("held", "Others have the last posts in hand"),
        ("done", "All done"),
    ],
)
def test_who_gets_nothing_hears_why(cast, posts, client, case, words, request):
    prepare = {
        "draft": lambda batch: None,
        "paused": lambda batch: move_batch(by=None, batch=batch, to=BatchState.PAUSED),
        "archived": lambda batch: archive(cast.study),
        "held": lambda batch: hold_all(cast, batch),
        "done": lambda batch: vote_on_all(cast, client),
    }
    if case == "draft":
        from crowd.services.batches import create_batch

        create_batch(by=None, study=cast.study, posts=2)
    elif case != "no batch":
        prepare[case](request.getfixturevalue("batch"))
    assert words in page(client.get(url("work", cast)))


def archive(study):
    study.state = StudyState.ARCHIVED
    study.save()


def hold_all(cast, batch):
    for number, place in enumerate(Place.objects.filter(batch=batch)):
        other = join(cast.study, f"w{number}", Role.CROWD_WORKER)
        Place.objects.filter(pk=place.pk).update(member=other, lease_until="2200-01-01T00:00:00Z")


def vote_on_all(cast, client):
    for _post in range(4):
        client.post(url("work_submit", cast, held_by(cast.worker)), ANSWER)


def test_who_no_longer_takes_part_is_let_in_no_more(cast, batch, client):
    change_member(by=cast.owner, member=cast.worker, role=Role.CROWD_WORKER, is_active=False)
    assert client.get(url("work", cast)).status_code == 404


def test_only_crowd_workers_work_here(cast, batch, sign_in):
    for person in (cast.owner, cast.researcher, cast.expert):
        assert sign_in(person).get(url("work", cast)).status_code == 403
    assert sign_in(cast.stranger).get(url("work", cast)).status_code == 404
