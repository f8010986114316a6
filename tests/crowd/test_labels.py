"""Label sets: changed in place until a batch is open with them, then by a new version."""

import threading

import pytest
from django.db import connection
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import BatchState, Study
from annotation.services.batches import move_batch
from annotation.services.votes import Answer, VoteRefused, submit_vote
from crowd.models import LabelSet
from crowd.models.defaults import DEFAULT_CODES
from crowd.queries.labels import codes_of, label_names
from crowd.services.batches import create_batch, create_gold_batch
from crowd.services.defaults import own_label_set
from crowd.services.labels import LabelsRefused, NewLabel, label_problems, write_labels
from tests.cast import add_posts
from tests.crowd.conftest import held_by

pytestmark = pytest.mark.django_db

TWO = (NewLabel("true", "True", "t"), NewLabel("false", "False", "f", "It is not so."))
GOOD = [NewLabel("yes", "Yes", "1"), NewLabel("no", "No", "2")]


def url(name, cast):
    return reverse(name, args=[cast.study.slug])


def page(response):
    return response.content.decode()


def sent(*labels, question="Is it true?", version=1, initial=3):
    """Return what a browser sends: labels as (name, code, key, place, removed)."""
    rows = {
        "labels-TOTAL_FORMS": len(labels),
        "labels-INITIAL_FORMS": initial,
        "question": question,
        "seen_version": version,
    }
    for number, (name, code, key, place, removed) in enumerate(labels):
        rows |= {
            f"labels-{number}-name": name,
            f"labels-{number}-code": code,
            f"labels-{number}-key": key,
            f"labels-{number}-ORDER": place,
        }
        rows |= {f"labels-{number}-DELETE": "on"} if removed else {}
    return rows


def test_a_study_starts_with_the_methods_three_labels(cast, posts):
    batch = create_batch(by=None, study=cast.study, posts=2)
    assert tuple(batch.labels) == DEFAULT_CODES
    assert own_label_set(cast.study).version == 1


def test_labels_change_in_place_until_a_batch_is_open_and_drafts_take_the_change(cast, posts):
    crowd = create_batch(by=None, study=cast.study, posts=2)
    gold = create_gold_batch(by=None, study=cast.study, posts=2)
    changed = write_labels(by=None, study=cast.study, question="True?", labels=TWO)
    assert changed.version == 1 and codes_of(changed) == ("true", "false")
    crowd.refresh_from_db()
    gold.refresh_from_db()
    assert crowd.labels == ["true", "false"]
    assert gold.labels == ["true", "false", "ambiguous"]


def test_after_a_batch_is_open_a_change_is_a_new_version_for_later_batches(cast, batch, worker):
    second = write_labels(by=None, study=cast.study, question="True?", labels=TWO)
    assert second.version == 2
    batch.refresh_from_db()
    assert tuple(batch.labels) == DEFAULT_CODES == codes_of(batch.crowd_round.label_set)
    later = create_batch(by=None, study=cast.study, posts=1)
    assert later.labels == ["true", "false"] and later.crowd_round.label_set == second
    with pytest.raises(VoteRefused):
        submit_vote(by=worker, assignment_id=held_by(worker), answer=Answer("true"))
    submit_vote(by=worker, assignment_id=held_by(worker), answer=Answer("no_claim"))


def test_what_changes_nothing_makes_no_version(cast, batch):
    first = own_label_set(cast.study)
    same = [NewLabel(one.code, one.name, one.key, one.description) for one in first.labels.all()]
    kept = write_labels(by=None, study=cast.study, question=first.question, labels=same)
    assert kept == first and LabelSet.objects.count() == 1


def test_votes_are_asked_with_the_words_and_keys_of_their_batch(cast, batch, worker, sign_in):
    write_labels(by=None, study=cast.study, question="Is it true?", labels=TWO)
    html = page(sign_in(worker).get(url("work", cast)))
    assert "Is this post worth checking?" in html and 'data-key="3"' in html
    move_batch(by=None, batch=batch, to=BatchState.PAUSED)
    later = create_batch(by=None, study=cast.study, posts=2)
    move_batch(by=None, batch=later, to=BatchState.OPEN)
    html = page(sign_in(worker).get(url("work", cast)))
    assert "Is it true?" in html and 'data-key="T"' in html and "It is not so." in html
    assert label_names(cast.study)["true"] == "True"


def test_researchers_who_label_gold_find_ambiguous_on_a_free_key(cast, posts, sign_in):
    four = [NewLabel(f"label_{n}", f"Label {n}", str(n)) for n in (1, 2, 3, 4)]
    write_labels(by=None, study=cast.study, question="Which?", labels=four)
    batch = create_gold_batch(by=None, study=cast.study, posts=2)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    html = page(sign_in(cast.researcher).get(url("gold_work", cast)))
    assert html.count('data-key="4"') == 1 and 'data-key="5"' in html
    held = held_by(cast.researcher, "gold")
    submit_vote(by=cast.researcher, assignment_id=held, answer=Answer("label_4"))
    assert "Label 4" in page(sign_in(cast.researcher).get(url("gold", cast)))


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (GOOD[:1], "needs 2 to 20 labels"),
        ([*GOOD, NewLabel("maybe", "Perhaps", "1")], "Two labels have the key “1”"),
        ([*GOOD, NewLabel("yes", "Perhaps", "3")], "Two labels have the code “yes”"),
        ([*GOOD, NewLabel("maybe", "YES", "3")], "Two labels have the name “yes”"),
        ([*GOOD, NewLabel("maybe", "Perhaps", "s")], "cannot have the key S"),
        ([*GOOD, NewLabel("maybe", "Perhaps", "g")], "cannot have the key G"),
        ([*GOOD, NewLabel("maybe", "Perhaps", "u")], "cannot have the key U"),
        ([*GOOD, NewLabel("maybe", "Perhaps", "?")], "cannot have the key ?"),
        ([*GOOD, NewLabel("maybe", "Perhaps", "é")], "one digit or one letter"),
        ([*GOOD, NewLabel("maybe", "Perhaps", "\n")], "one digit or one letter"),
        ([*GOOD, NewLabel("may be", "Perhaps", "3")], "cannot be a code"),
        ([*GOOD, NewLabel("ambiguous", "Perhaps", "3")], "kept for researchers"),
        ([*GOOD, NewLabel("maybe", "", "3")], "has no name"),
    ],
)
def test_labels_that_nobody_could_tell_apart_are_refused_with_a_sentence(cast, labels, sentence):
    before = codes_of(own_label_set(cast.study))
    with pytest.raises(LabelsRefused, match=sentence.replace("?", r"\?")):
        write_labels(by=None, study=cast.study, question="x", labels=labels)
    assert codes_of(own_label_set(cast.study)) == before


@given(
    st.lists(
        st.builds(NewLabel, st.text(max_size=3), st.text(max_size=2), st.text(max_size=2)),
        max_size=5,
    )
)
def test_labels_without_a_problem_can_always_be_told_apart(labels):
    if any(label_problems(labels)):
        return
    for part in ("code", "name", "key"):
        assert len({getattr(label, part) for label in labels}) == len(labels)
    assert not {label.key for label in labels} & set("sgu?")


def test_a_researcher_changes_removes_orders_and_adds_labels_on_a_page(cast, sign_in):
    client = sign_in(cast.researcher)
    assert "no_claim" in page(client.get(url("crowd_labels_edit", cast)))
    rows = sent(
        ("Invalid", "no_claim", "3", 3, False),
        ("Not checkworthy", "not_checkworthy", "2", 2, True),
        ("Checkworthy", "checkworthy", "1", 1, False),
        ("Satire", "satire", "T", 2, False),
        ("", "", "", "", False),
    )
    answer = client.post(url("crowd_labels_edit", cast), rows, follow=True)
    assert "Saved" in page(answer) and "Satire" in page(answer)
    newest = own_label_set(cast.study)
    assert codes_of(newest) == ("checkworthy", "satire", "no_claim")
    assert [one.key for one in newest.labels.all()] == ["1", "t", "3"]


def test_a_page_with_bad_labels_says_so_and_keeps_what_was_typed(cast, sign_in):
    client = sign_in(cast.researcher)
    rows = sent(("A", "a", "s", 1, False), ("B", "b", "2", 2, False), initial=0)
    answer = page(client.post(url("crowd_labels_edit", cast), rows))
    assert "cannot have the key S" in answer and 'value="Is it true?"' in answer
    assert codes_of(own_label_set(cast.study)) == DEFAULT_CODES
    nameless = sent(("A", "", "1", 1, False), ("B", "b", "2", 2, False), initial=0)
    assert "This field is required" in page(client.post(url("crowd_labels_edit", cast), nameless))


def test_two_who_change_the_labels_at_once_do_not_overwrite_each_other(cast, batch, sign_in):
    write_labels(by=None, study=cast.study, question="True?", labels=TWO, seen_version=1)
    rows = sent(("A", "a", "1", 1, False), ("B", "b", "2", 2, False), initial=0)
    answer = page(sign_in(cast.owner).post(url("crowd_labels_edit", cast), rows))
    assert "version 2 meanwhile" in answer and LabelSet.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_batch_that_opens_meanwhile_never_gets_other_labels(cast):
    add_posts(cast.study, 4)
    for round_number in range(4):
        batch = create_batch(by=None, study=cast.study, posts=1)
        shown = codes_of(batch.crowd_round.label_set)
        labels = [NewLabel(f"a{round_number}", "A", "1"), NewLabel("b", "B", "2")]
        race(
            lambda batch=batch: move_batch(by=None, batch=batch, to=BatchState.OPEN),
            lambda labels=labels: write_labels(
                by=None, study=Study.objects.get(pk=cast.study.pk), question="x", labels=labels
            ),
        )
        batch.refresh_from_db()
        assert tuple(batch.labels) == codes_of(batch.crowd_round.label_set)
        assert tuple(batch.labels) in {shown, (f"a{round_number}", "b")}


def race(*actions):
    """Do several things at the same moment."""
    gate = threading.Barrier(len(actions))

    def act(action):
        gate.wait()
        try:
            action()
        finally:
            connection.close()

    threads = [threading.Thread(target=act, args=[action]) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
