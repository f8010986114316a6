"""Pages for what went wrong outside a view, and the sign of life for supervisors."""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@login_not_required
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that a form was too old, and how to send it anew."""
    return render(request, "403_csrf.html", status=403)


def not_offered(request: HttpRequest) -> HttpResponse:
    """Hide a page of the accounts library: e-mail addresses are the owners' matter here."""
    raise Http404


@login_not_required
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer that the web process runs."""
    return HttpResponse("ok\n", content_type="text/plain")
