"""A process that is stopped past its lease and then goes on: SIGSTOP, a takeover, SIGCONT. It must settle nothing."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import anyio
import pytest
from anyio.lowlevel import checkpoint

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from fourfold.model.call import Call
from fourfold.ports.clock import Clock
from fourfold.stages.lease import LEASE_MS
from fourfold.stages.service import Service
from fourfold.testing import Answer, caller
from tests.stages.bank import Bank, catalog_of
from tests.stores.breaking import outside

ROOT = Path(__file__).parents[2]
ROUNDS = int(os.environ.get("FOURFOLD_ZOMBIES", "5"))
"""`scripts/soak kills` sets more."""


class Later(SystemClock):
    """A clock at which every lease of now is over."""

    def now_ms(self) -> int:
        """A lease later."""
        return super().now_ms() + LEASE_MS + 1


@dataclass(slots=True)
class SlowBank(Bank):
    """A bank in a database of its own that drops second requests; it may wait before it pays."""

    place: Path = Path()
    waits: bool = False

    async def pay(self, key: str) -> str:
        """Say that a request is there, wait until it may go on, and pay once for each key."""
        if self.waits:
            (self.place / "asked").touch()
            while not (self.place / "go").exists():
                await checkpoint()
        with closing(sqlite3.connect(self.place / "bank.db", isolation_level=None)) as database:
            database.execute("INSERT INTO paid VALUES (?) ON CONFLICT DO NOTHING", (key,))
            database.execute("INSERT INTO request VALUES (?)", (key,))
        return "paid"


async def refund(place: Path, clock: Clock, *, number: str, waits: bool) -> str:
    """One refund by a process of its own clock; the code it was answered with."""
    store = open_sqlite(place / "store.db", clock=clock)
    try:
        service = _service(store, clock, SlowBank(place=place, waits=waits))
        call = Call(
            tool="refund_create",
            arguments={"payment_id": f"pay-{number}"},
            caller=caller(),
            meta_key=f"zombie-round-{number:0>8}",
        )
        return Answer(await service.call(call)).code
    finally:
        await store.aclose()


def _service(store: SqliteStore, clock: Clock, bank: Bank) -> Service:
    sealer = AesGcmSealer(KeyRing.of(("k", b"the key ring of the zombie test!")))
    return Service.over(catalog_of(bank).build(), store, sealer=sealer, clock=clock)


@contextmanager
def zombie(place: Path) -> Generator[subprocess.Popen[str]]:
    """A process that makes the refund of each number it is sent, and waits at the bank."""
    command = [sys.executable, "-m", "tests.interaction.test_stopped_owner", str(place)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            assert process.stdin is not None
            process.stdin.close()
            process.wait(30)


async def _prepare(place: Path) -> None:
    store = open_sqlite(place / "store.db", clock=SystemClock())
    for work in catalog_of(Bank()).preparations:
        await store.units.prepare(work)
    await store.aclose()


async def _write_nothing(place: Path) -> None:
    store = open_sqlite(place / "store.db", clock=SystemClock())
    await store.units.write(lambda _: None, deadline=float("inf"))
    await store.aclose()


def _round(process: subprocess.Popen[str], place: Path, number: str) -> tuple[str, str]:
    """Stop the owner in the middle, take over, let it go on; what the two were answered with."""
    assert process.stdin is not None
    assert process.stdout is not None
    for name in ("asked", "go"):
        (place / name).unlink(missing_ok=True)
    process.stdin.write(f"{number}\n")
    process.stdin.flush()
    while not (place / "asked").exists():
        assert process.poll() is None
    # Its writer may still hold the lock of the file, and one that is stopped with it holds up everybody.
    anyio.run(_write_nothing, place)
    process.send_signal(signal.SIGSTOP)
    taken_over = anyio.run(partial(refund, place, Later(), number=number, waits=False))
    (place / "go").touch()
    process.send_signal(signal.SIGCONT)
    return taken_over, process.stdout.readline().strip()


@pytest.mark.serial
@pytest.mark.timeout(600)
def test_a_stopped_owner_that_goes_on_settles_nothing(tmp_path: Path) -> None:
    """D1: both ask the other system, with one key; one of them settles, and it is the one that took over."""
    with closing(sqlite3.connect(tmp_path / "bank.db", isolation_level=None)) as bank:
        bank.executescript("CREATE TABLE paid (key TEXT UNIQUE); CREATE TABLE request (key TEXT);")
    anyio.run(_prepare, tmp_path)
    with zombie(tmp_path) as process:
        answers = {_round(process, tmp_path, str(number)) for number in range(1, ROUNDS + 1)}

    assert answers == {("", "in_progress")}
    counts = {
        "paid": outside(tmp_path / "bank.db", "SELECT count(*) FROM paid"),
        "requests": outside(tmp_path / "bank.db", "SELECT count(*) FROM request"),
        "receipts": outside(tmp_path / "store.db", "SELECT count(*) FROM receipt"),
        "settled twice": outside(tmp_path / "store.db", "SELECT count(*) FROM fourfold_claim WHERE fence <> 2"),
    }
    assert counts == {
        "paid": [(ROUNDS,)],
        "requests": [(2 * ROUNDS,)],
        "receipts": [(ROUNDS,)],
        "settled twice": [(0,)],
    }


def _main(place: Path) -> None:
    for line in sys.stdin:
        code = anyio.run(partial(refund, place, SystemClock(), number=line.strip(), waits=True))
        print(code, flush=True)  # noqa: T201  # the answer to the parent


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
