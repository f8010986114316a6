"""The OpenAPI description of the API, for whoever is signed in or has a token."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.authentication import BearerToken, Session
from annotation.api.endpoint import Endpoint
from annotation.api.parsing import OPENAPI


def description() -> dict[str, Any]:
    """Return the description; only who asks for it loads what makes it."""
    from drf_spectacular.generators import SchemaGenerator

    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


def written() -> str:
    """Return the description as it stands in docs/openapi.yaml."""
    from drf_spectacular.renderers import OpenApiYamlRenderer

    text: bytes = OpenApiYamlRenderer().render(description(), renderer_context={})
    return text.decode()


class Description(Endpoint):
    """What the API is."""

    authentication_classes = [BearerToken, Session]
    schema = None
    opens_to_tokens_of_studies = frozenset({"GET"})

    def get(self, request: Request) -> Response:
        """Return the description."""
        return Response(description(), content_type=OPENAPI)
