"""A person's own tokens for the API: made, shown once, revoked."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.access import person
from annotation.forms import TokenForm
from annotation.queries.tokens import tokens_of
from annotation.services.tokens import TokenRefused, make_token, revoke_token


def tokens(request: HttpRequest) -> HttpResponse:
    """List one's tokens; make one, which is shown on this answer only."""
    form = TokenForm(request.POST or None, user=person(request))
    if request.method == "POST" and form.is_valid():
        try:
            token, secret = make_token(by=person(request), **form.cleaned_data)
            context = {"token": token, "secret": secret, "crumb": token.name}
            response = render(request, "tokens/made.html", context)
            add_never_cache_headers(response)
            return response
        except TokenRefused as refusal:
            form.add_error(None, str(refusal))
    own = list(tokens_of(person(request)))
    ending = [token for token in own if token.ends_soon()]
    context = {"form": form, "tokens": own, "ending": ending}
    return render(request, "tokens/tokens.html", context)


@require_POST
def revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """End a token."""
    if not revoke_token(by=person(request), token_id=token_id):
        raise Http404(_("You have no such token."))
    messages.success(request, _("Revoked. Nothing that uses this token gets in any more."))
    return redirect("tokens")
