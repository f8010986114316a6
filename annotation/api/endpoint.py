"""What every endpoint is: who may, what it takes, what it gives; the schema is made of the same.

A method is marked with `operation`, which says what it reads and answers. In it, `self.query` and
`self.sent` are what was sent, checked; `self.access` is the way into the study.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.access import Access, Permission, enter
from annotation.api.errors import CONFLICT, Refusal
from annotation.api.limits import rate_headers
from annotation.api.pages import PageQuery, page_of_rows
from annotation.api.parsing import NDJSON, read
from annotation.api.scopes import hold_to_scopes, hold_to_study, scopes_for
from annotation.models import ApiToken, Scope

Shape = type[serializers.Serializer]
Method = TypeVar("Method", bound=Callable[..., HttpResponseBase])


class Nothing(serializers.Serializer):
    """An endpoint that takes nothing."""


@dataclass(frozen=True)
class Operation:
    """What a method takes and gives. A list is given in pages or, as a stream, line by line.

    `example` is something that may be sent; the description shows it.
    """

    answers: Shape
    query: Shape = Nothing
    sends: Shape = Nothing
    code: int = 200
    is_page: bool = False
    is_stream: bool = False
    is_list: bool = False
    is_partial: bool = False
    is_file: bool = False
    example: dict[str, Any] | None = None
    refusals: dict[type[Exception], int] = field(default_factory=dict)


def operation(answers: Shape, **more: Any) -> Callable[[Method], Method]:
    """Say what a method takes and gives."""
    if more.get("is_page"):
        more.setdefault("query", PageQuery)

    def mark(method: Method) -> Method:
        method.operation = Operation(answers, **more)  # type: ignore[attr-defined]
        return method

    return mark


class Endpoint(APIView):
    """An address of the API, for whoever has a token."""

    http_method_names: ClassVar[list[str]] = ["get", "head", "post", "patch"]
    needs: ClassVar[dict[str, Permission]] = {}
    slug: str = ""
    opens_to_tokens_of_studies: ClassVar[frozenset[str]] = frozenset()
    """The methods that a token for one study may call, of an address that is no study's."""
    gives_files: ClassVar[bool] = False
    """Whether answers are files, of whatever media type somebody accepts."""

    @property
    def operation(self) -> Operation:
        """Return what the method that was asked for takes and gives."""
        found: Operation = self.handler(self.request.method).operation
        return found

    def handler(self, method: str | None) -> Any:
        """Return the method that answers."""
        name = "get" if method == "HEAD" else str(method).lower()
        if name not in self.http_method_names or not hasattr(self, name):
            raise exceptions.MethodNotAllowed(str(method))
        return getattr(self, name)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Let people with a token through; refuse questions that the endpoint does not know."""
        super().initial(request, *args, **kwargs)
        self.handler(request.method)
        if isinstance(request.auth, ApiToken):
            hold_to_scopes(request.auth, self.scopes(self.method))
            if self.slug or self.method not in self.opens_to_tokens_of_studies:
                hold_to_study(request.auth, self.slug)

    @property
    def method(self) -> str:
        """Return the method that answers."""
        return "GET" if self.request.method == "HEAD" else str(self.request.method)

    def scopes(self, method: str) -> list[Scope]:
        """Return the scopes of tokens that open a method, any one of them."""
        return scopes_for(method, self.needs.get(method))

    @cached_property
    def query(self) -> dict[str, Any]:
        """Return what the address asks for."""
        return read(self.operation.query(), self.request.query_params.dict())

    @cached_property
    def sent(self) -> dict[str, Any]:
        """Return what was sent."""
        reader = self.operation.sends(partial=self.operation.is_partial)
        return read(reader, self.request.data)

    def answer(self, found: Any) -> Response:
        """Answer with what was found or made."""
        shown = self.operation.answers(found, many=self.operation.is_list)
        return Response(shown.data, status=self.operation.code)

    def page(
        self,
        rows: Any,
        by: tuple[str, ...] = ("pk",),
        made_of: Callable[[list[Any]], Iterable[Any]] = list,
    ) -> Response:
        """Answer with the page of a list that the address asks for, in this order.

        `made_of` makes what is shown of the rows of the page.
        """
        _checked = self.query
        found, pager = page_of_rows(self.request, rows, by)
        shown = self.operation.answers(made_of(found), many=True).data
        links = {"next": pager.get_next_link(), "previous": pager.get_previous_link()}
        return Response({**links, "results": shown})

    def stream(self, lines: Iterable[str]) -> StreamingHttpResponse:
        """Answer line by line, so that the length of a list costs no memory."""
        return StreamingHttpResponse(lines, content_type=NDJSON)

    def handle_exception(self, exc: Exception) -> Response:
        """Answer a service's refusal with its sentence."""
        for kind, code in self.refusals().items():
            if isinstance(exc, kind):
                exc = Refusal(str(exc), code)
        return super().handle_exception(exc)

    def refusals(self) -> dict[type[Exception], int]:
        """Return which refusals of services this method knows, and the code of each."""
        method: Any = getattr(self, str(self.request.method).lower(), None)
        return method.operation.refusals if hasattr(method, "operation") else {}

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Let nobody keep an answer."""
        response.headers.setdefault("Cache-Control", "private, no-store")
        for name, value in rate_headers(request._request).items():  # noqa: SLF001 -- Django's
            response.headers.setdefault(name, value)
        return super().finalize_response(request, response, *args, **kwargs)


class StudyEndpoint(Endpoint):
    """An address of a study: `needs` names for each method the permission that opens it."""

    access: Access

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Take the study out of the address."""
        self.slug = kwargs.pop("slug")
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Enter the study, by the same gate as the pages."""
        super().initial(request, *args, **kwargs)
        self.access = enter(request.user, self.slug, self.needs[self.method])


__all__ = ["CONFLICT", "Endpoint", "Nothing", "Operation", "StudyEndpoint", "operation"]
