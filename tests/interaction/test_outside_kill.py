"""kill -9 between every pair of statements of a write that reaches outside, and around the request itself.

The other system is a database of its own. It drops a second request with one key only where the class says so.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.postgres.store import PostgresStore
from fourfold.adapters.sqlite.store import SqliteStore
from fourfold.model.call import Call
from fourfold.model.outcome import Done, Unknown
from fourfold.stages.lease import LEASE_MS
from fourfold.stages.service import Service
from fourfold.testing import caller
from tests.interaction.faults import Found, write_down
from tests.interaction.one_of_two import BUSY, ending
from tests.interaction.place import STORES, Place, bank_of, made, refunding, store_in
from tests.stages.bank import Bank
from tests.stores.kill_harness import PATIENCE_S, Acknowledge, Killer, KillServer, kills_wanted, rounds

KILLS = {"SQLite": kills_wanted(150) // 3, "PostgreSQL": kills_wanted(60) // 3}
"""Of each class: the three share what a kill test of the store makes."""

STRIDE = 4
"""Few kills reach the end of the write, and many stop before each of its statements."""

CALLS = 1_000
"""How often a refund is asked for again while a killed rival's transaction is still open, until the test fails."""


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


def pay_out(kind: str, folder: Path, kill_at: int, *, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    """The worker: `refund_create` for every key at once, through the stages."""
    killer, clock = Killer(kill_at), Later(bank_of(folder))
    bank = KilledBank(path=bank_of(folder), killer=killer)
    bank.load()
    store = store_in(folder, clock=clock, killer=killer)
    anyio.run(_every, refunding(store, bank, clock=clock, kind=kind), store, keys, acknowledge)


def pay_keyed(folder: Path, kill_at: int, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    """To a bank that takes keys."""
    pay_out("keyed", folder, kill_at, keys=keys, acknowledge=acknowledge)


def pay_probing(folder: Path, kill_at: int, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    """To a bank that can be asked."""
    pay_out("probe", folder, kill_at, keys=keys, acknowledge=acknowledge)


def pay_blindly(folder: Path, kill_at: int, keys: Sequence[str], acknowledge: Acknowledge) -> None:
    """To a bank that knows neither."""
    pay_out("blind", folder, kill_at, keys=keys, acknowledge=acknowledge)


async def _every(
    service: Service, store: SqliteStore | PostgresStore, keys: Sequence[str], acknowledge: Acknowledge
) -> None:
    async with anyio.create_task_group() as tasks:
        for key in keys:
            tasks.start_soon(_one, service, key, acknowledge)
    await store.aclose()


async def _one(service: Service, key: str, acknowledge: Acknowledge) -> None:
    number = int(key.split("-")[1]) * 3 + int(key.split("-")[2])
    arguments = {"payment_id": f"pay-{number}"}
    call = Call(tool="refund_create", arguments=arguments, caller=caller(), meta_key=f"kill-test-{key}-0000000")
    for _ in range(CALLS):
        outcome = await service.call(call)
        if isinstance(outcome, Done | Unknown):
            acknowledge(key)
            return
        # PostgreSQL notices after a moment that the process of a transaction is dead.
        assert ending(outcome) in BUSY, outcome
    raise AssertionError(f"{key} was never answered")


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty store of each kind beside an empty bank."""
    return made(request, tmp_path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What is there after all kills."""

    store: str
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
                store=self.store,
                kills=KILLS[self.store],
                points=self.points,
                operations=self.states.total(),
                twice=max(self.paid - self.states.total(), 0),
                lost=settled - len(self.receipts),
                unknown=self.states["unknown"],
            )
        )


def _killed(place: Place, worker: str) -> Tally:
    points, kills = set[int](), KILLS[place.store]
    with KillServer(f"{__name__}:{worker}", place.folder) as server:
        for round_ in rounds(server, kills=kills, stride=STRIDE):
            if round_.attempt.killed:
                points.add(round_.kill_at)
    assert len(points) >= min(kills, 20), "fewer points than three refunds have"
    ((paid,),) = place.paid("SELECT count(*) FROM paid")
    return Tally(
        store=place.store,
        states=place.column("SELECT state FROM fourfold_claim"),
        receipts=place.column("SELECT payment FROM receipt"),
        paid=paid,
        points=len(points),
    )


@pytest.mark.serial
@pytest.mark.timeout(PATIENCE_S)
@pytest.mark.parametrize("worker", ["pay_keyed", "pay_probing"])
def test_no_kill_pays_twice_or_loses_a_refund(place: Place, worker: str) -> None:
    """D1, C4: one payment, one receipt and one settled claim for each key, whenever the process dies."""
    tally = _killed(place, worker)

    assert set(tally.states) == {"done"}
    assert set(tally.receipts.values()) == {1}
    assert (len(tally.receipts), tally.paid) == (tally.states["done"], tally.states["done"])
    tally.write_down("outside, keyed" if worker == "pay_keyed" else "outside, probed")


@pytest.mark.serial
@pytest.mark.timeout(PATIENCE_S)
def test_what_nobody_can_ask_about_is_unknown_and_paid_at_most_once(place: Place) -> None:
    """D1: unknown only here, and never more payments than operations."""
    tally = _killed(place, "pay_blindly")

    assert set(tally.states) == {"done", "unknown"}
    assert tally.receipts == Counter(dict.fromkeys(tally.receipts, 1))
    assert len(tally.receipts) == tally.states["done"]
    assert tally.states["done"] <= tally.paid <= tally.states["done"] + tally.states["unknown"]
    tally.write_down("outside, blind")
