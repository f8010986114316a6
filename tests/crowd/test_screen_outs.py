"""Who gets no work is thanked, paid once where a platform sent them, and given the right code."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import BatchState, Member, SittingState
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from crowd.models import BackgroundAnswer, LedgerEntry, PrescreeningRules
from crowd.queries.recruitment import completion_of
from crowd.services.arrivals import arrive
from crowd.services.candidates import decide_candidate
from crowd.services.consent import ConsentRefused, add_question, answer_questions, retire_question
from crowd.services.links import Identity
from crowd.services.pay_rules import change_rules
from crowd.services.recruitment import create_recruitment, move_recruitment
from crowd.services.work import conclude
from tests.cast import join
from tests.crowd.candidates import candidate, open_with, take_test, wrong
from tests.crowd.conftest import begin
from tests.crowd.paying import votes_of
from tests.crowd.test_pay_pages import text
from tests.crowd.test_payouts import at_once, study_at_work

pytestmark = pytest.mark.django_db


def way(study, kind="prolific", **more):
    made = create_recruitment(by=None, study=study, kind=kind, name=kind, **more)
    return move_recruitment(by=None, recruitment=made, to="open")


def sent(recruitment, number=1):
    """Let a platform send somebody."""
    identity = Identity(f"5f0{number}", f"64ab{number}" if recruitment.kind != "panel" else "")
    arrival = arrive(recruitment=recruitment, identity=identity)
    return Member.objects.get(study=recruitment.study, user=arrival.user)


def client_of(member):
    client = Client()
    client.force_login(member.user)
    return client


def page_of(member, name="work"):
    return client_of(member).get(reverse(name, args=[member.study.slug]), follow=True)


def paid(member):
    return list(LedgerEntry.objects.filter(member=member).values_list("kind", "amount"))


SCREEN_OUT = [("screen_out", Decimal("0.18"))]


def reading_question(study):
    return add_question(
        by=None,
        study=study,
        question="Do you read English?",
        kind="choice",
        choices=["Yes", "A little", "No"],
        turns_away=["No"],
    )


class TestBackground:
    """An answer of whom the study does not look for."""

    def test_such_an_answer_ends_it_with_pay_and_the_code_for_it(self, cast, batch):
        recruitment, question = way(cast.study), reading_question(cast.study)
        member = sent(recruitment)
        asked = page_of(member)
        assert "Do you read English?" in text(asked)
        for code in (recruitment.completion_code, recruitment.screen_out_code):
            assert code not in asked.content.decode()
        form = {f"question_{question.pk}": "choice:No"}
        address = reverse("work_background", args=[cast.study.slug])
        end = client_of(member).post(address, form, follow=True)
        assert "Thank you for coming" in text(end)
        link = f"https://app.prolific.com/submissions/complete?cc={recruitment.screen_out_code}"
        assert link in end.content.decode()
        assert recruitment.completion_code not in end.content.decode()
        assert paid(member) == SCREEN_OUT
        assert "Screen-out" in text(page_of(member, "earnings"))

    @pytest.mark.parametrize("answer", ["Yes", "A little", ""])
    def test_every_other_answer_and_declining_goes_on(self, answer, cast, batch):
        question, member = reading_question(cast.study), sent(way(cast.study))
        answer_questions(by=member, answers={question.pk: answer})
        assert "Thank you for coming" not in text(page_of(member))
        assert "work/screened-out" not in page_of(member, "work_screened_out").request["PATH_INFO"]
        assert paid(member) == []

    def test_the_question_does_not_tell_which_answers_end_it(self, cast, batch):
        question, member = reading_question(cast.study), sent(way(cast.study))
        plain = page_of(member).content.decode()
        type(question).objects.update(turns_away=[])
        without = page_of(member).content.decode()
        assert plain.count("No") == without.count("No") and "ends it" not in plain

    def test_a_question_that_is_asked_no_more_turns_nobody_away(self, cast, batch):
        question, member = reading_question(cast.study), sent(way(cast.study))
        answer_questions(by=member, answers={question.pk: "No"})
        retire_question(by=None, question=question)
        assert "Thank you for coming" not in text(page_of(member))

    def test_who_came_by_themselves_is_not_paid_for_a_click(self, cast, batch):
        question = reading_question(cast.study)
        member = join(cast.study, "ada", "crowd_worker", posts=0)
        answer_questions(by=member, answers={question.pk: "No"})
        page = page_of(member)
        assert "Thank you for coming" in text(page) and "Completion code" not in text(page)
        assert paid(member) == []

    @pytest.mark.parametrize(
        "broken", [{"turns_away": ["Never"]}, {"kind": "text", "turns_away": ["Yes"]}], ids=str
    )
    def test_only_choices_of_the_question_can_end_it(self, broken, cast):
        asked = {"question": "Well?", "kind": "choice", "choices": ["Yes", "No"]}
        with pytest.raises(ConsentRefused, match="Only choices of this question"):
            add_question(by=None, study=cast.study, **(asked | broken))

    def test_researchers_say_and_see_which_answers_end_it(self, cast, sign_in):
        client = sign_in(cast.researcher)
        form = {"question": "Well?", "kind": "choice", "choices": "Yes\nNo", "turns_away": "No"}
        client.post(reverse("question_new", args=[cast.study.slug]), form)
        assert "ends it: No" in text(client.get(reverse("consent", args=[cast.study.slug])))


class TestFullStudies:
    """A sitting in which there is nothing to do."""

    def fill(self, cast, batch):
        move_batch(by=None, batch=batch, to=BatchState.OPEN)
        for name in ("w1", "w2", "w3"):
            votes_of(join(cast.study, name, "crowd_worker"), 4)

    @pytest.mark.parametrize("kind", ["prolific", "panel"])
    def test_who_finds_nothing_gets_the_code_of_a_screen_out_and_is_paid(self, kind, cast, batch):
        self.fill(cast, batch)
        recruitment = way(cast.study, kind)
        member = sent(recruitment)
        sitting = begin(member)
        end = page_of(member).content.decode()
        sitting.refresh_from_db()
        assert sitting.state == SittingState.COMPLETE
        assert recruitment.screen_out_code in end and recruitment.completion_code not in end
        assert completion_of(sitting).code == sitting.completion_code == recruitment.screen_out_code
        earnings = page_of(member, "earnings").content.decode()
        assert recruitment.completion_code not in earnings
        assert paid(member) == SCREEN_OUT
        page_of(member)
        assert paid(member) == SCREEN_OUT

    def test_who_did_some_posts_gets_the_completion_code(self, cast, batch):
        recruitment = way(cast.study, sitting_size=20)
        member = sent(recruitment)
        begin(member)
        votes_of(member, 4)
        assert recruitment.completion_code in page_of(member).content.decode()
        assert paid(member) == []

    def test_who_came_by_themselves_is_not_paid_for_finding_nothing(self, cast, batch):
        self.fill(cast, batch)
        member = join(cast.study, "ada", "crowd_worker", posts=0)
        begin(member)
        page_of(member)
        assert paid(member) == []


class TestPrescreening:
    """Candidates who get no work now."""

    def member_in(self, cast, recruitment, **rules):
        open_with(cast, ["no_claim"] * 8, test_size=4, min_votes=3, max_tests=1, **rules)
        return sent(recruitment)

    def test_who_waits_for_approval_gets_the_code_of_a_screen_out(self, cast):
        recruitment = way(cast.study)
        member = self.member_in(cast, recruitment, approval="by_hand")
        before = page_of(member).content.decode()
        take_test(member)
        waiting = page_of(member).content.decode()
        assert recruitment.screen_out_code not in before
        assert recruitment.screen_out_code in waiting and "You need not wait" in waiting
        assert recruitment.completion_code not in before + waiting
        decide_candidate(by=cast.owner.user, member=member, is_approved=True)
        assert recruitment.screen_out_code not in page_of(member, "prescreening").content.decode()

    @pytest.mark.parametrize("kind", ["prolific", "panel"])
    def test_no_code_of_the_test_itself_shows_to_who_has_one_of_the_platform(self, kind, cast):
        member = self.member_in(cast, way(cast.study, kind))
        own = take_test(member).sitting.completion_code
        assert completion_of(member.sittings.get()) is None
        for page in ("prescreening", "earnings"):
            assert own not in page_of(member, page).content.decode()

    def test_who_has_no_platform_sees_the_code_of_the_test_among_the_sittings(self, cast):
        member = self.member_in(cast, way(cast.study, "link"))
        own = take_test(member).sitting.completion_code
        assert own in page_of(member, "earnings").content.decode()

    def test_whose_test_was_paid_is_paid_for_that_and_no_more(self, cast):
        recruitment = way(cast.study)
        member = self.member_in(cast, recruitment)
        take_test(member, wrong)
        end = page_of(member).content.decode()
        assert recruitment.screen_out_code in end and recruitment.completion_code not in end
        assert paid(member) == []

    @pytest.mark.parametrize("approval", ["automatic", "by_hand"])
    def test_who_fails_a_test_that_is_not_paid_is_paid_for_coming(self, approval, cast):
        change_rules(by=cast.owner.user, study=cast.study, prescreening_is_paid=False)
        open_with(cast, ["no_claim"] * 8, test_size=4, min_votes=3, max_tests=1, approval=approval)
        member = candidate(cast)
        take_test(member, wrong)
        assert paid(member) == SCREEN_OUT
        decide_candidate(by=cast.owner.user, member=member, is_approved=False)
        assert paid(member) == SCREEN_OUT

    def test_for_whom_no_test_is_left_gets_a_code_without_one(self, cast):
        recruitment = way(cast.study)
        member = self.member_in(cast, recruitment)
        PrescreeningRules.objects.update(min_votes=10, test_size=20)
        page = page_of(member)
        assert "No test for you at present" in text(page)
        assert recruitment.screen_out_code in page.content.decode()


@pytest.mark.django_db(transaction=True)
def test_tabs_that_find_nothing_at_once_are_paid_once():
    cast = study_at_work(votes=1)
    question, member = reading_question(cast.study), sent(way(cast.study))
    answer = lambda: answer_questions(by=member, answers={question.pk: "No"})  # noqa: E731
    at_once(*[answer] * 4)
    assert paid(member) == SCREEN_OUT and BackgroundAnswer.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_sitting_with_nothing_in_it_ends_once_for_all_tabs():
    cast = study_at_work(votes=1)
    votes = [join(cast.study, f"w{number}", "crowd_worker") for number in range(8)]
    for one in votes:
        votes_of(one, 1)
    member = sent(way(cast.study))
    begin(member)
    offer = next_task(by=member, stage="crowd")
    tab = lambda: conclude(by=member, stage="crowd", offer=offer)  # noqa: E731
    at_once(*[tab] * 4)
    assert paid(member) == SCREEN_OUT
