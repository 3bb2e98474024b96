"""kill -9 between every pair of statements of a keyed write: never two effects, never a lost acknowledged one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from fourfold.ports.units import Transaction, Unit
from tests.stores.breaking import outside
from tests.stores.domain import FAR, ignore
from tests.stores.kill_harness import Acknowledge, Killer, KillServer, rounds
from tests.stores.records import NOON_MS, claim_of, run_at, scope_of

KILLS = 60
"""Enough to stop before each of the statements of three writes in one group."""


def write_keys(database: Path, kill_at: int, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    """The worker: every key at once, each a claim, an effect, a settlement and a run in one transaction."""
    store = open_sqlite(database, clock=SystemClock(), connect=Killer(kill_at).connect)

    async def one(key: str) -> None:
        await store.units.write(lambda transaction: _keyed(store, transaction, key), deadline=FAR)
        acknowledge(key)

    async def every() -> None:
        async with anyio.create_task_group() as tasks:
            for key in keys:
                tasks.start_soon(one, key)
        await store.aclose()

    anyio.run(every)


def write_keys_carelessly(database: Path, kill_at: int, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    """A worker that checks, acts and notes in transactions of their own, as many do."""
    store = open_sqlite(database, clock=SystemClock(), connect=Killer(kill_at).connect)

    async def every() -> None:
        for key in keys:
            await store.units.write(lambda transaction, key=key: _effect_first(store, transaction, key), deadline=FAR)
            await store.units.write(lambda transaction, key=key: _then_claim(store, transaction, key), deadline=FAR)
            acknowledge(key)
        await store.aclose()

    anyio.run(every)


def _effect_first(store: SqliteStore, transaction: Transaction, key: str) -> None:
    if store.claims.find(transaction.unit, scope_of(key)) is None:
        transaction.attempt(lambda unit: unit.execute("INSERT INTO effect VALUES (?)", (key,)), subject=ignore)


def _then_claim(store: SqliteStore, transaction: Transaction, key: str) -> None:
    store.claims.take(transaction.unit, claim_of(scope_of(key), f"op {key}"))


def _keyed(store: SqliteStore, transaction: Transaction, key: str) -> None:
    claim = claim_of(scope_of(key), f"op {key}")
    if store.claims.take(transaction.unit, claim) is not None:
        return
    transaction.attempt(lambda unit: unit.execute("INSERT INTO effect VALUES (?)", (key,)), subject=ignore)
    store.claims.settle(transaction.unit, claim.operation_id, fence=1, state="done", outcome="v1.x", settled_ms=NOON_MS)
    store.runs.insert(transaction.unit, replace(run_at(0), run_id=f"run {key}"))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database whose effects have no unique key of their own, so that nothing but the claim prevents a second."""

    async def prepare() -> None:
        store = open_sqlite(tmp_path / "k.db", clock=SystemClock())
        await store.units.prepare(effects)
        await store.aclose()

    anyio.run(prepare)
    return tmp_path / "k.db"


def effects(unit: Unit) -> None:
    """Make the table of effects."""
    unit.execute("CREATE TABLE effect (key TEXT NOT NULL)")


def test_no_kill_makes_a_second_effect_or_loses_an_acknowledged_one(database: Path) -> None:
    """D1, A9: effect if and only if claim and run, whenever the process dies."""
    points = set[int]()
    with KillServer(f"{__name__}:write_keys", database) as server:
        for round_ in rounds(server, kills=KILLS):
            effect = _column(database, "SELECT key FROM effect")
            assert round_.attempt.acknowledged <= effect.keys(), f"lost after a kill at {round_.kill_at}"
            if round_.attempt.killed:
                points.add(round_.kill_at)

    effect = _column(database, "SELECT key FROM effect")
    assert set(effect.values()) == {1}
    assert _column(database, "SELECT substr(run_id, 5) FROM fourfold_run") == effect
    assert _column(database, "SELECT idempotency_key FROM fourfold_claim WHERE state = 'done'") == effect
    assert outside(database, "SELECT count(*) FROM fourfold_claim WHERE state <> 'done'") == [(0,)]
    assert len(points) >= 30, "fewer statements than one group of three writes has"


def test_the_harness_finds_the_second_effect_of_a_careless_worker(database: Path) -> None:
    """D1: a search that finds nothing must be one that could."""
    with KillServer(f"{__name__}:write_keys_carelessly", database) as server:
        for _ in rounds(server, kills=15, keys_each=1):
            pass

    assert max(_column(database, "SELECT key FROM effect").values()) > 1


def _column(database: Path, sql: str) -> Counter[str]:
    return Counter(value for (value,) in outside(database, sql))
