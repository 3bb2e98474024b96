"""From SQLite's rows to a typed table: column types, cells that JSON carries exactly, and bounds."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterator, Sequence

from fourfold.adapters.sqlite.sandbox.guard import Refused
from fourfold.model.sandbox import Cell, Column, ColumnType, Table

__all__ = ["read_table"]

_MAX_COLUMNS = 32
_MAX_NAME = 64
_SAFE = 2**53 - 1

_Raw = int | float | str | bytes | None
"""What the driver gives."""


def read_table(cursor: sqlite3.Cursor, *, max_rows: int, max_bytes: int) -> Table:
    """The first rows of `cursor` within the bounds.

    Raises:
        Refused: a value cannot be returned, or not even one row fits.
    """
    names = [str(column[0])[:_MAX_NAME] for column in cursor.description]
    if len(names) > _MAX_COLUMNS:
        raise Refused(f"at most {_MAX_COLUMNS} columns")
    rows, complete = _bounded(cursor, max_rows=max_rows, max_bytes=max_bytes)
    columns = tuple(Column(name=name, type=_type_of(row[index] for row in rows)) for index, name in enumerate(names))
    typed = tuple(tuple(_cell(value, column.type) for value, column in zip(row, columns, strict=True)) for row in rows)
    return Table(columns=columns, rows=typed, complete=complete)


def _bounded(cursor: sqlite3.Cursor, *, max_rows: int, max_bytes: int) -> tuple[list[tuple[_Raw, ...]], bool]:
    """The rows that fit, and whether they are all."""
    rows: list[tuple[_Raw, ...]] = []
    size = 0
    for row in cursor:
        size += _size(row)
        if len(rows) == max_rows or size > max_bytes:
            if not rows:
                raise Refused("rows that are smaller; select fewer columns, or substr() of them")
            return rows, False
        rows.append(row)
    return rows, True


def _size(row: Sequence[_Raw]) -> int:
    """Bytes of the row as UTF-8 JSON, at most a few more than it will have.

    Raises:
        Refused: it has a value that a result cannot carry.
    """
    for value in row:
        if isinstance(value, bytes):
            raise Refused("text and numbers; a column holds bytes")
        if isinstance(value, float) and not math.isfinite(value):
            raise Refused("finite numbers; a column holds one that is not")
    return len(json.dumps([value and str(value) for value in row], ensure_ascii=False).encode()) + 1


def _type_of(values: Iterator[_Raw]) -> ColumnType:
    """The narrowest type that holds every value of a column; text where there is none."""
    found = {_type(value) for value in values if value is not None}
    if found == {"integer"}:
        return "integer"
    return "decimal" if found and "text" not in found else "text"


def _type(value: _Raw) -> ColumnType:
    if isinstance(value, int):
        return "integer" if -_SAFE <= value <= _SAFE else "decimal"
    return "decimal" if isinstance(value, float) else "text"


def _cell(value: _Raw, kind: ColumnType) -> Cell:
    """The value in the form of its column: a number where all are safe integers, else text."""
    if value is None or (kind == "integer" and isinstance(value, int)):
        return value
    return str(value)
