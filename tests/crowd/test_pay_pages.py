"""The pages of pay: every total opens to its rows, nobody sees another's, and all cost the same."""

import csv
import re
from decimal import Decimal

import pytest
from django.urls import reverse

from annotation.models import BatchState, Role, Sitting, StageCode, User
from annotation.services.batches import move_batch
from annotation.services.sittings import begin_sitting, end_sitting
from crowd.models import Dispute, LedgerEntry, Payout, PayState, SittingReview
from crowd.queries.pay import in_pay_state, sittings_of
from crowd.services.batches import create_batch
from crowd.services.ledger import add_entry
from crowd.services.pay import dispute, reinstate
from crowd.services.pay_rules import change_rules
from tests.cast import add_posts, join
from tests.crowd.conftest import has_read
from tests.crowd.paying import WORDS, approved, ended_sitting, pay_all, rejected, votes_of
from tests.queries import queries_for

pytestmark = pytest.mark.django_db


def url(name, cast, *more):
    return reverse(name, args=[cast.study.slug, *more])


def text(response):
    """Return a page as its words."""
    bare = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", bare)


@pytest.fixture
def waiting(cast, batch):
    return [ended_sitting(cast.study, name, seconds=30.0) for name in ("ada", "ben")]


def test_the_page_of_pay_shows_sums_and_what_is_still_to_come(cast, waiting, sign_in):
    approved(cast.study, waiting[0])
    page = text(sign_in(cast.researcher).get(url("pay", cast)))
    assert "Waiting for approval 0.36" in page and "Approved 0.36 0.00 of it paid" in page
    assert "Still to come 1.44 USD for 8 votes" in page
    assert "Sittings to review: 1" in page and "Everybody 2 4 2 min 0 s" in page


def test_whoever_is_under_the_floor_is_marked_with_an_icon_and_a_word(cast, waiting, sign_in):
    client = sign_in(cast.owner)
    assert "Under the floor" not in text(client.get(url("pay", cast)))
    change_rules(by=cast.owner.user, study=cast.study, hourly_floor=Decimal(30))
    page = client.get(url("pay", cast)).content.decode()
    assert "2 people are under the floor of 30.00" in page
    mark = re.search(r'<span class="state state-incomplete">.*?</span>', page, re.S)
    assert mark and "#warning" in mark[0] and "Under the floor" in mark[0]
    person = client.get(url("pay_person", cast, waiting[0].member.pseudonym))
    assert "earns 21.60 USD for an hour" in text(person)


@pytest.mark.parametrize("column", ["person", "votes", "seconds", "waiting", "hourly", "to_pay"])
def test_people_are_sorted_by_any_column_both_ways(column, cast, batch, sign_in):
    for number, name in enumerate(("ada", "ben", "cleo"), start=1):
        ended_sitting(cast.study, name, votes=number, seconds=40.0 / number**2)
    client = sign_in(cast.owner)

    def order(direction):
        page = client.get(url("pay", cast), {"sort": direction + column})
        return [mine.member.pseudonym for mine, _under in page.context["rows"]]

    if column != "to_pay":
        assert order("") == order("-")[::-1]
    assert len(order("")) == 3


def test_a_sort_that_is_no_column_is_passed_over(cast, waiting, sign_in):
    answer = sign_in(cast.owner).get(url("pay", cast), {"sort": "member__user__password"})
    assert answer.status_code == 200
    assert sign_in(cast.owner).get(url("pay", cast), {"currency": "XXX"}).status_code == 404


def test_some_sittings_are_approved_and_then_the_rest(cast, waiting, sign_in):
    client = sign_in(cast.researcher)
    client.post(url("pay_approve", cast), {"sitting": [waiting[0].pk, "x", "99999999999"]})
    assert LedgerEntry.objects.get().sitting == waiting[0]
    page = client.get(url("pay_sittings", cast))
    seen_at = page.context["seen_at"]
    client.post(url("pay_approve", cast), {"all": "1", "seen_at": seen_at})
    assert LedgerEntry.objects.count() == 2
    assert SittingReview.objects.filter(created_by=cast.researcher.user).count() == 2


def test_approving_all_leaves_out_what_ended_after_the_look(cast, waiting, sign_in):
    client = sign_in(cast.researcher)
    client.post(url("pay_approve", cast), {"all": "1", "seen_at": "2020-01-01T00:00:00Z"})
    client.post(url("pay_approve", cast), {"all": "1", "seen_at": "tomorrow"})
    client.post(url("pay_approve", cast), {})
    assert not LedgerEntry.objects.exists()


def test_a_rejection_needs_a_reason_that_platforms_accept(cast, waiting, sign_in):
    client = sign_in(cast.researcher)
    address = url("pay_reject", cast, waiting[0].pk)
    short = client.post(address, {"reason": "low_effort", "words": "Bad."})
    assert short.status_code == 422
    assert "Write at least 100 characters; these are 4." in text(short)
    none = client.post(address, {"reason": "no_such_reason", "words": WORDS})
    assert none.status_code == 422 and not SittingReview.objects.exists()
    client.post(address, {"reason": "low_effort", "words": WORDS})
    assert SittingReview.objects.get().decision == "rejected"
    again = client.post(address, {"reason": "low_effort", "words": WORDS}, follow=True)
    assert "decided on already: rejected" in text(again)


def test_a_worker_reads_why_disputes_once_and_reads_the_answer(cast, waiting, sign_in):
    rejected(cast, waiting[0])
    worker, researcher = sign_in(waiting[0].member), sign_in(cast.researcher)
    page = worker.get(url("earnings", cast))
    assert "Rejected" in text(page) and "Why, and what you can do" in text(page)
    address = url("earnings_dispute", cast, waiting[0].pk)
    assert "The same or random answers throughout" in text(worker.get(address))
    assert worker.post(address, {"text": " "}).status_code == 200
    worker.post(address, {"text": "I read <b>each</b> of them."})
    worker.post(address, {"text": "And again."})
    said = Dispute.objects.get()
    assert said.text == "I read <b>each</b> of them."
    shown = researcher.get(url("pay_dispute", cast, said.pk))
    assert "I read &lt;b&gt;each&lt;/b&gt; of them." in shown.content.decode()
    answer = {"outcome": "paid", "answer": "You are right, sorry."}
    researcher.post(url("pay_dispute", cast, said.pk), answer)
    assert LedgerEntry.objects.get().amount == Decimal("0.36")
    read = text(worker.get(address))
    assert "You are right, sorry." in read
    assert cast.researcher.user.username not in read and cast.researcher.pseudonym not in read


def test_a_workers_earnings_are_their_own_alone(cast, waiting, sign_in):
    add_entry(
        by=cast.owner.user,
        member=waiting[1].member,
        kind="bonus",
        amount=Decimal("77.70"),
        reason="Secret bonus.",
    )
    rejected(cast, waiting[1])
    page = text(sign_in(waiting[0].member).get(url("earnings", cast)))
    assert "Waiting for approval 0.36 USD" in page
    assert "77.70" not in page and "Secret" not in page and waiting[1].member.pseudonym not in page
    theirs = url("earnings_dispute", cast, waiting[1].pk)
    client = sign_in(waiting[0].member)
    assert client.get(theirs).status_code == client.post(theirs, {"text": "x"}).status_code == 404
    assert not Dispute.objects.exists()


def test_a_sitting_that_is_not_rejected_cannot_be_disputed(cast, waiting, sign_in):
    client = sign_in(waiting[0].member)
    assert client.get(url("earnings_dispute", cast, waiting[0].pk)).status_code == 404


def test_the_end_of_a_sitting_leads_to_the_earnings(cast, batch, sign_in):
    worker = join(cast.study, "ada", Role.CROWD_WORKER, posts=1)
    votes_of(worker, 1)
    client = sign_in(worker)
    has_read(worker)
    page = client.get(url("work", cast)).content.decode()
    assert f'href="{url("earnings", cast)}"' in page
    assert f'href="{url("earnings", cast)}"' in client.get(url("work_votes", cast)).content.decode()


def test_a_code_shows_among_ones_sittings_only_once_the_sitting_is_complete(cast, batch, sign_in):
    worker = join(cast.study, "ada", Role.CROWD_WORKER, posts=2)
    first, client = worker.sittings.get(), sign_in(worker)
    votes_of(worker, 1)
    assert first.completion_code not in text(client.get(url("earnings", cast)))
    votes_of(worker, 1)
    begin_sitting(by=worker, stage=StageCode.CROWD, size=2)
    votes_of(worker, 1)
    left = end_sitting(by=worker, stage=StageCode.CROWD, state="left")
    page = text(client.get(url("earnings", cast)))
    assert first.completion_code in page and left.completion_code not in page
    assert "0.36 USD" in page and "0.18 USD" in page


def test_a_bonus_cannot_take_away_and_a_form_enters_once(cast, worker, sign_in):
    client = sign_in(cast.owner)
    address = url("pay_entry_new", cast, worker.pseudonym)
    form = str(client.get(address).context["form"].initial["form"])
    bonus = {"kind": "bonus", "amount": "-1", "reason": "No.", "form": form}
    assert "A bonus is more than nothing." in text(client.post(address, bonus))
    sent = bonus | {"amount": "1.50", "reason": "Thank you."}
    client.post(address, sent)
    client.post(address, sent)
    assert LedgerEntry.objects.get().amount == Decimal("1.50")


def payout_form(page):
    return {name: page.context[name] for name in ("currency", "people", "last_entry")} | {
        "expected": str(page.context["total"])
    }


def test_a_payout_is_previewed_made_and_downloaded(cast, waiting, sign_in):
    approved(cast.study, *waiting)
    client = sign_in(cast.owner)
    preview = client.get(url("pay_payout_new", cast))
    assert "2 people get 0.72 USD together." in text(preview)
    form = payout_form(preview)
    client.post(url("pay_payout_new", cast), form)
    again = client.post(url("pay_payout_new", cast), form, follow=True)
    assert "Nothing is left to pay" in text(again) and Payout.objects.count() == 1
    answer = client.get(url("pay_payout_file", cast, 1, "payout.csv"))
    rows = list(csv.DictReader(answer.content.decode().splitlines()))
    assert {row["payee"] for row in rows} == {"ada", "ben"}
    assert {row["annotator"] for row in rows} == {one.member.pseudonym for one in waiting}
    assert [(row["amount"], row["currency"], row["entries"]) for row in rows] == [
        ("0.36", "USD", "1")
    ] * 2
    assert answer["Content-Disposition"].startswith("attachment")
    assert client.get(url("pay_payout_file", cast, 1, "other.csv")).status_code == 404


def test_a_payout_for_some_pays_only_them(cast, waiting, sign_in):
    approved(cast.study, *waiting)
    client = sign_in(cast.owner)
    chosen = {"person": [waiting[0].member.pseudonym], "currency": "USD"}
    preview = client.get(url("pay_payout_new", cast), chosen)
    assert "1 person gets 0.36 USD." in text(preview)
    client.post(url("pay_payout_new", cast), payout_form(preview))
    assert Payout.objects.get().lines.get().entry.member == waiting[0].member


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"last_entry": "-1"},
        {"expected": "NaN"},
        {"people": "w-nobody"},
        {"currency": "EUR"},
        {"expected": "0.01"},
    ],
)
def test_a_broken_payout_form_pays_nothing_and_says_so(broken, cast, waiting, sign_in):
    approved(cast.study, *waiting)
    client = sign_in(cast.owner)
    form = payout_form(client.get(url("pay_payout_new", cast))) | broken if broken else {}
    answer = client.post(url("pay_payout_new", cast), form, follow=True)
    assert not Payout.objects.exists()
    assert [str(message) for message in answer.context["messages"]]


def test_a_name_that_a_spreadsheet_would_run_is_exact_in_one_file_and_safe_in_the_other(
    cast, waiting, sign_in
):
    User.objects.filter(pk=waiting[0].member.user_id).update(username="=cmd()")
    approved(cast.study, waiting[0])
    client = sign_in(cast.owner)
    client.post(url("pay_payout_new", cast), payout_form(client.get(url("pay_payout_new", cast))))
    exact = client.get(url("pay_payout_file", cast, 1, "payout.csv")).content.decode()
    safe = client.get(url("pay_payout_file", cast, 1, "spreadsheet.csv")).content.decode()
    assert ",=cmd()," in exact and ",'=cmd()," in safe


def test_rules_are_changed_by_owners_and_bad_ones_change_nothing(cast, sign_in):
    client = sign_in(cast.owner)
    rules = {
        "hourly_floor": "",
        "approval": "by_hand",
        "approve_after_days": "3",
        "end_after_days": "3",
        "screen_out": "0.10",
    }
    bad = client.post(url("pay_rules", cast), rules | {"approve_after_days": "0"})
    assert bad.status_code == 200 and not hasattr(cast.study, "pay_rules")
    assert client.post(url("pay_rules", cast), rules).status_code == 302
    cast.study.refresh_from_db()
    assert cast.study.pay_rules.approval == "by_hand"
    assert not cast.study.pay_rules.prescreening_is_paid


def test_sittings_are_found_by_the_state_that_they_are_shown_in(cast, batch):
    members = [ended_sitting(cast.study, name, votes=1) for name in ("a", "b", "c", "d", "e", "f")]
    paid, good, bad, back, nothing, _waits = members
    approved(cast.study, paid)
    pay_all(cast)
    approved(cast.study, good)
    for sitting in (bad, back):
        rejected(cast, sitting)
    reinstate(by=cast.owner.user, sitting=back)
    Sitting.objects.filter(pk=nothing.pk).update(reward=0)
    votes_of(cast.worker, 1)
    found = sittings_of(cast.study)
    for state in PayState.values:
        shown = {one.pk for one in found if one.pay_state == state}
        assert {one.pk for one in in_pay_state(found, state)} == shown, state
        assert shown, state


PAGES = [
    "pay",
    "pay_sittings",
    "pay_disputes",
    "pay_payouts",
    "pay_payout_new",
    "pay_payout",
    "pay_person",
    "earnings",
]


def fill(cast, start, times):
    """Make sittings of each state, disputes and payouts; all of them of one person, too."""
    for number in range(start, start + times):
        waits, bad, answered, good = (
            ended_sitting(cast.study, f"{kind}{number}", votes=1) for kind in "abcd"
        )
        for one in (bad, answered):
            rejected(cast, one)
            said = dispute(by=one.member, sitting=one, text="No.")
        said.answer, said.answered_at = "Yes.", waits.ended_at
        said.save()
        approved(cast.study, good)
        pay_all(cast)
        approved(cast.study, ended_sitting(cast.study, f"e{number}", votes=1))
        add_entry(
            by=cast.owner.user, member=cast.worker, kind="bonus", amount=Decimal(1), reason="So."
        )
        votes_of(cast.worker, 1)
        end_sitting(by=cast.worker, stage=StageCode.CROWD, state="left")
        begin_sitting(by=cast.worker, stage=StageCode.CROWD, size=50)


def test_pages_need_no_more_queries_with_more_rows(cast, sign_in):
    add_posts(cast.study, 12)
    batch = create_batch(by=None, study=cast.study, posts=12, votes_wanted=40)
    move_batch(by=None, batch=batch, to=BatchState.OPEN)
    clients = {"earnings": sign_in(cast.worker)}
    owner = sign_in(cast.owner)
    more = {"pay_payout": [1], "pay_person": [cast.worker.pseudonym]}

    def costs():
        return {
            page: queries_for(clients.get(page, owner), url(page, cast, *more.get(page, [])))
            for page in PAGES
        }

    fill(cast, 0, 2)
    few = costs()
    fill(cast, 2, 5)
    assert costs() == few
    assert max(few.values()) < 35
