"""What researchers see of prescreening, and what candidates never see."""

import re
import threading

import pytest
from django.db import connection
from django.urls import reverse

from annotation.models import Sitting, SittingState
from annotation.services.assignments import next_task
from crowd.models import GoldLabel, PrescreeningRules, PrescreeningTest, Qualified
from crowd.queries.prescreening import taken_tests
from crowd.services.candidates import begin_test
from crowd.services.defaults import current_instructions
from tests.cast import make_cast
from tests.crowd.candidates import (
    LABELS,
    answer_next,
    begin,
    candidate,
    closed_pool,
    open_with,
    right,
    take_test,
    wrong,
)

pytestmark = pytest.mark.django_db

SMALL = {"test_size": 4, "min_votes": 3}
POOL = [*LABELS, "no_claim", "no_claim", "checkworthy", "ambiguous"]
RULES = {
    "pass_share": "0.75",
    "min_votes": "3",
    "min_per_label": "1",
    "test_size": "6",
    "max_tests": "3",
    "approval": "by_hand",
}


def url(name, cast, *more):
    return reverse(name, args=[cast.study.slug, *more])


def page(response):
    return " ".join(response.content.decode().split())


def test_the_rules_are_set_on_a_page_and_mended_with_a_sentence(cast, sign_in):
    closed_pool(cast, POOL)
    client = sign_in(cast.researcher)
    assert "70% agreement on at least 10" in page(client.get(url("crowd_prescreening", cast)))
    bad = client.post(url("crowd_prescreening_rules", cast), RULES | {"test_size": "2"})
    assert "at least as many posts as the votes" in page(bad)
    assert not PrescreeningRules.objects.exists()
    saved = client.post(url("crowd_prescreening_rules", cast), RULES, follow=True)
    assert "75% agreement on at least 3" in page(saved) and "at least 1" in page(saved)
    rules = PrescreeningRules.objects.get()
    assert (rules.max_tests, rules.approval, rules.is_open) == (3, "by_hand", False)


def test_prescreening_is_opened_and_closed_from_its_page(cast, sign_in):
    client = sign_in(cast.owner)
    move = url("crowd_prescreening_move", cast)
    refused = client.post(move, {"to": "open"}, follow=True)
    assert "has 0 unambiguous posts" in page(refused)
    closed_pool(cast, ["no_claim"] * 10)
    opened = client.post(move, {"to": "open"}, follow=True)
    assert "Nobody begins to work without having passed" in page(opened)
    closed = client.post(move, {"to": "closed"}, follow=True)
    assert "Newcomers work without a test" in page(closed)


def test_candidates_are_listed_with_their_scores_in_the_order_asked_for(cast, sign_in):
    open_with(cast, ["no_claim"] * 12, test_size=4, min_votes=3)
    good, bad = candidate(cast, "good"), candidate(cast, "bad")
    take_test(good)
    take_test(bad, wrong)
    candidate(cast, "idle")
    client = sign_in(cast.researcher)
    for sort, order in (("share", [bad, good]), ("-share", [good, bad]), ("nonsense", [bad, good])):
        html = page(client.get(url("crowd_prescreening", cast), {"sort": sort}))
        places = [html.index(f">{member.pseudonym}</a>") for member in order]
        assert places == sorted(places), sort
    assert "100.0%" in html and "0.0%" in html and "2 candidates" in html
    assert 'aria-sort="descending"' in page(
        client.get(url("crowd_prescreening", cast), {"sort": "-share"})
    )


def test_the_list_costs_the_same_with_more_candidates(cast, sign_in, django_assert_max_num_queries):
    open_with(cast, ["no_claim"] * 6, test_size=4, min_votes=3)
    client = sign_in(cast.researcher)
    take_test(candidate(cast, "one"))
    with django_assert_max_num_queries(40) as few:
        client.get(url("crowd_prescreening", cast))
    for number in range(4):
        take_test(candidate(cast, f"more-{number}"))
    with django_assert_max_num_queries(len(few.captured_queries)):
        client.get(url("crowd_prescreening", cast))


def test_a_candidates_answers_stand_beside_gold_and_lead_to_the_posts(cast, sign_in):
    open_with(cast, ["no_claim"] * 4, test_size=4, min_votes=3)
    member = candidate(cast)
    begin(member)
    answer_next(member, wrong)
    client = sign_in(cast.researcher)
    running = page(client.get(url("crowd_candidate", cast, member.pseudonym)))
    assert "shown when the test is complete" in running and "differs" not in running
    for _post in range(3):
        answer_next(member, right)
    html = page(client.get(url("crowd_candidate", cast, member.pseudonym)))
    assert html.count("agrees") == 3 and html.count("differs") == 1
    assert "3 of 4 scored votes" in html and str(taken_tests(member)[0].seed) in html
    post = taken_tests(member)[0].sitting.slots.first().task.post_id
    assert url("post", cast, post) in html


def test_a_candidate_is_approved_or_refused_on_the_page(cast, sign_in):
    open_with(cast, ["no_claim"] * 4, **SMALL, approval="by_hand")
    member = candidate(cast)
    client = sign_in(cast.researcher)
    decide = url("crowd_candidate_decide", cast, member.pseudonym)
    early = client.post(decide, {"decision": "approve"}, follow=True)
    assert "has not taken a test yet" in page(early)
    begin(member)
    during = client.post(decide, {"decision": "approve"}, follow=True)
    assert "is at a test; wait" in page(during)
    assert not Qualified.objects.exists()
    for _post in range(4):
        answer_next(member)
    assert "Choose whether" in page(client.post(decide, {"decision": "maybe"}, follow=True))
    client.post(decide, {"decision": "approve", "reason": "Good eye"})
    decided = Qualified.objects.get()
    assert (decided.state, decided.decided_by) == ("granted", cast.researcher.user)
    assert "Good eye" in page(client.get(url("crowd_candidate", cast, member.pseudonym)))
    client.post(decide, {"decision": "refuse"})
    decided.refresh_from_db()
    assert decided.state == "refused"


def test_a_candidate_of_another_study_is_not_there(cast, sign_in):
    open_with(cast, ["no_claim"] * 4, **SMALL)
    stranger = make_cast("elsewhere")
    client = sign_in(cast.owner)
    for name in ("crowd_candidate", "crowd_candidate_decide"):
        address = reverse(name, args=[stranger.study.slug, stranger.worker.pseudonym])
        assert client.post(address).status_code in (404, 405)
        assert client.get(address).status_code in (404, 405)


def bare(response):
    """Return a page and its headers without what changes from request to request."""
    html = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", response.content.decode())
    html = re.sub(r"<lease-clock.*?</lease-clock>", "", html, flags=re.DOTALL)
    headers = {name: value for name, value in response.headers.items() if "nonce" not in value}
    return html, headers


def test_whatever_gold_says_a_candidates_pages_are_the_same(cast, sign_in):
    open_with(cast, ["no_claim"] * 8, test_size=4, min_votes=3)
    member = candidate(cast)
    client = sign_in(member)
    addresses = [url(name, cast) for name in ("prescreening", "prescreening_test", "work")]
    addresses += [url("prescreening_votes", cast), reverse("study", args=[cast.study.slug])]
    begin(member)
    first = answer_next(member)
    held = next_task(by=member, stage="prescreening").assignment.pk
    addresses += [url("prescreening_correct", cast, first), url("prescreening_skip", cast, held)]
    seen = {}
    for gold in ("no_claim", "checkworthy", "ambiguous"):
        GoldLabel.objects.update(label=gold)
        seen[gold] = [bare(client.get(address)) for address in addresses]
    assert seen["no_claim"] == seen["checkworthy"] == seen["ambiguous"]
    text = str(list(seen.values())).lower()
    assert "ambiguous" not in text and "gold" not in text


def test_the_result_is_the_same_whichever_posts_were_right(cast, sign_in):
    open_with(cast, ["no_claim"] * 8, test_size=4, min_votes=3)
    results = []
    for wrong_post in (0, 3):
        member = candidate(cast, f"wrong-at-{wrong_post}")
        begin(member)
        for number in range(4):
            answer_next(member, wrong if number == wrong_post else right)
        html, _headers = bare(sign_in(member).get(url("prescreening", cast)))
        code = Sitting.objects.get(member=member).completion_code
        results.append(html.replace(code, "").replace(member.user.username, ""))
    assert results[0] == results[1] and "You have passed" in results[0]


def test_candidates_and_experts_have_no_way_to_the_researchers_pages(cast, sign_in):
    open_with(cast, ["no_claim"] * 4, **SMALL)
    for person in (candidate(cast), cast.expert):
        client = sign_in(person)
        for name in ("crowd_prescreening", "crowd_prescreening_rules", "gold"):
            assert client.get(url(name, cast)).status_code == 403
        assert client.get(url("crowd_candidate", cast, person.pseudonym)).status_code == 403
    assert sign_in(cast.researcher).get(url("prescreening", cast)).status_code == 403


def test_the_code_is_not_shown_before_the_end(cast, sign_in):
    open_with(cast, ["no_claim"] * 8, test_size=4, min_votes=3)
    member = candidate(cast)
    begin(member)
    code = Sitting.objects.get(member=member).completion_code
    client = sign_in(member)
    for name in ("prescreening", "prescreening_test", "prescreening_votes"):
        assert code not in page(client.get(url(name, cast)))
    for _post in range(4):
        answer_next(member)
    assert code in page(client.get(url("prescreening", cast)))


@pytest.mark.django_db(transaction=True)
def test_two_tabs_that_begin_a_test_at_once_make_one():
    cast = make_cast()
    open_with(cast, ["no_claim"] * 8, test_size=4, min_votes=3)
    member = candidate(cast)
    version = current_instructions(cast.study).version
    barrier, sittings, errors = threading.Barrier(6), [], []

    def begin_in_a_tab():
        try:
            barrier.wait()
            sittings.append(begin_test(by=member, version=version).pk)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    tabs = [threading.Thread(target=begin_in_a_tab) for _tab in range(6)]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert errors == [] and len(sittings) == 6 and len(set(sittings)) == 1
    assert PrescreeningTest.objects.count() == 1
    assert Sitting.objects.filter(state=SittingState.OPEN, member=member).count() == 1
    assert taken_tests(member)[0].sitting.slots.count() == 4
