"""Consent before anything, questions that nobody must answer, and a way out that is kept."""

import re

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from annotation.models import (
    ExclusionKind,
    Place,
    Role,
    Sitting,
    SittingState,
    StageCode,
    Standing,
    Vote,
)
from annotation.queries.counts import post_counts, rounds_of
from annotation.services.assignments import next_task
from annotation.services.sittings import end_sitting
from annotation.services.standings import StandingRefused, change_standing, exclude
from annotation.services.votes import Answer, submit_vote
from crowd.models import BackgroundAnswer, Consent, ConsentText, PayRules, PrescreeningRules
from crowd.services.admission import NotAdmitted, begin_work
from crowd.services.consent import (
    ConsentRefused,
    add_question,
    answer_questions,
    give_consent,
    retire_question,
    withdraw,
    write_consent_text,
)
from tests.api import caller
from tests.cast import join
from tests.crowd.conftest import begin

pytestmark = pytest.mark.django_db


def url(name, cast, *more):
    return reverse(name, args=[cast.study.slug, *more])


@pytest.fixture
def text(cast):
    return write_consent_text(by=None, study=cast.study, markdown="We keep **votes**.")


@pytest.fixture
def newcomer(cast):
    return join(cast.study, "nina", Role.CROWD_WORKER, posts=0)


@pytest.fixture
def client(sign_in, newcomer):
    return sign_in(newcomer)


def vote_once(member, label="checkworthy"):
    held = next_task(by=member, stage="crowd").assignment
    return submit_vote(by=member, assignment_id=held.pk, answer=Answer(label, 12.0, 1))[0]


def test_a_study_without_a_text_asks_for_no_consent(cast, batch, client):
    assert b"I have read it" in client.get(url("work", cast)).content


def test_consent_comes_before_instructions_and_posts(cast, batch, text, client, newcomer):
    answer = client.get(url("work", cast))
    assert answer["Location"] == url("work_consent", cast)
    with pytest.raises(NotAdmitted):
        begin_work(by=newcomer, version=1)
    assert client.post(url("work_start", cast), {"version": 1})["Location"] == answer["Location"]
    assert not Sitting.objects.filter(member=newcomer).exists()
    agreed = client.post(url("work_consent", cast), {"version": text.version})
    assert agreed["Location"] == url("work", cast)
    assert b"I have read it" in client.get(url("work", cast)).content
    assert Consent.objects.get(member=newcomer).given_at


def test_the_page_says_what_is_asked_and_given_and_nothing_is_stored(cast, text, client):
    cast.study.protocol.contact = "desk@juryroom.example"
    cast.study.protocol.ethics_number = "REB 12-34"
    cast.study.protocol.save()
    html = client.get(url("work_consent", cast)).content.decode()
    for words in ("20 posts", "Not known yet", "3.60 USD", "desk@juryroom", "REB 12-34", "upset"):
        assert words in html
    assert "<strong>votes</strong>" in html
    assert not Consent.objects.exists()


def test_the_time_is_the_median_of_what_it_took_others(cast, posts, batch, text, client):
    for number in range(5):
        member = join(cast.study, f"w{number}", Role.CROWD_WORKER)
        for _vote in range(4 if number < 3 else 0):
            vote_once(member)
    assert b"Not known yet" in client.get(url("work_consent", cast)).content
    task = Vote.objects.first().task
    others = [join(cast.study, f"x{number}", Role.CROWD_WORKER) for number in range(8)]
    Vote.objects.bulk_create(
        Vote(
            task=task,
            member=member,
            label="checkworthy",
            counted=False,
            seconds=12,
            created_at=task.votes.first().created_at,
        )
        for member in others
    )
    assert b"About 4 minutes" in client.get(url("work_consent", cast)).content


def test_a_new_version_is_asked_for_again_and_an_old_page_is_refused(cast, text, client, newcomer):
    client.post(url("work_consent", cast), {"version": 1})
    write_consent_text(by=None, study=cast.study, markdown="We keep votes for ten years.")
    assert client.get(url("work", cast))["Location"] == url("work_consent", cast)
    stale = client.post(url("work_consent", cast), {"version": 1})
    assert stale.status_code == 409
    assert "ten years" in stale.content.decode()
    assert Consent.objects.filter(member=newcomer).count() == 1
    for nonsense in ("", "0", "99999999999999999999", "\0"):
        assert client.post(url("work_consent", cast), {"version": nonsense}).status_code == 409


def test_a_text_is_never_changed_and_an_older_page_overwrites_nothing(cast, text):
    with pytest.raises(DatabaseError), transaction.atomic():
        ConsentText.objects.update(markdown="Something else")
    with pytest.raises(ConsentRefused, match="Version 1 was written meanwhile"):
        write_consent_text(by=None, study=cast.study, markdown="Mine", seen_version=0)
    same = write_consent_text(by=None, study=cast.study, markdown="We keep **votes**.\r\n")
    assert same == text


def test_questions_come_after_consent_and_each_can_be_declined(cast, client, newcomer):
    age = add_question(by=None, study=cast.study, question="How old are you?", kind="number")
    where = add_question(
        by=None,
        study=cast.study,
        question="Where do you live?",
        kind="choice",
        choices=["Town", "Country"],
    )
    free = add_question(
        by=None, study=cast.study, question="Anything else?", kind="text", required=False
    )
    assert client.get(url("work", cast))["Location"] == url("work_background", cast)
    empty = client.post(url("work_background", cast), {f"question_{free.pk}": ""})
    assert empty.status_code == 422
    assert set(empty.context["form"].errors) == {f"question_{age.pk}", f"question_{where.pk}"}
    assert "say that you would rather not" in empty.content.decode()
    legends = re.findall(r"<(?:legend|label)[^>]*>.*?</(?:legend|label)>", empty.content.decode())
    marked = {one for one in legends if "(optional)" in one}
    assert len(marked) == 1 and "Anything else?" in marked.pop()
    bad = client.post(
        url("work_background", cast),
        {f"question_{age.pk}": "old", f"question_{where.pk}": "choice:Moon"},
    )
    assert bad.status_code == 422 and not BackgroundAnswer.objects.exists()
    done = client.post(
        url("work_background", cast),
        {f"question_{age.pk}_declined": "on", f"question_{where.pk}": "choice:Town"},
    )
    assert done.status_code == 302
    answers = dict(BackgroundAnswer.objects.values_list("question__question", "answer"))
    assert answers == {"How old are you?": "", "Where do you live?": "Town", "Anything else?": ""}
    assert client.get(url("work_background", cast))["Location"] == url("work", cast)


def test_a_choice_that_is_called_like_the_way_out_is_an_answer(cast, client, newcomer):
    question = add_question(
        by=None, study=cast.study, question="?", kind="choice", choices=["declined", "other"]
    )
    free = add_question(by=None, study=cast.study, question="??", kind="text")
    client.post(
        url("work_background", cast),
        {f"question_{question.pk}": "choice:declined", f"question_{free.pk}": "declined"},
    )
    answers = BackgroundAnswer.objects.values_list("answer", flat=True)
    assert list(answers) == ["declined", "declined"]


def test_a_first_answer_stands_and_a_retired_question_is_not_asked(cast, newcomer):
    question = add_question(by=None, study=cast.study, question="Age?", kind="number")
    answer_questions(by=newcomer, answers={question.pk: "31"})
    answer_questions(by=newcomer, answers={question.pk: "32"})
    assert BackgroundAnswer.objects.get().answer == "31"
    other = add_question(by=None, study=cast.study, question="Size?", kind="number")
    retire_question(by=None, question=other)
    assert answer_questions(by=newcomer, answers={other.pk: "1"}) == []


def test_a_question_with_one_choice_is_refused(cast, sign_in):
    page = sign_in(cast.researcher).post(
        url("question_new", cast), {"question": "?", "kind": "choice", "choices": "Yes\nYes\n"}
    )
    assert "at least two different choices" in page.content.decode()


def test_an_ending_that_is_no_choice_is_said_beside_the_endings(cast, sign_in):
    asked = {"question": "?", "kind": "choice", "choices": "Yes\nNo", "turns_away": "no"}
    page = sign_in(cast.researcher).post(url("question_new", cast), asked)
    assert set(page.context["form"].errors) == {"turns_away"}
    assert not cast.study.background_questions.exists()


def test_researchers_see_versions_and_numbers_but_no_answers_of_anybody(
    cast, text, newcomer, sign_in
):
    question = add_question(by=None, study=cast.study, question="Age?", kind="text")
    give_consent(by=newcomer, version=1)
    answer_questions(by=newcomer, answers={question.pk: "a secret age"})
    html = sign_in(cast.researcher).get(url("consent", cast)).content.decode()
    assert "Age?" in html and "a secret age" not in html
    assert sign_in(cast.researcher).get(url("consent", cast), {"version": "7"}).status_code == 404


def test_who_withdraws_leaves_the_counts_and_others_judge_anew(cast, batch, text, client, newcomer):
    give_consent(by=newcomer, version=1)
    begin(newcomer)
    vote = vote_once(newcomer)
    held = next_task(by=newcomer, stage="crowd").assignment
    before = sum(sum(counts) for _post, counts in post_counts(rounds_of(cast.study, "crowd")))
    places = Place.objects.filter(vacated_at=None).count()
    client.get(url("work_withdraw", cast))
    assert Vote.objects.counting().filter(pk=vote.pk).exists()
    client.post(url("work_withdraw", cast))
    assert not Vote.objects.counting().filter(pk=vote.pk).exists()
    after = sum(sum(counts) for _post, counts in post_counts(rounds_of(cast.study, "crowd")))
    assert (before, after) == (1, 0)
    assert Place.objects.filter(vacated_at=None).count() == places
    assert not Place.objects.filter(task=held.task, member=newcomer, vacated_at=None).exists()
    assert Sitting.objects.get(member=newcomer).state == SittingState.LEFT
    assert Consent.objects.get(member=newcomer).withdrawn_at
    html = client.get(url("work", cast)).content.decode()
    assert "Your work here has ended" in html and "Begin" not in html


@pytest.mark.parametrize("page", ["study", "work", "prescreening"])
def test_a_worker_finds_the_way_out_and_the_way_back_on_their_pages(
    cast, batch, client, newcomer, page
):
    begin(newcomer)
    end_sitting(by=newcomer, stage="crowd", state=SittingState.LEFT)
    ways = [f'href="{url("work_withdraw", cast)}"', f'href="{url("work_return_code", cast)}"']
    html = client.get(url(page, cast)).content.decode()
    assert ways[0] in html and ways[1] not in html
    newcomer.user.set_unusable_password()
    newcomer.user.save()
    client.force_login(newcomer.user)
    html = client.get(url(page, cast)).content.decode()
    assert ways[0] in html and ways[1] in html
    withdraw(by=newcomer)
    if page != "prescreening":
        assert ways[0] not in client.get(url(page, cast)).content.decode()


def test_withdrawing_twice_says_so_and_changes_nothing(cast, batch, newcomer, client):
    withdraw(by=newcomer)
    page = client.post(url("work_withdraw", cast), follow=True)
    assert "You have withdrawn already." in page.content.decode()
    assert newcomer.exclusions.count() == 2


def test_dismissing_ends_the_sitting_so_that_its_votes_can_be_paid(cast, batch, newcomer):
    begin(newcomer)
    vote_once(newcomer)
    exclude(by=None, member=newcomer, stage="crowd", kind=ExclusionKind.DISMISSED)
    sitting = Sitting.objects.get(member=newcomer)
    assert (sitting.state, sitting.votes) == (SittingState.LEFT, 1) and sitting.ended_at


def test_a_dismissed_person_may_still_withdraw_and_nobody_undoes_it(cast, batch, newcomer):
    exclude(by=None, member=newcomer, stage="crowd", kind=ExclusionKind.DISMISSED)
    withdraw(by=newcomer)
    states = Standing.objects.filter(member=newcomer).values_list("stage", "state")
    assert dict(states) == {"crowd": "withdrawn", "prescreening": "withdrawn"}
    for kind in ExclusionKind:
        with pytest.raises(StandingRefused):
            exclude(by=None, member=newcomer, stage="crowd", kind=kind)
    with pytest.raises(StandingRefused):
        change_standing(
            by=None, member=newcomer, stage=StageCode.CROWD, state="active", reason="again"
        )


def test_who_has_ended_agrees_to_nothing_answers_nothing_and_begins_nothing(
    cast, batch, text, client, newcomer
):
    question = add_question(by=None, study=cast.study, question="How old are you?", kind="number")
    give_consent(by=newcomer, version=1)
    withdraw(by=newcomer)
    write_consent_text(by=None, study=cast.study, markdown="We keep votes for ten years.")
    assert client.get(url("work", cast)).status_code == 200
    assert client.post(url("work_consent", cast), {"version": 2}).status_code == 409
    client.post(url("work_background", cast), {f"question_{question.pk}": "31"})
    client.post(url("work_start", cast), {"version": 1})
    assert not Consent.objects.filter(withdrawn_at=None).exists()
    assert not BackgroundAnswer.objects.exists()
    assert not Sitting.objects.filter(member=newcomer).exists()


def test_nobody_answers_questions_before_they_agreed(cast, text, client, newcomer):
    question = add_question(by=None, study=cast.study, question="How old are you?", kind="number")
    sent = {f"question_{question.pk}": "31"}
    assert client.get(url("work_background", cast)).status_code == 302
    client.post(url("work_background", cast), sent)
    with pytest.raises(ConsentRefused, match="agree"):
        answer_questions(by=newcomer, answers={question.pk: "31"})
    assert not BackgroundAnswer.objects.exists()
    give_consent(by=newcomer, version=1)
    client.post(url("work_background", cast), sent)
    assert BackgroundAnswer.objects.get().answer == "31"


@pytest.mark.parametrize(("is_paid", "told"), [(True, "0.72 USD"), (False, "The test is unpaid")])
def test_consent_tells_of_the_test_that_comes_first(
    cast, batch, text, client, newcomer, is_paid, told
):
    asked = caller(newcomer)
    assert asked.get("work_consent").json()["test"] is None
    assert "A test of" not in client.get(url("work_consent", cast)).content.decode()
    PrescreeningRules.objects.create(study=cast.study, is_open=True, test_size=4, min_votes=2)
    PayRules.objects.create(study=cast.study, prescreening_is_paid=is_paid)
    html = " ".join(client.get(url("work_consent", cast)).content.decode().split())
    assert "A test of 4 posts" in html and told in html
    pay = "0.72" if is_paid else "0.00"
    assert asked.get("work_consent").json()["test"] == {"posts": 4, "pay": pay}
