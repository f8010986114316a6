"""The gold pool: labelled blind, by several researchers, with “ambiguous” as an answer."""

import pytest
from django.urls import reverse

from annotation.models import Assignment, BatchState, Role, Task, TaskKind, Vote
from annotation.services.batches import BatchRefused
from crowd.models import GoldLabel
from crowd.queries.gold import gold_label
from crowd.services.batches import create_batch, create_gold_batch
from crowd.services.gold import close_pool
from tests.cast import join
from tests.crowd.conftest import held_by

pytestmark = pytest.mark.django_db


def url(name, cast, *more):
    return reverse(name, args=[cast.study.slug, *more])


def page(response):
    return response.content.decode()


def label(sign_in, cast, member, code):
    held = held_by(member, "gold")
    return sign_in(member).post(url("gold_submit", cast, held), {"label": code})


@pytest.fixture
def second(cast):
    return join(cast.study, "second", Role.RESEARCHER)


@pytest.mark.parametrize(
    ("labels", "gold"),
    [
        ([], ""),
        (["checkworthy"], ""),
        (["ambiguous"], ""),
        (["ambiguous", "ambiguous"], "ambiguous"),
        (["checkworthy", "checkworthy"], "checkworthy"),
        (["checkworthy", "no_claim"], "ambiguous"),
        (["checkworthy", "checkworthy", "no_claim"], "ambiguous"),
        (["checkworthy", "ambiguous"], "ambiguous"),
    ],
)
def test_the_gold_label_is_what_all_say_else_ambiguous(labels, gold):
    assert gold_label(labels) == gold


def test_the_screen_has_a_fourth_answer_and_a_band(cast, gold_batch, sign_in):
    html = page(sign_in(cast.researcher).get(url("gold_work", cast)))
    assert 'data-stage="gold"' in html and 'value="ambiguous"' in html
    assert "lease-clock" not in html


def test_every_researcher_labels_the_whole_pool(cast, gold_batch, sign_in, second):
    for member in (cast.researcher, second):
        for _post in range(2):
            assert label(sign_in, cast, member, "ambiguous").status_code == 302
        assert "All done" in page(sign_in(member).get(url("gold_work", cast)))
    assert Task.objects.filter(kind=TaskKind.OPEN).count() == 2
    assert Vote.objects.filter(counted=True).count() == 4


def test_what_another_said_shows_only_after_ones_own_label(cast, gold_batch, sign_in, second):
    for _post in range(2):
        label(sign_in, cast, second, "no_claim")
    mine = sign_in(cast.researcher)
    for address in ("gold", "gold_work", "gold_votes"):
        html = page(mine.get(url(address, cast)))
        assert second.pseudonym not in html
    before = page(mine.get(url("gold", cast)))
    assert "Label a post, and it is listed here" in before and "Rumour number" not in before
    label(sign_in, cast, cast.researcher, "checkworthy")
    after = page(mine.get(url("gold", cast)))
    assert after.count("Rumour number") == 1 and second.pseudonym in after
    assert "1 post" in after and "<b>Ambiguous</b>" in after


def test_a_closed_pool_is_open_to_every_researcher(cast, gold_batch, sign_in, second):
    for member in (cast.owner, second):
        for _post in range(2):
            label(sign_in, cast, member, "no_claim")
    close_pool(by=None, batch=gold_batch)
    html = page(sign_in(cast.researcher).get(url("gold", cast)))
    assert html.count("Rumour number") == 2 and second.pseudonym in html


def test_the_page_can_be_narrowed_to_where_researchers_differ(cast, gold_batch, sign_in, second):
    for member, codes in ((cast.researcher, ("no_claim", "no_claim")), (second, ("no_claim",))):
        for code in codes:
            label(sign_in, cast, member, code)
    label(sign_in, cast, second, "checkworthy")
    mine = sign_in(cast.researcher)
    for show, ids in {
        "differing": ["p6"],
        "ambiguous": ["p6"],
        "no_claim": ["p5"],
        "waiting": [],
        "": ["p5", "p6"],
        "nonsense": ["p5", "p6"],
    }.items():
        html = page(mine.get(url("gold", cast), {"show": show}))
        assert [found for found in ("p5", "p6") if f">{found}</a>" in html] == ids, show
    nobody_yet = page(sign_in(cast.owner).get(url("gold", cast), {"show": "differing"}))
    assert ">p6</a>" not in nobody_yet and second.pseudonym not in nobody_yet


def test_closing_makes_gold_labels_and_says_when_posts_lack_a_second_label(
    cast, gold_batch, sign_in, second
):
    client = sign_in(cast.researcher)
    for code in ("no_claim", "checkworthy"):
        label(sign_in, cast, cast.researcher, code)
    assert "there is no gold yet" in page(client.get(url("gold_batch_close", cast, 1)))
    label(sign_in, cast, second, "no_claim")
    refused = client.post(url("gold_batch_close", cast, 1))
    assert "1 post lacks the label of a second researcher" in page(refused)
    gold_batch.refresh_from_db()
    assert gold_batch.state == BatchState.OPEN and not GoldLabel.objects.exists()
    closed = client.post(url("gold_batch_close", cast, 1), {"without_rest": "on"}, follow=True)
    assert "1 post has a gold label now" in page(closed)
    only = GoldLabel.objects.get()
    assert (only.post.external_id, only.label, only.source) == ("p5", "no_claim", "pool")
    assert only.batch == gold_batch


def test_a_post_on_which_researchers_differ_or_one_says_so_is_ambiguous_gold(
    cast, gold_batch, sign_in, second
):
    for member, codes in (
        (cast.researcher, ("no_claim", "ambiguous")),
        (second, ("checkworthy", "no_claim")),
    ):
        for code in codes:
            label(sign_in, cast, member, code)
    assert close_pool(by=cast.owner.user, batch=gold_batch) == 2
    assert set(GoldLabel.objects.values_list("label", flat=True)) == {"ambiguous"}
    with pytest.raises(BatchRefused, match="closed already"):
        close_pool(by=cast.owner.user, batch=gold_batch)


def test_the_corrected_label_becomes_gold_and_none_is_corrected_after(
    cast, gold_batch, sign_in, second
):
    for member in (cast.researcher, second):
        for _post in range(2):
            label(sign_in, cast, member, "no_claim")
    client = sign_in(second)
    first = Assignment.objects.filter(member=second).earliest("pk")
    correction = {"label": "checkworthy", "vote_version": "1"}
    client.post(url("gold_correct", cast, first.pk), correction)
    close_pool(by=None, batch=gold_batch)
    assert GoldLabel.objects.get(post=first.task.post).label == "ambiguous"
    back = {"label": "no_claim", "vote_version": "2"}
    assert client.post(url("gold_correct", cast, first.pk), back).status_code == 409
    assert GoldLabel.objects.get(post=first.task.post).label == "ambiguous"


def test_the_button_that_moves_batches_leads_to_the_page_that_closes_the_pool(
    cast, gold_batch, sign_in
):
    client = sign_in(cast.owner)
    answer = client.post(url("gold_batch_move", cast, 1), {"to": "closed"})
    assert answer["Location"] == url("gold_batch_close", cast, 1)
    gold_batch.refresh_from_db()
    assert gold_batch.state == BatchState.OPEN


def test_the_votes_of_the_crowd_on_a_gold_post_stay_hidden_until_it_is_labelled(
    cast, gold_batch, sign_in
):
    from crowd.services.count_import import import_counts
    from infra.jobs import no_report
    from tests.cast import upload

    file = upload(
        cast.study,
        "id,no_claim,not_checkworthy,checkworthy\np5,1,3,5\np1,2,7,0\n",
        kind="crowd_counts",
    )
    import_counts(by=None, file=file, report=no_report)
    client = sign_in(cast.researcher)
    for address in (url("crowd_batch", cast, 1), url("crowd_posts", cast)):
        html = " ".join(page(client.get(address)).split())
        assert "stay hidden from you" in html
        assert 'data-label="Checkworthy"> 5 ' not in html.replace('">5', '"> 5')
        assert 'data-label="Not checkworthy"> 7 ' in html.replace('">7<', '"> 7 <')
    by_majority = page(client.get(url("crowd_posts", cast) + "?majority=checkworthy"))
    assert "p5" not in by_majority
    label(sign_in, cast, cast.researcher, "checkworthy")
    label(sign_in, cast, cast.researcher, "checkworthy")
    by_majority = page(client.get(url("crowd_posts", cast) + "?majority=checkworthy"))
    assert "p5" in by_majority


def test_a_gold_label_can_be_corrected_until_the_pool_is_closed(cast, gold_batch, sign_in):
    held = held_by(cast.researcher, "gold")
    client = sign_in(cast.researcher)
    client.post(url("gold_submit", cast, held), {"label": "no_claim"})
    correction = {"label": "ambiguous", "vote_version": "1"}
    assert client.post(url("gold_correct", cast, held), correction).status_code == 302
    assert Vote.objects.current().get().label == "ambiguous"


def test_crowd_workers_and_experts_have_no_way_to_the_pool(cast, gold_batch, sign_in):
    for person in (cast.worker, cast.expert):
        client = sign_in(person)
        for address in ("gold", "gold_work", "gold_votes", "gold_batch_new"):
            assert client.get(url(address, cast)).status_code == 403


def test_a_post_is_never_in_the_pool_and_in_a_batch_of_the_crowd(cast, gold_batch, batch):
    with pytest.raises(BatchRefused, match="p5"):
        create_batch(by=None, study=cast.study, external_ids=["p5"])
    with pytest.raises(BatchRefused, match="p1"):
        create_gold_batch(by=None, study=cast.study, external_ids=["p1"])
    with pytest.raises(BatchRefused, match="No post is left"):
        create_batch(by=None, study=cast.study, posts=5)


def test_a_pool_is_drawn_and_opened_from_the_page(cast, posts, sign_in):
    client = sign_in(cast.owner)
    assert "The gold pool is empty" in page(client.get(url("gold", cast)))
    answer = client.post(url("gold_batch_new", cast), {"posts": 3, "seed": 7}, follow=True)
    assert "Gold batch 1 is made" in page(answer)
    move = client.post(url("gold_batch_move", cast, 1), {"to": "open"}, follow=True)
    assert "Batch 1 is open now" in page(move)
    assert client.post(url("gold_batch_move", cast, 9), {"to": "open"}).status_code == 404
