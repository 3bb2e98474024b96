"""What the server asks of a sandbox process, and what it answers: JSON over its standard input and output."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, BinaryIO, Literal

from fourfold.model.sandbox import Column, Table

__all__ = ["Answer", "Ending", "Job"]

Ending = Literal["done", "refused", "costly", "busy", "broken"]
"""How a query ended. `broken` is the server's own fault: a view that is not there, a database that fails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One query.

    Attributes:
        path: the database file; `None` where a copy of the database follows the job.
        readable: views or tables with a column `tenant`; nothing else can be named.
        max_text: characters that the parser looks at; the database has a bound of its own.
        seconds: how long the statement may run.
    """

    path: str | None
    tenant: str
    sql: str
    readable: tuple[str, ...]
    max_text: int
    max_rows: int
    max_bytes: int
    seconds: float

    def to_bytes(self) -> bytes:
        """The job as one line."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def read(cls, stream: BinaryIO) -> Job:
        """The job at the beginning of `stream`."""
        facts: dict[str, Any] = json.loads(stream.readline())
        readable: list[str] = facts.pop("readable")
        return cls(readable=tuple(readable), **facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How a query ended, with its table or with what to say about it."""

    ending: Ending
    text: str = ""
    table: Table | None = None

    def to_bytes(self) -> bytes:
        """The answer as JSON."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def of_bytes(cls, raw: bytes) -> Answer:
        """The answer in `raw`."""
        facts: dict[str, Any] = json.loads(raw)
        table = facts.pop("table")
        return cls(table=_table(table) if table else None, **facts)


def _table(facts: Mapping[str, Any]) -> Table:
    columns: Sequence[Mapping[str, Any]] = facts["columns"]
    return Table(
        columns=tuple(Column(**column) for column in columns),
        rows=tuple(tuple(row) for row in facts["rows"]),
        complete=facts["complete"],
    )
