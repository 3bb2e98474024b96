"""The query of one call: under the terms of its contract, for its tenant, in the time that it has left.

Part of stage 10: a handler that takes a `SandboxedQuery` gets a `BoundQuery`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fourfold.catalog.build import BuiltCatalog
from fourfold.errors import ConfigError, DeadlineExceeded, StoreError
from fourfold.model.sandbox import QueryRefused, QueryTooCostly, SandboxTerms, Table
from fourfold.ports.clock import Clock
from fourfold.ports.sandbox import QueryRunner

__all__ = ["BoundQuery", "rehearse"]

_REHEARSAL_S = 30.0
"""Seconds for a first look at the views, on a machine that is busy with starting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundQuery:
    """A `SandboxedQuery` for one call (ports.SandboxedQuery).

    Attributes:
        deadline: when the call ends, in `Clock.ticks`.
        left: whether nobody waits for the call any more.
    """

    runner: QueryRunner
    terms: SandboxTerms
    tenant: str
    clock: Clock
    deadline: float
    left: Callable[[], bool]

    def run(self, sql: str) -> Table:
        """The rows of `sql`.

        Raises:
            QueryRefused: the parser or the database does not accept it.
            QueryTooCostly: it took more time or memory than it may.
            DeadlineExceeded: the call has no time left, or nobody waits for it.
        """
        seconds = self.deadline - self.clock.ticks()
        if seconds <= 0:
            raise DeadlineExceeded("the deadline passed before the query could begin")
        return self.runner.query(sql, self.terms, tenant=self.tenant, seconds=seconds, left=self.left)


def rehearse(catalog: BuiltCatalog, runner: QueryRunner) -> None:
    """Look at every view of every sandbox once, so that a missing one stops the start and not the first call.

    Raises:
        ConfigError: a view is not there, has no tenant, or cannot be read; the message says which.
    """
    for name, tool in catalog.tools.items():
        if tool.contract.sandbox is not None:
            _rehearse(name, tool.contract.sandbox, runner)


def _rehearse(tool: str, terms: SandboxTerms, runner: QueryRunner) -> None:
    for view in terms.readable:
        try:
            runner.query(f"SELECT * FROM {view} LIMIT 0", terms, tenant="", seconds=_REHEARSAL_S, left=_never)  # noqa: S608  a name that the build has checked
        except (StoreError, QueryRefused, QueryTooCostly) as error:
            raise ConfigError(f"the sandbox of {tool} cannot read {view}: {error}") from None


def _never() -> bool:
    return False
