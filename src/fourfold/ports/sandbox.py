"""The typed sandbox as ports: the query that a handler runs, and what refuses it twice before it reads anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from fourfold.model.sandbox import SandboxTerms, Table

__all__ = ["QueryRunner", "SandboxedQuery"]


class SandboxedQuery(Protocol):
    """Runs a query that a model wrote, under the terms of the input's `Sandbox` field and for the caller's tenant."""

    def run(self, sql: str) -> Table:
        """The rows of `sql`.

        Raises:
            QueryRefused: it is not one SELECT over the readable views.
            QueryTooCostly: it took more time or memory than it may.
        """
        ...


class QueryRunner(Protocol):
    """Both refusals: a parser, then a database that relies on nothing that the parser found.

    They are one port, so that there is no way to run a query through only one of them.
    """

    def query(self, sql: str, terms: SandboxTerms, *, tenant: str, seconds: float, left: Callable[[], bool]) -> Table:
        """Run `sql` on a read-only connection of its own, for at most `seconds`. Blocks; call it from a thread.

        `left` says whether whoever asked has gone; the query ends soon after that.

        Raises:
            QueryRefused: the parser or the database does not accept it.
            QueryTooCostly: it took more time or memory than it may.
            DeadlineExceeded: whoever asked has gone.
            StoreBusy: too many queries are running.
            StoreError: the views are not as the terms say, or the database failed.
        """
        ...
