"""A crowd worker's card says what waits for them, or what stands between them and the posts."""

import pytest
from django.urls import reverse

from annotation.models import BatchState, Sitting, Standing, StandingState
from annotation.services.assignments import database_now
from annotation.services.batches import move_batch
from annotation.services.standings import change_standing
from crowd.models import Arrival
from crowd.services.batches import create_batch
from crowd.services.recruitment import create_recruitment
from tests.cast import add_posts, join, make_cast
from tests.crowd.candidates import answer_next, begin, candidate, open_with, take_test, wrong
from tests.queries import queries_for

pytestmark = pytest.mark.django_db

WAITING = ("Posts are waiting.", "Posts are being handed out.")
NOTHING = ("Nothing is waiting just now.", "No batch is open just now.")
GOLDS = ["no_claim", "checkworthy", "no_claim", "checkworthy"]


@pytest.fixture
def cards(sign_in):
    """Return what a member's home and the study's page say, without line breaks."""

    def words(member):
        client = sign_in(member)
        pages = [client.get("/"), client.get(reverse("study", args=[member.study.slug]))]
        return [" ".join(page.content.decode().split()) for page in pages]

    return words


def say(pages, sentences):
    """Say whether each page has its sentence, or both the one that is given."""
    both = [sentences, sentences] if isinstance(sentences, str) else sentences
    return all(sentence in page for page, sentence in zip(pages, both, strict=True))


def says_neither(pages):
    return not any(word in page for page in pages for word in (*WAITING, *NOTHING))


def open_posts(cast, count=3):
    """Open a batch of the crowd."""
    batch = create_batch(
        by=None, study=cast.study, external_ids=[f"p{n + 1}" for n in range(count)]
    )
    return move_batch(by=None, batch=batch, to=BatchState.OPEN)


def test_a_card_says_whether_posts_are_handed_out(cast, cards):
    add_posts(cast.study, 3)
    assert say(cards(cast.worker), NOTHING)
    open_posts(cast)
    assert say(cards(cast.worker), WAITING)


def test_a_card_says_that_a_test_waits_goes_on_and_was_passed(cast, cards):
    open_with(cast, GOLDS, test_size=2, min_votes=1, pass_share=1)
    member = candidate(cast)
    told = cards(member)
    assert say(told, "A short test comes first") and says_neither(told)
    assert all("button-primary" in page for page in told)
    begin(member)
    answer_next(member)
    assert say(cards(member), "in the midst of the test")
    answer_next(member)
    assert say(cards(member), NOTHING)


def test_a_card_says_that_a_test_was_failed_for_good_or_is_looked_at(cast, cards):
    open_with(cast, GOLDS, test_size=2, min_votes=1, pass_share=1, max_tests=1, approval="by_hand")
    failed, passed = candidate(cast, "failed"), candidate(cast, "passed")
    take_test(failed, wrong)
    take_test(passed)
    told = cards(failed)
    assert say(told, "no work for you") and says_neither(told)
    assert not any("button-primary" in page for page in told)
    told = cards(passed)
    assert say(told, "A researcher looks at your answers") and says_neither(told)


def test_a_card_says_that_somebody_is_paused_and_not_that_posts_wait(cast, cards):
    add_posts(cast.study, 3)
    open_posts(cast)
    change_standing(
        by=None, member=cast.worker, stage="crowd", state=StandingState.PAUSED, reason="A look."
    )
    told = cards(cast.worker)
    assert say(told, "has paused your work here") and says_neither(told)
    assert not any("button-primary" in page for page in told)


def test_a_card_says_that_a_limit_is_reached(cast, cards):
    add_posts(cast.study, 3)
    open_posts(cast)
    cast.study.protocol.daily_cap = 2
    cast.study.protocol.save()
    today = database_now().date()
    Standing.objects.filter(member=cast.worker).update(votes=2, votes_on_day=2, day=today)
    told = cards(cast.worker)
    assert say(told, "enough for today") and says_neither(told)
    cast.study.protocol.person_limit = 2
    cast.study.protocol.save()
    assert say(cards(cast.worker), "as many posts as one person may")
    Standing.objects.filter(member=cast.worker).update(votes=1, votes_on_day=2, day="2020-01-01")
    assert say(cards(cast.worker), WAITING)


def test_a_card_says_that_a_visit_was_all_that_was_asked_for(cast, cards):
    add_posts(cast.study, 3)
    open_posts(cast)
    way = create_recruitment(by=None, study=cast.study, kind="panel", name="P", panel="p")
    member = join(cast.study, "visitor", "crowd_worker", posts=2)
    visit = Arrival.objects.create(recruitment=way, user=member.user, session_id="s1")
    assert say(cards(member), WAITING)
    sitting = member.sittings.get()
    visit.sitting = sitting
    visit.save()
    assert say(cards(member), WAITING), "the sitting of the visit goes on"
    Sitting.objects.filter(pk=sitting.pk).update(state="complete", ended_at=database_now())
    told = cards(member)
    assert say(told, "all that was asked of you") and says_neither(told)


def test_cards_of_many_studies_cost_as_many_queries_as_those_of_few(cast, sign_in):
    client = sign_in(cast.worker)
    join(make_cast("second").study, cast.worker.user.username, "crowd_worker")
    few = queries_for(client, "/")
    for number in range(3):
        join(make_cast(f"more-{number}").study, cast.worker.user.username, "crowd_worker")
    assert queries_for(client, "/") == few
