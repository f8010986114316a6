"""What the API answers when something is wrong: one shape, a sentence, never a traceback."""

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions, serializers
from rest_framework.response import Response

from annotation.services.archive import StudyArchived

logger = logging.getLogger("juryroom.api")

CONFLICT, TOO_LARGE, UNPROCESSABLE = 409, 413, 422
CODES = {
    400: "malformed",
    401: "not_signed_in",
    403: "not_allowed",
    404: "not_found",
    405: "wrong_method",
    409: "conflict",
    413: "too_large",
    415: "not_json",
    422: "invalid",
    500: "fault",
}


class Error(serializers.Serializer):
    """Every answer that is not a success. `fields` says of each bad field what is wrong with it."""

    error = serializers.ChoiceField(choices=[(code, code) for code in CODES.values()])
    detail = serializers.CharField()
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
    if isinstance(error, Http404):
        error = exceptions.NotFound(str(error) or None)
    elif isinstance(error, StudyArchived):
        error = Refusal(str(error), CONFLICT)
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied(str(error) or None)
    elif isinstance(error, RequestDataTooBig):
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        error = Refusal(_("A request takes at most %s bytes.") % most, TOO_LARGE)
    if not isinstance(error, exceptions.APIException):
        logger.error("Fault in %s", context["request"].path, exc_info=error)
        error = Refusal(_("Something went wrong here; it is noted in the log."), 500)
    header = getattr(error, "auth_header", None)
    is_signed_in = not isinstance(error, exceptions.NotAuthenticated)
    detail = str(error.detail) if is_signed_in else _("Send a token: Authorization: Bearer TOKEN.")
    return Response(
        body(error.status_code, detail, getattr(error, "fields", {})),
        status=error.status_code,
        headers={"WWW-Authenticate": header} if header else None,
    )


def body(code: int, detail: str, fields: dict[str, list[str]] | None = None) -> dict[str, Any]:
    """Return the one shape of an error."""
    told = {
        encodable(name): [encodable(one) for one in said] for name, said in (fields or {}).items()
    }
    return {"error": CODES.get(code, "invalid"), "detail": encodable(detail), "fields": told}


def encodable(text: str) -> str:
    """Return a sentence that can be sent: JSON may bring half a character, and some repeat it."""
    return text.encode("utf-8", "replace").decode()


@csrf_exempt
def no_such_address(request: HttpRequest) -> JsonResponse:
    """Answer below /api/ where no endpoint is."""
    return JsonResponse(body(404, _("There is no such address; see /api/v1/schema/.")), status=404)


no_such_address.login_required = False  # type: ignore[attr-defined]
