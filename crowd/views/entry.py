"""Where people come in without an account: a link, a panel, Prolific, the frame of Mechanical Turk.

An id that comes in an address is left behind at once: the answer sends to an address without it,
tells no other site where the browser was, and is kept by no browser.
"""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from allauth.core import ratelimit
from allauth.usersessions.models import UserSession
from csp.decorators import csp_replace
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_GET, require_http_methods

from annotation.access import Access, Permission, person, study_view
from annotation.models import User
from crowd.forms.recruitment import ReturnForm
from crowd.models import Recruitment, RecruitmentKind
from crowd.queries.recruitment import entry_of
from crowd.services.arrivals import (
    arrive,
    join_by_link,
    may_enter_without_password,
    offer_start,
    refuse_shut,
    use_start,
)
from crowd.services.links import EntryRefused, hit_in, identity_in
from crowd.services.prolific import check_submission
from crowd.services.return_codes import ReturnRefused, come_back, new_return_code

MTURK_HOSTS = ["https://*.mturk.com"]
REFUSED = 422

View = Callable[..., HttpResponse]


def entrance(view: View) -> View:
    """Open a view to people without an account; a refusal becomes a page, ids are left behind."""

    @wraps(view)
    def enter(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, **kwargs)
        except EntryRefused as refusal:
            context = {"sentence": str(refusal)}
            response = render(request, "recruitment/refused.html", context, status=refusal.status)
        add_never_cache_headers(response)
        # No address goes on to anybody. With no-referrer, browsers would send our own forms with
        # the origin "null", which the protection against forged forms refuses.
        response["Referrer-Policy"] = "strict-origin"
        return response

    return login_not_required(enter)


def way_in(token: str) -> Recruitment:
    """Return the way in at an address, or refuse."""
    found = entry_of(token)
    if found is None:
        raise EntryRefused(
            _("There is no study at this address. The link may be old or cut short."),
            HTTPStatus.NOT_FOUND,
        )
    return found


@require_http_methods(["GET", "POST"])
@entrance
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Let somebody in: at once whom a platform sends, after a click who has the link."""
    recruitment = way_in(token)
    if recruitment.kind == RecruitmentKind.LINK:
        return join_open(request, recruitment)
    identity = identity_in(recruitment, dict(request.GET.lists()))
    refuse_account(request)
    check_submission(recruitment=recruitment, identity=identity)
    arrival = arrive(recruitment=recruitment, identity=identity)
    sign_in(request, arrival.user)
    return redirect("work", recruitment.study.slug)


def join_open(request: HttpRequest, recruitment: Recruitment) -> HttpResponse:
    """Show what the link leads to; let somebody in who wants to, with a code to come back."""
    user = request.user if isinstance(request.user, User) else None
    study = recruitment.study
    if user and user.memberships.filter(study=study, is_active=True).exists():
        return redirect("study", study.slug)
    if request.method != "POST":
        refuse_shut(recruitment)
        return render(request, "recruitment/join.html", {"study": study})
    arrival = join_by_link(recruitment=recruitment, user=user)
    if user:
        return redirect("work", study.slug)
    sign_in(request, arrival.user)
    context = {"study": study, "code": new_return_code(by=arrival.user)}
    return render(request, "recruitment/return_code.html", context)


def refuse_account(request: HttpRequest) -> None:
    """Refuse a link with an id where somebody is signed in with an account of their own."""
    user = request.user
    if isinstance(user, User) and (
        user.has_usable_password() or not may_enter_without_password(user)
    ):
        raise EntryRefused(
            _("You are signed in as %s. Sign out first, then open the link again.")
            % user.get_full_name(),
            HTTPStatus.FORBIDDEN,
        )


def sign_in(request: HttpRequest, user: User) -> None:
    """Sign somebody in whom an entrance let in; the session is in their list."""
    if request.user != user:
        login(request, user)
        UserSession.objects.create_from_request(request)


@require_GET
@xframe_options_exempt
@csp_replace({"frame-ancestors": MTURK_HOSTS, "form-action": MTURK_HOSTS})
@entrance
def join_hit(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page that Mechanical Turk frames: a way to the work in a tab, and the form back.

    Browsers give a frame no cookies, so the page needs none.
    """
    recruitment = way_in(token)
    hit = hit_in(recruitment, dict(request.GET.lists()))
    context: dict[str, Any] = {"study": recruitment.study}
    if hit.identity:
        context |= {
            "start": offer_start(recruitment=recruitment, identity=hit.identity),
            "submit_url": hit.submit_url,
            "assignment": hit.identity.session_id,
        }
    return render(request, "recruitment/hit.html", context)


@require_GET
@entrance
def join_start(request: HttpRequest, start: str) -> HttpResponse:
    """Open the work in a tab of its own: a start works once."""
    refuse_account(request)
    arrival = use_start(start=start)
    sign_in(request, arrival.user)
    return redirect("work", arrival.recruitment.study.slug)


@require_http_methods(["GET", "POST"])
@entrance
def return_by_code(request: HttpRequest) -> HttpResponse:
    """Let somebody back in who has no e-mail, by their code."""
    form = ReturnForm(request.POST or None)
    if request.method == "POST" and not ratelimit.consume(request, action="return_code"):
        form.add_error("code", _("Too many tries. Wait a minute, then try again."))
        return render(request, "recruitment/return.html", {"form": form}, status=429)
    if request.method == "POST" and form.is_valid():
        try:
            sign_in(request, come_back(code=form.cleaned_data["code"]))
            return redirect("home")
        except ReturnRefused as refusal:
            form.add_error("code", str(refusal))
    status = REFUSED if request.method == "POST" else 200
    return render(request, "recruitment/return.html", {"form": form}, status=status)


@study_view(Permission.WORK_CROWD)
def work_return_code(request: HttpRequest, access: Access) -> HttpResponse:
    """Give a worker a new code to come back with; it is shown once."""
    context: dict[str, Any] = {"study": access.study}
    if request.method == "POST":
        try:
            context["code"] = new_return_code(by=person(request))
        except ReturnRefused as refusal:
            context["refusal"] = str(refusal)
    return render(request, "recruitment/return_code.html", context)
