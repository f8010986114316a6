"""Makes and changes webhooks, and notes what they are to be told; sending is done elsewhere.

An event is noted in the transaction in which it happens, so it is told if and only if it happened.
"""

import base64
import hashlib
import hmac
import json
import secrets
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

import pghistory
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import (
    TEST,
    DeliveryState,
    Member,
    Study,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
    WebhookState,
)
from annotation.services.archive import hold_open, lock_study
from infra.outbound import OutboundRefused, Purpose, check_url

PREFIX = "whsec_"
SALT_BYTES = 32
MOST_WEBHOOKS = 20
MOVES = (WebhookState.ACTIVE, WebhookState.PAUSED, WebhookState.REMOVED)


class WebhookRefused(Exception):
    """A webhook that cannot be made or changed; its text is a sentence for the person."""


@transaction.atomic
def make_webhook(*, by: Member, address: str, events: Iterable[str]) -> tuple[Webhook, str]:
    """Make a webhook; return it with its secret, which is shown once."""
    with pghistory.context(user=by.user_id, action="make webhook"):
        lock_study(by.study_id)  # they are counted
        there = Webhook.objects.filter(study=by.study_id).exclude(state=WebhookState.REMOVED)
        if there.count() >= MOST_WEBHOOKS:
            raise WebhookRefused(_("A study has at most %s webhooks.") % MOST_WEBHOOKS)
        webhook = Webhook.objects.create(
            study_id=by.study_id,
            address=good_address(address),
            events=good_events(events),
            salt=secrets.token_hex(SALT_BYTES),
            secret_made_at=timezone.now(),
            created_by_id=by.user_id,
        )
    return webhook, secret_of(webhook)


def good_address(address: str) -> str:
    """Return an address that may be asked, or say why not."""
    try:
        found = check_url(address, purpose=Purpose.WEBHOOK, allow=settings.ALLOWED_ADDRESSES)
    except OutboundRefused as refusal:
        raise WebhookRefused(_(refusal.template) % refusal.values) from None
    if not found.startswith("https://"):
        raise WebhookRefused(_("The address must begin with https://: what is sent is signed."))
    if "#" in found:
        raise WebhookRefused(_("Leave out what follows the #: it is never sent."))
    return found


def good_events(events: Iterable[str]) -> list[str]:
    """Return the events in their order, or say what is wrong with them."""
    wanted = set(events)
    found = [event.value for event in WebhookEvent if event in wanted]
    if not found or wanted - set(found):
        raise WebhookRefused(_("Choose at least one of the events, and no other."))
    return found


@transaction.atomic
def change_webhook(*, by: Member, webhook: Webhook, address: str, events: Iterable[str]) -> Webhook:
    """Change where a webhook goes and what it is told; what waits goes to the new address."""
    with pghistory.context(user=by.user_id, action="change webhook"):
        hold_open(by.study_id)
        webhook = lock(webhook)
        webhook.address, webhook.events = good_address(address), good_events(events)
        webhook.failing_since = None
        webhook.save(update_fields=["address", "events", "failing_since"])
    return webhook


@transaction.atomic
def rotate_secret(*, by: Member, webhook: Webhook) -> tuple[Webhook, str]:
    """Give a webhook another secret; the old one signs nothing any more."""
    with pghistory.context(user=by.user_id, action="rotate secret"):
        hold_open(by.study_id)
        webhook = lock(webhook)
        webhook.salt, webhook.secret_made_at = secrets.token_hex(SALT_BYTES), timezone.now()
        webhook.save(update_fields=["salt", "secret_made_at"])
    return webhook, secret_of(webhook)


@transaction.atomic
def move_webhook(*, by: Member, webhook: Webhook, to: str) -> Webhook:
    """Pause a webhook, let it go on, or remove it. What waited while it was paused is sent then."""
    if to not in MOVES:
        raise WebhookRefused(_("A webhook can be made active, paused or removed."))
    with pghistory.context(user=by.user_id, action="move webhook"):
        if to == WebhookState.ACTIVE:
            hold_open(by.study_id)
        webhook = lock(webhook)
        webhook.state, webhook.failing_since = to, None
        webhook.save(update_fields=["state", "failing_since"])
    return webhook


def lock(webhook: Webhook) -> Webhook:
    """Make those who change a webhook take turns; refuse one that was removed meanwhile."""
    found = Webhook.objects.select_for_update().get(pk=webhook.pk)
    if found.state == WebhookState.REMOVED:
        raise WebhookRefused(_("This webhook was removed meanwhile."))
    return found


def key_of(webhook: Webhook) -> bytes:
    """Return the key that signs: it follows from the site's own, and is stored nowhere."""
    words = f"juryroom webhook {webhook.salt}".encode()
    return hmac.digest(settings.SECRET_KEY.encode(), words, hashlib.sha256)


def secret_of(webhook: Webhook) -> str:
    """Return the key as receivers are given it."""
    return PREFIX + base64.b64encode(key_of(webhook)).decode()


def signature(webhook: Webhook, message_id: str, timestamp: int, body: str) -> str:
    """Return what proves that a message comes from here, as Standard Webhooks has it."""
    signed = f"{message_id}.{timestamp}.{body}".encode()
    digest = hmac.digest(key_of(webhook), signed, hashlib.sha256)
    return f"v1,{base64.b64encode(digest).decode()}"


def announce(*, study: Study, event: str, about: Mapping[str, Any]) -> None:
    """Note what has happened for each webhook that wants to know. `about`: ids and addresses only.

    Call it in the transaction in which it happens.
    """
    webhooks = Webhook.objects.filter(study=study, state=WebhookState.ACTIVE)
    note(webhooks.filter(events__contains=[event]), study, event, about)


def note(
    webhooks: QuerySet[Webhook] | list[Webhook], study: Study, event: str, about: Mapping[str, Any]
) -> list[WebhookDelivery]:
    """Write down a delivery to each of some webhooks."""
    return WebhookDelivery.objects.bulk_create(
        [delivery_of(webhook, study, event, about) for webhook in webhooks]
    )


def delivery_of(
    webhook: Webhook, study: Study, event: str, about: Mapping[str, Any]
) -> WebhookDelivery:
    """Return an event as one webhook is told of it."""
    message_id = uuid.uuid4()
    body = {
        "id": f"msg_{message_id.hex}",
        "type": event,
        "timestamp": timezone.now().isoformat(),
        "data": {"study": study.slug, **about},
    }
    return WebhookDelivery(
        webhook=webhook, message_id=message_id, event=event, body=json.dumps(body)
    )


def send_test(*, by: Member, webhook: Webhook) -> WebhookDelivery:
    """Note a message that says nothing, to try a webhook out; a paused one gets it, too."""
    hold_open(by.study_id)
    if webhook.state == WebhookState.REMOVED:
        raise WebhookRefused(_("This webhook was removed meanwhile."))
    if webhook.deliveries.filter(event=TEST, state=DeliveryState.WAITING).exists():
        raise WebhookRefused(_("A test is on its way already; wait for what comes of it."))
    (made,) = note([webhook], webhook.study, TEST, {})
    return made


@transaction.atomic
def send_again(*, by: Member, delivery: WebhookDelivery) -> WebhookDelivery:
    """Let a message be sent once more, now: with the same id, so a receiver can tell."""
    hold_open(by.study_id)
    found = WebhookDelivery.objects.select_for_update().get(pk=delivery.pk)
    found.state, found.attempts, found.reason = DeliveryState.WAITING, 0, ""
    found.next_at = timezone.now()
    found.save(update_fields=["state", "attempts", "reason", "next_at"])
    return found
