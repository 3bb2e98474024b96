"""A small database made of rows that came from elsewhere, so that a query can run on them and on nothing else."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

__all__ = ["Copied", "image_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """A view as it was read: its columns, and rows of values in their order."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]


def image_of(views: Mapping[str, Copied]) -> bytes:
    """The bytes of a database with a table for each of `views`."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("BEGIN")
        for name, view in views.items():
            columns = ", ".join(map(_quoted, view.columns))
            places = ", ".join("?" * len(view.columns))
            connection.execute(f"CREATE TABLE {_quoted(name)} ({columns})")
            connection.executemany(
                f"INSERT INTO {_quoted(name)} VALUES ({places})",  # noqa: S608  a quoted name
                [[_value(value) for value in row] for row in view.rows],
            )
        connection.execute("COMMIT")
        return connection.serialize()


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def _value(value: Any) -> int | float | str | bytes | None:
    """`value` as SQLite would have it: dates as text, numbers that it can compare as numbers."""
    if isinstance(value, bool):
        return int(value)
    if value is None or isinstance(value, float | str | bytes):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**63 else float(value)
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, date | time):
        return value.isoformat()
    return json.dumps(value, default=str)
