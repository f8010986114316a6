"""The OpenAPI description, made of what the endpoints say of themselves."""

import re
from typing import Any, ClassVar

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample

from annotation.api.endpoint import Nothing, Operation
from annotation.api.errors import ProblemDetails
from annotation.api.pages import page_shape
from annotation.api.parsing import NDJSON
from annotation.api.problems import MEDIA_TYPE
from annotation.models import Scope

FILE = "application/octet-stream"
ALWAYS = (401, 403, 422, 429)
IN_STUDIES = (404,)


class BearerScheme(OpenApiAuthenticationExtension):
    """Tells readers of the schema how a token is sent."""

    target_class = "annotation.api.authentication.BearerToken"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return the scheme."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": " ".join(f"{scope.value}: {scope.label}." for scope in Scope),
        }


class Schema(AutoSchema):
    """Describes one method of an endpoint."""

    pages: ClassVar[dict[type, type]] = {}

    @property
    def told(self) -> Operation:
        """Return what the method says of itself."""
        found: Operation = self.view.handler(self.method).operation
        return found

    def get_operation_id(self) -> str:
        """Return a name that stays while addresses change: the method and the endpoint."""
        words = re.sub(r"(?<!^)(?=[A-Z])", "_", type(self.view).__name__).lower()
        return f"{self.method.lower()}_{words}"

    def get_auth(self) -> list[dict[str, list[str]]]:
        """Return the scopes of tokens that open the method; any one of them is enough."""
        return [{BearerScheme.name: [scope.value]} for scope in self.view.scopes(self.method)]

    def get_tags(self) -> list[str]:
        """Return the group: the app that the endpoint is in."""
        return [type(self.view).__module__.partition(".")[0]]

    def get_description(self) -> str:
        """Return the first words that the code says about the method."""
        return str(self.view.handler(self.method).__doc__ or "").strip()

    def get_override_parameters(self) -> list[Any]:
        """Return what the address may ask for."""
        return [] if self.told.query is Nothing else [self.told.query]

    def get_examples(self) -> list[OpenApiExample]:
        """Return what may be sent, where the method shows it."""
        if self.told.example is None:
            return []
        return [OpenApiExample("example", value=self.told.example, request_only=True)]

    def get_request_serializer(self) -> Any:
        """Return what is sent."""
        told = self.told
        return None if told.sends is Nothing else told.sends(partial=told.is_partial)

    def get_response_serializers(self) -> dict[Any, Any]:
        """Return the answer, and every refusal."""
        told = self.told
        codes = {*ALWAYS, *told.refusals.values()}
        codes |= set(IN_STUDIES) if self.view.needs else set()
        codes |= {400} if told.sends is not Nothing else set()
        refusals = [(code, MEDIA_TYPE) for code in sorted(codes)]
        return {self.success(told): self.shape(told), **dict.fromkeys(refusals, ProblemDetails)}

    def success(self, told: Operation) -> Any:
        """Return the code of an answer, with its kind where it is no JSON."""
        if told.is_file:
            return told.code, FILE
        return (told.code, NDJSON) if told.is_stream else told.code

    def shape(self, told: Operation) -> Any:
        """Return the shape of the answer."""
        if told.is_file:
            return OpenApiTypes.BINARY
        if told.is_page:
            return self.pages.setdefault(told.answers, page_shape(told.answers))
        return told.answers(many=True) if told.is_list else told.answers
