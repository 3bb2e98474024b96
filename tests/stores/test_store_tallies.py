"""The contract of `ports.tallies.Tallies`, for every adapter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import anyio
import anyio.lowlevel
import pytest

from fourfold.model.cost import Charge
from fourfold.model.run import Run, RunFilter
from fourfold.ports.tallies import ChargeSum, FillSum, OperationBy, OperationSum, SumFilter, UsageSum
from fourfold.runs.upkeep import drop_runs, fold_all, fold_by_the_minute, sum_again
from tests.stores.clocks import SteppedClock
from tests.stores.domain import Store, read
from tests.stores.records import NOON_MS, run_at

pytestmark = pytest.mark.anyio

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS
_NOON_HOUR = NOON_MS - NOON_MS % _HOUR_MS
_NOON_DAY = NOON_MS - NOON_MS % _DAY_MS


def attempt(number: int, outcome: str = "done", **changes: object) -> Run:
    """Run `run-<number>` of its own operation: no key, no trace."""
    code = {"done": "", "invalid": "invalid_arguments", "rejected": "too_busy"}[outcome]
    retry = {"done": "", "invalid": "after_fix", "rejected": "after"}[outcome]
    run = replace(run_at(number), outcome=outcome, code=code, retry=retry, operation_id="", trace_id="", counted=())
    return replace(replace(run, tokens_definition=0, charges=(), filled={}), **changes)


async def folded(store: Store, *runs: Run, clock: SteppedClock, batch: int = 200) -> int:
    """Store `runs` and sum them up; how many were new."""
    for run in runs:
        store.runs.append(run)
    await store.runs.flush()
    return await fold_all(store, clock=clock, batch=batch)


async def rates(store: Store, where: SumFilter | None = None) -> list[tuple[object, ...]]:
    """Operations, retried ones and attempts by code."""
    found = await read(store.units, lambda unit: store.tallies.operations(unit, where or SumFilter(), by=("code",)))
    return [(*each.key, each.operations, each.retried, each.attempts) for each in found]


@pytest.fixture
def clock() -> SteppedClock:
    """A clock that is a day after the runs of the tests."""
    return SteppedClock(now_ms=NOON_MS + 40 * _DAY_MS)


@pytest.mark.parametrize("batch", [1, 2, 200])
async def test_a_retry_and_what_it_repeats_are_one_operation(store: Store, clock: SteppedClock, batch: int) -> None:
    """A14: a rate from operations, in however many batches they are added."""
    runs = [attempt(1, "invalid"), attempt(2), attempt(3), attempt(4, "invalid", principal="boss@acme"), attempt(5)]

    assert await folded(store, *runs, clock=clock, batch=batch) == 5
    assert await rates(store) == [("", 2, 0, 2), ("invalid_arguments", 2, 1, 3)]
    assert await fold_all(store, clock=clock) == 0


async def test_a_run_is_in_the_sums_once_or_not_yet(store: Store, clock: SteppedClock) -> None:
    """A14: what comes later is added to what is there, and an operation goes on over batches."""
    await folded(store, attempt(1, "invalid"), clock=clock)
    assert await rates(store) == [("invalid_arguments", 1, 0, 1)]

    await folded(store, attempt(2, "invalid"), attempt(3), clock=clock)
    assert await rates(store) == [("invalid_arguments", 1, 1, 3)]


async def test_the_same_key_is_the_same_operation_days_later(store: Store, clock: SteppedClock) -> None:
    """A14: a repeat that is answered from the first outcome is a retry."""
    late = attempt(2, at_ms=NOON_MS + 3 * _DAY_MS, operation_id="op-9", replayed=True)
    await folded(store, attempt(1, operation_id="op-9"), late, attempt(3, operation_id="op-8"), clock=clock)

    assert await rates(store) == [("", 2, 1, 3)]


async def test_operations_are_counted_by_whatever_is_asked(store: Store, clock: SteppedClock) -> None:
    """A14: tool, contract version, caller, hour."""
    await folded(
        store,
        attempt(1, "invalid", contract_version="1.0"),
        attempt(2, contract_version="1.1"),
        attempt(3, tool="invoice_get", tenant="globex", at_ms=NOON_MS + _HOUR_MS),
        clock=clock,
    )

    async def by_hour(where: SumFilter) -> object:
        by: Sequence[OperationBy] = ("hour_ms", "tool", "contract_version")
        return await read(store.units, lambda unit: store.tallies.operations(unit, where, by=by))

    first = OperationSum(key=(_NOON_HOUR, "quote_create", "1.0"), operations=1, retried=1, attempts=2)
    second = OperationSum(key=(_NOON_HOUR + _HOUR_MS, "invoice_get", "1.0"), operations=1, retried=0, attempts=1)
    assert await by_hour(SumFilter()) == [first, second]
    assert await by_hour(SumFilter(tenant="globex")) == [second]
    assert await by_hour(SumFilter(tool="quote_create")) == [first]
    assert await by_hour(SumFilter(principal="nobody")) == []
    assert await by_hour(SumFilter(until_ms=_NOON_HOUR + _HOUR_MS)) == [first]
    assert await by_hour(SumFilter(since_ms=_NOON_HOUR + _HOUR_MS + 7)) == [second]


async def test_usage_and_charges_are_summed_by_account_and_day(store: Store, clock: SteppedClock) -> None:
    """A9: which account it touched and what it cost, in tokens and in what other systems charged."""
    fee = Charge(what="gateway fee", amount_minor=25, currency="EUR")
    tax = Charge(what="tax", amount_minor=5, currency="DKK")
    await folded(
        store,
        attempt(1, charges=(fee, tax), tokens_definition=100),
        attempt(2, charges=(fee,), tokens_definition=100),
        attempt(3, "rejected", subject="acct-2"),
        clock=clock,
    )

    assert await read(store.units, lambda unit: store.tallies.usage(unit, SumFilter(), by=("subject", "day_ms"))) == [
        UsageSum(
            key=("acct-1", _NOON_DAY),
            runs=2,
            failed=0,
            tokens_in=60,
            tokens_out=120,
            tokens_definition=200,
            first_ms=NOON_MS + 1_000,
            last_ms=NOON_MS + 2_000,
        ),
        UsageSum(
            key=("acct-2", _NOON_DAY),
            runs=1,
            failed=1,
            tokens_in=30,
            tokens_out=60,
            tokens_definition=0,
            first_ms=NOON_MS + 3_000,
            last_ms=NOON_MS + 3_000,
        ),
    ]
    (failed,) = await read(store.units, lambda unit: store.tallies.usage(unit, SumFilter(failed=True), by=()))
    assert (failed.key, failed.runs, failed.failed) == ((), 1, 1)
    assert await read(store.units, lambda unit: store.tallies.charges(unit, SumFilter(), by=("subject",))) == [
        ChargeSum(key=("acct-1",), currency="DKK", amount_minor=5),
        ChargeSum(key=("acct-1",), currency="EUR", amount_minor=50),
    ]


async def test_no_runs_cost_nothing(store: Store) -> None:
    """A9: a sum over nothing is zero, and not nothing."""
    (nothing,) = await read(store.units, lambda unit: store.tallies.usage(unit, SumFilter(), by=()))

    assert (nothing.runs, nothing.failed, nothing.tokens_in) == (0, 0, 0)
    assert (nothing.first_ms, nothing.last_ms) == (0, 0)


async def test_fields_are_counted_as_filled_or_not(store: Store, clock: SteppedClock) -> None:
    """A17: the fill rate of each output field."""
    await folded(
        store,
        attempt(1, filled={"flags": True, "note": False}),
        attempt(2, filled={"flags": False, "note": False}),
        attempt(3, tool="invoice_get", filled={"due_on": True}),
        clock=clock,
    )

    async def fill(where: SumFilter, field: str = "") -> object:
        return await read(store.units, lambda unit: store.tallies.fill(unit, where, field=field))

    flags = FillSum(day_ms=_NOON_DAY, tool="quote_create", field="flags", results=2, filled=1)
    note = FillSum(day_ms=_NOON_DAY, tool="quote_create", field="note", results=2, filled=0)
    due = FillSum(day_ms=_NOON_DAY, tool="invoice_get", field="due_on", results=1, filled=1)
    assert await fill(SumFilter()) == [due, flags, note]
    assert await fill(SumFilter(tool="quote_create"), "flags") == [flags]


async def test_jobs_that_run_at_once_count_each_run_once(store: Store, clock: SteppedClock) -> None:
    """A14: a server and a command, or two replicas."""
    for number in range(60):
        store.runs.append(attempt(number, "invalid" if number % 3 == 0 else "done"))
    await store.runs.flush()
    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(partial(fold_all, store, clock=clock, batch=7))

    assert await rates(store) == [("", 20, 0, 20), ("invalid_arguments", 20, 20, 40)]


async def test_runs_that_have_just_arrived_wait_for_those_that_are_late(store: Store, clock: SteppedClock) -> None:
    """A14: a server counts a run once others that arrived before it are stored."""
    now = clock.now_ms()
    for number, age_ms in enumerate((2_001, 2_000, 1_999)):
        store.runs.append(attempt(number, at_ms=now - age_ms))
    await store.runs.flush()

    assert await fold_all(store, clock=clock, settle_ms=2_000) == 2
    assert await fold_all(store, clock=clock) == 1


async def test_the_sums_are_kept_up_to_date_beside_a_server(store: Store, clock: SteppedClock) -> None:
    """A14: by a job that goes on until it is cancelled."""
    for number in range(3):
        store.runs.append(attempt(number))
    await store.runs.flush()
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(fold_by_the_minute, store, clock=clock, period_s=0.001))
            while await rates(store) != [("", 3, 0, 3)]:
                await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()


async def test_sums_can_be_made_again(store: Store, clock: SteppedClock) -> None:
    """A14: they are derived, and never more than a job away."""
    await folded(store, attempt(1, "invalid"), attempt(2), attempt(3, operation_id="op-1"), clock=clock)
    before = await rates(store)

    assert await sum_again(store, clock=clock) == 3
    assert await rates(store) == before


async def test_old_runs_are_dropped_by_the_day_and_stay_in_the_sums(store: Store, clock: SteppedClock) -> None:
    """A9, A14: retention in batches; a month is still compared with the one before."""
    late = [attempt(number, at_ms=NOON_MS + _DAY_MS + number) for number in (4, 5)]
    await folded(store, attempt(1, "invalid"), attempt(2), attempt(3), *late, clock=clock)
    before = await rates(store)

    assert await drop_runs(store, clock=clock, before_ms=NOON_MS + _DAY_MS, batch=2) == 3
    assert [record.run.run_id for record in await store.runs.list(RunFilter(), limit=9)] == ["run-5", "run-4"]
    assert await rates(store) == before
    assert await sum_again(store, clock=clock) == 2
    assert await rates(store) == before
