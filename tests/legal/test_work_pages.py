"""The expert's pages: guide first, quick form, nothing lost, blind to others, correction."""

import re

import pytest
from django.urls import reverse

from annotation.models import Assignment, AssignmentState, BatchState, StudyState, Vote
from annotation.services.batches import move_batch
from legal.models import LegalAnswer
from tests.cast import make_cast
from tests.legal.world import (
    LINK,
    answering,
    experts,
    lapse_all_leases,
    legal_batch,
    read_guide,
)

pytestmark = pytest.mark.django_db

ANSWER = {
    "label": "yes",
    "issues": ["defamation", "hate_speech"],
    "evidence_url": [LINK, "", "https://b.example/"],
    "comment": "Seen in the minutes.",
    "seconds": "12.5",
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


def held(cast) -> Assignment:
    return Assignment.objects.get(member=cast.expert, state=AssignmentState.HELD)


def page(client, address):
    return client.get(address).content.decode()


def test_the_guide_stands_before_the_first_post(cast, client):
    legal_batch(cast.study)
    shown = page(client, url(cast, "legal_work"))
    assert "Before you start" in shown and "Public Mischief" in shown and "2 posts wait" in shown
    assert not Assignment.objects.exists()
    after = client.post(url(cast, "legal_begin"), follow=True).content.decode()
    assert "Post 1 of 2" in after
    assert "Before you start" not in page(client, url(cast, "legal_work"))


def test_the_form_shows_the_post_and_every_issue_with_tests_and_defences(cast, batch, client):
    shown = page(client, url(cast, "legal_work"))
    assert shown.count('name="issues"') == 11
    assert "Qualified privilege" in shown and "False accusation" in shown
    assert 'data-key="1"' in shown and 'data-submit-key="ctrl-enter"' in shown
    assert [f'data-key="{n}"' in shown for n in (1, 2, 3)] == [True] * 3
    order = re.findall(r'name="label"\s+value="(\w+)"', shown)
    assert order == ["yes", "no", "unclear"]


def test_an_answer_is_stored_and_the_next_post_comes(cast, batch, client):
    client.get(url(cast, "legal_work"))
    first = held(cast)
    answer = client.post(url(cast, "legal_submit", first.pk), ANSWER, follow=True)
    shown = answer.content.decode()
    assert "Post 2 of 2" in shown
    assert f'<draft-saved key="{cast.expert.user_id}:{first.pk}"' in shown
    stored = LegalAnswer.objects.get()
    assert stored.vote.label == "yes" and stored.vote.seconds == 12.5
    assert stored.evidence.count() == 2 and len(stored.raised_issues) == 2


def test_the_same_form_sent_twice_goes_on_and_stores_once(cast, batch, client):
    client.get(url(cast, "legal_work"))
    first = held(cast)
    for _time in range(2):
        assert client.post(url(cast, "legal_submit", first.pk), ANSWER).status_code == 302
    assert Vote.objects.count() == 1


def test_reloading_after_a_refusal_leads_back_to_the_post(cast, batch, client):
    client.get(url(cast, "legal_work"))
    address = url(cast, "legal_submit", held(cast).pk)
    assert client.post(address, {"label": ""}).status_code == 422
    again = client.get(address, follow=True)
    assert again.status_code == 200 and "Post 1 of 2" in again.content.decode()


def test_another_answer_from_a_second_tab_is_shown_and_not_lost(cast, batch, client):
    client.get(url(cast, "legal_work"))
    first = held(cast)
    client.post(url(cast, "legal_submit", first.pk), ANSWER)
    second = client.post(
        url(cast, "legal_submit", first.pk),
        {"label": "no", "insists": "on", "comment": "On second thoughts"},
    )
    shown = second.content.decode()
    assert second.status_code == 409 and "with another answer" in shown
    assert "On second thoughts" in shown and 'name="version"' in shown
    assert Vote.objects.count() == 1
    client.post(
        url(cast, "legal_correct", first.pk),
        {"label": "no", "insists": "on", "comment": "On second thoughts", "version": "1"},
    )
    assert LegalAnswer.objects.get(vote__version=2).comment == "On second thoughts"


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"label": ""}, "Answer the first question"),
        ({"evidence_url": [LINK, "javascript:alert(1)"]}, "Evidence 2, “javascript:alert(1)”"),
        ({"evidence_url": ["file:///etc/passwd"]}, "is not a web address"),
        ({"comment": "x" * 20_001}, "Shorten it"),
        ({"comment": "a\0b"}, "Null characters are not allowed"),
        ({"issues": ["defamation", "of_another_version"]}, "of_another_version"),
        ({"no_claim": "on"}, "there is a claim"),
        ({"defence": "on"}, "the defence undoes"),
    ],
)
def test_bad_input_comes_back_with_a_sentence_and_all_that_was_typed(
    cast, batch, client, more, sentence
):
    client.get(url(cast, "legal_work"))
    sent = {**ANSWER, **more}
    answer = client.post(url(cast, "legal_submit", held(cast).pk), sent)
    shown = answer.content.decode()
    assert answer.status_code == 422 and sentence in shown
    assert sent["comment"].replace("\0", "") in shown.replace("\0", "")
    assert sent["evidence_url"][-1] in shown
    assert re.search(r'value="defamation"\s+checked', shown)
    assert not Vote.objects.exists() and held(cast)


def test_seconds_that_are_no_number_do_not_cost_the_answer(cast, batch, client):
    client.get(url(cast, "legal_work"))
    client.post(url(cast, "legal_submit", held(cast).pk), {"label": "unclear", "seconds": "NaN"})
    assert Vote.objects.get().seconds is None


def test_what_is_typed_is_never_html(cast, client):
    attack = '<script>alert("x")</script>'
    batch = legal_batch(cast.study, [attack])
    read_guide(cast.expert, batch)
    shown = page(client, url(cast, "legal_work"))
    assert attack not in shown and "&lt;script&gt;" in shown
    sent = {"label": "no", "comment": attack, "evidence_url": f'https://a.example/"><b>{attack}'}
    first = held(cast)
    again = client.post(url(cast, "legal_submit", first.pk), {**sent, "label": ""})
    assert attack not in again.content.decode()
    client.post(
        url(cast, "legal_submit", first.pk), {**sent, "evidence_url": "https://a.example/?<b>"}
    )
    assert LegalAnswer.objects.get().comment == attack
    for name, more in (("legal_votes", ()), ("legal_correct", (first.pk,))):
        shown = page(client, url(cast, name, *more))
        assert attack not in shown and "?<b>" not in shown


def test_nothing_tells_what_others_answered(cast, batch, client):
    for member in experts(cast.study, 2):
        answering(
            member, label="yes", issues=("hate_speech",), comment="Others' secret", evidence=(LINK,)
        )
    shown = page(client, url(cast, "legal_work"))
    assert "secret" not in shown and LINK not in shown
    assert not re.search(r"value=\"\w+\"\s+(data-key=\"\d\"\s+required\s+)?checked", shown)
    for name in ("legal", "legal_post", "legal_batch"):
        more = () if name == "legal" else (1,)
        assert client.get(url(cast, name, *more)).status_code == 403
    assert "secret" not in page(client, url(cast, "legal_votes"))


def test_another_persons_assignment_does_not_exist(cast, batch, sign_in, client):
    client.get(url(cast, "legal_work"))
    other = sign_in(experts(cast.study, 1)[0])
    for name in ("legal_submit", "legal_skip", "legal_extend", "legal_correct"):
        address = url(cast, name, held(cast).pk)
        assert other.post(address, ANSWER).status_code == 404
        assert client.post(address, {"label": "bad"}).status_code != 404


def test_an_assignment_of_another_study_does_not_exist(cast, batch, client):
    elsewhere = make_cast("elsewhere")
    other = legal_batch(elsewhere.study)
    read_guide(elsewhere.expert, other)
    foreign = answering(elsewhere.expert).answer.vote.task.assignments.get()
    for name in ("legal_submit", "legal_skip", "legal_extend", "legal_correct"):
        assert client.post(url(cast, name, foreign.pk), ANSWER).status_code == 404


def test_a_skipped_post_goes_and_the_harmful_button_needs_no_more(cast, batch, client):
    client.get(url(cast, "legal_work"))
    first = held(cast)
    address = url(cast, "legal_skip", first.pk)
    assert client.post(address, {}).status_code == 422
    after = client.post(address, {"reason": "harmful"}, follow=True).content.decode()
    assert "does not count against you" in after and f":{first.pk}" in after
    first.refresh_from_db()
    assert first.state == AssignmentState.SKIPPED and held(cast).task_id != first.task_id


def test_the_harmful_button_stands_beside_the_post_and_half_an_answer_does_not_matter(
    cast, batch, client
):
    html = " ".join(client.get(url(cast, "legal_work")).content.decode().split())
    first = held(cast)
    address = url(cast, "legal_skip", first.pk)
    button = html[html.index('value="harmful"') :]
    assert button.startswith(f'value="harmful" formaction="{address}" formnovalidate')
    half = {"comment": "I cannot", "version": "0", "reason": "harmful"}
    after = client.post(address, half, follow=True).content.decode()
    assert "does not count against you" in after and "I cannot" not in after
    first.refresh_from_db()
    assert (first.state, first.skip_reason) == (AssignmentState.SKIPPED, "harmful")


def test_what_was_answered_cannot_be_skipped(cast, batch, client):
    client.get(url(cast, "legal_work"))
    first = held(cast)
    client.post(url(cast, "legal_submit", first.pk), ANSWER)
    answer = client.post(url(cast, "legal_skip", first.pk), {"reason": "not_sure"})
    assert answer.status_code == 422 and "voted on this post already" in answer.content.decode()


def test_the_lease_grows_while_the_post_is_held_and_not_after(cast, batch, client):
    client.get(url(cast, "legal_work"))
    first = held(cast)
    lease = client.post(url(cast, "legal_extend", first.pk))
    assert lease.status_code == 200 and 1_100 < lease.json()["seconds"] <= 1_200
    client.post(url(cast, "legal_submit", first.pk), ANSWER)
    assert client.post(url(cast, "legal_extend", first.pk)).status_code == 409


def test_a_lapsed_form_can_still_be_sent(cast, batch, client):
    client.get(url(cast, "legal_work"))
    first = held(cast)
    lapse_all_leases()
    answering(experts(cast.study, 1)[0])
    assert client.post(url(cast, "legal_submit", first.pk), ANSWER).status_code == 302
    assert LegalAnswer.objects.filter(vote__member=cast.expert, vote__counted=True).count() == 1


def test_an_answer_that_came_too_late_is_said_to_be_kept_beside(cast, client):
    batch = legal_batch(cast.study, 1)
    read_guide(cast.expert, batch)
    client.get(url(cast, "legal_work"))
    first = held(cast)
    lapse_all_leases()
    for member in experts(cast.study, 3):
        answering(member)
    after = client.post(url(cast, "legal_submit", first.pk), ANSWER, follow=True)
    assert "yours is kept beside" in after.content.decode()


def test_each_reason_for_no_post_is_said(cast, batch, client):
    address = url(cast, "legal_work")
    for _post in range(2):
        client.get(address)
        client.post(url(cast, "legal_submit", held(cast).pk), {"label": "unclear"})
    assert "All done" in page(client, address)
    move_batch(by=None, batch=batch, to=BatchState.PAUSED)
    assert "Work is paused" in page(client, address)
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)
    assert "No post waits for experts" in page(client, address)
    cast.study.state = StudyState.PAUSED
    cast.study.save()
    assert "Work is paused" in page(client, address)


def test_who_waits_for_others_hears_until_when(cast, client, sign_in):
    batch = legal_batch(cast.study, 1)
    others = experts(cast.study, 3)
    read_guide(cast.expert, batch)
    for member in others[:2]:
        answering(member)
    read_guide(others[2], batch)
    sign_in(others[2]).get(url(cast, "legal_work"))
    shown = page(client, url(cast, "legal_work"))
    assert "Others hold the last posts" in shown and "<time" in shown


def test_an_own_answer_can_be_opened_and_corrected(cast, batch, client):
    client.get(url(cast, "legal_work"))
    first = held(cast)
    client.post(url(cast, "legal_submit", first.pk), ANSWER)
    shown = page(client, url(cast, "legal_votes"))
    assert "Hate Speech" in shown and url(cast, "legal_correct", first.pk) in shown
    form = page(client, url(cast, "legal_correct", first.pk))
    assert re.search(r'value="hate_speech"\s+checked', form) and "Seen in the minutes." in form
    assert f'value="{LINK}"' in form and 'value="https://b.example/"' in form
    after = client.post(
        url(cast, "legal_correct", first.pk),
        {"label": "no", "insists": "on", "version": "1"},
        follow=True,
    )
    assert "Your answer was changed." in after.content.decode()
    assert f'<draft-saved key="{cast.expert.user_id}:{first.pk}"' in after.content.decode()
    assert [vote.label for vote in Vote.objects.current()] == ["no"]


def test_a_correction_from_an_old_tab_is_shown_and_not_stored(cast, batch, client):
    client.get(url(cast, "legal_work"))
    first = held(cast)
    client.post(url(cast, "legal_submit", first.pk), ANSWER)
    address = url(cast, "legal_correct", first.pk)
    client.post(address, {"label": "no", "insists": "on", "version": "1"})
    other = {"label": "unclear", "insists": "on", "version": "1", "comment": "kept"}
    old = client.post(address, other)
    shown = old.content.decode()
    assert old.status_code == 409 and "in another window" in shown and "kept" in shown
    assert Vote.objects.count() == 2
    assert re.search(r'name="version"\s+value="2"', shown)


def test_a_bad_correction_comes_back_and_a_closed_batch_takes_none(cast, batch, client):
    client.get(url(cast, "legal_work"))
    first = held(cast)
    client.post(url(cast, "legal_submit", first.pk), ANSWER)
    address = url(cast, "legal_correct", first.pk)
    assert client.post(address, {"label": "no", "evidence": "x"}).status_code == 422
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)
    assert client.post(address, {"label": "no", "insists": "on", "version": "1"}).status_code == 422
    shown = page(client, address)
    assert "This batch is closed" in shown and "Store the change" not in shown
    assert Vote.objects.count() == 1


def test_a_draft_is_only_dropped_for_an_own_assignment_that_ended(cast, batch, client):
    client.get(url(cast, "legal_work"))
    for last in (str(held(cast).pk), "0", "x", "9" * 40):
        assert "<draft-saved" not in page(client, url(cast, "legal_work") + f"?last={last}")
