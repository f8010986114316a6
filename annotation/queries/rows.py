"""Reads rows by statements that are planned once, and turns them into model instances.

For the few reads that every labelled post pays for: composing and planning a query costs more than
answering it. Everything else uses the ORM.
"""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from django.db import connection
from django.db.models import Field, Model

Model_ = TypeVar("Model_", bound=Model)


class Columns(Generic[Model_]):
    """Columns of a model under an alias: their SQL, and how a stretch of a row is read.

    Fields left out cost nothing until somebody asks for them, and a query then.
    """

    def __init__(self, alias: str, model: type[Model_], *, without: Sequence[str] = ()) -> None:
        every: Sequence[Field[Any, Any]] = model._meta.concrete_fields  # noqa: SLF001 -- documented
        fields = [field for field in every if field.name not in without]
        assert len(every) - len(fields) == len(without), without
        self.model = model
        self.names = [field.attname for field in fields]
        self.sql = ", ".join(f'{alias}."{field.column}"' for field in fields)
        self.converters = [
            (index, field) for index, field in enumerate(fields) if hasattr(field, "from_db_value")
        ]

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self.names)

    def read(self, values: Sequence[Any]) -> Model_:
        """Return the instance that a row holds."""
        cells = list(values)
        for index, field in self.converters:
            cells[index] = field.from_db_value(cells[index], None, connection)
        return self.model.from_db(connection.alias, self.names, cells)


def read_row(*columns: Columns[Any], row: Sequence[Any], start: int = 0) -> list[Any]:
    """Return one instance for each stretch of a row; None where its primary key is missing."""
    found = []
    for stretch in columns:
        values = row[start : start + len(stretch)]
        found.append(None if values[0] is None else stretch.read(values))
        start += len(stretch)
    return found


class Statement:
    """A statement with parameters $1, $2, …; each connection prepares it at its first use."""

    def __init__(self, name: str, sql: str) -> None:
        self.name = name
        self.sql = sql
        self.number = max(count for count in range(20) if f"${count}" in sql)
        marks = ", ".join(["%s"] * self.number)
        self.execute = f"EXECUTE {name} ({marks})"

    def row(self, *values: Any) -> Sequence[Any] | None:
        """Return the first row that the statement gives."""
        with connection.cursor() as cursor:
            if self.name not in prepared_on(connection.connection):
                cursor.execute(f"PREPARE {self.name} AS {self.sql}")
                prepared_on(connection.connection).add(self.name)
            cursor.execute(self.execute, values)
            found: Sequence[Any] | None = cursor.fetchone()
        return found


# What a connection to the database has prepared; a new connection has prepared nothing.
_prepared: "WeakKeyDictionary[Any, set[str]]" = WeakKeyDictionary()


def prepared_on(live: Any) -> set[str]:
    """Return the names of what a connection has prepared."""
    return _prepared.setdefault(live, set())
