"""What the API answers when something is wrong: one shape (RFC 9457), a sentence, no traceback."""

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions, serializers
from rest_framework.response import Response

from annotation.api.problems import MEDIA_TYPE, PROBLEMS, problem_with
from annotation.services.archive import StudyArchived

logger = logging.getLogger("juryroom.api")

MALFORMED, CONFLICT, TOO_LARGE, UNPROCESSABLE = 400, 409, 413, 422


class ProblemDetails(serializers.Serializer):
    """Every answer that is not a success. `fields` says of each bad field what is wrong with it."""

    type = serializers.ChoiceField(
        choices=[(problem.type, problem.type) for problem in PROBLEMS.values()],
        help_text="Names the kind of problem, and is the address of a page about it.",
    )
    title = serializers.CharField(help_text="The kind of problem in words.")
    status = serializers.IntegerField(help_text="The code of the answer.")
    detail = serializers.CharField(help_text="A sentence about this request.")
    fields = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))


class Refusal(exceptions.APIException):
    """Something that the API does not do; its detail is a sentence for the person."""

    def __init__(
        self, detail: str, code: int = UNPROCESSABLE, fields: dict[str, list[str]] | None = None
    ) -> None:
        super().__init__(detail)
        self.status_code, self.fields = code, fields or {}


def bad_fields(fields: dict[str, Any]) -> Refusal:
    """Return the refusal of values that are not what their fields take."""
    return Refusal(_("Some fields are not right; see fields."), UNPROCESSABLE, flat(fields))


def flat(errors: dict[str, Any], before: str = "") -> dict[str, list[str]]:
    """Return the sentences about each field; what lies deeper is named by its way."""
    found: dict[str, list[str]] = {}
    for name, said in errors.items():
        way = f"{before}{name}"
        if isinstance(said, dict):
            found |= flat(said, f"{way}.")
        else:
            found[way] = [str(one) for one in said]
    return found


def answer_to(error: Exception, context: dict[str, Any]) -> Response:
    """Return the answer to whatever an endpoint raised."""
    refusal = refusal_of(error)
    if refusal is None:
        logger.error("Fault in %s", context["request"].path, exc_info=error)
        refusal = Refusal(_("Something went wrong here; it is noted in the log."), 500)
    headers = dict(getattr(refusal, "headers", {}))
    if header := getattr(refusal, "auth_header", ""):
        headers["WWW-Authenticate"] = header
    is_signed_in = not isinstance(refusal, exceptions.NotAuthenticated)
    detail = (
        str(refusal.detail) if is_signed_in else _("Send a token: Authorization: Bearer TOKEN.")
    )
    return Response(
        body(
            refusal.status_code,
            detail,
            getattr(refusal, "fields", {}),
            word=getattr(refusal, "word", ""),
        ),
        status=refusal.status_code,
        headers=headers,
        content_type=MEDIA_TYPE,
    )


def refusal_of(error: Exception) -> exceptions.APIException | None:
    """Return what an error means for whoever asked; None for a fault."""
    if isinstance(error, exceptions.APIException):
        return error
    if isinstance(error, Http404):
        return exceptions.NotFound(str(error) or None)
    if isinstance(error, StudyArchived):
        return Refusal(str(error), CONFLICT)
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied(str(error) or None)
    if isinstance(error, RequestDataTooBig):
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        return Refusal(_("A request takes at most %s bytes.") % most, TOO_LARGE)
    if isinstance(error, SuspiciousOperation):
        return Refusal(_("This request cannot be read: it has too many parts."), MALFORMED)
    return None


def body(
    status: int, detail: str, fields: dict[str, list[str]] | None = None, *, word: str = ""
) -> dict[str, Any]:
    """Return the one shape of an error."""
    problem = problem_with(status, word)
    told = {
        encodable(name): [encodable(one) for one in said] for name, said in (fields or {}).items()
    }
    return {
        "type": problem.type,
        "title": str(problem.title),
        "status": status,
        "detail": encodable(detail),
        "fields": told,
    }


def encodable(text: str) -> str:
    """Return a sentence that can be sent: JSON may bring half a character, and some repeat it."""
    return text.encode("utf-8", "replace").decode()


@csrf_exempt
def no_such_address(request: HttpRequest) -> JsonResponse:
    """Answer below /api/ where no endpoint is."""
    told = body(404, _("There is no such address; see /api/v1/schema/."))
    return JsonResponse(told, status=404, content_type=MEDIA_TYPE)


no_such_address.login_required = False  # type: ignore[attr-defined]
