"""Practice: model answers before the first real post; nothing of it is a vote."""

import re

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from annotation.models import Assignment, Post, StageCode, StudyState, Task, Vote
from annotation.queries.progress import own_progress, stage_progress
from annotation.services.assignments import next_task
from legal.algorithms import ExpertAnswer, IssueSaid
from legal.models import PracticePost, PracticeResult
from legal.queries.hours import weeks_of, worked
from legal.queries.practice import next_practice
from legal.queries.verdicts import verdicts_of
from legal.services.batches import open_legal_batch
from legal.services.checking import AnswerRefused
from legal.services.practice import (
    PracticeRefused,
    choose_practice,
    submit_practice,
    write_model_answer,
    write_practice,
)
from legal.services.settings import change_settings
from tests.cast import add_posts, make_cast
from tests.legal.world import LINK, answering, experts, legal_batch, read_guide

pytestmark = pytest.mark.django_db

TEXT = "The mayor took the money."
MODEL = ExpertAnswer.of_ticks("yes", issues=["defamation"], evidence=[LINK])
EXPLANATION = "A named person is accused, and the minutes refute it."
SENT = {"label": "no", "evidence_url": LINK, "seconds": "90", "comment": "Looks fine"}


def practice(cast, text=TEXT, model=MODEL, in_use=True) -> PracticePost:
    made = write_practice(by=cast.researcher, study=cast.study, text=text)
    return write_model_answer(
        by=cast.researcher, practice=made, answer=model, explanation=EXPLANATION, in_use=in_use
    )


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


def test_practice_comes_before_the_first_real_post_and_then_the_work(cast, batch, client):
    made = [practice(cast), practice(cast, "The harbour is closed.")]
    shown = page(client, url(cast, "legal_work"))
    assert TEXT in shown and "Practice post 1 of 2" in shown
    assert not Assignment.objects.exists()
    after = client.post(url(cast, "legal_practise", made[0].pk), SENT, follow=True)
    assert "Next practice post" in after.content.decode()
    assert "Practice post 2 of 2" in page(client, url(cast, "legal_work"))
    client.post(url(cast, "legal_practise", made[1].pk), SENT)
    assert "Post 1 of 2" in page(client, url(cast, "legal_work"))


def test_a_study_without_practice_posts_has_none_to_do(cast, batch, client):
    practice(cast, in_use=False)
    assert "Post 1 of 2" in page(client, url(cast, "legal_work"))


def test_who_has_begun_is_not_held_up_by_practice_that_came_later(cast, batch, client):
    client.get(url(cast, "legal_work"))
    practice(cast)
    assert "Post 1 of 2" in page(client, url(cast, "legal_work"))
    assert next_practice(cast.expert) is None


def test_the_guide_comes_before_practice_and_tells_of_it(cast, client):
    legal_batch(cast.study)
    practice(cast)
    shown = page(client, url(cast, "legal_work"))
    assert "Before you start" in shown and "1 practice post with a model answer" in shown
    after = client.post(url(cast, "legal_begin"), follow=True).content.decode()
    assert "Practice post 1 of 1" in after


def test_the_same_form_is_shown_and_nothing_of_the_model_answer(cast, batch, client):
    made = practice(cast)
    shown = page(client, url(cast, "legal_practise", made.pk))
    assert shown.count('name="issues"') == 11
    assert EXPLANATION not in shown and LINK not in shown
    assert not re.search(r'name="(label|issues)"[^>]* checked', shown)
    assert client.get(url(cast, "legal_practice_model", made.pk)).status_code == 404


def test_the_answer_stands_beside_the_model_answer_field_by_field(cast, batch, client):
    model = ExpertAnswer(
        "yes",
        issues=(
            IssueSaid(
                "defamation",
                findings={"publication": "passes"},
                sentences={"publication": "It was posted."},
                reasoning="It names him.",
            ),
        ),
        evidence=MODEL.evidence,
        spans=((0, 9),),
    )
    made = practice(cast, model=model)
    sent = {
        "label": "unclear",
        "issues": ["hate_speech"],
        "finding:defamation:publication": "fails",
    }
    client.post(url(cast, "legal_practise", made.pk), sent)
    shown = page(client, url(cast, "legal_practice_model", made.pk))
    assert "Unclear" in shown and "Yes" in shown and "Fails" in shown and "Passes" in shown
    assert "It was posted." in shown and "It names him." in shown and EXPLANATION in shown
    assert '<q dir="auto">The mayor</q>' in shown and LINK in shown
    assert "0 of 4 fields" in shown


def test_practice_is_no_vote_and_counts_nowhere(cast, batch, client):
    made = choose_practice(by=cast.researcher, study=cast.study, external_id=fresh_post(cast))
    write_model_answer(by=cast.researcher, practice=made, answer=MODEL, explanation="", in_use=True)
    before = (stage_progress(cast.study, StageCode.LEGAL), own_progress(cast.expert, "legal"))
    client.post(url(cast, "legal_practise", made.pk), SENT)
    assert PracticeResult.objects.count() == 1
    after = (stage_progress(cast.study, StageCode.LEGAL), own_progress(cast.expert, "legal"))
    assert before == after and not Vote.objects.exists()
    assert verdicts_of(cast.study, [made.post_id]) == {}
    assert "No answers yet" in page(client, url(cast, "legal_votes"))


def fresh_post(cast) -> str:
    """Return the id of a post that is at no stage."""
    post = Post.objects.filter(study=cast.study).first()
    post.pk, post.external_id, post.position, post.line = None, "fresh", 999, 999
    post.save()
    return post.external_id


def test_the_time_of_practice_counts_as_time(cast, batch, client):
    made = practice(cast)
    client.post(url(cast, "legal_practise", made.pk), SENT)
    (week,) = weeks_of(cast.expert)
    assert (week.practised, week.posts, week.seconds) == (1, 0, 90.0)
    assert worked([cast.expert])[cast.expert.pk].week_seconds == 90.0


def test_the_first_answer_stands_whatever_a_second_tab_sends(cast, batch, client):
    made = practice(cast)
    address = url(cast, "legal_practise", made.pk)
    for label in ("no", "yes"):
        sent = client.post(address, {**SENT, "label": label}, follow=True)
        assert sent.status_code == 200
    assert "your first answer stands" in sent.content.decode()
    assert PracticeResult.objects.get().said.label == "no"
    assert client.get(address).status_code == 302


def test_two_answers_at_once_make_one_result(cast, batch):
    made = practice(cast)
    for label, is_new in (("no", True), ("yes", False)):
        answer = ExpertAnswer.of_ticks(label, evidence=[LINK])
        result, new = submit_practice(by=cast.expert, practice=made, answer=answer)
        assert (new, result.said.label) == (is_new, "no")


def test_a_result_is_never_changed_and_keeps_the_model_answer_that_was_shown(cast, batch):
    made = practice(cast)
    result, _new = submit_practice(by=cast.expert, practice=made, answer=MODEL)
    other = ExpertAnswer.of_ticks("no", no_claim=True)
    write_model_answer(
        by=cast.researcher, practice=made, answer=other, explanation="New", in_use=True
    )
    result.refresh_from_db()
    assert (result.model.label, result.explanation) == ("yes", EXPLANATION)
    for change in (lambda: PracticeResult.objects.update(seconds=1), result.delete):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


def test_bad_input_comes_back_with_a_sentence_and_all_that_was_typed(cast, batch, client):
    made = practice(cast)
    refused = client.post(
        url(cast, "legal_practise", made.pk), {**SENT, "evidence_url": "javascript:alert(1)"}
    )
    shown = refused.content.decode()
    assert refused.status_code == 422 and "is not a web address" in shown
    assert "Looks fine" in shown and not PracticeResult.objects.exists()


def test_practice_asks_what_the_study_requires(cast, batch):
    made = practice(cast)
    change_settings(by=cast.owner, study=cast.study, wanted=["confidence"])
    made.refresh_from_db()
    with pytest.raises(AnswerRefused, match="how sure"):
        submit_practice(by=cast.expert, practice=made, answer=MODEL)


@pytest.mark.parametrize(
    ("state", "status", "sentence"),
    [("paused", 422, "paused the study"), ("archived", 403, "arch")],
)
def test_a_study_at_rest_refuses_practice_with_a_sentence(
    cast, batch, client, state, status, sentence
):
    made = practice(cast)
    cast.study.state = StudyState(state)
    cast.study.save()
    refused = client.post(url(cast, "legal_practise", made.pk), SENT)
    assert refused.status_code == status and sentence in refused.content.decode()
    assert not PracticeResult.objects.exists()
    assert "Practice post" not in page(client, url(cast, "legal_work"))


def test_researchers_are_no_experts_and_experts_see_no_model_answers(cast, batch, client, sign_in):
    made = practice(cast)
    for name in ("legal_practise", "legal_practice_model"):
        assert sign_in(cast.researcher).get(url(cast, name, made.pk)).status_code == 403
    for name, more in (("legal_practice", ()), ("legal_model_answer", (made.pk,))):
        assert client.get(url(cast, name, *more)).status_code == 403
    assert (
        sign_in(cast.researcher).post(url(cast, "legal_practise", made.pk), SENT).status_code == 403
    )
    assert not PracticeResult.objects.exists()


def test_what_others_said_in_practice_is_not_shown(cast, batch, client):
    made = practice(cast)
    secret = ExpertAnswer.of_ticks("unclear", comment="Others' secret")
    submit_practice(by=experts(cast.study, 1)[0], practice=made, answer=secret)
    assert "secret" not in page(client, url(cast, "legal_practise", made.pk))
    client.post(url(cast, "legal_practise", made.pk), SENT)
    assert "secret" not in page(client, url(cast, "legal_practice_model", made.pk))


def test_practice_of_another_study_and_what_is_not_in_use_does_not_exist(cast, batch, client):
    elsewhere = practice(make_cast("elsewhere"))
    unused = practice(cast, in_use=False)
    for found in (elsewhere, unused):
        assert client.get(url(cast, "legal_practise", found.pk)).status_code == 404
        assert client.post(url(cast, "legal_practise", found.pk), SENT).status_code == 404


def test_researchers_write_one_and_give_its_model_answer(cast, batch, sign_in):
    client = sign_in(cast.researcher)
    made = client.post(url(cast, "legal_practice"), {"text": TEXT})
    written = PracticePost.objects.get()
    assert made["Location"] == url(cast, "legal_model_answer", written.pk)
    assert "still to be written" in page(client, url(cast, "legal_practice"))
    sent = {
        "label": "yes",
        "issues": ["defamation"],
        "evidence_url": LINK,
        "explanation": EXPLANATION,
        "in_use": "on",
    }
    assert client.post(made["Location"], {**sent, "label": ""}).status_code == 422
    assert client.post(made["Location"], sent).status_code == 302
    written.refresh_from_db()
    assert written.in_use and written.model.issues[0].code == "defamation"
    shown = page(client, made["Location"])
    assert EXPLANATION in shown and 'value="defamation" checked' in shown
    assert not Post.objects.filter(text=TEXT).exists() and not Task.objects.filter(post__text=TEXT)


def test_a_post_that_experts_assess_cannot_be_practised_on(cast, batch, sign_in):
    client = sign_in(cast.researcher)
    address = url(cast, "legal_practice")
    for external_id, sentence in (
        ("p1", "Experts assess this post"),
        ("nobody", "no kept post with the id"),
        ("a\0b", "Null characters"),
    ):
        refused = client.post(address, {"external_id": external_id})
        assert refused.status_code == 422 and sentence in refused.content.decode()
    for text in ("", "\0", "   "):
        assert client.post(address, {"text": text}).status_code == 422
    assert not PracticePost.objects.exists()


def test_a_post_is_chosen_once(cast, batch):
    name = fresh_post(cast)
    choose_practice(by=cast.researcher, study=cast.study, external_id=name)
    with pytest.raises(PracticeRefused, match="already"):
        choose_practice(by=cast.researcher, study=cast.study, external_id=name)


def test_a_post_that_is_practised_on_never_comes_to_the_experts(cast):
    posts = add_posts(cast.study, 3)
    choose_practice(by=cast.researcher, study=cast.study, external_id=posts[0].external_id)
    batch = open_legal_batch(by=None, study=cast.study, post_ids=[post.pk for post in posts])
    assert set(batch.tasks.values_list("post", flat=True)) == {posts[1].pk, posts[2].pk}


def test_what_was_practised_can_be_read_again(cast, batch, client):
    made = practice(cast)
    assert "Nothing practised yet" in page(client, url(cast, "legal_practised"))
    client.post(url(cast, "legal_practise", made.pk), SENT)
    assert TEXT in page(client, url(cast, "legal_practised"))


def test_real_work_needs_nothing_of_practice(cast, batch):
    practice(cast)
    assert next_task(by=cast.expert, stage=StageCode.LEGAL).assignment is not None
    answering(cast.expert)
    assert Vote.objects.count() == 1


@pytest.mark.parametrize("who", ["expert", "researcher"])
def test_citing_a_passage_stores_nothing_yet(cast, batch, sign_in, who):
    made = practice(cast, in_use=who == "expert")
    name = "legal_practise" if who == "expert" else "legal_model_answer"
    sent = {**SENT, "cite": "987654", "in_use": "on"}
    shown = sign_in(getattr(cast, who)).post(url(cast, name, made.pk), sent)
    assert shown.status_code == 200 and "Looks fine" in shown.content.decode()
    assert not PracticeResult.objects.exists()
    made.refresh_from_db()
    assert made.model.label == "yes"
