"""A process that is stopped past its lease and then goes on: SIGSTOP, a takeover, SIGCONT. It must settle nothing."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import anyio
import pytest
from anyio.lowlevel import checkpoint

from fourfold.adapters.clock import SystemClock
from fourfold.model.call import Call
from fourfold.ports.clock import Clock
from fourfold.stages.lease import LEASE_MS
from fourfold.testing import Answer, caller
from tests.interaction.faults import Stopped, write_down
from tests.interaction.place import STORES, Place, bank_of, made, refunding, store_in
from tests.stages.bank import Bank

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
        with closing(sqlite3.connect(bank_of(self.place), isolation_level=None)) as database:
            database.execute("INSERT INTO paid VALUES (?) ON CONFLICT DO NOTHING", (key,))
            database.execute("INSERT INTO request VALUES (?)", (key,))
        return "paid"


async def refund(folder: Path, clock: Clock, *, number: str, waits: bool) -> str:
    """One refund by a process of its own clock; the code it was answered with."""
    store = store_in(folder, clock=clock)
    try:
        service = refunding(store, SlowBank(place=folder, waits=waits), clock=clock)
        call = Call(
            tool="refund_create",
            arguments={"payment_id": f"pay-{number}"},
            caller=caller(),
            meta_key=f"zombie-round-{number:0>8}",
        )
        return Answer(await service.call(call)).code
    finally:
        await store.aclose()


@contextmanager
def zombie(folder: Path) -> Generator[subprocess.Popen[str]]:
    """A process that makes the refund of each number it is sent, and waits at the bank."""
    command = [sys.executable, "-m", "tests.interaction.test_stopped_owner", str(folder)]
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


async def _write_nothing(folder: Path) -> None:
    store = store_in(folder, clock=SystemClock())
    await store.units.write(lambda _: None, deadline=float("inf"))
    await store.aclose()


def _round(process: subprocess.Popen[str], folder: Path, number: str) -> tuple[str, str]:
    """Stop the owner in the middle, take over, let it go on; what the two were answered with."""
    assert process.stdin is not None
    assert process.stdout is not None
    for name in ("asked", "go"):
        (folder / name).unlink(missing_ok=True)
    process.stdin.write(f"{number}\n")
    process.stdin.flush()
    while not (folder / "asked").exists():
        assert process.poll() is None
    # Its writer may still hold the lock of the file, and one that is stopped with it holds up everybody.
    anyio.run(_write_nothing, folder)
    process.send_signal(signal.SIGSTOP)
    taken_over = anyio.run(partial(refund, folder, Later(), number=number, waits=False))
    (folder / "go").touch()
    process.send_signal(signal.SIGCONT)
    return taken_over, process.stdout.readline().strip()


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty store of each kind beside an empty bank."""
    return made(request, tmp_path)


@pytest.mark.serial
@pytest.mark.timeout(120 + 10 * ROUNDS)
def test_a_stopped_owner_that_goes_on_settles_nothing(place: Place) -> None:
    """D1: both ask the other system, with one key; one of them settles, and it is the one that took over."""
    with zombie(place.folder) as process:
        answers = Counter(_round(process, place.folder, str(number)) for number in range(1, ROUNDS + 1))

    assert answers == {("", "in_progress"): ROUNDS}
    assert place.paid("SELECT count(*), count(DISTINCT key) FROM request") == [(2 * ROUNDS, ROUNDS)]
    ((paid,),) = place.paid("SELECT count(*) FROM paid")
    assert paid == ROUNDS
    assert place.column("SELECT payment FROM receipt") == {f"pay-{number}": 1 for number in range(1, ROUNDS + 1)}
    assert place.look("SELECT state, fence, count(*) FROM fourfold_claim GROUP BY state, fence") == [
        ("done", 2, ROUNDS)
    ]
    write_down(Stopped(store=place.store, rounds=ROUNDS, refused=answers["", "in_progress"], twice=paid - ROUNDS))


def _main(folder: Path) -> None:
    for line in sys.stdin:
        code = anyio.run(partial(refund, folder, SystemClock(), number=line.strip(), waits=True))
        print(code, flush=True)  # noqa: T201  # the answer to the parent


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
