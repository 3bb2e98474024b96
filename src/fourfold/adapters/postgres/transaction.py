"""What happens inside one transaction: attempts, and what prepares a catalog's tables. Its owner begins and commits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeVar

from fourfold.adapters.postgres.guard import Rights
from fourfold.adapters.postgres.session import Session
from fourfold.adapters.postgres.unit import PostgresUnit

__all__ = ["PostgresTransaction"]

T = TypeVar("T")

_ALONE = "SELECT pg_advisory_xact_lock(hashtext('fourfold.prepare'))"

_GRANTS = """
WITH own AS (
    SELECT c.relkind, n.nspname, string_agg(c.oid::regclass::text, ', ') AS names
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND pg_get_userbyid(c.relowner) = current_user
        AND c.relkind IN ('r', 'p', 'v', 'm', 'S') AND left(c.relname, 9) <> 'fourfold_'
    GROUP BY c.relkind, n.nspname
)
SELECT format(
    CASE relkind
        WHEN 'S' THEN 'GRANT USAGE, SELECT ON SEQUENCE %s TO %I'
        ELSE 'GRANT SELECT, INSERT, UPDATE, DELETE ON TABLE %s TO %I'
    END, names, CAST(:role AS TEXT)
) AS grant_text
FROM own
"""
"""Statements that let handlers at the tables, views and sequences that the catalog made, and at nothing else."""


class PostgresTransaction:
    """One write (ports.Transaction)."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._unit = PostgresUnit(session, rights=Rights.FRAMEWORK)
        self.changed = 0
        """Rows that attempts changed and kept."""

    @property
    def unit(self) -> PostgresUnit:
        """The framework's own unit: claims and runs go through it; it counts no handler writes."""
        return self._unit

    @property
    def open(self) -> bool:
        """Whether the transaction is still there."""
        return self._session.alive

    def attempt(self, work: Callable[[PostgresUnit], T], *, subject: Callable[[str], None]) -> T:
        """Run `work` with a guarded unit inside a savepoint; if it raises, what it wrote is undone."""
        unit = PostgresUnit(self._session, rights=Rights.HANDLER, subject=subject)
        result = self._within(unit, work, rights=Rights.HANDLER)
        self.changed += unit.changed
        return result

    def prepare(self, work: Callable[[PostgresUnit], T], *, handlers: str | None) -> T:
        """Run `work` with a unit that may also change the schema, while no other replica does.

        What it writes counts as no handler's. The role `handlers` may use the tables that it made.
        """
        unit = PostgresUnit(self._session, rights=Rights.PREPARE)

        def alone(unit: PostgresUnit) -> T:
            unit.row(_ALONE)
            result = work(unit)
            for row in unit.rows(_GRANTS, {"role": handlers}) if handlers else ():
                unit.execute(row["grant_text"])
            return result

        return self._within(unit, alone, rights=Rights.PREPARE)

    def savepoint(self, name: str) -> AbstractContextManager[None]:
        """A savepoint for the framework's own statements."""
        return self._session.savepoint(name)

    def close(self) -> None:
        """End the framework's unit with the transaction."""
        self._unit.close()

    def _within(self, unit: PostgresUnit, work: Callable[[PostgresUnit], T], *, rights: Rights) -> T:
        with self._session.savepoint("attempt", inside=rights):
            try:
                return work(unit)
            finally:
                unit.close()
