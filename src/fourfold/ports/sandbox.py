"""The typed sandbox as ports: the query that a handler runs, the check before the database, and the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from fourfold.model.sandbox import SandboxTerms, Table

__all__ = ["QueryCheck", "QueryRunner", "SandboxedQuery", "Sandboxing"]


class SandboxedQuery(Protocol):
    """Runs a query that a model wrote, under the terms of the input's `Sandbox` field and for the caller's tenant."""

    def run(self, sql: str) -> Table:
        """The rows of `sql`.

        Raises:
            QueryRefused: it is not one SELECT over the readable views.
            QueryTooCostly: it took more time or memory than it may.
        """
        ...


class QueryCheck(Protocol):
    """The first refusal: a parser, which sees the query before any database does."""

    def check(self, sql: str, terms: SandboxTerms) -> None:
        """Return if `sql` may go on.

        Raises:
            QueryRefused: it may not; the fault says what is accepted and repeats nothing of the query.
        """
        ...


class QueryRunner(Protocol):
    """The second refusal: the database, which relies on nothing that the first one found."""

    def query(self, sql: str, terms: SandboxTerms, *, tenant: str, seconds: float) -> Table:
        """Run `sql` on a read-only connection of its own, for at most `seconds`. Blocks; call it from a thread.

        Raises:
            QueryRefused: the database does not accept it.
            QueryTooCostly: it took more time or memory than it may.
            StoreBusy: too many queries are running.
            StoreError: the views are not as the terms say, or the database failed.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandboxing:
    """Both refusals together. There is no way to run a query through only one of them."""

    check: QueryCheck
    runner: QueryRunner
