"""What pages show of webhooks and of what became of each message."""

from django.db.models import Count, Max, Q, QuerySet

from annotation.models import DeliveryState, Study, Webhook, WebhookDelivery, WebhookState


def webhooks_of(study: Study) -> QuerySet[Webhook]:
    """Return a study's webhooks that are there, with how their messages fared."""
    return (
        Webhook.objects.filter(study=study)
        .exclude(state=WebhookState.REMOVED)
        .annotate(
            delivered=Count("deliveries", filter=Q(deliveries__state=DeliveryState.DELIVERED)),
            waiting=Count("deliveries", filter=Q(deliveries__state=DeliveryState.WAITING)),
            given_up=Count("deliveries", filter=Q(deliveries__state=DeliveryState.GIVEN_UP)),
            last_at=Max("deliveries__last_at"),
        )
        .select_related("created_by", "study")
        .order_by("pk")
    )


def deliveries_of(webhook: Webhook) -> QuerySet[WebhookDelivery]:
    """Return what a webhook was told, newest first."""
    return WebhookDelivery.objects.filter(webhook=webhook).order_by("-pk")
