"""Looks for what names a person in the columns of a release: e-mail addresses, ids of platforms,
user mentions. It finds patterns and the ids that it is given; it knows no names of people.

Pure. Polars looks through a block first, so that only rows which may hold something are read by
the exact patterns; a million rows take seconds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from annotation.cleaning import mentions_user

if TYPE_CHECKING:
    import polars as pl

    Columns = Mapping[str, pl.Expr]

EMAIL, PLATFORM_ID, MENTION = "email", "platform_id", "mention"
POST_ID = "post_id"
NAME = "name of the row"
FIRST = 5
"""How many rows a finding names."""
DIGITS_OF_AN_ID = 9
"""A number of fewer digits may be a price, a year or a count."""
SHORTEST_MIXED_ID = 6
"""Shorter ids may be part of anything: `w04` is looked for as a whole cell only."""
BETWEEN = "\x1f"
"""Stands between the cells of a row and the entries of a list, so that whole ones are found."""

SIGN = "(?:[@＠﹫]|%40)"
WEB_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")
JSON_ESCAPE = re.compile(r"\\(?:[bfnrt]|u[0-9a-fA-F]{4})")
PICTURE_OF_TWICE_THE_SIZE = re.compile(r"@\dx\.")

# A name, the sign, a domain with a dot. @name@server is a mention and no address.
EMAIL_ADDRESS = re.compile(
    rf"(?<![\w.!#$%&'*+=?^`{{|}}~@＠﹫-])[\w.!#$%&'*+=?^`{{|}}~-]*\w{SIGN}"
    r"(?:[^\W_](?:[\w-]*[^\W_])?\.)+(?:xn--\w+|[^\W\d_]{2,})"
)
# Prolific: 24 hexadecimal digits. A number of 24 digits, and part of a longer hash, is none.
PROLIFIC = re.compile(r"(?<!\w)(?=[0-9]*[a-f])[0-9a-f]{24}(?!\w)")
# Mechanical Turk: A, then capitals and digits. What follows a- is a pseudonym of ours.
MTURK = re.compile(r"(?<!\w)(?<!a-)A(?=(?:[A-Z]*[0-9]){2})[A-Z0-9]{11,20}(?!\w)")
# Articles, too, have addresses with 24 hexadecimal digits; people's stand behind such a parameter.
PARAMETER = re.compile(r"(?i)\b(?:prolific_?pid|participant_?id|worker_?id)=")
# What polars asks before these patterns do; never narrower than they are.
MAY_BE_ID = "[0-9a-f]{24}|(?:[^-]|[^a]-)A[A-Z0-9]{11}"


@dataclass(frozen=True)
class Finding:
    """What was found in one column: in how many rows, and the first of them.

    `first` are post ids where the table has them, else the numbers of rows, from 1.
    """

    kind: str
    table: str
    column: str
    count: int
    first: tuple[str, ...]


def holds_email(text: str) -> bool:
    """Say whether a text has an e-mail address."""
    return EMAIL_ADDRESS.search(PICTURE_OF_TWICE_THE_SIZE.sub(" ", text)) is not None


def holds_platform_id(text: str) -> bool:
    """Say whether a text has what looks like a person's id of Prolific or Mechanical Turk."""
    outside = WEB_ADDRESS.sub(" ", text)
    if PROLIFIC.search(outside) or MTURK.search(outside):
        return True
    behind = [found.end() for found in PARAMETER.finditer(text)]
    return any(PROLIFIC.match(text, at) or MTURK.match(text, at) for at in behind)


@dataclass(frozen=True)
class KnownIds:
    """Ids of people that are looked for literally.

    A distinct one is found as a word of any text; another one, such as `w04`, as a whole cell or
    entry of a list. A short number is not looked for: posts and counts have the same.
    """

    words: frozenset[str] = frozenset()
    cells: frozenset[str] = frozenset()

    @classmethod
    def of(cls, ids: Collection[str]) -> KnownIds:
        """Sort ids by how they can be looked for."""
        words = frozenset(one for one in ids if is_distinct(one))
        lettered = (one for one in ids if len(one) > 1 and any(char.isalpha() for char in one))
        return cls(words=words, cells=frozenset(lettered) - words)

    def needles(self) -> list[str]:
        """Return what stands literally in a row that holds one of them."""
        return [*self.words, *(f"{BETWEEN}{cell}{BETWEEN}" for cell in self.cells)]

    def are_in(self, text: str, hits: Collection[str]) -> bool:
        """Say whether a cell holds one of them, when it holds these letters."""
        as_words = (rf"(?<!\w){re.escape(hit)}(?!\w)" for hit in hits)
        return any(re.search(word, text) for word in as_words) or not self.cells.isdisjoint(
            text.split(BETWEEN)
        )


def is_distinct(identifier: str) -> bool:
    """Say whether an id is too particular to stand in a text by chance."""
    if identifier.isdigit():
        return len(identifier) >= DIGITS_OF_AN_ID
    return len(identifier) >= SHORTEST_MIXED_ID and not identifier.isalpha()


@dataclass
class Scan:
    """Looks through the blocks of tables, one after the other, and remembers what it found."""

    known: KnownIds = field(default_factory=KnownIds)
    _found: dict[tuple[str, str, str], Finding] = field(default_factory=dict)
    _rows: dict[str, int] = field(default_factory=dict)

    @property
    def findings(self) -> list[Finding]:
        """Return what was found so far, in the order of reading."""
        return list(self._found.values())

    def look(self, table: str, block: pl.DataFrame) -> None:
        """Look through a table's next block: its columns of text, and of lists of texts."""
        import polars as pl

        first = self._rows.get(table, 0) + 1
        self._rows[table] = first + block.height - 1
        columns = columns_of_text(block)
        if not columns or block.is_empty():
            return
        row = pl.concat_str(*columns.values(), separator=BETWEEN, ignore_nulls=True)
        name = pl.col(POST_ID) if POST_ID in block.columns else pl.int_range(pl.len()) + first
        named = block.with_columns(name.cast(pl.String).alias(NAME))
        self._look_for_signs(table, named.filter(row.str.contains(SIGN)), columns)
        self._look_for_ids(table, named.filter(self._may_hold_id(row)), columns)

    def _look_for_signs(self, table: str, block: pl.DataFrame, columns: Columns) -> None:
        """Look for addresses and mentions in rows that have an @."""
        for column, text in columns.items():
            pairs = block.filter(text.str.contains(SIGN)).select(NAME, CELL=text).iter_rows()
            cells = [(name, readable(cell)) for name, cell in pairs]
            for kind, holds in ((EMAIL, holds_email), (MENTION, mentions_user)):
                self._note(kind, table, column, [name for name, cell in cells if holds(cell)])

    def _look_for_ids(self, table: str, block: pl.DataFrame, columns: Columns) -> None:
        """Look for ids in rows that may have one."""
        import polars as pl

        if block.is_empty():
            return
        words = list(self.known.words)
        for column, text in columns.items():
            hits = text.str.extract_many(words, overlapping=True) if words else pl.lit([])
            cells = (
                block.filter(self._may_hold_id(text)).select(NAME, CELL=text, HITS=hits).iter_rows()
            )
            rows = [
                name
                for name, cell, found in cells
                if holds_platform_id(readable(cell)) or self.known.are_in(cell, found)
            ]
            self._note(PLATFORM_ID, table, column, rows)

    def _may_hold_id(self, text: pl.Expr) -> pl.Expr:
        """Ask of a cell, or of the joined cells of a row, whether it may hold an id."""
        import polars as pl

        framed = pl.concat_str(pl.lit(BETWEEN), text, pl.lit(BETWEEN))
        by_pattern = framed.str.contains(MAY_BE_ID)
        needles = self.known.needles()
        return by_pattern | framed.str.contains_any(needles) if needles else by_pattern

    def _note(self, kind: str, table: str, column: str, rows: list[str]) -> None:
        """Add what a block has to what earlier ones had."""
        if rows:
            key = (kind, table, column)
            found = self._found.get(key, Finding(kind, table, column, 0, ()))
            first = (*found.first, *rows)[:FIRST]
            self._found[key] = replace(found, count=found.count + len(rows), first=first)


def columns_of_text(block: pl.DataFrame) -> Columns:
    """Return the columns that hold texts or lists of them, each as one text a row."""
    import polars as pl

    return {
        name: pl.col(name).list.join(BETWEEN) if kind == pl.List(pl.String) else pl.col(name)
        for name, kind in block.schema.items()
        if kind in (pl.String, pl.List(pl.String))
    }


def readable(cell: str) -> str:
    """Return a cell with the escapes of JSON as blanks, so that no letter stands before a name."""
    return JSON_ESCAPE.sub(" ", cell) if cell[:1] in ("{", "[") else cell
