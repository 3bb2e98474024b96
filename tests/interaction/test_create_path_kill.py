"""kill -9 between every pair of statements of the whole Create path: service, claim, handler, settlement and run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest

from billing import catalog
from fourfold.adapters.clock import SystemClock
from fourfold.adapters.query_check import queries_for
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from fourfold.model.call import Call
from fourfold.model.caller import Caller
from fourfold.model.outcome import Done
from fourfold.stages.service import Service
from tests.interaction.faults import Found, write_down
from tests.stores.breaking import outside
from tests.stores.kill_harness import PATIENCE_S, Acknowledge, Killer, KillServer, kills_wanted, rounds

KILLS = kills_wanted(150)

CALLER = Caller(principal="clerk@acme", tenant="acme", scopes=frozenset({"quotes:write"}), name="clerk")


def create_quotes(database: Path, kill_at: int, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    """The worker: `quote_create` for every key at once, through the stages, each quote with its own price."""
    store = open_sqlite(database, clock=SystemClock(), connect=Killer(kill_at).connect)
    anyio.run(_every, _service(store), store, keys, acknowledge)


async def _every(service: Service, store: SqliteStore, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    async with anyio.create_task_group() as tasks:
        for key in keys:
            tasks.start_soon(_one, service, key, acknowledge)
    await store.aclose()


async def _one(service: Service, key: str, acknowledge: Acknowledge) -> None:
    outcome = await service.call(_call(key))
    assert isinstance(outcome, Done), outcome
    acknowledge(key)


def _call(key: str) -> Call:
    """One quote; its total tells which key it was made for."""
    number = int(key.split("-")[1]) * 3 + int(key.split("-")[2])
    line = {"sku": "ABC-1234", "quantity": 1, "unit_price_minor": 3_000 + number}
    arguments = {"account_id": "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60", "currency": "EUR", "lines": [line]}
    return Call(tool="quote_create", arguments=arguments, caller=CALLER, meta_key=f"kill-test-{key}-0000000")


def _service(store: SqliteStore) -> Service:
    sealer = AesGcmSealer(KeyRing.of(("k", b"the key ring of the kill test 123")))
    return Service.over(
        catalog.build(),
        store,
        sealer=sealer,
        clock=SystemClock(),
        queries=queries_for(catalog.build(), store.queries),
    )


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A seeded billing store."""

    async def prepare() -> None:
        store = open_sqlite(tmp_path / "billing.db", clock=SystemClock())
        for work in catalog.preparations:
            await store.units.prepare(work)
        await store.aclose()

    anyio.run(prepare)
    return tmp_path / "billing.db"


@pytest.mark.serial
@pytest.mark.timeout(PATIENCE_S)
def test_no_kill_duplicates_or_loses_a_quote(database: Path) -> None:
    """D1, B4, A9: one quote, one settled claim and one run for each key, whenever the process dies."""
    points = set[int]()
    with KillServer(f"{__name__}:create_quotes", database) as server:
        for round_ in rounds(server, kills=KILLS):
            made = _totals(database)
            lost = [key for key in round_.attempt.acknowledged if made[_total(key)] != 1]
            assert not lost, f"lost or doubled after a kill at statement {round_.kill_at}: {lost}"
            if round_.attempt.killed:
                points.add(round_.kill_at)

    made = _totals(database)
    assert set(made.values()) == {1}
    assert outside(database, "SELECT count(*) FROM fourfold_claim WHERE state = 'done'") == [(len(made),)]
    assert outside(database, "SELECT count(*) FROM fourfold_claim WHERE state <> 'done'") == [(0,)]
    effects = "SELECT count(*) FROM fourfold_run WHERE outcome = 'done' AND replayed = 0"
    assert outside(database, effects) == [(len(made),)]
    assert len(points) >= 30, "fewer statements than one group of three creations has"
    write_down(
        Found(
            effect="in the store: `quote_create`",
            store="SQLite",
            kills=KILLS,
            points=len(points),
            operations=len(made),
            twice=sum(many > 1 for many in made.values()),
            lost=0,
            unknown=0,
        )
    )


def _total(key: str) -> int:
    line = _call(key).arguments["lines"][0]
    return int(line["quantity"]) * int(line["unit_price_minor"])


def _totals(database: Path) -> Counter[int]:
    return Counter(total for (total,) in outside(database, "SELECT total_minor FROM quote"))
