"""What a requester uploads to Mechanical Turk: exact, safe in a spreadsheet, for owners only."""

import csv
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import SittingState, StageCode
from annotation.services.sittings import end_sitting
from crowd.models import Qualification, Qualified
from crowd.services.arrivals import arrive
from crowd.services.ledger import add_entry
from crowd.services.links import Identity
from crowd.services.pay import approve, reinstate, reject
from crowd.services.recruitment import create_recruitment, move_recruitment
from tests.crowd.conftest import begin
from tests.crowd.paying import ended_sitting, pay_all, votes_of

pytestmark = pytest.mark.django_db

BAD_WORDS = (
    "=cmd() was what you answered, and so you did on each and every post, whatever it said. " * 2
)


@pytest.fixture
def way(cast, batch):
    made = create_recruitment(by=None, study=cast.study, kind="mturk", name="MTurk", sitting_size=2)
    return move_recruitment(by=None, recruitment=made, to="open")


def sitting_of(way, worker, assignment, votes=2):
    """Let Mechanical Turk send somebody, who does their sitting or leaves it."""
    arrival = arrive(recruitment=way, identity=Identity(worker, assignment))
    member = way.study.members.get(user=arrival.user)
    sitting = begin(member)
    votes_of(member, votes)
    if votes < 2:
        end_sitting(by=member, stage=StageCode.CROWD, state=SittingState.LEFT)
    sitting.refresh_from_db()
    return sitting


def rows(client, cast, name, number=None):
    address = "pay_mturk_file" if number is None else "pay_payout_file"
    arguments = [cast.study.slug, *([] if number is None else [number]), name]
    answer = client.get(reverse(address, args=arguments))
    assert answer["Content-Disposition"].startswith("attachment")
    assert "no-store" in answer["Cache-Control"]
    return list(csv.DictReader(answer.content.decode().splitlines()))


def test_a_payout_approves_whole_sittings_and_pays_the_rest_as_one_bonus(cast, way, sign_in):
    done, left = sitting_of(way, "A1", "3A"), sitting_of(way, "A2", "3B", votes=1)
    other = ended_sitting(cast.study, "ada")
    approve(by=None, study=cast.study, sittings=[done.pk, left.pk, other.pk])
    for amount, reason in (("1.00", "=Thanks"), ("0.50", "Quick.")):
        add_entry(
            by=cast.owner.user,
            member=done.member,
            kind="bonus",
            amount=Decimal(amount),
            reason=reason,
        )
    payout = pay_all(cast)
    owner = sign_in(cast.owner)
    assert rows(owner, cast, "mturk-approve.csv", 1) == [
        {"AssignmentId": "3A", "WorkerId": "A1", "Approve": "x", "Reject": ""}
    ]
    bonuses = rows(owner, cast, "mturk-bonus.csv", 1)
    assert [(row["AssignmentId"], row["WorkerId"], row["BonusAmount"]) for row in bonuses] == [
        ("3A", "A1", "1.50"),
        ("3B", "A2", "0.18"),
    ]
    assert bonuses[0]["Reason"] == "'=Thanks; Quick."
    tokens = [row["UniqueRequestToken"] for row in bonuses]
    assert tokens == [row["UniqueRequestToken"] for row in rows(owner, cast, "mturk-bonus.csv", 1)]
    assert len(set(tokens)) == 2 and str(payout.pk) in tokens[0]


def test_a_correction_lessens_the_bonus_and_nothing_negative_is_written(cast, way, sign_in):
    done = sitting_of(way, "A1", "3A")
    approve(by=None, study=cast.study, sittings=[done.pk])
    add_entry(
        by=cast.owner.user,
        member=done.member,
        kind="correction",
        amount=Decimal("-0.10"),
        reason="Twice.",
    )
    pay_all(cast)
    assert rows(sign_in(cast.owner), cast, "mturk-bonus.csv", 1) == []


def test_sittings_that_stand_rejected_are_in_the_file_safe_from_formulas(cast, way, sign_in):
    bad, back = sitting_of(way, "A1", "3A"), sitting_of(way, "A2", "3B")
    for sitting in (bad, back, ended_sitting(cast.study, "ada")):
        reject(by=cast.owner.user, sitting=sitting, reason="other", words=BAD_WORDS)
    reinstate(by=cast.owner.user, sitting=back)
    (row,) = rows(sign_in(cast.owner), cast, "mturk-reject.csv")
    assert (row["AssignmentId"], row["WorkerId"], row["Approve"]) == ("3A", "A1", "")
    assert row["Reject"] == f"'{BAD_WORDS}"


def test_who_passed_is_in_the_file_of_the_qualification(cast, way, sign_in):
    done, other = sitting_of(way, "A1", "3A"), sitting_of(way, "A2", "3B")
    test = Qualification.objects.create(study=cast.study)
    for sitting, state in ((done, "granted"), (other, "refused")):
        Qualified.objects.create(
            qualification=test,
            user=sitting.member.user,
            state=state,
            correct=17,
            scored=20,
            decided_at=timezone.now(),
        )
    found = rows(sign_in(cast.owner), cast, "mturk-qualification.csv")
    assert found == [{"WorkerId": "A1", "IntegerValue": "85"}]


def test_researchers_get_neither_the_files_nor_an_id(cast, way, sign_in):
    done = sitting_of(way, "A1SECRET", "3SECRET")
    reject(by=cast.owner.user, sitting=done, reason="other", words=BAD_WORDS)
    researcher, slug = sign_in(cast.researcher), cast.study.slug
    address = reverse("pay_mturk_file", args=[slug, "mturk-reject.csv"])
    assert researcher.get(address).status_code == 403
    assert sign_in(cast.owner).get(f"{address}x").status_code == 404
    for name, more in (("pay_sitting", [done.pk]), ("pay_person", [done.member.pseudonym])):
        assert "SECRET" not in researcher.get(reverse(name, args=[slug, *more])).content.decode()


def test_files_of_mturk_are_offered_only_where_it_sends_people(cast, batch, sign_in):
    owner, page = sign_in(cast.owner), reverse("pay_payouts", args=[cast.study.slug])
    assert "mturk-reject" not in owner.get(page).content.decode()
    create_recruitment(by=None, study=cast.study, kind="mturk", name="MTurk")
    assert "mturk-reject" in owner.get(page).content.decode()
