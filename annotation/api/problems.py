"""The kinds of problems that the API answers with; each has a page, which its `type` leads to."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from annotation.registry import Text

MEDIA_TYPE = "application/problem+json"  # RFC 9457


@dataclass(frozen=True)
class Problem:
    """A kind of problem: its word for programs, its code, and what people are told."""

    word: str
    status: int
    title: Text
    advice: Text

    @property
    def type(self) -> str:
        """Return the address that names the kind, on every site the same."""
        return f"/problems/{self.word}"


PROBLEMS = {
    problem.word: problem
    for problem in (
        Problem(
            "malformed",
            400,
            _("What was sent cannot be read"),
            _("Send JSON in UTF-8, with finite numbers and some levels of nesting only."),
        ),
        Problem(
            "not_signed_in",
            401,
            _("Nobody is signed in"),
            _("Send a token that is not revoked: Authorization: Bearer TOKEN."),
        ),
        Problem(
            "token_ended",
            401,
            _("The token has ended"),
            _("Make another one on the page “API tokens” of your profile."),
        ),
        Problem(
            "not_allowed",
            403,
            _("Your role does not reach that far"),
            _("Ask an owner of the study for another role, or somebody else for the deed."),
        ),
        Problem(
            "token_too_narrow",
            403,
            _("The token does not reach that far"),
            _("Make one with the scope, or for the study, that the answer names."),
        ),
        Problem(
            "not_found",
            404,
            _("There is no such thing"),
            _("Check the address. What is in no study of yours is not there for you."),
        ),
        Problem(
            "wrong_method",
            405,
            _("The address does not take this method"),
            _("The description of the API tells which methods an address takes."),
        ),
        Problem(
            "not_acceptable",
            406,
            _("There is no such form of the answer"),
            _("Leave the header Accept out, or accept the media type that the API describes."),
        ),
        Problem(
            "conflict",
            409,
            _("Not in the present state"),
            _("Look at the thing again: it is closed, archived or done already."),
        ),
        Problem(
            "too_large",
            413,
            _("The request is too large"),
            _("Send less at a time; what is long is uploaded as a file."),
        ),
        Problem(
            "wrong_media_type",
            415,
            _("The request has another media type"),
            _("Send the media type that the API describes, mostly application/json."),
        ),
        Problem(
            "invalid",
            422,
            _("Something in the request is not right"),
            _("The member “fields” says of each field what is wrong with it."),
        ),
        Problem(
            "too_many_requests",
            429,
            _("Too many requests"),
            _("Wait for the seconds that the header Retry-After names."),
        ),
        Problem(
            "fault",
            500,
            _("A mistake of ours"),
            _("It stands in the server's log with its time. Tell whoever runs this site."),
        ),
    )
}
BY_STATUS = {problem.status: problem for problem in reversed(PROBLEMS.values())}
"""The usual problem of each code: the first in the table above."""


def problem_with(status: int, word: str = "") -> Problem:
    """Return the kind of problem that an answer of this code names."""
    return PROBLEMS[word] if word else BY_STATUS.get(status, PROBLEMS["invalid"])


@login_not_required
@require_safe
def problem_page(request: HttpRequest, word: str) -> HttpResponse:
    """Say what a kind of problem is, and what helps."""
    if word not in PROBLEMS:
        raise Http404
    return render(request, "problem.html", {"problem": PROBLEMS[word]})
