"""Writes many rows into a table by COPY; refuses nothing: the table's constraints do."""

import io
from collections.abc import Iterable, Sequence
from typing import Any

BLOCK = 4 * 1024 * 1024


class Lines(io.RawIOBase):
    """Rows as a file that is read once, without ever holding all of them."""

    def __init__(self, rows: Iterable[Sequence[object]]) -> None:
        self.rows = iter(rows)
        self.rest = b""

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with the next lines."""
        while len(self.rest) < len(buffer):
            row = next(self.rows, None)
            if row is None:
                break
            self.rest += line_of(row)
        sent, self.rest = self.rest[: len(buffer)], self.rest[len(buffer) :]
        buffer[: len(sent)] = sent
        return len(sent)


def line_of(row: Sequence[object]) -> bytes:
    """Return a row of numbers, truths and lists of numbers as COPY reads it."""
    return ("\t".join(cell_of(value) for value in row) + "\n").encode()


def cell_of(value: object) -> str:
    """Return a number, a truth, or a list of numbers; floats keep all their digits."""
    return f"{{{','.join(map(repr, value))}}}" if isinstance(value, list) else repr(value)


def copy_rows(
    cursor: Any, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Write rows of numbers and lists of numbers into a table."""
    names = ", ".join(columns)
    cursor.copy_expert(
        f"COPY {table} ({names}) FROM STDIN", io.BufferedReader(Lines(rows), buffer_size=BLOCK)
    )
