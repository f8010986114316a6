"""The table of workers, and what people said about themselves: in numbers of people alone."""

import pytest

from annotation.models import Role
from crowd.models import BackgroundAnswer, BackgroundQuestion, QuestionKind
from releases.algorithms.pseudonyms import is_pseudonym, new_key, pseudonym
from releases.queries.workers import background, folded
from tests.cast import add_posts, join
from tests.filtering.rounds import CLEAR, add_round
from tests.releases.ways import lines

pytestmark = pytest.mark.django_db


def test_each_annotator_is_a_row_with_votes_by_stage_and_the_median_of_seconds(released, experts):
    found = lines(released, "workers")
    assert len(found) == len(experts) and [row["annotator"] for row in found] == sorted(
        row["annotator"] for row in found
    )
    for row in found:
        assert row["stages"] == ["legal"] and (row["crowd_votes"], row["legal_votes"]) == (0, 3)
        assert row["gold_checks"] == 0 and row["gold_accuracy"] is None
    assert {row["legal_seconds"] for row in found} == {12.5, None}


def test_answers_of_few_people_are_added_up_and_not_told_where_they_stay_few():
    assert folded({"a": 5, "b": 4, "c": 1}) == {
        "answers": [{"answer": "a", "people": 5}],
        "others": 5,
    }
    assert folded({"a": 9, "b": 4})["others"] is None
    assert folded({"b": 6, "a": 7})["others"] == 0
    assert folded({}) == {"answers": [], "others": 0}


def test_free_text_about_oneself_and_people_without_a_vote_are_left_out(cast):
    posts = add_posts(cast.study, 1)
    add_round(cast.study, posts, [CLEAR])
    for order, kind in enumerate((QuestionKind.CHOICE, QuestionKind.TEXT)):
        question = BackgroundQuestion.objects.create(
            study=cast.study, order=order, question=f"Question {order}?", kind=kind
        )
        for number in range(6):
            member = join(cast.study, f"idle-{order}-{number}", Role.CROWD_WORKER)
            BackgroundAnswer.objects.create(member=member, question=question, answer="yes")
    assert background(cast.study) == [{"question": "Question 0?", "answers": [], "others": 0}]


def test_a_name_is_the_same_under_a_key_and_another_under_another():
    one, other = new_key(), new_key()
    assert pseudonym(7, one) == pseudonym(7, one) and is_pseudonym(pseudonym(7, one))
    assert len({pseudonym(number, key) for number in range(500) for key in (one, other)}) == 1000
    assert not is_pseudonym("a-ABCDEFGHIJKL") and not is_pseudonym("w-12345678")
