"""A study's webhooks: made, changed, tried out; what became of each message."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.access import Access, Permission, of_study, study_view
from annotation.forms import WebhookForm
from annotation.models import Webhook
from annotation.offers import may_change
from annotation.queries.webhooks import deliveries_of, webhooks_of
from annotation.services.webhooks import (
    WebhookRefused,
    change_webhook,
    make_webhook,
    move_webhook,
    rotate_secret,
    send_again,
    send_test,
)

PER_PAGE = 50


@study_view(Permission.MANAGE_STUDY)
def webhooks(request: HttpRequest, access: Access) -> HttpResponse:
    """List a study's webhooks; make one, whose secret is shown on this answer only."""
    form = WebhookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made, secret = make_webhook(by=access.member, **form.cleaned_data)
            return show_secret(request, access, made, secret)
        except WebhookRefused as refusal:
            form.add_error("address", str(refusal))
    context = {"access": access, "study": access.study, "form": form, "crumb": _("Webhooks")}
    context |= {"webhooks": webhooks_of(access.study), "may_make": offers(access)}
    return render(request, "webhooks/webhooks.html", context)


def offers(access: Access) -> bool:
    """Say whether pages offer changes."""
    return may_change(access, Permission.MANAGE_STUDY)


def show_secret(
    request: HttpRequest, access: Access, webhook: Webhook, secret: str
) -> HttpResponse:
    """Show a secret, on a page that no browser keeps."""
    context = {"access": access, "study": access.study, "webhook": webhook, "secret": secret}
    response = render(request, "webhooks/secret.html", context | {"crumb": _("Webhook")})
    add_never_cache_headers(response)
    return response


@study_view(Permission.MANAGE_STUDY)
def webhook(request: HttpRequest, access: Access, webhook_id: int) -> HttpResponse:
    """Show what a webhook was told and what came back; change where it goes."""
    found = of_study(webhooks_of(access.study), access, pk=webhook_id)
    initial = {"address": found.address, "events": found.events}
    form = WebhookForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            change_webhook(by=access.member, webhook=found, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("webhook", access.study.slug, webhook_id)
        except WebhookRefused as refusal:
            form.add_error("address", str(refusal))
    page = Paginator(deliveries_of(found), PER_PAGE).get_page(request.GET.get("page"))
    context = {"access": access, "study": access.study, "webhook": found, "form": form}
    context |= {"page": page, "crumb": _("Webhook"), "may_change": offers(access)}
    return render(request, "webhooks/webhook.html", context)


@require_POST
@study_view(Permission.MANAGE_STUDY)
def webhook_rotate(request: HttpRequest, access: Access, webhook_id: int) -> HttpResponse:
    """Give a webhook another secret, shown once."""
    found = of_study(webhooks_of(access.study), access, pk=webhook_id)
    changed, secret = rotate_secret(by=access.member, webhook=found)
    return show_secret(request, access, changed, secret)


@require_POST
@study_view(Permission.MANAGE_STUDY)
def webhook_move(request: HttpRequest, access: Access, webhook_id: int) -> HttpResponse:
    """Pause a webhook, let it go on, or remove it."""
    found = of_study(webhooks_of(access.study), access, pk=webhook_id)
    to = request.POST.get("to", "")
    tell(request, lambda: move_webhook(by=access.member, webhook=found, to=to), _("Done."))
    if to == "removed":
        return redirect("webhooks", access.study.slug)
    return redirect("webhook", access.study.slug, webhook_id)


@require_POST
@study_view(Permission.MANAGE_STUDY)
def webhook_test(request: HttpRequest, access: Access, webhook_id: int) -> HttpResponse:
    """Send a message that says nothing."""
    found = of_study(webhooks_of(access.study), access, pk=webhook_id)
    words = _("The test goes out within seconds; what comes back stands below.")
    tell(request, lambda: send_test(by=access.member, webhook=found), words)
    return redirect("webhook", access.study.slug, webhook_id)


@require_POST
@study_view(Permission.MANAGE_STUDY)
def webhook_again(
    request: HttpRequest, access: Access, webhook_id: int, delivery_id: int
) -> HttpResponse:
    """Send a message once more."""
    found = of_study(webhooks_of(access.study), access, pk=webhook_id)
    delivery = get_object_or_404(deliveries_of(found), pk=delivery_id)
    words = _("It goes out again within seconds, with the same id.")
    tell(request, lambda: send_again(by=access.member, delivery=delivery), words)
    return redirect("webhook", access.study.slug, webhook_id)


def tell(request: HttpRequest, act: Callable[[], Any], words: str) -> None:
    """Do something and say that it is done, or why not."""
    try:
        act()
    except WebhookRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, words)
