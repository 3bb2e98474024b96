"""`JoinedUnit`: the framework's stores inside a transaction that is yours: claims and plans commit with your writes.

Your code begins and commits. `adapters.sqlite.join`, `adapters.postgres.join` and `adapters.sql.sqlalchemy` make one
over a connection. The framework's tables have to be in the same database (`fourfold migrate`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fourfold.adapters.sql.unit import ALONE, no_subject
from fourfold.ports.units import Parameters, Row

__all__ = ["JoinedUnit", "Ran"]


@dataclass(frozen=True, slots=True)
class Ran:
    """What a statement came to: the rows it changed, and those it returned."""

    changed: int
    rows: Sequence[Row] = ()


class JoinedUnit:
    """A unit over somebody else's transaction (ports.Unit). It has no guard: the connection is yours anyway."""

    def __init__(self, run: Callable[[str, Parameters], Ran], *, one_writer: bool) -> None:
        self._run = run
        self._one_writer = one_writer

    def execute(self, sql: str, parameters: Parameters = ()) -> int:
        """Run one statement; the number of rows it changed."""
        return self._run(sql, parameters).changed

    def row(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """The first row of a query, or `None`."""
        rows = self._run(sql, parameters).rows
        return rows[0] if rows else None

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """All rows of a query. Bound it with LIMIT."""
        return list(self._run(sql, parameters).rows)

    def subject(self, value: str) -> None:
        """Do nothing: there is no run here that has a Subject."""
        no_subject(value)

    def as_framework(self) -> JoinedUnit:
        """Itself: it is for the framework's tables."""
        return self

    def alone(self, about: str) -> None:
        """Keep out other transactions that ask for the same `about`, until yours ends."""
        if not self._one_writer:
            self._run(ALONE, (about,))
