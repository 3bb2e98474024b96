"""The questions of the console's pages (fourfold.runs), for every adapter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fourfold.model.cost import Charge
from fourfold.model.run import Run
from fourfold.ports.tallies import SumFilter, Waiting
from fourfold.runs.costs import costs
from fourfold.runs.failing import Failures, heat_map
from fourfold.runs.now import now
from fourfold.runs.spending import Spent, Tokens
from fourfold.runs.traffic import Traffic
from fourfold.runs.upkeep import fold_all
from tests.stores.clocks import SteppedClock
from tests.stores.domain import Store
from tests.stores.records import NOON_MS, run_at

pytestmark = pytest.mark.anyio

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS
_NOON_HOUR = NOON_MS - NOON_MS % _HOUR_MS
_FEE = Charge(what="gateway fee", amount_minor=25, currency="EUR")


def plain(number: int, **changes: object) -> Run:
    """Run `run-<number>`, a success of its own operation that took 10 ms and was charged nothing."""
    run = replace(run_at(number), operation_id="", trace_id="", counted=(), charges=(), filled={}, retry="")
    return replace(replace(run, stage_us={"invoke": 10_000}, tokens_definition=100), **changes)


def failed(number: int, subject: str, code: str = "credit_limit", **changes: object) -> Run:
    """Run `run-<number>`, which nothing can be done about."""
    return replace(plain(number, outcome="rejected", code=code, retry="never", subject=subject), **changes)


async def folded(store: Store, *runs: Run) -> None:
    """Store `runs` and sum them up."""
    for run in runs:
        store.runs.append(run)
    await store.runs.flush()
    await fold_all(store, clock=SteppedClock(now_ms=NOON_MS + 40 * _DAY_MS))


async def test_now_has_the_last_hours_and_what_they_come_to(store: Store) -> None:
    """A9, A14, D5: calls, failures, times, retries and spend, as totals and by the hour."""
    invalid = plain(2, outcome="invalid", code="invalid_arguments", retry="after_fix", stage_us={"invoke": 100})
    await folded(
        store,
        plain(1, at_ms=NOON_MS - 2 * _DAY_MS),
        invalid,
        plain(3, charges=(_FEE,)),
        plain(4, at_ms=NOON_MS + _HOUR_MS, charges=(_FEE,)),
        plain(5, tenant="globex"),
    )

    found = await now(store, tenant="acme", now_ms=NOON_MS + _HOUR_MS + 60_000)

    first = Traffic(
        runs=2,
        failed=1,
        operations=1,
        retried=1,
        p50_us=100,
        p99_us=10_484,
        tokens=Tokens(arguments=60, result=120, definition=200),
        charges={"EUR": 25},
    )
    second = Traffic(
        runs=1,
        operations=1,
        p50_us=10_484,
        p99_us=10_484,
        tokens=Tokens(arguments=30, result=60, definition=100),
        charges={"EUR": 25},
    )
    assert [hour.at_ms for hour in found.hours] == [_NOON_HOUR + n * _HOUR_MS for n in range(-22, 2)]
    assert [hour.traffic for hour in found.hours] == [Traffic()] * 22 + [first, second]
    assert (found.total.runs, found.total.failed, found.total.charges) == (3, 1, {"EUR": 50})
    assert (found.total.failure_rate, found.total.retry_rate) == (1 / 3, 0.5)
    assert found.total.tokens == Tokens(arguments=90, result=180, definition=300)
    assert (found.total.p50_us, found.total.p99_us) == (10_484, 10_484)
    assert (found.waiting, found.as_of_ms) == (Waiting(runs=0, first_ms=None), NOON_MS + _HOUR_MS + 60_000)


async def test_now_says_as_of_when_it_is(store: Store) -> None:
    """A9: what is stored and in no sum yet is counted as that, and not left out unsaid."""
    await folded(store, plain(1))
    store.runs.append(plain(9))
    await store.runs.flush()

    found = await now(store, tenant=None, now_ms=NOON_MS + 60_000)

    assert (found.total.runs, found.waiting.runs, found.as_of_ms) == (1, 1, NOON_MS + 9_000)


async def test_nothing_at_all_is_no_error(store: Store) -> None:
    """A9: a new store has empty pages."""
    empty = await now(store, tenant=None, now_ms=NOON_MS)
    heat = await heat_map(store, SumFilter())
    spent = await costs(store, SumFilter(), by="subject")

    assert (empty.total, len(empty.hours)) == (Traffic(), 24)
    assert (empty.total.failure_rate, empty.total.retry_rate) == (0.0, 0.0)
    assert (heat.total, heat.subjects, heat.codes, heat.cells) == (None, {}, {}, {})
    assert (spent.lines, spent.total.runs, spent.more) == ([], 0, False)


async def test_the_most_frequent_failures_have_a_line_and_all_others_one_together(store: Store) -> None:
    """A9: which account saw which failure, bounded, with an example of each."""
    await folded(
        store,
        *(failed(number, "acct-1") for number in (1, 2, 3)),
        *(failed(number, "acct-2", "too_busy") for number in (4, 5)),
        failed(6, "acct-3"),
        failed(7, "acct-4", "internal"),
        plain(8),
    )

    found = await heat_map(store, SumFilter(tenant="acme"), subjects=2, codes=1)

    assert {name: line.runs for name, line in found.subjects.items()} == {"acct-1": 3, "acct-2": 2, None: 2}
    assert [*found.subjects] == ["acct-1", "acct-2", None]
    assert {name: line.runs for name, line in found.codes.items()} == {"credit_limit": 4, None: 3}
    assert {place: (cell.runs, cell.example) for place, cell in found.cells.items()} == {
        ("acct-1", "credit_limit"): (3, "run-3"),
        ("acct-2", None): (2, "run-5"),
        (None, "credit_limit"): (1, "run-6"),
        (None, None): (1, "run-7"),
    }
    assert found.total == Failures(runs=7, first_ms=NOON_MS + 1_000, last_ms=NOON_MS + 7_000, example="run-7")


async def test_costs_are_told_by_what_is_asked_and_all_together(store: Store) -> None:
    """A9: by account with the most calls first, by day in their order; the total has those without a line, too."""
    await folded(
        store,
        plain(1, subject="acct-2"),
        plain(2, subject="acct-1", charges=(_FEE,)),
        failed(3, "acct-1"),
        plain(4, subject="acct-3", at_ms=NOON_MS - _DAY_MS),
        plain(5, tenant="globex"),
    )
    acme = SumFilter(tenant="acme")

    by_account = await costs(store, acme, by="subject", limit=1)
    by_day = await costs(store, acme, by="day_ms")

    assert by_account.lines == [
        Spent(
            key="acct-1",
            runs=2,
            failed=1,
            last_ms=NOON_MS + 3_000,
            tokens=Tokens(arguments=60, result=120, definition=200),
            charges={"EUR": 25},
        )
    ]
    assert (by_account.total.runs, by_account.total.charges, by_account.more) == (4, {"EUR": 25}, True)
    today = NOON_MS - NOON_MS % _DAY_MS
    assert [(line.key, line.runs) for line in by_day.lines] == [(today - _DAY_MS, 1), (today, 3)]
    assert [line.key for line in (await costs(store, acme, by="code")).lines] == ["", "credit_limit"]
