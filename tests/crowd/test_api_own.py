"""A worker's own side of the API: consent, questions, tests, earnings, and the way out."""

import json
from decimal import Decimal

import pytest

from annotation.models import Exclusion, Role, Vote
from annotation.services.people import add_member, create_study
from crowd.models import BackgroundAnswer, Dispute
from crowd.queries.recruitment import completion_of
from crowd.services.arrivals import arrive
from crowd.services.consent import add_question, write_consent_text
from crowd.services.ledger import add_entry
from crowd.services.links import Identity
from crowd.services.prescreening import open_prescreening
from crowd.services.recruitment import create_recruitment, move_recruitment
from tests.api import caller, refusal_of
from tests.cast import join
from tests.crowd.candidates import candidate, open_with, take_test
from tests.crowd.paying import approved, ended_sitting, rejected

pytestmark = pytest.mark.django_db

ANSWER = {"label": "no_claim", "seconds": 3.5, "guide_version": 1}
CHOICES = ("Yes", "No")


def newcomer(cast, name="newcomer"):
    return join(cast.study, name, Role.CROWD_WORKER, posts=0)


def ask(cast, kind="choice", **more):
    words = {"question": "Do you read the papers?", "kind": kind}
    return add_question(by=None, study=cast.study, **words, **more)


class TestConsent:
    """What somebody agrees to before the work."""

    def test_one_reads_agrees_and_goes_on(self, cast, batch):
        write_consent_text(by=None, study=cast.study, markdown="We keep it.")
        api = caller(newcomer(cast))
        waiting = api.post("work_next").json()
        assert (waiting["nothing"], waiting["gate"]) == ("gate", "consent")
        asked = api.get("work_consent").json()
        assert (asked["version"], asked["markdown"], asked["is_given"]) == (1, "We keep it.", False)
        assert asked["posts"] == cast.study.protocol.sitting_size and asked["reward"] == "0.18"
        after = api.post("work_consent", body={"version": 1}).json()
        assert (after["nothing"], after["gate"]) == ("instructions", "")
        assert api.get("work_consent").json()["is_given"] is True

    def test_another_version_than_the_newest_is_refused_and_nothing_is_stored(self, cast, batch):
        write_consent_text(by=None, study=cast.study, markdown="We keep it.")
        write_consent_text(by=None, study=cast.study, markdown="We keep it for a year.")
        api = caller(newcomer(cast))
        refused = api.post("work_consent", body={"version": 1})
        assert refusal_of(refused) == (409, "conflict")
        assert api.get("work_consent").json()["is_given"] is False

    def test_where_nothing_is_asked_there_is_no_version(self, cast, batch):
        api = caller(newcomer(cast))
        assert api.get("work_consent").json()["version"] == 0
        assert api.post("work_consent", body={"version": 1}).status_code == 409


class TestQuestions:
    """What somebody is asked about themselves."""

    def test_one_answers_or_declines_and_goes_on(self, cast, batch):
        chosen = ask(cast, choices=CHOICES)
        number = ask(cast, kind="number")
        text = ask(cast, kind="text")
        api = caller(newcomer(cast))
        assert api.post("work_next").json()["gate"] == "questions"
        asked = api.get("work_questions").json()
        assert [one["id"] for one in asked] == [chosen.pk, number.pk, text.pk]
        assert asked[0]["choices"] == ["Yes", "No"]
        answers = {str(chosen.pk): "Yes", str(number.pk): "27", str(text.pk): None}
        assert api.post("work_questions", body={"answers": answers}).json()["gate"] == ""
        stored = BackgroundAnswer.objects.order_by("question").values_list("answer", flat=True)
        assert list(stored) == ["Yes", "27", ""]
        assert api.get("work_questions").json() == []

    @pytest.mark.parametrize(
        ("answers", "field"),
        [
            ({}, "answers.%s"),
            ({"%s": "Perhaps"}, "answers.%s"),
            ({"%s": "choice:Yes"}, "answers.%s"),
            ({"%s": ""}, "answers.%s"),
            ({"%s": "Yes", "0": "Yes"}, "answers.0"),
        ],
        ids=str,
    )
    def test_what_is_no_answer_is_refused_and_nothing_is_stored(self, cast, batch, answers, field):
        asked = str(ask(cast, choices=CHOICES).pk)
        sent = json.loads(json.dumps({"answers": answers}).replace("%s", asked))
        refused = caller(newcomer(cast)).post("work_questions", body=sent)
        assert refused.status_code == 422
        assert list(refused.json()["fields"]) == [field.replace("%s", asked)]
        assert "choice:" not in json.dumps(refused.json())
        assert not BackgroundAnswer.objects.exists()

    def test_nothing_tells_which_answers_end_it(self, cast, batch):
        question = ask(cast, choices=CHOICES, turns_away=["No"])
        api = caller(newcomer(cast))
        assert "turns_away" not in api.get("work_questions").content.decode()
        ended = api.post("work_questions", body={"answers": {str(question.pk): "No"}}).json()
        assert (ended["nothing"], ended["gate"]) == ("gate", "screened_out")


class TestWithdrawal:
    """The way out of a study."""

    def test_who_withdraws_gets_no_more_and_cannot_twice(self, cast, batch, worker):
        api = caller(worker)
        held = api.post("work_next").json()["post"]["assignment"]
        api.post("work_submit", held, body=ANSWER)
        assert api.post("work_withdraw").json()["nothing"] == "you_withdrawn"
        assert not Vote.objects.counting().exists() and Vote.objects.exists()
        assert api.post("work_next").json()["nothing"] == "you_withdrawn"
        ended = api.post("work_questions", body={"answers": {}})
        assert refusal_of(ended) == (409, "conflict")
        again = api.post("work_withdraw")
        assert refusal_of(again) == (409, "conflict")

    def test_nobody_else_is_withdrawn(self, cast, batch, worker):
        caller(newcomer(cast)).post("work_withdraw")
        assert set(Exclusion.objects.values_list("member__user__username", flat=True)) == {
            "newcomer"
        }
        assert caller(worker).post("work_next").json()["post"]


class TestPrescreening:
    """A test by the API, and its result."""

    def rules(self, cast, **more):
        open_with(cast, ["no_claim"] * 8, **{"test_size": 4, "min_votes": 3, **more})

    def take(self, api, label):
        """Take a test; return the last answer of the API."""
        shown = api.post("prescreening_start", body={"version": 1}).json()
        while shown["post"]:
            number = shown["post"]["assignment"]
            sent = {**ANSWER, "label": label}
            shown = api.post("prescreening_submit", number, body=sent).json()["next"]
        return shown

    def test_from_the_instructions_to_the_qualification(self, cast):
        self.rules(cast)
        api = caller(candidate(cast))
        assert api.post("work_next").json()["gate"] == "prescreening"
        stand = api.get("prescreening").json()
        assert (stand["step"], stand["may_begin"], stand["tests_left"]) == ("first", True, 2)
        assert api.post("prescreening_next").json()["nothing"] == "instructions"
        end = self.take(api, "no_claim")
        assert end["nothing"] and end["sitting"]["state"] == "complete"
        after = api.get("prescreening").json()
        assert (after["step"], after["tests_taken"]) == ("granted", 1)
        assert after["sitting"]["completion_code"]
        assert api.post("work_next").json()["nothing"] == "no_sitting"

    def test_failing_is_final_after_the_allowed_tests(self, cast):
        self.rules(cast, max_tests=1)
        api = caller(candidate(cast))
        self.take(api, "checkworthy")
        after = api.get("prescreening").json()
        assert (after["step"], after["may_begin"], after["tests_left"]) == ("refused", False, 0)
        refused = api.post("prescreening_start", body={"version": 1})
        assert refusal_of(refused) == (409, "conflict")

    def test_an_answer_is_corrected_until_the_test_is_complete(self, cast):
        self.rules(cast)
        api = caller(candidate(cast))
        shown = api.post("prescreening_start", body={"version": 1}).json()
        first = shown["post"]["assignment"]
        assert api.post("prescreening_extend", first).json()["until"]
        shown = api.post("prescreening_submit", first, body=ANSWER).json()["next"]
        correction = {**ANSWER, "label": "checkworthy", "seen_version": 1}
        assert api.patch("prescreening_vote", first, body=correction).json()["version"] == 2
        assert api.get("prescreening_votes").json()["results"][0]["may_be_corrected"] is True
        api.post("prescreening_skip", shown["post"]["assignment"], body={"reason": "not_sure"})
        self.take(api, "no_claim")
        refused = api.patch("prescreening_vote", first, body={**ANSWER, "seen_version": 2})
        assert refused.status_code == 409
        assert api.get("prescreening_vote", first).json()["may_be_corrected"] is False
        assert api.get("work_vote", first).status_code == 404

    def test_the_result_is_the_same_whatever_was_right_and_tells_no_gold(self, cast):
        self.rules(cast)
        told = []
        for name in ("a", "b"):
            api = caller(candidate(cast, name))
            self.take(api, "no_claim")
            sitting = api.get("prescreening").json()
            sitting["sitting"].pop("completion_code")
            told.append(sitting)
        assert told[0] == told[1]
        assert not {"correct", "scored", "gold"} & set(json.dumps(told).split('"'))

    def test_who_has_the_platforms_code_gets_none_of_a_test(self, cast):
        self.rules(cast)
        way = create_recruitment(by=None, study=cast.study, kind="prolific", name="Prolific")
        move_recruitment(by=None, recruitment=way, to="open")
        user = arrive(recruitment=way, identity=Identity("5f" * 12, "64" * 12)).user
        member = cast.study.members.get(user=user)
        own = take_test(member).sitting.completion_code
        api = caller(member)
        assert completion_of(member.sittings.get()) is None
        told = [api.get("prescreening"), api.get("earnings_sittings")]
        for code in (own, way.completion_code):
            assert not any(code in answer.content.decode() for answer in told)


class TestEarnings:
    """What somebody earned, and a word against a rejection."""

    def test_sums_by_what_became_of_the_sittings(self, cast, batch):
        sitting = ended_sitting(cast.study, "ada", votes=2)
        other = ended_sitting(cast.study, "grace", votes=1)
        api = caller(sitting.member)
        (mine,) = api.get("earnings").json()
        assert (mine["currency"], mine["sums"]["waiting"], mine["sums"]["entered"]) == (
            "USD",
            "0.36",
            "0.00",
        )
        approved(cast.study, sitting)
        assert api.get("earnings").json()[0]["sums"]["entered"] == "0.36"
        rejected(cast, other)
        theirs = caller(other.member).get("earnings").json()[0]["sums"]
        assert (theirs["rejected"], theirs["entered"]) == ("0.18", "0.00")
        (row,) = api.get("earnings_sittings").json()["results"]
        assert (row["state"], row["amount"], row["dispute"]) == ("approved", "0.36", None)
        assert row == api.get("earnings_sitting", sitting.pk).json()
        assert api.get("earnings_sitting", other.pk).status_code == 404

    def test_bonuses_stand_beside_the_sittings_and_are_ones_own(self, cast, batch):
        sitting = ended_sitting(cast.study, "ada")
        approved(cast.study, sitting)
        words = {"kind": "bonus", "amount": Decimal("1.50"), "reason": "Thank you."}
        add_entry(by=cast.owner.user, member=sitting.member, **words)
        (entry,) = caller(sitting.member).get("earnings_entries").json()["results"]
        assert (entry["kind"], entry["amount"], entry["reason"]) == ("bonus", "1.50", "Thank you.")
        assert caller(newcomer(cast)).get("earnings_entries").json()["results"] == []

    def test_a_rejection_is_disputed_once(self, cast, batch):
        sitting = ended_sitting(cast.study, "ada")
        api = caller(sitting.member)
        early = api.post("earnings_dispute", sitting.pk, body={"text": "I read them."})
        assert refusal_of(early) == (409, "conflict")
        rejected(cast, sitting)
        row = api.get("earnings_sitting", sitting.pk).json()
        assert row["rejected_because"] == "low_effort" and row["words"] and not row["dispute"]
        said = api.post("earnings_dispute", sitting.pk, body={"text": "I read them."}).json()
        assert (said["dispute"]["text"], said["dispute"]["answered_at"]) == ("I read them.", None)
        api.post("earnings_dispute", sitting.pk, body={"text": "Once more."})
        assert Dispute.objects.get().text == "I read them."
        assert api.post("earnings_dispute", sitting.pk, body={}).status_code == 422

    def test_nobody_disputes_for_somebody_else(self, cast, batch):
        sitting = ended_sitting(cast.study, "ada")
        rejected(cast, sitting)
        stranger = caller(newcomer(cast))
        refused = stranger.post("earnings_dispute", sitting.pk, body={"text": "I read them."})
        assert refused.status_code == 404 and not Dispute.objects.exists()


class TestQualifications:
    """The qualifications of all of one's studies."""

    def test_a_researcher_sees_those_of_their_studies_and_where_they_count(self, cast):
        open_with(cast, ["no_claim"] * 8, test_size=4, min_votes=3)
        take_test(candidate(cast))
        second = create_study(by=None, slug="second", title="Second")
        add_member(by=None, study=second, user=cast.owner.user, role=Role.OWNER)
        owner = caller(cast.owner.user)
        (row,) = owner.get("qualifications").json()["results"]
        assert (row["study"], row["granted"], row["refused"]) == (cast.study.slug, 1, 0)
        assert row["accepted_by"] == []
        owner.slug = "second"
        changed = owner.patch("crowd_prescreening", body={"accepted": [cast.study.slug]})
        assert changed.status_code == 200
        owner.slug = ""
        (row,) = owner.get("qualifications").json()["results"]
        assert row["accepted_by"] == ["second"]
        (seen,) = caller(cast.researcher.user).get("qualifications").json()["results"]
        assert seen["accepted_by"] == []

    def test_a_worker_and_a_stranger_see_none(self, cast):
        open_with(cast, ["no_claim"] * 8, test_size=4, min_votes=3)
        open_prescreening(by=None, study=cast.study)
        for person in (cast.worker.user, cast.stranger):
            assert caller(person).get("qualifications").json()["results"] == []
