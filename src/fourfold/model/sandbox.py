"""The typed sandbox for a query that a model writes: its terms, its result, and how it is refused (requirement A13).

Owns the vocabulary that the catalog, the stages and the adapters share; knows no SQL engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fourfold.model.fault import FRAMEWORK_CODES, Fault, Retry

__all__ = ["FUNCTIONS", "Cell", "Column", "ColumnType", "QueryRefused", "QueryTooCostly", "SandboxTerms", "Table"]

ColumnType = Literal["integer", "decimal", "text"]
"""`integer`: JSON integers that every reader keeps exact. `decimal`: numbers as text. `text`: text."""

Cell = int | str | None
"""One value, in the form that its column's type says; `None` is SQL's NULL."""

FUNCTIONS = frozenset({
    "abs", "avg", "coalesce", "count", "cume_dist", "current_date", "current_time", "current_timestamp", "date",
    "datetime", "dense_rank", "first_value", "glob", "group_concat", "ifnull", "iif", "instr", "julianday", "lag",
    "last_value", "lead", "length", "like", "lower", "ltrim", "max", "min", "nth_value", "ntile", "nullif",
    "percent_rank", "rank", "replace", "round", "row_number", "rtrim", "sign", "strftime", "substr", "sum", "time",
    "total", "trim", "typeof", "unixepoch", "upper",
})  # fmt: skip
"""Every function that a query may call. None makes large values out of small ones, reads files or loads code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxTerms:
    """What one query may do.

    Attributes:
        at: JSON Pointer of the argument that the query comes in.
        readable: the views that may be read, each cut down to the caller's tenant.
        max_text: characters of the query.
        max_rows: rows of the result; what is beyond is left out and `Table.complete` is false.
        max_bytes: size of the rows as UTF-8 JSON; the same happens beyond it.
        timeout_s: seconds of wall time.
    """

    at: str
    readable: tuple[str, ...]
    max_text: int
    max_rows: int
    max_bytes: int
    timeout_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a result: its name, at most 64 characters, and how its cells are to be read."""

    name: str
    type: ColumnType


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The result of a query. `complete` is false where rows were left out."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    complete: bool


class QueryRefused(Fault):
    """The query is not one that this tool runs."""

    code, retry = "query_refused", Retry.AFTER_FIX
    next_step = FRAMEWORK_CODES["query_refused"].next_step


class QueryTooCostly(Fault):
    """The query took more time or memory than it may."""

    code, retry = "query_too_costly", Retry.AFTER_FIX
    next_step = FRAMEWORK_CODES["query_too_costly"].next_step
