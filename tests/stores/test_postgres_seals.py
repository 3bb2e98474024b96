"""On PostgreSQL, runs are numbered before they are stored: a number may come in below those that are there."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import anyio
import psycopg
import pytest

from fourfold.adapters.postgres.address import read_address
from fourfold.adapters.postgres.store import PostgresStore
from fourfold.adapters.sql.records import insert
from fourfold.errors import StoreContended
from fourfold.ports.units import Transaction
from fourfold.runs.sealing import seal_all
from tests.postgres.cluster import ROLE
from tests.stores.clocks import SteppedClock
from tests.stores.domain import FAR
from tests.stores.records import run_at
from tests.stores.test_store_seals import SIGNER, looked_at, stored

pytestmark = pytest.mark.anyio

_INSERT = """
INSERT INTO fourfold_run (
    run_id, at_ms, tenant, principal, caller, tool, contract_version, wire_digest, lock_digest, subject, outcome, code,
    operation_id, replayed, transport, revision, client, trace_id, span_id, stage_us, bytes_in, bytes_out, tokens_in,
    tokens_out, arguments_digest, counted, reference, note
) SELECT
    'run-late', at_ms, tenant, principal, caller, tool, contract_version, wire_digest, lock_digest, subject, outcome,
    code, operation_id, replayed, transport, revision, client, trace_id, span_id, stage_us, bytes_in, bytes_out,
    tokens_in, tokens_out, arguments_digest, counted, reference, note
FROM fourfold_run WHERE run_id = 'run-1'
"""


@contextmanager
def late_run(url: str) -> Generator[psycopg.Connection]:
    """A transaction with a run that has its number, and is neither committed nor given up."""
    with psycopg.connect(read_address(url).reveal(), user=ROLE) as connection:
        connection.execute("SET fourfold.operator = 'on'")
        connection.execute(_INSERT)
        yield connection


async def test_nothing_is_sealed_above_a_number_that_is_still_out(
    postgres_store: PostgresStore, url: str, clock: SteppedClock
) -> None:
    """D6: or a run that is stored late would look like one that was put in."""
    await stored(postgres_store, 1)
    with late_run(url) as late:
        await stored(postgres_store, 2)
        clock.step = 20
        with pytest.raises(StoreContended, match="still open may add a run before those that are stored"):
            await seal_all(postgres_store, clock=clock, signer=SIGNER)
        late.commit()
    clock.step = 0

    assert await seal_all(postgres_store, clock=clock, signer=SIGNER) == 3
    assert (await looked_at(postgres_store)).findings == ()


async def test_sealing_goes_on_when_the_number_is_given_up(
    postgres_store: PostgresStore, url: str, clock: SteppedClock
) -> None:
    """D6: its gap stays, and is none of a run that was removed."""
    await stored(postgres_store, 1)
    async with anyio.create_task_group() as tasks:
        with late_run(url) as late:
            await stored(postgres_store, 2)
            tasks.start_soon(partial(seal_all, postgres_store, clock=clock, signer=SIGNER))
            await anyio.wait_all_tasks_blocked()
            late.rollback()

    verified = await looked_at(postgres_store)
    assert (verified.runs, verified.waiting.runs, verified.findings) == (2, 0, ())


async def test_what_writers_store_meanwhile_is_sealed_once_and_never_missed(
    postgres_store: PostgresStore, clock: SteppedClock
) -> None:
    """D6: numbers that are given up, transactions that end in another order, two that seal."""
    writing = 8

    def work(number: int, found: Transaction) -> None:
        insert(found.unit, replace(run_at(number), counted=()))
        # Some are slow to end, so that numbers come in late.
        found.unit.row("SELECT pg_sleep(?)", (number % 3 * 0.01,))
        if number % 5 == 0:
            raise LookupError

    async def write(first: int) -> None:
        nonlocal writing
        for number in range(first, first + 25):
            try:
                await postgres_store.units.write(partial(work, number), deadline=FAR)
            except LookupError:
                continue
        writing -= 1

    async def seal() -> None:
        while writing:
            await seal_all(postgres_store, clock=clock, signer=SIGNER, most=9)

    async with anyio.create_task_group() as tasks:
        for writer in range(8):
            tasks.start_soon(write, writer * 100)
        tasks.start_soon(seal)
        tasks.start_soon(seal)
    await seal_all(postgres_store, clock=clock, signer=SIGNER)

    verified = await looked_at(postgres_store)
    assert (verified.waiting.runs, verified.findings) == (0, ())
    assert verified.runs == 160
    assert verified.entries > 2
