"""The sums of a store equal those that are counted from its runs, in however many batches they were made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.adapters.memory.store import MemoryStore, open_memory
from fourfold.model.cost import Charge
from fourfold.model.run import Run
from fourfold.ports.tallies import FailureBy, LatencyBy, SumFilter, UsageBy
from fourfold.ports.units import Unit
from fourfold.runs.asking import ask
from fourfold.runs.latency import bucket_of
from fourfold.runs.upkeep import fold_all
from tests.stores.clocks import SteppedClock
from tests.stores.records import NOON_MS, run_at

A = TypeVar("A")

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS

_WAYS = st.sampled_from(
    [("done", ""), ("done", ""), ("needs_input", ""), ("rejected", "too_busy"), ("failed", "internal")]
)
_CHARGES = st.lists(
    st.builds(Charge, what=st.just("fee"), amount_minor=st.integers(0, 99), currency=st.sampled_from(["EUR", "DKK"])),
    max_size=2,
)


@st.composite
def histories(draw: st.DrawFn) -> list[Run]:
    """Runs of two tenants, three accounts and two tools within three days."""
    runs: list[Run] = []
    for number in range(draw(st.integers(0, 25))):
        outcome, code = draw(_WAYS)
        run = run_at(
            number,
            tenant=draw(st.sampled_from(["acme", "globex"])),
            subject=draw(st.sampled_from(["acct-1", "acct-2", "unknown"])),
            tool=draw(st.sampled_from(["quote_create", "invoice_get"])),
            contract_version=draw(st.sampled_from(["1.0", "2.0"])),
            outcome=outcome,
            code=code,
            operation_id="",
            tokens_in=draw(st.integers(0, 50)),
            stage_us={"invoke": draw(st.integers(0, 10_000_000))},
            counted=tuple(draw(st.lists(st.sampled_from([("zone", "eu"), ("zone", "us")]), max_size=2))),
            charges=tuple(draw(_CHARGES)),
        )
        runs.append(replace(run, at_ms=NOON_MS + draw(st.integers(0, 3 * _DAY_MS))))
    return runs


async def _with_store(runs: Sequence[Run], batch: int, look: Callable[[MemoryStore, Unit], A]) -> A:
    """What `look` reads once `runs` are in the sums."""
    store = open_memory(clock=SteppedClock())
    for run in runs:
        store.runs.append(run)
    await fold_all(store, clock=SteppedClock(now_ms=NOON_MS + 10 * _DAY_MS), batch=batch)
    found = await ask(store, lambda unit: look(store, unit), tenant=None)
    await store.aclose()
    return found


def _place(run: Run, by: Iterable[str]) -> tuple[object, ...]:
    starts = {"hour_ms": run.at_ms - run.at_ms % _HOUR_MS, "day_ms": run.at_ms - run.at_ms % _DAY_MS}
    return tuple(starts[name] if name in starts else getattr(run, name) for name in by)


def _has_failed(run: Run) -> bool:
    return run.outcome not in ("done", "needs_input")


_USAGE: Sequence[Sequence[UsageBy]] = (
    (),
    ("subject",),
    ("day_ms", "tenant", "subject"),
    ("tool", "contract_version", "day_ms"),
    ("code", "outcome"),
    ("subject", "tool", "code"),
    ("hour_ms", "tenant", "outcome"),
)


@given(histories(), st.integers(1, 9))
@settings(max_examples=40, deadline=None)
def test_usage_is_what_the_runs_come_to(runs: list[Run], batch: int) -> None:
    """A9, A14: from whichever of the tables it is read."""

    def look(store: MemoryStore, unit: Unit) -> list[list[tuple[object, ...]]]:
        found = [store.tallies.usage(unit, SumFilter(), by=by) for by in _USAGE]
        return [
            [(each.key, each.runs, each.failed, each.tokens_in, each.first_ms, each.last_ms) for each in sums]
            for sums in found
        ]

    for by, found in zip(_USAGE, anyio.run(_with_store, runs, batch, look), strict=True):
        places = sorted({_place(run, by) for run in runs}, key=str) if by else [()]
        here = [[run for run in runs if _place(run, by) == place] for place in places]
        assert sorted(found, key=str) == [
            (
                place,
                len(its),
                sum(map(_has_failed, its)),
                sum(run.tokens_in for run in its),
                min((run.at_ms for run in its), default=0),
                max((run.at_ms for run in its), default=0),
            )
            for place, its in zip(places, here, strict=True)
        ]


@given(histories(), st.integers(1, 9))
@settings(max_examples=40, deadline=None)
def test_failures_values_charges_and_times_are_what_the_runs_come_to(runs: list[Run], batch: int) -> None:
    """A9, A17: each run once, in its hour or day, with the first and the last of them."""
    failure: Sequence[FailureBy] = ("tenant", "subject", "code")
    latency: Sequence[LatencyBy] = ("hour_ms", "tool", "contract_version")

    def look(store: MemoryStore, unit: Unit) -> tuple[object, ...]:
        tallies, all_of_it = store.tallies, SumFilter()
        failures = tallies.failures(unit, all_of_it, by=failure, limit=99)
        counts = tallies.counts(unit, all_of_it, limit=99)
        charges = tallies.charges(unit, all_of_it, by=("hour_ms", "tool"))
        latencies = tallies.latencies(unit, all_of_it, by=latency)
        return (
            {each.key: (each.runs, each.first_ms, each.last_ms, each.last_run) for each in failures},
            {(each.tool, each.field, each.value): each.runs for each in counts},
            {(*each.key, each.currency): each.amount_minor for each in charges},
            {(*each.key, each.bucket): each.runs for each in latencies},
        )

    by_key: dict[tuple[object, ...], list[Run]] = {}
    for run in sorted(filter(_has_failed, runs), key=lambda run: (run.at_ms, run.run_id)):
        by_key.setdefault(_place(run, failure), []).append(run)
    charged: Counter[tuple[object, ...]] = Counter()
    for run in runs:
        for charge in run.charges:
            charged[*_place(run, ("hour_ms", "tool")), charge.currency] += charge.amount_minor
    assert anyio.run(_with_store, runs, batch, look) == (
        {key: (len(its), its[0].at_ms, its[-1].at_ms, its[-1].run_id) for key, its in by_key.items()},
        Counter((run.tool, *value) for run in runs for value in run.counted),
        dict(charged),
        Counter((*_place(run, latency), bucket_of(run.stage_us["invoke"])) for run in runs),
    )
