"""`QueryResult`: the output contract of a tool that runs a sandboxed query (requirement A13)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fourfold.contracts.base import Output
from fourfold.contracts.markers import NullCell
from fourfold.contracts.strict_json import MAX_SAFE_INTEGER
from fourfold.model.sandbox import Cell, ColumnType, Table

__all__ = ["MAX_COLUMNS", "MAX_ROWS", "QueryColumn", "QueryResult"]

MAX_COLUMNS = 32
"""The most columns of a result."""

MAX_ROWS = 1_000
"""The most rows that a contract may allow."""

_Cell = Annotated[
    Annotated[str, Field(max_length=65_536)] | Annotated[int, Field(ge=-MAX_SAFE_INTEGER, le=MAX_SAFE_INTEGER)] | None,
    NullCell(),
]


class QueryColumn(Output):
    """A column: `integer` cells are numbers, `decimal` and `text` cells are text."""

    name: Annotated[str, Field(max_length=64)]
    type: ColumnType


class QueryResult(Output):
    """The rows of a query, each in the order of `columns`."""

    columns: Annotated[list[QueryColumn], Field(max_length=MAX_COLUMNS)]
    rows: Annotated[list[Annotated[list[_Cell], Field(max_length=MAX_COLUMNS)]], Field(max_length=MAX_ROWS)]
    returned: Annotated[int, Field(ge=0, le=MAX_ROWS)]
    complete: Annotated[bool, Field(description="false: there are more rows than were returned.")]

    @classmethod
    def of(cls, table: Table) -> QueryResult:
        """The result of `query.run(…)` as the tool returns it."""
        rows: list[list[Cell]] = [list(row) for row in table.rows]
        columns = [QueryColumn(name=column.name, type=column.type) for column in table.columns]
        return cls(columns=columns, rows=rows, returned=len(rows), complete=table.complete)
