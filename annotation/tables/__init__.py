"""Reads and writes tables (CSV, TSV, JSON Lines, Parquet) row by row; refuses what is no table."""

from annotation.tables.columns import NAMES, guess_columns
from annotation.tables.faults import BadRow, RowFault, TableError, TableFault
from annotation.tables.identifiers import id_text, mangled_id
from annotation.tables.opening import FORMATS, open_table
from annotation.tables.table import CELL_LIMIT, ROW_LIMIT, Row, Table
from annotation.tables.writing import (
    FORMULA_STARTS,
    CsvWriter,
    Written,
    csv_blocks,
    spreadsheet_safe_text,
)

__all__ = [
    "CELL_LIMIT",
    "FORMATS",
    "FORMULA_STARTS",
    "NAMES",
    "ROW_LIMIT",
    "BadRow",
    "CsvWriter",
    "Row",
    "RowFault",
    "Table",
    "TableError",
    "TableFault",
    "Written",
    "csv_blocks",
    "guess_columns",
    "id_text",
    "mangled_id",
    "open_table",
    "spreadsheet_safe_text",
]
