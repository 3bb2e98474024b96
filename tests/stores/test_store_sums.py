"""The sums that pages are drawn from (ports.tallies.Tallies), for every adapter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import pytest

from fourfold.model.cost import Charge
from fourfold.model.run import Closing, Run
from fourfold.ports.tallies import (
    ChargeSum,
    CountSum,
    FailureBy,
    FailureSum,
    LatencySum,
    SumFilter,
    UsageBy,
    Waiting,
)
from fourfold.runs.upkeep import drop_runs, fold_all, sum_again
from tests.stores.clocks import SteppedClock
from tests.stores.domain import Store, read
from tests.stores.records import NOON_MS, run_at

pytestmark = pytest.mark.anyio

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS
_NOON_HOUR = NOON_MS - NOON_MS % _HOUR_MS
_NOON_DAY = NOON_MS - NOON_MS % _DAY_MS


def plain(number: int, **changes: object) -> Run:
    """Run `run-<number>`, a success of its own operation that took 10 ms."""
    run = replace(run_at(number), operation_id="", trace_id="", counted=(), charges=(), filled={}, retry="")
    return replace(replace(run, stage_us={"invoke": 10_000}), **changes)


def failed(number: int, **changes: object) -> Run:
    """Run `run-<number>`, which nothing can be done about."""
    return replace(plain(number, outcome="rejected", code="credit_limit", retry="never"), **changes)


@pytest.fixture
def clock() -> SteppedClock:
    """A clock that is weeks after the runs of the tests."""
    return SteppedClock(now_ms=NOON_MS + 40 * _DAY_MS)


async def folded(store: Store, *runs: Run, clock: SteppedClock, batch: int = 200) -> None:
    """Store `runs` and sum them up."""
    for run in runs:
        store.runs.append(run)
    await store.runs.flush()
    await fold_all(store, clock=clock, batch=batch)


async def failures(
    store: Store, where: SumFilter | None = None, *, by: Sequence[FailureBy] = ("subject", "tool", "code")
) -> list[FailureSum]:
    """Failures by what they are asked for."""
    asked = where or SumFilter()
    return [*await read(store.units, lambda unit: store.tallies.failures(unit, asked, by=by, limit=9))]


async def usage(store: Store, where: SumFilter, *by: UsageBy) -> list[tuple[object, ...]]:
    """Runs and failures of each key."""
    found = await read(store.units, lambda unit: store.tallies.usage(unit, where, by=by))
    return [(*each.key, each.runs, each.failed) for each in found]


@pytest.mark.parametrize("batch", [1, 2, 200])
async def test_failures_are_counted_by_account_tool_and_code(store: Store, clock: SteppedClock, batch: int) -> None:
    """A9: which account saw which failure, when first and last, and in which run; most frequent first."""
    runs = [
        plain(1),
        failed(2, subject="acct-2", code="unknown_sku"),
        failed(3, subject="acct-2", code="unknown_sku"),
        failed(4),
        failed(5, tenant="globex", outcome="denied", code="unknown_account"),
        plain(6, outcome="needs_input"),
    ]
    await folded(store, *runs, clock=clock, batch=batch)

    twice = FailureSum(
        key=("acct-2", "quote_create", "unknown_sku"),
        runs=2,
        first_ms=NOON_MS + 2_000,
        last_ms=NOON_MS + 3_000,
        last_run="run-3",
    )
    once = FailureSum(
        key=("acct-1", "quote_create", "credit_limit"),
        runs=1,
        first_ms=NOON_MS + 4_000,
        last_ms=NOON_MS + 4_000,
        last_run="run-4",
    )
    assert await failures(store, SumFilter(tenant="acme")) == [twice, once]
    assert [each.key[2] for each in await failures(store)] == ["unknown_sku", "unknown_account", "credit_limit"]
    assert await failures(store, SumFilter(code="credit_limit")) == [once]
    assert await failures(store, SumFilter(subject="acct-9")) == []
    assert await failures(store, SumFilter(principal="boss@acme")) == []
    assert await failures(store, SumFilter(since_ms=_NOON_HOUR + _HOUR_MS)) == []


async def test_failures_that_go_on_for_hours_have_one_first_and_one_last(store: Store, clock: SteppedClock) -> None:
    """A9: since when, and is it still happening: over the hours that the sums are kept by."""
    await folded(store, *(failed(number, at_ms=NOON_MS + number * _HOUR_MS) for number in (3, 1, 2)), clock=clock)

    (found,) = await failures(store, by=("code",))
    assert (found.runs, found.last_run) == (3, "run-3")
    assert (found.first_ms, found.last_ms) == (NOON_MS + _HOUR_MS, NOON_MS + 3 * _HOUR_MS)


async def test_values_that_are_not_named_are_one(store: Store, clock: SteppedClock) -> None:
    """A9: a table of the most frequent accounts says what all others come to."""
    await folded(store, *(failed(number, subject=f"acct-{number}") for number in (1, 2, 3)), clock=clock)

    found = await read(
        store.units,
        lambda unit: store.tallies.failures(
            unit, SumFilter(), by=("subject", "code"), named={"subject": ["acct-2"], "code": []}, limit=9
        ),
    )

    assert [(each.key, each.runs, each.last_run) for each in found] == [
        ((None, None), 2, "run-3"),
        (("acct-2", None), 1, "run-2"),
    ]


async def test_declared_values_are_counted_by_tool_field_and_value(store: Store, clock: SteppedClock) -> None:
    """A17: how often below_floor was returned this month."""
    await folded(
        store,
        plain(1, counted=(("flags", "below_floor"), ("flags", "credit_hold"))),
        plain(2, counted=(("flags", "below_floor"), ("zone", "eu"))),
        plain(3, counted=(("flags", "below_floor"),), tenant="globex"),
        plain(4, counted=(("flags", "below_floor"),), at_ms=NOON_MS + _DAY_MS),
        clock=clock,
    )

    async def counts(where: SumFilter, field: str = "") -> list[CountSum]:
        return [*await read(store.units, lambda unit: store.tallies.counts(unit, where, field=field, limit=9))]

    floor = CountSum(tool="quote_create", field="flags", value="below_floor", runs=4, last_ms=NOON_MS + _DAY_MS)
    hold = CountSum(tool="quote_create", field="flags", value="credit_hold", runs=1, last_ms=NOON_MS + 1_000)
    zone = CountSum(tool="quote_create", field="zone", value="eu", runs=1, last_ms=NOON_MS + 2_000)
    assert await counts(SumFilter(), "flags") == [floor, hold]
    assert await counts(SumFilter(tenant="globex")) == [replace(floor, runs=1, last_ms=NOON_MS + 3_000)]
    assert await counts(SumFilter(until_ms=NOON_MS + 60_000), "zone") == [zone]
    assert await counts(SumFilter(since_ms=NOON_MS + _DAY_MS)) == [replace(floor, runs=1)]
    assert await counts(SumFilter(tool="invoice_get")) == []
    days = await read(store.units, lambda unit: store.tallies.counts_by_day(unit, SumFilter(), field="flags"))
    assert [(each.value, each.runs, (each.day_ms - days[0].day_ms) // _DAY_MS) for each in days] == [
        ("below_floor", 3, 0),
        ("credit_hold", 1, 0),
        ("below_floor", 1, 1),
    ]


async def test_traffic_is_counted_by_the_hour_and_version(store: Store, clock: SteppedClock) -> None:
    """A9, A14: what a page of the last day is drawn from."""
    await folded(
        store,
        plain(1),
        failed(2),
        plain(3, contract_version="2.0", at_ms=NOON_MS + _HOUR_MS),
        plain(4, tenant="globex"),
        clock=clock,
    )
    acme = SumFilter(tenant="acme")

    assert await usage(store, acme, "hour_ms") == [(_NOON_HOUR, 2, 1), (_NOON_HOUR + _HOUR_MS, 1, 0)]
    assert await usage(store, acme, "contract_version", "day_ms") == [
        ("1.0", _NOON_DAY, 2, 1),
        ("2.0", _NOON_DAY, 1, 0),
    ]
    assert await usage(store, SumFilter(), "tenant", "code") == [
        ("acme", "", 2, 0),
        ("acme", "credit_limit", 1, 1),
        ("globex", "", 1, 0),
    ]


async def test_the_accounts_with_most_calls_or_failures_come_first(store: Store, clock: SteppedClock) -> None:
    """A9: a page has the first of them, however many there are."""
    await folded(
        store,
        *(plain(number, subject="acct-1") for number in (1, 2, 3)),
        *(failed(number, subject="acct-2") for number in (4, 5)),
        plain(6, subject="acct-3"),
        clock=clock,
    )

    async def first_two(most: Literal["runs", "failed"]) -> list[tuple[object, int, int]]:
        found = await read(
            store.units, lambda unit: store.tallies.usage(unit, SumFilter(), by=("subject",), most=most, limit=2)
        )
        return [(each.key, each.runs, each.failed) for each in found]

    assert await first_two("runs") == [(("acct-1",), 3, 0), (("acct-2",), 2, 2)]
    assert await first_two("failed") == [(("acct-2",), 2, 2), (("acct-1",), 3, 0)]


async def test_keys_that_are_kept_together_nowhere_are_refused(store: Store) -> None:
    """A9: an account has no version; a wrong number would be worse than none."""
    with pytest.raises(ValueError, match="no sum is kept by all of contract_version, subject"):
        await usage(store, SumFilter(), "subject", "contract_version")


async def test_times_are_counted_in_buckets_by_the_closing_or_the_stages(store: Store, clock: SteppedClock) -> None:
    """A9: a write's total is known after its transaction; a read took what its stages took."""
    for run in (plain(1), plain(2, stage_us={"admit": 50, "invoke": 70}), plain(3, at_ms=NOON_MS + _HOUR_MS)):
        store.runs.append(run)
    store.runs.close(Closing(run_id="run-3", total_us=1_000_000, delivered=True))
    await store.runs.flush()
    await fold_all(store, clock=clock)

    by_hour = await read(store.units, lambda unit: store.tallies.latencies(unit, SumFilter(), by=("hour_ms",)))
    by_day = await read(store.units, lambda unit: store.tallies.latencies(unit, SumFilter(), by=("day_ms",)))
    # 120 us is the end of bucket 1; 10 ms are in bucket 26 and 1 s in 51: 100 us * 1.2 ** bucket is at least the time.
    assert by_hour == [
        LatencySum(key=(_NOON_HOUR,), bucket=1, runs=1),
        LatencySum(key=(_NOON_HOUR,), bucket=26, runs=1),
        LatencySum(key=(_NOON_HOUR + _HOUR_MS,), bucket=51, runs=1),
    ]
    assert [(each.key, each.bucket) for each in by_day] == [((_NOON_DAY,), 1), ((_NOON_DAY,), 26), ((_NOON_DAY,), 51)]


async def test_charges_are_summed_by_the_hour(store: Store, clock: SteppedClock) -> None:
    """A9: what other systems charged, as a page of the last day shows it."""
    fee = Charge(what="gateway fee", amount_minor=25, currency="EUR")
    await folded(store, plain(1, charges=(fee,)), plain(2, charges=(fee, replace(fee, currency="DKK"))), clock=clock)

    assert await read(store.units, lambda unit: store.tallies.charges(unit, SumFilter(), by=("hour_ms",))) == [
        ChargeSum(key=(_NOON_HOUR,), currency="DKK", amount_minor=25),
        ChargeSum(key=(_NOON_HOUR,), currency="EUR", amount_minor=50),
    ]


@pytest.mark.parametrize(
    ("where", "operations"),
    [
        (SumFilter(), 8),
        (SumFilter(since_ms=_NOON_DAY + _DAY_MS, until_ms=_NOON_DAY + 3 * _DAY_MS), 4),
        (SumFilter(since_ms=_NOON_HOUR + _HOUR_MS), 6),
        (SumFilter(until_ms=_NOON_HOUR + 3 * _DAY_MS), 6),
        (SumFilter(since_ms=_NOON_HOUR + _DAY_MS, until_ms=_NOON_HOUR + _DAY_MS + _HOUR_MS), 2),
        (SumFilter(since_ms=_NOON_HOUR + _DAY_MS + 7, until_ms=_NOON_HOUR + 2 * _DAY_MS + 7), 4),
        (SumFilter(tenant="globex"), 0),
    ],
)
async def test_operations_of_days_and_of_the_hours_beside_them_add_up(
    store: Store, clock: SteppedClock, where: SumFilter, operations: int
) -> None:
    """A14: whole days come from the sums by the day, the rest from those by the hour; none is counted twice."""
    days = [plain(10 * day + number, at_ms=NOON_MS + day * _DAY_MS + number) for day in range(4) for number in (1, 2)]
    await folded(store, *days, clock=clock)

    found = await read(store.units, lambda unit: store.tallies.operations(unit, where, by=("tool",)))

    assert sum(each.operations for each in found) == operations
    assert all((each.key, each.attempts) == (("quote_create",), operations) for each in found)


async def test_the_attempts_of_an_operation_are_found_from_each_of_them(store: Store, clock: SteppedClock) -> None:
    """A14: what the agent did next, in however many batches they were added."""
    invalid = [plain(number, outcome="invalid", code="invalid_arguments", retry="after_fix") for number in (1, 2)]
    await folded(store, *invalid, plain(3), plain(4), clock=clock, batch=2)

    async def attempts(run_id: str, limit: int = 9) -> list[str]:
        return [*await read(store.units, lambda unit: store.tallies.attempts(unit, run_id, limit=limit))]

    assert [await attempts(f"run-{number}") for number in (1, 2, 3)] == [["run-1", "run-2", "run-3"]] * 3
    assert await attempts("run-3", limit=2) == ["run-1", "run-2"]
    assert await attempts("run-4") == ["run-4"]
    assert await attempts("run-9") == ["run-9"]


async def test_runs_that_no_sum_has_yet_are_counted_with_the_time_of_the_first(
    store: Store, clock: SteppedClock
) -> None:
    """A9: a page says as of when its numbers are."""

    async def waiting(tenant: str | None, limit: int = 9) -> Waiting:
        return await read(store.units, lambda unit: store.tallies.waiting(unit, tenant=tenant, limit=limit))

    assert await waiting(None) == Waiting(runs=0, first_ms=None)
    for run in (plain(2), plain(1, tenant="globex"), plain(3)):
        store.runs.append(run)
    await store.runs.flush()

    assert await waiting(None) == Waiting(runs=3, first_ms=NOON_MS + 1_000)
    assert await waiting(None, limit=2) == Waiting(runs=2, first_ms=NOON_MS + 1_000)
    assert await waiting("acme") == Waiting(runs=2, first_ms=NOON_MS + 1_000)
    assert await waiting("nobody") == Waiting(runs=0, first_ms=NOON_MS + 1_000)
    await fold_all(store, clock=clock)
    assert await waiting("acme") == Waiting(runs=0, first_ms=None)


async def test_all_sums_outlive_the_runs_and_come_out_the_same_when_made_again(
    store: Store, clock: SteppedClock
) -> None:
    """A9, A14, A17: retention drops the runs of a day and nothing of what they came to."""
    late = [failed(number, at_ms=NOON_MS + _DAY_MS + number, counted=(("zone", "eu"),)) for number in (4, 5)]
    early = [failed(1, counted=(("zone", "us"),)), plain(2), plain(3)]
    await folded(store, *early, *late, clock=clock)

    async def everything() -> object:
        tallies = store.tallies
        return await read(
            store.units,
            lambda unit: (
                tallies.failures(unit, SumFilter(), by=("hour_ms", "subject"), limit=9),
                tallies.counts(unit, SumFilter(), limit=9),
                tallies.usage(unit, SumFilter(), by=("hour_ms", "outcome")),
                tallies.usage(unit, SumFilter(), by=("day_ms", "tool", "contract_version")),
                tallies.usage(unit, SumFilter(), by=("day_ms", "subject")),
                tallies.usage(unit, SumFilter(), by=("day_ms", "subject", "code")),
                tallies.latencies(unit, SumFilter(), by=("hour_ms",)),
                tallies.latencies(unit, SumFilter(), by=("day_ms",)),
                tallies.operations(unit, SumFilter(), by=("day_ms", "tool")),
            ),
        )

    before = await everything()
    assert await drop_runs(store, clock=clock, before_ms=NOON_MS + _DAY_MS) == 3
    assert await everything() == before
    assert await sum_again(store, clock=clock) == 2
    assert await everything() == before
