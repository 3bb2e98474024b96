"""The contract of `ports.seals.Seals` and the job over it, for every adapter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import anyio
import anyio.lowlevel
import pytest

from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.signer import Ed25519Signer, Ed25519Verifier, public_keys
from fourfold.errors import ConfigError, StoreError
from fourfold.model.seal import GENESIS
from fourfold.ports.units import Unit
from fourfold.runs.inclusion import SealedRun, seal_of, why_not
from fourfold.runs.sealed import FORM, FORMS, digest_of
from fourfold.runs.sealing import seal_all
from fourfold.runs.upkeep import drop_runs, seal_by_the_minute, sum_again
from fourfold.runs.verifying import Verified, verify
from tests.stores.clocks import SteppedClock
from tests.stores.domain import Store, own_write, read
from tests.stores.records import NOON_MS, run_at

pytestmark = pytest.mark.anyio

_DAY_MS = 86_400_000
_EDIT = "UPDATE fourfold_run SET {column} = ? WHERE seq = 5"
_RING = KeyRing.of(("k1", b"1" * 32))
SIGNER = Ed25519Signer(_RING)
VERIFIER = Ed25519Verifier(public_keys(_RING))


async def stored(store: Store, *numbers: int, day: int = 0) -> None:
    """Store runs of that day."""
    for number in numbers:
        run = run_at(number)
        store.runs.append(replace(run, at_ms=run.at_ms + day * _DAY_MS))
    await store.runs.flush()


async def looked_at(store: Store) -> Verified:
    """What `verify` finds."""
    return await read(store.units, lambda unit: verify(unit, store.seals, verifier=VERIFIER))


async def edited(store: Store, column: str, value: object) -> None:
    """Write another value into a column of the fifth run."""
    await own_write(store, lambda unit: unit.execute(_EDIT.format(column=column), (value,)))


async def ranges(store: Store) -> list[tuple[int, str, int, int, int]]:
    """Number, kind, first edge, last edge and runs of each entry."""
    entries = await read(store.units, lambda unit: store.seals.before(unit, 2**62, limit=1_000))
    return [
        (each.no, each.kind, each.after_seq, each.to_seq, each.rows) for each in (e.seal for e in reversed(entries))
    ]


async def test_runs_are_sealed_in_ranges_that_follow_each_other(store: Store, clock: SteppedClock) -> None:
    """D6: every run is in one of them, and each entry names the one before."""
    await stored(store, 1, 2, 3, 4, 5)
    assert await seal_all(store, clock=clock, signer=SIGNER, most=2) == 5
    assert await seal_all(store, clock=clock, signer=SIGNER, most=2) == 0
    await stored(store, 6)
    assert await seal_all(store, clock=clock, signer=SIGNER, most=2) == 1

    assert await ranges(store) == [
        (1, "runs", 0, 2, 2),
        (2, "runs", 2, 4, 2),
        (3, "runs", 4, 5, 1),
        (4, "runs", 5, 6, 1),
    ]
    entries: Sequence[object] = await read(store.units, lambda unit: store.seals.before(unit, 3, limit=9))
    second, first = (each.seal for each in await read(store.units, lambda unit: store.seals.before(unit, 3, limit=9)))
    assert (first.previous, second.previous, len(entries)) == (GENESIS, digest_of(first), 2)
    verified = await looked_at(store)
    assert (verified.runs, verified.entries, verified.findings, verified.waiting.runs) == (6, 4, (), 0)


async def test_a_range_is_of_one_day(store: Store, clock: SteppedClock) -> None:
    """D6: since whole days are dropped; a run that was stored late makes a range of its own."""
    await stored(store, 1, 2)
    await stored(store, 3, day=1)
    await stored(store, 4)
    await stored(store, 5, 6, day=1)
    await seal_all(store, clock=clock, signer=SIGNER)

    assert [entry[2:] for entry in await ranges(store)] == [(0, 2, 2), (2, 3, 1), (3, 4, 1), (4, 6, 2)]


async def test_every_column_of_a_run_is_sealed(store: Store) -> None:
    """D6: whoever adds a column has to add a form, or it could be edited unseen."""
    await stored(store, 1)

    row = await own_write(store, lambda unit: unit.row("SELECT * FROM fourfold_run"))

    assert row is not None
    assert {*row} == {*FORMS[FORM]}


async def test_an_edit_of_any_column_is_found_and_named(store: Store, clock: SteppedClock) -> None:
    """D6: each of the columns by itself, in the middle of a range."""
    await stored(store, *range(9))
    await seal_all(store, clock=clock, signer=SIGNER)
    row = await read(store.units, lambda unit: store.seals.row(unit, FORMS[FORM], run_id="run-4"))
    assert row is not None
    for column in FORMS[FORM][1:]:
        await edited(store, column, 1 - row[column] if isinstance(row[column], int) else f"{row[column]}x")
        assert [(each.kind, each.seq) for each in (await looked_at(store)).findings] == [("edited", 5)], column
        await edited(store, column, row[column])
    assert (await looked_at(store)).findings == ()


async def test_jobs_that_seal_at_once_seal_each_run_once(store: Store, clock: SteppedClock) -> None:
    """D6: two replicas, or a server and a command."""
    await stored(store, *range(40))
    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(partial(seal_all, store, clock=clock, signer=SIGNER, most=7))

    assert [entry[4] for entry in await ranges(store)] == [7, 7, 7, 7, 7, 5]
    assert (await looked_at(store)).findings == ()


async def test_an_entry_goes_behind_the_head_that_it_names_or_nowhere(store: Store, clock: SteppedClock) -> None:
    """D6: what somebody else added in between is seen, and so is a range whose runs are gone."""
    await stored(store, 1, 2)
    await seal_all(store, clock=clock, signer=SIGNER)
    (entry,) = await read(store.units, lambda unit: store.seals.before(unit, 2, limit=1))
    later = replace(
        entry, seal=replace(entry.seal, no=2, previous=digest_of(entry.seal), after_seq=2, to_seq=9, rows=1)
    )

    added = [await own_write(store, partial(store.seals.add, entry=each, leaves=b"")) for each in (entry, later)]

    assert added == [False, False]
    assert len(await ranges(store)) == 1


@pytest.mark.parametrize("statement", ["DELETE FROM fourfold_seal", "UPDATE fourfold_seal SET at_ms = 0"])
async def test_entries_are_kept_as_they_are(store: Store, clock: SteppedClock, statement: str) -> None:
    """D6: against a slip; who means harm is found by `verify`."""
    await stored(store, 1)
    await seal_all(store, clock=clock, signer=SIGNER)

    with pytest.raises(StoreError, match="append-only"):
        await own_write(store, lambda unit: unit.execute(statement))


async def test_runs_are_sealed_beside_a_server(store: Store, clock: SteppedClock) -> None:
    """D6: by a job that goes on until it is cancelled."""
    await stored(store, 1, 2, 3)
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(seal_by_the_minute, store, clock=clock, signer=SIGNER, period_s=0.001))
            while not await ranges(store):
                await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()

    assert await ranges(store) == [(1, "runs", 0, 3, 3)]


async def test_dropping_sealed_runs_is_recorded(store: Store, clock: SteppedClock) -> None:
    """D6, A9: in an entry of its own; what is left checks, and sums can be made again."""
    await stored(store, 1, 2)
    await stored(store, 3, 4, day=1)
    assert await drop_runs(store, clock=clock, before_ms=NOON_MS + _DAY_MS, signer=SIGNER, batch=1) == 2
    assert await drop_runs(store, clock=clock, before_ms=NOON_MS + _DAY_MS, signer=SIGNER) == 0
    await sum_again(store, clock=clock)
    await stored(store, 5, day=1)

    verified = await looked_at(store)
    assert (verified.runs, verified.pruned, verified.waiting.runs, verified.findings) == (2, 2, 1, ())
    assert await ranges(store) == [(1, "runs", 0, 2, 2), (2, "runs", 2, 4, 2), (3, "prune", 4, 4, 0)]


async def test_sealed_runs_are_not_dropped_without_the_key(store: Store, clock: SteppedClock) -> None:
    """D6: it could not be told from tampering."""
    await stored(store, 1)
    await stored(store, 2, day=1)
    await seal_all(store, clock=clock, signer=SIGNER)

    with pytest.raises(ConfigError, match="recorded under the key, which is not here"):
        await drop_runs(store, clock=clock, before_ms=NOON_MS + _DAY_MS)
    assert (await looked_at(store)).findings == ()


async def test_the_day_of_the_newest_run_stays(store: Store, clock: SteppedClock) -> None:
    """D6: SQLite gives the number of a last row again, and a new run would stand in a range that is sealed."""
    await stored(store, 1, 2)
    assert await drop_runs(store, clock=clock, before_ms=NOON_MS + 9 * _DAY_MS, signer=SIGNER) == 0
    await stored(store, 3)
    await seal_all(store, clock=clock, signer=SIGNER)

    assert (await looked_at(store)).findings == ()


async def test_dropping_and_sealing_at_once_leave_a_chain_that_checks(store: Store, clock: SteppedClock) -> None:
    """D6: a range whose runs went while it was made is not sealed."""
    for day in range(4):
        await stored(store, *range(day * 100, day * 100 + 10), day=day)
    async with anyio.create_task_group() as tasks:
        for day in (1, 2, 3):
            before = NOON_MS + day * _DAY_MS
            tasks.start_soon(partial(drop_runs, store, clock=clock, before_ms=before, signer=SIGNER, batch=3))
            tasks.start_soon(partial(seal_all, store, clock=clock, signer=SIGNER, most=4))

    verified = await looked_at(store)
    assert (verified.findings, verified.runs + verified.pruned, verified.waiting.runs) == ((), 40, 0)


async def test_a_run_says_how_it_stands_to_its_seal(store: Store, clock: SteppedClock) -> None:
    """D6, D5: what the page of a run shows, and a proof that stands by itself."""
    await stored(store, 1, 2, 3)
    await seal_all(store, clock=clock, signer=SIGNER)
    await stored(store, 4)

    async def of(run_id: str, verifier: Ed25519Verifier = VERIFIER) -> SealedRun:
        def ask(unit: Unit) -> SealedRun:
            return seal_of(unit, store.seals, run_id=run_id, verifier=verifier)

        return await read(store.units, ask)

    found = await of("run-2")
    assert (found.state, found.seal and found.seal.no, found.proof and found.proof.index) == ("sealed", 1, 1)
    assert found.proof is not None
    assert why_not(found.proof, verifier=VERIFIER) == ""
    assert (await of("run-2", Ed25519Verifier({}))).state == "key"
    assert [(await of(run_id)).state for run_id in ("run-4", "run-9")] == ["waiting", "absent"]

    await own_write(store, lambda unit: unit.execute("UPDATE fourfold_run SET note = 'x' WHERE run_id = 'run-2'"))
    assert [(await of(run_id)).state for run_id in ("run-1", "run-2", "run-3")] == ["sealed", "changed", "sealed"]
