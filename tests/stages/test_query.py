"""The query of a call: for its tenant, and within the time that the call has left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event

import anyio
import anyio.to_thread
import pytest

from fourfold.adapters.memory.store import open_memory
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.errors import ConfigError, DeadlineExceeded
from fourfold.model.call import Call
from fourfold.model.sandbox import SandboxTerms
from fourfold.ports.sandbox import QueryRunner
from fourfold.sandbox import Table
from fourfold.stages.query import BoundQuery
from fourfold.stages.service import Service
from fourfold.testing import FixedClock, caller
from tests.sandbox.shop import TERMS, shop

_EMPTY = Table(columns=(), rows=(), complete=True)


@dataclass
class _Database:
    """Remembers what it was asked."""

    asked: list[tuple[str, str, float]] = field(default_factory=list[tuple[str, str, float]])

    def query(self, sql: str, terms: SandboxTerms, *, tenant: str, seconds: float, left: Callable[[], bool]) -> Table:
        assert not left()
        self.asked.append((sql, tenant, seconds))
        return _EMPTY


def _bound(database: _Database, *, left_s: float) -> BoundQuery:
    clock = FixedClock()
    return BoundQuery(
        runner=database, terms=TERMS, tenant="acme", clock=clock, deadline=clock.ticks() + left_s, left=lambda: False
    )


def test_a_query_runs_for_its_tenant_and_the_time_that_is_left() -> None:
    """A13, B18, B19: the tenant is the call's, and no argument of `run`."""
    database = _Database()

    assert _bound(database, left_s=5).run("good") is _EMPTY
    assert database.asked == [("good", "acme", 5.0)]


def test_a_call_without_time_left_asks_no_database() -> None:
    """A13, B19: the deadline counts from when the call came in."""
    database = _Database()

    with pytest.raises(DeadlineExceeded):
        _bound(database, left_s=0).run("good")
    assert database.asked == []


@dataclass
class _Slow:
    """Runs until whoever asked has gone."""

    begun: Event = field(default_factory=Event)
    ended: Event = field(default_factory=Event)

    def query(self, sql: str, terms: SandboxTerms, *, tenant: str, seconds: float, left: Callable[[], bool]) -> Table:
        self.begun.set()
        while not left():
            self.ended.wait(0.001)
        self.ended.set()
        raise DeadlineExceeded("nobody waits")


@pytest.mark.anyio
async def test_a_query_learns_that_its_client_has_gone() -> None:
    """A13, B19: a read dies with its client; the thread and the process behind it too."""
    slow = _Slow()
    service = _service(slow)
    call = Call(tool="stock_query", arguments={"sql": "SELECT 1 AS one"}, caller=caller())

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(service.call, call)
        await anyio.to_thread.run_sync(slow.begun.wait)
        tasks.cancel_scope.cancel()
    assert await anyio.to_thread.run_sync(slow.ended.wait, 9)


def test_a_catalog_with_a_sandbox_is_not_served_without_one() -> None:
    """A13: a service whose store cannot refuse does not start."""
    with pytest.raises(ConfigError, match="stock_query: a query runs only where the store has a sandbox"):
        _service(None)


def _service(queries: QueryRunner | None) -> Service:
    store = open_memory(clock=FixedClock())
    return Service.over(
        shop().build(),
        store,
        sealer=AesGcmSealer(KeyRing.of(("k", b"thirty-two bytes of a test key!!"))),
        clock=FixedClock(),
        queries=queries,
    )
