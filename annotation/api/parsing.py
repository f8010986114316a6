"""What is sent to the API: JSON objects with known fields."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import exceptions, negotiation, parsers, serializers
from rest_framework.request import Request
from rest_framework.utils.mediatypes import media_type_matches

from annotation.api.errors import Refusal, bad_fields
from annotation.api.problems import MEDIA_TYPE as PROBLEM

JSON, NDJSON = "application/json", "application/x-ndjson"
OPENAPI = "application/vnd.oai.openapi+json"
GIVEN = (JSON, NDJSON, OPENAPI, PROBLEM)


class ShallowJSON(parsers.JSONParser):
    """JSON of a sane depth; its length is bounded by the settings."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        """Return what was sent."""
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise exceptions.ParseError(_("The JSON is nested too deeply.")) from None


class OneForm(negotiation.DefaultContentNegotiation):
    """There is one form of each answer; who accepts another is told so."""

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> Any:
        """Return the one renderer."""
        accepted = self.get_accept_list(request) or ["*/*"]
        given = ("*/*",) if request.parser_context["view"].gives_files else GIVEN
        if not any(media_type_matches(one, kind) for one in given for kind in accepted):
            raise exceptions.NotAcceptable(_("The API answers in JSON; accept application/json."))
        return renderers[0], renderers[0].media_type


def read(reader: serializers.Serializer, sent: Any) -> dict[str, Any]:
    """Return what was sent, checked; a name that the endpoint does not know is refused, too."""
    if not isinstance(sent, Mapping):
        raise Refusal(_("Send one JSON object."))
    known = {name for name, field in reader.fields.items() if not field.read_only}
    unknown = {name: [_("There is no such field.")] for name in sent if name not in known}
    reader.initial_data = sent
    if not reader.is_valid() or unknown:
        raise bad_fields({**reader.errors, **unknown})
    found: dict[str, Any] = reader.validated_data
    return found
