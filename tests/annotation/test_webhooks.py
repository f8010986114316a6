"""Webhooks: made and shown once, signed so that plain hmac agrees, sent until they are taken."""

import base64
import hashlib
import hmac
import json
import threading
import time
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation.models import (
    BatchState,
    DeliveryState,
    StageCode,
    Webhook,
    WebhookDelivery,
    WebhookState,
)
from annotation.services import webhook_sending
from annotation.services.batches import move_batch
from annotation.services.finishing import note_finished_batches
from annotation.services.jobs import queue_job, run_job
from annotation.services.webhook_sending import WAITS, send_due
from annotation.services.webhooks import (
    WebhookRefused,
    announce,
    change_webhook,
    make_webhook,
    move_webhook,
    rotate_secret,
    send_again,
    send_test,
)
from crowd.models import CrowdRound
from crowd.services.batches import create_batch
from tests.annotation import job_kinds
from tests.annotation.receivers import ADDRESS, receiver
from tests.cast import add_posts, make_cast
from tests.infra.websites import raw_server
from tests.queries import queries_for
from tests.world import read_instructions, vote_on

pytestmark = pytest.mark.django_db

EVENTS = ["batch.finished", "job.failed", "release.made"]
PAGES = "/studies/rumours/protocol/webhooks/"


@pytest.fixture
def hooks(monkeypatch, tmp_path):
    with receiver(monkeypatch, tmp_path) as found:
        yield found


@pytest.fixture
def made(cast):
    return make_webhook(by=cast.owner, address=ADDRESS, events=EVENTS)


def announced(cast, event="job.failed", **about):
    announce(study=cast.study, event=event, about=about)
    return WebhookDelivery.objects.latest("pk")


def fresh(delivery):
    delivery.refresh_from_db()
    return delivery


def make_due(delivery):
    WebhookDelivery.objects.filter(pk=delivery.pk).update(next_at=timezone.now())


def verify(secret, headers, body):
    """Check a message as a receiver does that has never heard of Juryroom."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return hmac.compare_digest(headers["webhook-signature"], f"v1,{wanted}")


def test_a_message_is_signed_says_ids_only_and_is_delivered_once(cast, made, hooks):
    _webhook, secret = made
    delivery = announced(cast, job=7, kind="import_posts")
    assert send_due() == 1
    ((headers, body),) = hooks.messages
    assert verify(secret, headers, body)
    assert not verify(secret, headers, body + b" ")
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
    said = json.loads(body)
    assert said["type"] == "job.failed" and said["id"] == headers["webhook-id"] == str(delivery)
    assert said["data"] == {"study": "rumours", "job": 7, "kind": "import_posts"}
    assert set(said) == {"id", "type", "timestamp", "data"}
    assert (fresh(delivery).state, delivery.status, delivery.answer) == (
        DeliveryState.DELIVERED,
        200,
        "thank you",
    )
    assert send_due() == 0


def test_only_those_who_asked_for_an_event_are_told_and_only_while_active(cast):
    by = cast.owner
    wanted, _secret = make_webhook(by=by, address=ADDRESS, events=["release.made"])
    make_webhook(by=by, address=ADDRESS, events=["job.failed"])
    paused, _secret = make_webhook(by=by, address=ADDRESS, events=EVENTS)
    move_webhook(by=by, webhook=paused, to="paused")
    other = make_cast("elsewhere")
    make_webhook(by=other.owner, address=ADDRESS, events=EVENTS)
    announce(study=cast.study, event="release.made", about={"release": 1})
    assert WebhookDelivery.objects.get().webhook == wanted


def test_an_event_that_is_undone_is_not_told(cast, made):
    with transaction.atomic():
        announced(cast)
        transaction.set_rollback(True)
    assert not WebhookDelivery.objects.exists()


def test_what_fails_is_tried_again_with_the_same_id_for_a_day_and_then_given_up(cast, made, hooks):
    _webhook, secret = made
    hooks.answers(500, b"out of order")
    delivery = announced(cast)
    waits = []
    for _attempt in range(len(WAITS) + 1):
        make_due(delivery)
        assert send_due() == 1
        if fresh(delivery).next_at:
            waits.append(delivery.next_at - delivery.last_at)
    assert waits == list(WAITS)
    assert timedelta(hours=20) < sum(waits, timedelta()) < timedelta(hours=30)
    assert (delivery.state, delivery.attempts) == (DeliveryState.GIVEN_UP, 8)
    assert "500" in delivery.reason and delivery.answer == "out of order"
    assert len({headers["webhook-id"] for headers, _body in hooks.messages}) == 1
    assert len({body for _headers, body in hooks.messages}) == 1
    assert all(verify(secret, headers, body) for headers, body in hooks.messages)
    hooks.answers(204)
    send_again(by=cast.owner, delivery=delivery)
    assert send_due() == 1 and fresh(delivery).state == DeliveryState.DELIVERED


def test_nothing_is_sent_before_it_is_due(cast, made, hooks):
    hooks.answers(500)
    announced(cast)
    assert (send_due(), send_due()) == (1, 0)


def test_a_webhook_that_fails_for_days_pauses_itself_and_what_waits_is_kept(cast, made, hooks):
    webhook, _secret = made
    hooks.answers(500)
    delivery = announced(cast)
    send_due()
    webhook.refresh_from_db()
    assert webhook.failing_since and webhook.state == WebhookState.ACTIVE
    Webhook.objects.update(failing_since=timezone.now() - timedelta(days=5, minutes=1))
    make_due(delivery)
    send_due()
    webhook.refresh_from_db()
    assert webhook.state == WebhookState.STOPPED
    make_due(delivery)
    assert send_due() == 0
    hooks.answers(200)
    move_webhook(by=cast.owner, webhook=webhook, to="active")
    assert send_due() == 1 and fresh(delivery).state == DeliveryState.DELIVERED


def test_a_success_ends_the_days_of_failing(cast, made, hooks):
    Webhook.objects.update(failing_since=timezone.now() - timedelta(days=4))
    announced(cast)
    send_due()
    assert Webhook.objects.get().failing_since is None


def test_who_answers_that_it_is_gone_is_asked_no_more(cast, made, hooks):
    hooks.answers(410)
    delivery = announced(cast)
    send_due()
    assert fresh(delivery).state == DeliveryState.GIVEN_UP
    assert Webhook.objects.get().state == WebhookState.STOPPED


def test_a_redirect_is_not_followed(cast, made, hooks):
    hooks.site.redirect("/juryroom", "https://elsewhere.example/", 307)
    delivery = announced(cast)
    send_due()
    assert "forwards elsewhere" in fresh(delivery).reason
    assert hooks.network.resolved == ["hooks.example"]


def test_megabytes_are_not_read(cast, made, hooks):
    hooks.answers(200, b"x" * 3_000_000)
    delivery = announced(cast)
    send_due()
    assert fresh(delivery).state == DeliveryState.DELIVERED
    assert delivery.answer == "x" * 300


def test_an_odd_answer_is_kept_as_text(cast, made, hooks):
    hooks.answers(500, b"\0<b>\xff</b>")
    delivery = announced(cast)
    send_due()
    assert fresh(delivery).answer == "�<b>�</b>"


def test_who_does_not_answer_in_time_is_not_waited_for(cast, monkeypatch, settings):
    monkeypatch.setattr(webhook_sending, "SECONDS", 0.5)

    def say_nothing(_connection, over):
        over.wait(10)

    with raw_server(say_nothing) as port:
        settings.ALLOWED_ADDRESSES = [f"127.0.0.1:{port}"]
        address = f"https://127.0.0.1:{port}/"
        _webhook, _secret = make_webhook(by=cast.owner, address=address, events=EVENTS)
        delivery = announced(cast)
        begun = time.monotonic()
        send_due()
        assert time.monotonic() - begun < 5
    assert fresh(delivery).state == DeliveryState.WAITING and delivery.reason


@pytest.mark.parametrize(
    "address",
    [
        "http://hooks.example.org/",
        "https://127.0.0.1/",
        "https://10.0.0.8/hook",
        "https://[::1]/",
        "https://169.254.169.254/latest/meta-data",
        "https://localhost/",
        "https://intranet/",
        "https://hooks.example.org:8443/",
        "https://me:secret@hooks.example.org/",
        "https://hooks.example.org/#part",
        "file:///etc/passwd",
        "hooks.example.org",
    ],
)
def test_an_address_that_is_not_public_or_not_safe_is_refused_with_a_sentence(cast, address):
    with pytest.raises(WebhookRefused, match=r"\w+ \w+"):
        make_webhook(by=cast.owner, address=address, events=EVENTS)
    assert not Webhook.objects.exists()


def test_what_the_administrator_allows_may_be_private(cast, settings):
    settings.ALLOWED_ADDRESSES = ["10.0.0.0/24"]
    make_webhook(by=cast.owner, address="https://10.0.0.8:8443/hook", events=EVENTS)
    with pytest.raises(WebhookRefused):
        make_webhook(by=cast.owner, address="https://10.0.1.8:8443/hook", events=EVENTS)


def test_a_name_that_turns_private_later_is_refused_when_it_is_sent(cast, made, hooks):
    hooks.network.names["hooks.example"] = ["127.0.0.1"]
    delivery = announced(cast)
    send_due()
    assert "not on the public internet" in fresh(delivery).reason
    assert hooks.network.dialled == []


def test_a_new_secret_signs_from_now_on_and_is_stored_nowhere(cast, made, hooks):
    webhook, old = made
    _webhook, new = rotate_secret(by=cast.owner, webhook=webhook)
    announced(cast)
    send_due()
    ((headers, body),) = hooks.messages
    assert verify(new, headers, body) and not verify(old, headers, body)
    with connection.cursor() as cursor:
        cursor.execute("SELECT string_agg(row::text, ' ') FROM annotation_webhook AS row")
        (stored,) = cursor.fetchone()
    assert new.removeprefix("whsec_") not in stored and "salt" not in stored
    assert webhook.changes.filter(secret_made_at__gt=webhook.created_at).exists()


def test_a_test_is_sent_to_a_paused_webhook_too_and_tried_once(cast, made, hooks):
    webhook, _secret = made
    move_webhook(by=cast.owner, webhook=webhook, to="paused")
    hooks.answers(500)
    delivery = send_test(by=cast.owner, webhook=webhook)
    assert send_due() == 1
    assert (fresh(delivery).state, delivery.event) == (DeliveryState.GIVEN_UP, "test")


def test_what_was_removed_is_told_nothing_and_cannot_be_changed(cast, made, hooks):
    webhook, _secret = made
    announced(cast)
    move_webhook(by=cast.owner, webhook=webhook, to="removed")
    assert send_due() == 0
    with pytest.raises(WebhookRefused, match="removed"):
        change_webhook(by=cast.owner, webhook=webhook, address=ADDRESS, events=EVENTS)


@pytest.mark.django_db(transaction=True)
def test_two_workers_never_make_one_attempt_twice(monkeypatch, tmp_path):
    cast = make_cast()
    make_webhook(by=cast.owner, address=ADDRESS, events=EVENTS)
    for number in range(6):
        announced(cast, job=number)
    made = []

    def work():
        try:
            made.append(send_due())
        finally:
            connection.close()

    with receiver(monkeypatch, tmp_path) as hooks:
        threads = [threading.Thread(target=work) for _worker in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert sum(made) == 6
        assert len({headers["webhook-id"] for headers, _body in hooks.messages}) == 6
        assert len(hooks.messages) == 6


def test_a_failed_job_is_told_and_a_cancelled_or_a_good_one_is_not(cast, made):
    job_kinds.register()
    asked = {"by": None, "study": cast.study, "kind": "test_steps"}
    run_job(job_id=queue_job(**asked, parameters={}).pk)
    assert not WebhookDelivery.objects.exists()
    job = queue_job(**asked, parameters={"refuse": "The text of a post"})
    run_job(job_id=job.pk)
    delivery = WebhookDelivery.objects.get()
    assert json.loads(delivery.body)["data"]["job"] == job.pk
    assert "The text" not in delivery.body


def open_batch(cast, posts):
    add_posts(cast.study, posts)
    batch = create_batch(by=None, study=cast.study, posts=posts, votes_wanted=1)
    read_instructions(cast.worker)
    return move_batch(by=None, batch=batch, to=BatchState.OPEN)


def told():
    return [json.loads(one.body)["data"] for one in WebhookDelivery.objects.order_by("pk")]


def test_a_batch_with_its_last_vote_is_told_once_and_closing_it_is_no_second_time(cast, made):
    batch = open_batch(cast, 2)
    vote_on(cast.worker, StageCode.CROWD, 1)
    assert note_finished_batches() == 0
    vote_on(cast.worker, StageCode.CROWD, 1)
    assert (note_finished_batches(), note_finished_batches()) == (1, 0)
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)
    assert told() == [{"study": "rumours", "stage": "crowd", "batch": 1, "votes_wanted": 1}]


def test_a_batch_that_is_closed_before_is_told_once(cast, made):
    batch = open_batch(cast, 2)
    move_batch(by=None, batch=batch, to=BatchState.CLOSED)
    assert note_finished_batches() == 0
    assert len(told()) == 1


def test_a_batch_that_wants_votes_again_is_told_a_second_time_when_it_has_them(cast, made):
    batch = open_batch(cast, 1)
    vote_on(cast.worker, StageCode.CROWD, 1)
    note_finished_batches()
    batch.places.update(filled_at=None, member=None)
    assert note_finished_batches() == 0
    batch.places.update(filled_at=timezone.now(), member=cast.worker)
    assert note_finished_batches() == 1
    assert len(told()) == 2


def test_a_draft_and_the_checks_beside_a_batch_are_no_batches_to_tell_of(cast, made):
    add_posts(cast.study, 1)
    draft = create_batch(by=None, study=cast.study, posts=1)
    assert CrowdRound.objects.filter(batch=draft).exists()
    assert note_finished_batches() == 0


def test_a_webhook_is_made_on_its_page_and_its_secret_shown_once(cast, sign_in):
    client = sign_in(cast.owner)
    sent = {"address": ADDRESS, "events": ["job.failed", "release.made"]}
    response = client.post(PAGES, sent)
    assert "whsec_" in response.content.decode() and "no-store" in response["Cache-Control"]
    webhook = Webhook.objects.get()
    pages = (PAGES, f"{PAGES}{webhook.pk}/")
    assert all("whsec_" not in client.get(page).content.decode() for page in pages)
    assert ADDRESS in client.get(PAGES).content.decode()


def test_a_refusal_stands_beside_the_field_and_makes_nothing(cast, sign_in):
    sent = {"address": "https://10.0.0.8/", "events": ["job.failed"]}
    response = sign_in(cast.owner).post(PAGES, sent)
    assert "not on the public internet" in response.content.decode()
    assert not Webhook.objects.exists()


def test_the_page_says_why_a_message_failed_and_sends_it_again(cast, made, hooks, sign_in):
    webhook, _secret = made
    hooks.answers(500, b"<script>")
    delivery = announced(cast)
    send_due()
    client, page = sign_in(cast.owner), f"{PAGES}{webhook.pk}/"
    text = client.get(page).content.decode()
    assert "It answered 500" in text and "&lt;script&gt;" in text and "<q><script>" not in text
    client.post(f"{page}deliveries/{delivery.pk}/again/")
    assert (fresh(delivery).attempts, delivery.state) == (0, DeliveryState.WAITING)


def test_more_messages_cost_no_more_queries(cast, made, sign_in):
    webhook, _secret = made
    client = sign_in(cast.owner)
    for _number in range(10):
        announced(cast)
    cost = queries_for(client, f"{PAGES}{webhook.pk}/")
    for _number in range(10):
        announced(cast)
    assert queries_for(client, f"{PAGES}{webhook.pk}/") == cost


def test_a_receiver_that_fails_does_not_hold_up_the_messages_of_others(cast, made, hooks):
    other = make_cast("elsewhere")
    hooks.answers(500)
    for number in range(3):
        announced(cast, job=number)
    make_webhook(by=other.owner, address=ADDRESS, events=EVENTS)
    announced(other)
    assert send_due() == 2  # one of the three, and the other study's


def test_one_test_at_a_time_is_on_its_way(cast, made, hooks):
    webhook, _secret = made
    send_test(by=cast.owner, webhook=webhook)
    with pytest.raises(WebhookRefused, match="on its way already"):
        send_test(by=cast.owner, webhook=webhook)
    send_due()
    send_test(by=cast.owner, webhook=webhook)


def test_who_asks_again_while_an_attempt_is_made_gets_another_one(cast, made, hooks, monkeypatch):
    hooks.answers(500)
    delivery = announced(cast)
    post = webhook_sending.post

    def asked_again_meanwhile(sent):
        outcome = post(sent)
        send_again(by=cast.owner, delivery=sent)
        return outcome

    with monkeypatch.context() as patched:
        patched.setattr(webhook_sending, "post", asked_again_meanwhile)
        send_due()
    hooks.answers(200)
    assert send_due() == 1 and fresh(delivery).state == DeliveryState.DELIVERED
