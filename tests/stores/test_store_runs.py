"""The contract of `ports.runs.Runs`, for every adapter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fourfold.model.run import Closing, Run, RunFilter
from fourfold.ports.runs import RunRecord
from fourfold.ports.units import Transaction
from tests.stores.domain import FAR, Store, ignore, quote, quote_names
from tests.stores.records import NOON_MS, closing_of, run_at

pytestmark = pytest.mark.anyio


async def appended(store: Store, *runs: Run) -> None:
    """Store `runs` as reads do."""
    for run in runs:
        store.runs.append(run)
    await store.runs.flush()


async def ids(store: Store, where: RunFilter | None = None) -> list[str]:
    """The ids of the runs that a filter lets through, newest first."""
    return [record.run.run_id for record in await store.runs.list(where or RunFilter(), limit=100)]


async def test_a_run_comes_back_as_it_was_stored(store: Store) -> None:
    """A9: every field of the record."""
    run = run_at(1)
    await appended(store, run)

    assert await store.runs.list(RunFilter(), limit=10) == [RunRecord(run=run)]
    assert await store.runs.show("run-1") == RunRecord(run=run)
    assert await store.runs.show("run-2") is None


async def test_a_run_is_stored_with_its_effect_or_not_at_all(store: Store) -> None:
    """A9, D1: run if and only if effect."""

    def kept(transaction: Transaction) -> None:
        transaction.attempt(quote("Q-1"), subject=ignore)
        store.runs.insert(transaction.unit, run_at(1))

    def undone(transaction: Transaction) -> None:
        transaction.attempt(quote("Q-2"), subject=ignore)
        store.runs.insert(transaction.unit, run_at(2))
        raise LookupError

    await store.units.write(kept, deadline=FAR)
    with pytest.raises(LookupError):
        await store.units.write(undone, deadline=FAR)

    assert (await quote_names(store.units), await ids(store)) == (["Q-1"], ["run-1"])
    assert store.units.writes == 1


async def test_a_closing_row_joins_its_run(store: Store) -> None:
    """A9: total time and delivery are known only after the transaction."""
    await store.units.write(lambda transaction: store.runs.insert(transaction.unit, run_at(1)), deadline=FAR)
    store.runs.close(Closing(run_id="run-1", total_us=5_000, delivered=False))
    store.runs.append(run_at(2))
    store.runs.close(closing_of(run_at(2)))
    await store.runs.flush()

    records = await store.runs.list(RunFilter(), limit=10)
    assert [record.closing for record in records] == [
        Closing(run_id="run-2", total_us=5_000, delivered=True),
        Closing(run_id="run-1", total_us=5_000, delivered=False),
    ]


async def test_a_run_is_found_by_the_reference_that_the_caller_was_given(store: Store) -> None:
    """A9, A5: support starts from what the user can read."""
    await appended(store, run_at(1, reference="ref-7"), run_at(2, reference="run-1"), run_at(3))

    found = [await store.runs.show(text) for text in ("ref-7", "run-1", "run-2", "")]
    assert [record.run.run_id if record else None for record in found] == ["run-1", "run-1", "run-2", None]


async def test_runs_are_listed_newest_first_within_half_open_times(store: Store) -> None:
    """A9: two windows that touch share no run and miss none."""
    await appended(store, run_at(2), run_at(1), run_at(3), run_at(4))

    assert await ids(store) == ["run-4", "run-3", "run-2", "run-1"]
    assert await ids(store, RunFilter(since_ms=NOON_MS + 2_000, until_ms=NOON_MS + 4_000)) == ["run-3", "run-2"]
    assert [record.run.run_id for record in await store.runs.list(RunFilter(), limit=2)] == ["run-4", "run-3"]


async def test_runs_follow_each_other_over_pages_though_some_arrived_together(store: Store) -> None:
    """A9: every run once, oldest first; runs of one millisecond by their ids."""
    same = [replace(run_at(number), at_ms=NOON_MS) for number in (3, 1, 2)]
    await appended(store, run_at(5), *same, run_at(4, tool="invoice_get"))

    first = await store.runs.following(RunFilter(), after=None, limit=2)
    second = await store.runs.following(RunFilter(), after=first[-1], limit=10)
    tools = await store.runs.following(RunFilter(tool="invoice_get"), after=first[-1], limit=10)

    assert [record.run.run_id for record in (*first, *second)] == ["run-1", "run-2", "run-3", "run-4", "run-5"]
    assert [record.run.run_id for record in tools] == ["run-4"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tenant", "globex"),
        ("principal", "boss@acme"),
        ("subject", "acct-9"),
        ("tool", "invoice_get"),
        ("code", "unknown_sku"),
        ("outcome", "refused"),
    ],
)
async def test_each_filter_restricts_by_its_field(store: Store, field: str, value: str) -> None:
    """A9: which account, which tool, which code."""
    # Only a call that did not succeed has a code.
    outcome = {"outcome": "rejected"} if field == "code" else {}
    await appended(store, run_at(1), run_at(2, **{**outcome, field: value}))

    assert await ids(store, replace(RunFilter(), **{field: value})) == ["run-2"]
    assert await ids(store, replace(RunFilter(), **{field: "no such"})) == []


async def test_failed_runs_are_those_that_neither_succeeded_nor_asked(store: Store) -> None:
    """A9: a question to a person is no failure."""
    outcomes = ["done", "needs_input", "invalid", "rejected", "denied", "refused", "failed", "unknown", "cancelled"]
    await appended(store, *(run_at(number, outcome=outcome) for number, outcome in enumerate(outcomes)))

    assert await ids(store, RunFilter(failed=True)) == [f"run-{number}" for number in range(8, 1, -1)]


async def test_a_run_that_cannot_be_stored_takes_no_other_with_it(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """A9: one record that SQLite refuses is lost, logged and alone."""
    await appended(store, run_at(1), run_at(2, client="\ud800"), run_at(1), run_at(3, bytes_in=2**70), run_at(4))

    assert await ids(store) == ["run-4", "run-1"]
    assert "lost" in caplog.text
