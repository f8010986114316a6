"""Sends what webhooks are to be told, until the other side has taken it or a day has gone by.

Every attempt has the same id and body, so a receiver that was told twice can tell. Workers share
the work by an advisory lock on each delivery: no attempt is made by two of them.
"""

import time
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus

import httpx
import pghistory
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import TEST, DeliveryState, Webhook, WebhookDelivery, WebhookState
from annotation.services.jobs import alone
from annotation.services.webhooks import signature
from infra.outbound import Network, OutboundRefused, Purpose, client

NETWORK = Network()
LOCK_SPACE = 0x686F6F6B  # "hook"
SECONDS = 10.0
LARGEST_ANSWER = 64 * 1024
ANSWER_SHOWN = 300
MOST_AT_ONCE = 50
SECONDS_AT_ONCE = 20.0
STOPPED_AFTER = timedelta(days=5)

# How long to wait after each attempt that failed: about a day in all.
WAITS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=8),
    timedelta(hours=8),
)


@dataclass(frozen=True)
class Outcome:
    """What came of an attempt; without a reason it was taken."""

    status: int | None = None
    answer: str = ""
    reason: str = ""

    @property
    def is_gone(self) -> bool:
        """Say whether the other side wants nothing any more."""
        return self.status == HTTPStatus.GONE


def send_due() -> int:
    """Send what is due; return how many attempts were made. What is left waits for the next.

    A webhook that does not take one is left alone for this time: it must not hold up the others.
    """
    give_up_at = time.monotonic() + SECONDS_AT_ONCE
    waiting = due().order_by("next_at").values_list("pk", "webhook")
    failing: set[int] = set()
    made = 0
    for number, webhook in list(waiting[:MOST_AT_ONCE]):
        if time.monotonic() > give_up_at:
            break
        if webhook not in failing:
            with alone(number, LOCK_SPACE) as is_mine:
                outcome = attempt(number) if is_mine else None
            made += outcome is not None
            failing |= {webhook} if outcome and outcome.reason else set()
    return made


def due() -> QuerySet[WebhookDelivery]:
    """Return what is to be sent by now."""
    wanted = Q(webhook__state=WebhookState.ACTIVE)
    paused = (WebhookState.PAUSED, WebhookState.STOPPED)
    tried_out = Q(event=TEST, webhook__state__in=paused)
    return WebhookDelivery.objects.filter(
        wanted | tried_out, state=DeliveryState.WAITING, next_at__lte=timezone.now()
    )


def attempt(number: int) -> Outcome | None:
    """Make an attempt unless somebody else has made it meanwhile; return what came of it."""
    delivery = due().select_related("webhook").filter(pk=number).first()
    if delivery is None:
        return None
    outcome = post(delivery)
    record(delivery, outcome)
    return outcome


def post(delivery: WebhookDelivery) -> Outcome:
    """Send a message; no more than the first bytes of the answer are kept."""
    timestamp = int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Juryroom",
        "webhook-id": str(delivery),
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(delivery.webhook, str(delivery), timestamp, delivery.body),
    }
    allow = settings.ALLOWED_ADDRESSES
    try:
        with (
            client(
                Purpose.WEBHOOK, allow, seconds=SECONDS, size=LARGEST_ANSWER, network=NETWORK
            ) as session,
            session.stream(
                "POST", delivery.webhook.address, content=delivery.body.encode(), headers=headers
            ) as answer,
        ):
            return Outcome(answer.status_code, first_bytes(answer), why_not(answer.status_code))
    except OutboundRefused as refusal:
        return Outcome(reason=_(refusal.template) % refusal.values)
    except httpx.TimeoutException:
        return Outcome(reason=_("There was no answer within %d seconds.") % SECONDS)
    except httpx.ConnectError as error:
        return Outcome(reason=cannot_connect(error))
    except httpx.HTTPError:
        return Outcome(reason=_("The connection broke off before there was an answer."))


def first_bytes(answer: httpx.Response) -> str:
    """Return how an answer begins; the rest is left unread, and a body that breaks off is none."""
    try:
        piece = next(answer.iter_bytes(ANSWER_SHOWN), b"")
    except (httpx.HTTPError, OutboundRefused):
        piece = b""
    return piece.decode("utf-8", "replace").replace("\0", "�")[:ANSWER_SHOWN]


def why_not(status: int) -> str:
    """Return why an answer will not do; nothing for one that will."""
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return ""
    if status == HTTPStatus.GONE:
        return _("It answered 410: nothing is wanted there any more.")
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return _("It forwards elsewhere (%d). Enter the address itself.") % status
    return _("It answered %d where 200 to 299 was to be expected.") % status


def cannot_connect(error: httpx.ConnectError) -> str:
    """Return why no connection came about."""
    if "CERTIFICATE" in str(error).upper():
        return _("Its certificate is not valid, so nothing was sent.")
    return _("It cannot be reached.")


@transaction.atomic
def record(delivery: WebhookDelivery, outcome: Outcome) -> None:
    """Write down what came of an attempt, and when the next one is made.

    Who asked for another one while this was made gets it.
    """
    webhook = Webhook.objects.select_for_update().get(pk=delivery.webhook_id)
    asked_again_for = WebhookDelivery.objects.select_for_update().get(pk=delivery.pk).next_at
    now = timezone.now()
    if asked_again_for != delivery.next_at:
        note_health(webhook, outcome)
        return
    delivery.attempts += 1
    delivery.last_at, delivery.status = now, outcome.status
    delivery.answer, delivery.reason = outcome.answer, outcome.reason
    wait = WAITS[delivery.attempts - 1] if delivery.attempts <= len(WAITS) else None
    delivery.state, delivery.next_at = DeliveryState.GIVEN_UP, None
    if not outcome.reason:
        delivery.state = DeliveryState.DELIVERED
    elif wait and not outcome.is_gone and delivery.event != TEST:
        delivery.state, delivery.next_at = DeliveryState.WAITING, now + wait
    delivery.save()
    note_health(webhook, outcome)


def note_health(webhook: Webhook, outcome: Outcome) -> None:
    """Keep since when a webhook fails; pause it after days of that, or when it wants no more."""
    now = timezone.now()
    webhook.failing_since = (webhook.failing_since or now) if outcome.reason else None
    has_failed_for_days = webhook.failing_since and now - webhook.failing_since > STOPPED_AFTER
    if webhook.state == WebhookState.ACTIVE and (outcome.is_gone or has_failed_for_days):
        webhook.state = WebhookState.STOPPED
    with pghistory.context(user=None, action="pause webhook that fails"):
        webhook.save(update_fields=["failing_since", "state"])
