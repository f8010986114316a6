"""A study's webhooks, and what became of each message."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.fields import Moment
from annotation.models import LONGEST_ADDRESS, DeliveryState, Webhook, WebhookEvent, WebhookState
from annotation.queries.webhooks import deliveries_of, webhooks_of
from annotation.services.webhooks import (
    MOVES,
    WebhookRefused,
    change_webhook,
    make_webhook,
    move_webhook,
    rotate_secret,
    send_again,
    send_test,
)

REFUSALS: dict[type[Exception], int] = {WebhookRefused: CONFLICT}


class WebhookRow(serializers.Serializer):
    """Where a study's events go; nothing tells the secret."""

    id = serializers.IntegerField()
    address = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(choices=WebhookEvent.choices))
    state = serializers.ChoiceField(choices=WebhookState.choices)
    secret_made_at = Moment()
    failing_since = Moment(allow_null=True)
    created_at = Moment()


class NewWebhook(serializers.Serializer):
    """Where events are to go, and which."""

    address = serializers.CharField(max_length=LONGEST_ADDRESS)
    events = serializers.ListField(child=serializers.ChoiceField(choices=WebhookEvent.choices))


class WebhookPatch(NewWebhook):
    """What is to be different; what is not sent stays as it is."""

    state = serializers.ChoiceField(choices=[(move.value, move.label) for move in MOVES])


class WebhookWithSecret(serializers.Serializer):
    """A webhook with its secret, which is told in this answer only."""

    webhook = WebhookRow()
    secret = serializers.CharField()


class DeliveryRow(serializers.Serializer):
    """One message: how often it was sent, when it is again, what came back last."""

    id = serializers.IntegerField()
    message_id = serializers.CharField(source="__str__")
    event = serializers.CharField()
    body = serializers.CharField()
    state = serializers.ChoiceField(choices=DeliveryState.choices)
    attempts = serializers.IntegerField()
    next_at = Moment(allow_null=True)
    last_at = Moment(allow_null=True)
    status = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()
    answer = serializers.CharField()
    created_at = Moment()


class WebhookEndpoint(StudyEndpoint):
    """An address about one webhook."""

    def found(self, webhook_id: int) -> Webhook:
        """Return the webhook."""
        return of_study(webhooks_of(self.access.study), self.access, pk=webhook_id)


class Webhooks(StudyEndpoint):
    """All webhooks."""

    needs = {"GET": Permission.MANAGE_STUDY, "POST": Permission.MANAGE_STUDY}

    @operation(WebhookRow, is_page=True)
    def get(self, request: Request) -> Response:
        """List a study's webhooks."""
        return self.page(webhooks_of(self.access.study))

    @operation(WebhookWithSecret, sends=NewWebhook, code=201, refusals=REFUSALS)
    def post(self, request: Request) -> Response:
        """Make a webhook; its secret is in this answer only."""
        webhook, secret = make_webhook(by=self.access.member, **self.sent)
        return self.answer({"webhook": webhook, "secret": secret})


class OneWebhook(WebhookEndpoint):
    """One webhook."""

    needs = {"GET": Permission.MANAGE_STUDY, "PATCH": Permission.MANAGE_STUDY}

    @operation(WebhookRow)
    def get(self, request: Request, webhook_id: int) -> Response:
        """Tell where a webhook goes and how it fares."""
        return self.answer(self.found(webhook_id))

    @operation(WebhookRow, sends=WebhookPatch, is_partial=True, refusals=REFUSALS)
    def patch(self, request: Request, webhook_id: int) -> Response:
        """Change where a webhook goes and what it is told; pause it, or remove it."""
        webhook, by = self.found(webhook_id), self.access.member
        state = self.sent.pop("state", None)
        if self.sent:
            wanted: dict[str, Any] = {"address": webhook.address, "events": webhook.events}
            webhook = change_webhook(by=by, webhook=webhook, **wanted | self.sent)
        if state:
            webhook = move_webhook(by=by, webhook=webhook, to=state)
        return self.answer(webhook)


class WebhookRotate(WebhookEndpoint):
    """Another secret."""

    needs = {"POST": Permission.MANAGE_STUDY}

    @operation(WebhookWithSecret, refusals=REFUSALS)
    def post(self, request: Request, webhook_id: int) -> Response:
        """Give a webhook another secret, told in this answer only."""
        webhook, secret = rotate_secret(by=self.access.member, webhook=self.found(webhook_id))
        return self.answer({"webhook": webhook, "secret": secret})


class WebhookTest(WebhookEndpoint):
    """A try."""

    needs = {"POST": Permission.MANAGE_STUDY}

    @operation(DeliveryRow, code=201, refusals=REFUSALS)
    def post(self, request: Request, webhook_id: int) -> Response:
        """Send a message that says nothing, within seconds."""
        return self.answer(send_test(by=self.access.member, webhook=self.found(webhook_id)))


class Deliveries(WebhookEndpoint):
    """What a webhook was told."""

    needs = {"GET": Permission.MANAGE_STUDY}

    @operation(DeliveryRow, is_page=True)
    def get(self, request: Request, webhook_id: int) -> Response:
        """List the messages to a webhook, newest first."""
        return self.page(deliveries_of(self.found(webhook_id)), ("-pk",))


class DeliveryAgain(WebhookEndpoint):
    """Another sending."""

    needs = {"POST": Permission.MANAGE_STUDY}

    @operation(DeliveryRow, refusals=REFUSALS)
    def post(self, request: Request, webhook_id: int, delivery_id: int) -> Response:
        """Send a message once more, with the same id."""
        rows = deliveries_of(self.found(webhook_id))
        delivery = get_object_or_404(rows, pk=delivery_id)
        return self.answer(send_again(by=self.access.member, delivery=delivery))
