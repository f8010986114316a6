"""Parking: a place kept for some days, what was typed on any device, overlap as exact as ever."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import (
    Assignment,
    AssignmentState,
    BatchState,
    Place,
    StageCode,
    StudyState,
    Vote,
)
from annotation.queries.parking import kept_for
from annotation.services.assignments import NotHeld, next_task, skip_task
from annotation.services.batches import move_batch
from annotation.services.parking import park_task
from annotation.services.standings import change_standing
from legal.algorithms import ExpertAnswer
from legal.models import AnswerDraft, LegalAnswer
from legal.queries.verdicts import verdicts_of
from legal.services.answer_drafts import DraftRefused, keep_draft
from legal.services.settings import change_settings
from tests.legal.world import LINK, answering, experts, lapse_all_leases, legal_batch, read_guide

pytestmark = pytest.mark.django_db

TYPED = {
    "label": "yes",
    "issues": ["defamation"],
    "finding:defamation:publication": "passes",
    "reasoning:defamation": "It names the mayor.",
    "evidence_url": [LINK, "not an address yet"],
    "comment": "Half a thou",
    "spans": "0-5",
    "seconds": "40",
}


@pytest.fixture
def batch(cast):
    batch = legal_batch(cast.study, ["First post", "Second post"])
    read_guide(cast.expert, batch)
    return batch


@pytest.fixture
def client(cast, sign_in):
    return sign_in(cast.expert)


def url(cast, name, *more):
    return reverse(name, args=[cast.study.slug, *more])


def page(client, address):
    return " ".join(client.get(address, follow=True).content.decode().split())


def held(member) -> Assignment:
    found = next_task(by=member, stage=StageCode.LEGAL).assignment
    assert found is not None
    return Assignment.objects.get(pk=found.pk)


def park(member, assignment, days=7, most=5):
    return park_task(by=member, assignment_id=assignment.pk, days=days, most=most)


def end_of_parking(assignment):
    Place.objects.filter(task=assignment.task_id, member=assignment.member_id).update(
        lease_until=timezone.now() - timedelta(seconds=1)
    )


def test_a_parked_post_waits_with_all_that_was_typed_while_another_is_worked_on(
    cast, batch, client
):
    first = held(cast.expert)
    after = client.post(url(cast, "legal_park", first.pk), TYPED, follow=True)
    shown = after.content.decode()
    assert "Its place is yours until" in shown and "Second post" in shown
    assert held(cast.expert).task_id != first.task_id
    listed = page(client, url(cast, "legal_parked"))
    assert "First post" in listed and "Second post" not in listed
    again = page(client, url(cast, "legal_take_up", first.pk))
    assert "First post" in again and "Half a thou" in again and "not an address yet" in again
    assert "It names the mayor." in again and 'value="0-5"' in again
    assert 'name="seconds" value="40.0"' in again
    assert not Vote.objects.exists()


def test_a_parked_post_is_submitted_once_and_its_draft_goes(cast, batch, client):
    first = held(cast.expert)
    client.post(url(cast, "legal_park", first.pk), TYPED)
    answer = {**TYPED, "evidence_url": [LINK]}
    for _time in range(2):
        assert client.post(url(cast, "legal_submit", first.pk), answer).status_code == 302
    assert LegalAnswer.objects.get().comment == "Half a thou"
    assert not AnswerDraft.objects.exists()
    first.refresh_from_db()
    assert first.state == AssignmentState.SUBMITTED
    assert "Nothing is parked" in page(client, url(cast, "legal_parked"))
    assert client.get(url(cast, "legal_take_up", first.pk)).status_code == 302


def test_what_is_wrong_with_a_parked_answer_is_said_and_it_stays_parked(cast, batch, client):
    first = held(cast.expert)
    client.post(url(cast, "legal_park", first.pk), TYPED)
    until = Place.objects.get(task=first.task_id, member=cast.expert).lease_until
    refused = client.post(url(cast, "legal_submit", first.pk), TYPED)
    assert refused.status_code == 422 and "is not a web address" in refused.content.decode()
    first.refresh_from_db()
    assert first.state == AssignmentState.PARKED
    assert Place.objects.get(task=first.task_id, member=cast.expert).lease_until == until


def test_the_place_of_a_parked_post_is_nobody_elses_until_its_days_are_over(cast):
    study = cast.study
    study.protocol.expert_votes = 1
    study.protocol.save()
    legal_batch(study, ["Only post"])
    other = experts(study, 1)[0]
    first = held(cast.expert)
    until = park(cast.expert, first, days=3)
    assert timedelta(days=2) < until - timezone.now() <= timedelta(days=3)
    nothing = next_task(by=other, stage=StageCode.LEGAL)
    assert (nothing.nothing, nothing.until) == ("held", until)
    end_of_parking(first)
    assert held(other).task_id == first.task_id
    first.refresh_from_db()
    assert first.state == AssignmentState.LAPSED


def test_another_place_of_a_parked_post_that_comes_back_goes_to_somebody_else(cast):
    legal_batch(cast.study, ["Only post"])
    other, third = experts(cast.study, 2)
    first = held(cast.expert)
    park(cast.expert, first)
    left = held(other)
    end_of_parking(left)
    assert next_task(by=cast.expert, stage=StageCode.LEGAL).assignment is None
    assert held(third).task_id == first.task_id
    assert Place.objects.filter(member=cast.expert, lease_until__gt=timezone.now()).count() == 1


def test_the_days_run_from_the_parking_and_nothing_prolongs_them(cast, batch, client):
    first = held(cast.expert)
    until = park(cast.expert, first)
    assert park(cast.expert, first, days=30) == until
    client.get(url(cast, "legal_take_up", first.pk))
    assert client.post(url(cast, "legal_extend", first.pk)).status_code == 409
    client.post(url(cast, "legal_keep_draft", first.pk), TYPED)
    held(cast.expert)
    assert Place.objects.get(task=first.task_id, member=cast.expert).lease_until == until


def test_who_has_only_parked_posts_left_is_not_told_that_others_hold_them(cast, batch, client):
    for _post in range(2):
        park(cast.expert, held(cast.expert))
    assert next_task(by=cast.expert, stage=StageCode.LEGAL).nothing == "done"
    shown = page(client, url(cast, "legal_work"))
    assert "Only your parked posts are left" in shown and "2 posts wait for you" in shown
    assert "All done" not in shown


def test_a_place_that_came_back_returns_to_whoever_parked_it_with_the_draft(cast, batch, client):
    first = held(cast.expert)
    client.post(url(cast, "legal_park", first.pk), TYPED)
    end_of_parking(first)
    assert held(cast.expert).pk == first.pk
    assert "Half a thou" in page(client, url(cast, "legal_work"))


def test_what_was_typed_stays_readable_after_the_place_went_and_counts_if_there_is_room(
    cast, batch, client
):
    first = held(cast.expert)
    client.post(url(cast, "legal_park", first.pk), TYPED)
    lapse_all_leases()
    answering(experts(cast.study, 1)[0], label="no", comment="Another's secret")
    first.refresh_from_db()
    assert first.state == AssignmentState.LAPSED
    assert "went to somebody else" in page(client, url(cast, "legal_parked"))
    shown = page(client, url(cast, "legal_take_up", first.pk))
    assert "Half a thou" in shown and "secret" not in shown and "counts as long as" in shown
    client.post(url(cast, "legal_submit", first.pk), {**TYPED, "evidence_url": [LINK]})
    assert Vote.objects.get(member=cast.expert).counted


def test_no_more_posts_are_parked_than_the_study_allows(cast, batch, client):
    change_settings(by=cast.owner, study=cast.study, parked_posts=1)
    client.post(url(cast, "legal_park", held(cast.expert).pk), TYPED)
    second = held(cast.expert)
    refused = client.post(url(cast, "legal_park", second.pk), {**TYPED, "comment": "Keep this"})
    shown = refused.content.decode()
    assert refused.status_code == 422 and "1 posts parked" in shown and "Keep this" in shown
    second.refresh_from_db()
    assert second.state == AssignmentState.HELD
    assert kept_for(cast.expert, StageCode.LEGAL).count() == 1


def test_a_study_can_forbid_parking(cast, batch, client):
    assert "legal/work/" in page(client, url(cast, "legal_work"))
    assert "/park/" in page(client, url(cast, "legal_work"))
    change_settings(by=cast.owner, study=cast.study, parked_posts=0)
    assert "/park/" not in page(client, url(cast, "legal_work"))
    refused = client.post(url(cast, "legal_park", held(cast.expert).pk), TYPED)
    assert refused.status_code == 422 and "does not let posts be parked" in refused.content.decode()


@pytest.mark.parametrize("ending", ["submitted", "skipped", "gone"])
def test_what_is_not_in_ones_hands_cannot_be_parked(cast, batch, ending):
    first = held(cast.expert)
    if ending == "submitted":
        answering(cast.expert)
    elif ending == "skipped":
        skip_task(by=cast.expert, assignment_id=first.pk, reason="not_sure")
    else:
        lapse_all_leases()
        held(experts(cast.study, 1)[0])
    before = list(Place.objects.order_by("pk").values())
    with pytest.raises(NotHeld):
        park(cast.expert, first)
    assert list(Place.objects.order_by("pk").values()) == before


def test_a_parked_post_can_be_skipped_and_its_place_is_free(cast, batch):
    first = held(cast.expert)
    park(cast.expert, first)
    skip_task(by=cast.expert, assignment_id=first.pk, reason="not_sure")
    assert not Place.objects.filter(task=first.task_id, member=cast.expert).exists()


def test_who_is_paused_holds_no_parked_place(cast, batch):
    first = held(cast.expert)
    park(cast.expert, first)
    change_standing(
        by=None, member=cast.expert, stage=StageCode.LEGAL, state="paused", reason="Rest"
    )
    first.refresh_from_db()
    assert first.state == AssignmentState.LAPSED
    assert not Place.objects.filter(member=cast.expert).exists()


def test_a_draft_of_one_device_is_found_on_another(cast, batch, client, sign_in):
    first = held(cast.expert)
    kept = client.post(url(cast, "legal_keep_draft", first.pk), TYPED)
    assert kept.status_code == 200 and kept.json()["revision"] == 1
    other_device = sign_in(cast.expert)
    shown = page(other_device, url(cast, "legal_work"))
    assert "Half a thou" in shown and 'version="1"' in shown


def test_a_window_that_is_behind_writes_over_nothing(cast, batch, client):
    first = held(cast.expert)
    address = url(cast, "legal_keep_draft", first.pk)
    client.post(address, {**TYPED, "revision": "0"})
    newer = client.post(address, {**TYPED, "comment": "Newer", "revision": "1"})
    assert newer.json()["revision"] == 2
    for behind in ("0", "1", "9" * 40, "x"):
        stale = client.post(address, {**TYPED, "comment": "Stale", "revision": behind})
        assert stale.status_code == 409 and "in another window" in stale.json()["reason"]
    assert AnswerDraft.objects.get().answer.comment == "Newer"


def test_a_draft_that_arrives_after_the_answer_is_not_kept(cast, batch, client):
    first = held(cast.expert)
    client.post(url(cast, "legal_submit", first.pk), {"label": "unclear"})
    assert client.post(url(cast, "legal_keep_draft", first.pk), TYPED).status_code == 409
    assert not AnswerDraft.objects.exists()


def test_a_draft_may_hold_anything_and_costs_nothing(cast, batch, client):
    first = held(cast.expert)
    odd = {
        "label": "maybe",
        "comment": "a\0b",
        "issues": ["no_such_issue"],
        "confidence": "very",
        "spans": "9-3,x",
        "seconds": "NaN",
    }
    assert client.post(url(cast, "legal_keep_draft", first.pk), odd).status_code == 200
    assert client.get(url(cast, "legal_work")).status_code == 200
    assert AnswerDraft.objects.get().answer.comment == "ab"


def test_no_draft_and_no_parking_enters_any_count(cast, batch, client):
    first = held(cast.expert)
    client.post(url(cast, "legal_park", first.pk), TYPED)
    assert not Vote.objects.exists() and not LegalAnswer.objects.exists()
    assert verdicts_of(cast.study, [first.task.post_id]) == {}


def test_nobody_else_finds_what_was_parked(cast, batch, client, sign_in):
    first = held(cast.expert)
    client.post(url(cast, "legal_park", first.pk), TYPED)
    for member in (experts(cast.study, 1)[0], cast.researcher, cast.owner):
        other = sign_in(member)
        expected = 404 if member.role == "expert" else 403
        assert other.get(url(cast, "legal_take_up", first.pk)).status_code == expected
        assert other.post(url(cast, "legal_park", first.pk), TYPED).status_code == expected
        assert other.post(url(cast, "legal_keep_draft", first.pk), TYPED).status_code == expected
        listed = other.get(url(cast, "legal_parked"))
        assert b"First post" not in listed.content
        assert listed.status_code == (200 if member.role == "expert" else 403)


def test_an_archived_study_parks_nothing_and_says_so(cast, batch, client):
    first = held(cast.expert)
    cast.study.state = StudyState.ARCHIVED
    cast.study.save()
    for name in ("legal_park", "legal_keep_draft"):
        refused = client.post(url(cast, name, first.pk), TYPED)
        assert refused.status_code == 403 and "archived" in refused.content.decode()
    assert not AnswerDraft.objects.exists()


def test_a_parked_post_of_a_closed_batch_can_be_read(cast, batch, client):
    first = held(cast.expert)
    client.post(url(cast, "legal_park", first.pk), TYPED)
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)
    assert "The batch is closed" in page(client, url(cast, "legal_parked"))
    assert "Half a thou" in page(client, url(cast, "legal_take_up", first.pk))


def test_the_list_costs_the_same_with_one_post_and_with_five(
    cast, client, django_assert_max_num_queries
):
    read_guide(cast.expert, legal_batch(cast.study, 6))
    counts = []
    for posts in (1, 4):
        for _post in range(posts):
            park(cast.expert, held(cast.expert))
        with django_assert_max_num_queries(40) as captured:
            client.get(url(cast, "legal_parked"))
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_a_service_keeps_a_draft_over_any_revision_when_somebody_parks(cast, batch):
    first = held(cast.expert)
    for comment in ("one", "two"):
        keep_draft(
            by=cast.expert, assignment_id=first.pk, typed=ExpertAnswer("no", comment=comment)
        )
    with pytest.raises(DraftRefused):
        keep_draft(by=cast.expert, assignment_id=first.pk, typed=ExpertAnswer("no"), seen=1)
    kept = AnswerDraft.objects.get()
    assert (kept.revision, kept.answer.comment) == (2, "two")
