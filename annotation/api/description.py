"""The OpenAPI description of the API, for whoever is signed in or has a token."""

from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.authentication import BearerToken, Session
from annotation.api.endpoint import Endpoint
from annotation.api.parsing import OPENAPI


class Description(Endpoint):
    """What the API is."""

    authentication_classes = [BearerToken, Session]
    schema = None
    opens_to_tokens_of_studies = frozenset({"GET"})

    def get(self, request: Request) -> Response:
        """Return the description; only who asks for it loads what makes it."""
        from drf_spectacular.generators import SchemaGenerator

        found = SchemaGenerator().get_schema(request=request, public=True)
        return Response(found, content_type=OPENAPI)
