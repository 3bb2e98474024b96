"""kill -9 between every pair of statements of a write that reaches outside, and around the request itself.

The other system is a database of its own. It drops a second request with one key only where the class says so.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import anyio
import pytest

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from fourfold.model.call import Call
from fourfold.model.outcome import Done, Unknown
from fourfold.stages.lease import LEASE_MS
from fourfold.stages.service import Service
from fourfold.testing import caller
from tests.interaction.faults import Found, write_down
from tests.stages.bank import Bank, catalog_of
from tests.stores.breaking import outside
from tests.stores.kill_harness import Acknowledge, Killer, KillServer, rounds

KILLS = int(os.environ.get("FOURFOLD_KILLS", "240")) // 3
"""Of each class; `scripts/soak kills` sets more."""

_BANK = """
CREATE TABLE IF NOT EXISTS paid (key TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS process (started INTEGER);
"""


class Later(SystemClock):
    """The clock of a process that starts when the leases of all before it are over."""

    def __init__(self, bank: Path) -> None:
        with closing(sqlite3.connect(bank, isolation_level=None)) as database:
            database.execute("INSERT INTO process VALUES (1)")
            (self._process,) = database.execute("SELECT count(*) FROM process").fetchone()

    def now_ms(self) -> int:
        """Now, and a lease later for each process before."""
        return super().now_ms() + self._process * LEASE_MS


@dataclass(slots=True)
class KilledBank(Bank):
    """A bank across a wire: the process may die before its request, and after the payment, before the answer."""

    path: Path = Path()
    killer: Killer | None = None

    async def pay(self, key: str) -> str:
        """Pay once for each key."""
        self._step()
        with closing(sqlite3.connect(self.path, isolation_level=None)) as database:
            fresh = key if len(key) == 40 else secrets.token_hex(20)  # what is no key is none
            database.execute("INSERT INTO paid VALUES (?) ON CONFLICT DO NOTHING", (fresh,))
        self.load()
        self._step()
        return "paid"

    def _step(self) -> None:
        if self.killer is not None:
            self.killer.step()

    def load(self) -> None:
        """Know what it knew before, which is what a probe asks for."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as database:
            self.paid = dict(database.execute("SELECT key, 'paid' FROM paid").fetchall())


def pay_out(kind: str, database: Path, kill_at: int, *, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    """The worker: `refund_create` for every key at once, through the stages."""
    bank_file, killer = database.with_suffix(".bank"), Killer(kill_at)
    bank = KilledBank(path=bank_file, killer=killer)
    bank.load()
    clock = Later(bank_file)
    store = open_sqlite(database, clock=clock, connect=killer.connect)
    service = Service.over(
        catalog_of(bank, kind=kind).build(),
        store,
        sealer=AesGcmSealer(KeyRing.of(("k", b"the key ring of the kill test 123"))),
        clock=clock,
    )
    anyio.run(_every, service, store, keys, acknowledge)


def pay_keyed(database: Path, kill_at: int, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    """To a bank that takes keys."""
    pay_out("keyed", database, kill_at, keys=keys, acknowledge=acknowledge)


def pay_probing(database: Path, kill_at: int, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    """To a bank that can be asked."""
    pay_out("probe", database, kill_at, keys=keys, acknowledge=acknowledge)


def pay_blindly(database: Path, kill_at: int, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    """To a bank that knows neither."""
    pay_out("blind", database, kill_at, keys=keys, acknowledge=acknowledge)


async def _every(service: Service, store: SqliteStore, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    async with anyio.create_task_group() as tasks:
        for key in keys:
            tasks.start_soon(_one, service, key, acknowledge)
    await store.aclose()


async def _one(service: Service, key: str, acknowledge: Acknowledge) -> None:
    number = int(key.split("-")[1]) * 3 + int(key.split("-")[2])
    arguments = {"payment_id": f"pay-{number}"}
    call = Call(tool="refund_create", arguments=arguments, caller=caller(), meta_key=f"kill-test-{key}-0000000")
    outcome = await service.call(call)
    assert isinstance(outcome, Done | Unknown), outcome
    acknowledge(key)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """An empty store beside an empty bank."""
    path = tmp_path / "refunds.db"
    with closing(sqlite3.connect(path.with_suffix(".bank"), isolation_level=None)) as bank:
        bank.executescript(_BANK)
    anyio.run(partial(_prepare, path))
    return path


async def _prepare(path: Path) -> None:
    store = open_sqlite(path, clock=SystemClock())
    for work in catalog_of(Bank()).preparations:
        await store.units.prepare(work)
    await store.aclose()


@dataclass(frozen=True, slots=True)
class Tally:
    """What is there after all kills."""

    states: Counter[str]
    receipts: Counter[str]
    paid: int
    points: int

    def write_down(self, effect: str) -> None:
        """For the page of faults."""
        settled = self.states["done"]
        write_down(
            Found(
                effect=effect,
                store="SQLite",
                kills=KILLS,
                points=self.points,
                operations=sum(self.states.values()),
                twice=max(self.paid - sum(self.states.values()), 0),
                lost=settled - len(self.receipts),
                unknown=self.states["unknown"],
            )
        )


def _killed(database: Path, worker: str) -> Tally:
    points = set[int]()
    with KillServer(f"{__name__}:{worker}", database) as server:
        for round_ in rounds(server, kills=KILLS):
            points.add(round_.kill_at)
    bank = database.with_suffix(".bank")
    ((paid,),) = outside(bank, "SELECT count(*) FROM paid")
    return Tally(
        states=Counter(dict(outside(database, _STATES))),
        receipts=Counter(payment for (payment,) in outside(database, "SELECT payment FROM receipt")),
        paid=paid,
        points=len(points),
    )


_STATES = "SELECT state, count(*) FROM fourfold_claim GROUP BY state"


@pytest.mark.serial
@pytest.mark.timeout(600)
@pytest.mark.parametrize("worker", ["pay_keyed", "pay_probing"])
def test_no_kill_pays_twice_or_loses_a_refund(database: Path, worker: str) -> None:
    """D1, C4: one payment, one receipt and one settled claim for each key, whenever the process dies."""
    tally = _killed(database, worker)

    assert set(tally.states) == {"done"}
    assert set(tally.receipts.values()) == {1}
    assert (len(tally.receipts), tally.paid) == (tally.states["done"], tally.states["done"])
    assert tally.points >= 20, "fewer points than three refunds have"
    tally.write_down("outside, keyed" if worker == "pay_keyed" else "outside, probed")


@pytest.mark.serial
@pytest.mark.timeout(600)
def test_what_nobody_can_ask_about_is_unknown_and_paid_at_most_once(database: Path) -> None:
    """D1: unknown only here, and never more payments than operations."""
    tally = _killed(database, "pay_blindly")

    assert set(tally.states) == {"done", "unknown"}
    assert tally.receipts == Counter(dict.fromkeys(tally.receipts, 1))
    assert len(tally.receipts) == tally.states["done"]
    assert tally.states["done"] <= tally.paid <= tally.states["done"] + tally.states["unknown"]
    tally.write_down("outside, blind")
