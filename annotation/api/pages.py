"""Long lists, a page at a time: a cursor keeps its place while rows come and go."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework import exceptions, pagination, serializers
from rest_framework.request import Request

from annotation.api.errors import bad_fields

USUAL, MOST = 100, 1000


class PageQuery(serializers.Serializer):
    """Which part of a list."""

    cursor = serializers.CharField(
        required=False, help_text="Where to go on; take it from `next` or `previous`."
    )
    size = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST, help_text="How many at a time."
    )


class RoundQuery(serializers.Serializer):
    """One round, or all of them."""

    batch = serializers.IntegerField(required=False, min_value=1, max_value=2**31 - 1)


class Cursor(pagination.CursorPagination):
    """Finds the page that a cursor names."""

    page_size, max_page_size, page_size_query_param = USUAL, MOST, "size"
    template = None

    def __init__(self, by: tuple[str, ...]) -> None:
        self.ordering = by


def page_of_rows(request: Request, rows: QuerySet[Any], by: tuple[str, ...]) -> tuple[Any, Any]:
    """Return a page of rows and its pager; refuse a cursor that is none."""
    pager = Cursor(by)
    try:
        return pager.paginate_queryset(rows, request), pager
    except (exceptions.NotFound, ValidationError, ValueError, TypeError):
        raise bad_fields({"cursor": [_("This is no cursor of this list.")]}) from None


def page_shape(row: type[serializers.Serializer]) -> type[serializers.Serializer]:
    """Return the shape of a page of rows."""
    fields = {
        "__doc__": f"A page of a list: {row.__doc__}",
        "next": serializers.URLField(allow_null=True),
        "previous": serializers.URLField(allow_null=True),
        "results": row(many=True),
    }
    return type(f"{row.__name__}Page", (serializers.Serializer,), fields)
