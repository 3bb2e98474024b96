"""What runs add to the sums that are kept by the hour and the day. Pure; who stores them is decided elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from fourfold.model.run import Run
from fourfold.runs.latency import bucket_of
from fourfold.runs.linking import Attempt, Linked, Operation, Place
from fourfold.runs.sum_keys import (
    CallerDay,
    ChargeDay,
    ChargeHour,
    CountDay,
    FailureHour,
    FillDay,
    OperationDay,
    OperationHour,
    day_of,
    hour_of,
    run_day,
)

__all__ = [
    "Sums",
    "attempt_of",
    "caller_day_sums",
    "charge_day_sums",
    "charge_hour_sums",
    "count_sums",
    "failure_sums",
    "fill_sums",
    "has_failed",
    "latency_sums",
    "operation_day_sums",
    "operation_sums",
    "usage_sums",
]

_SUCCEEDED = frozenset({"done", "needs_input"})

K = TypeVar("K")

Sums = Mapping[K, Mapping[str, Any]]
"""What is added by where it is counted: numbers, and the id of a run."""


def attempt_of(run: Run) -> Attempt:
    """What linking needs of a run."""
    return Attempt(
        run_id=run.run_id,
        at_ms=run.at_ms,
        place=Place(run.tenant, run.principal, run.tool),
        contract_version=run.contract_version,
        outcome=run.outcome,
        code=run.code,
        retry=run.retry,
        operation_id=run.operation_id,
        trace_id=run.trace_id,
    )


def has_failed(run: Run) -> bool:
    """Whether it did not succeed. A question to a person is no failure."""
    return run.outcome not in _SUCCEEDED


def operation_sums(linked: Iterable[Linked]) -> Mapping[OperationHour, Mapping[str, int]]:
    """What attempts add to operations, retried ones and attempts."""
    sums: dict[OperationHour, Counter[str]] = {}
    for before, after in linked:
        had, has = (0 if before is None else before.attempts), after.attempts
        added = sums.setdefault(_operation_hour(after), Counter())
        added["operations"] += before is None
        added["retried"] += had <= 1 < has
        added["attempts"] += has - had
    return sums


def operation_day_sums(hours: Sums[OperationHour]) -> Sums[OperationDay]:
    """The same by the day, whoever called."""
    return _by_day(hours, lambda at: OperationDay(day_of(at.hour_ms), at.tenant, at.tool, at.contract_version, at.code))


def caller_day_sums(hours: Sums[OperationHour]) -> Sums[CallerDay]:
    """The same by the day, whatever was called."""
    return _by_day(hours, lambda at: CallerDay(day_of(at.hour_ms), at.tenant, at.principal))


def usage_sums(runs: Iterable[Run], place: Callable[[Run], K]) -> Sums[K]:
    """How many runs there are in each place and what they took, with the times of the first and the newest."""
    sums: dict[K, dict[str, int]] = {}
    for run in runs:
        key = place(run)
        added = sums.get(key)
        if added is None:
            added = sums[key] = {**_NO_USAGE, "first_ms": run.at_ms, "last_ms": run.at_ms}
        added["runs"] += 1
        added["tokens_in"] += run.tokens_in
        added["tokens_out"] += run.tokens_out
        added["tokens_definition"] += run.tokens_definition
        added["first_ms"] = min(added["first_ms"], run.at_ms)
        added["last_ms"] = max(added["last_ms"], run.at_ms)
    return sums


_NO_USAGE = {"runs": 0, "tokens_in": 0, "tokens_out": 0, "tokens_definition": 0}


def latency_sums(took: Iterable[tuple[Run, int]], place: Callable[[Run, int], K]) -> Sums[K]:
    """How many runs took about as long; each comes with its time in microseconds."""
    counted = Counter(place(run, bucket_of(us)) for run, us in took)
    return {key: {"runs": runs} for key, runs in counted.items()}


def charge_hour_sums(runs: Iterable[Run]) -> Sums[ChargeHour]:
    """What other systems charged by the hour. A replay did nothing and was charged nothing."""
    return _charged(runs, lambda run, currency: ChargeHour(hour_of(run.at_ms), run.tenant, run.tool, currency))


def charge_day_sums(runs: Iterable[Run]) -> Sums[ChargeDay]:
    """What other systems charged by the day."""
    return _charged(runs, lambda run, currency: ChargeDay(*run_day(run), currency))


def failure_sums(runs: Iterable[Run]) -> Sums[FailureHour]:
    """Runs that did not succeed, with the times of the first and the newest and the id of that one."""
    sums: dict[FailureHour, dict[str, Any]] = {}
    for run in sorted(filter(has_failed, runs), key=lambda run: (run.at_ms, run.run_id)):
        key = FailureHour(hour_of(run.at_ms), run.tenant, run.principal, run.subject, run.tool, run.code)
        added = sums.setdefault(key, {"runs": 0, "first_ms": run.at_ms})
        added["runs"] += 1
        added |= {"last_ms": run.at_ms, "last_run": run.run_id}
    return sums


def count_sums(runs: Iterable[Run]) -> Sums[CountDay]:
    """How often each declared output value was returned, and when last."""
    sums: dict[CountDay, dict[str, int]] = {}
    for run in runs:
        for field, value in run.counted:
            key = CountDay(day_of(run.at_ms), run.tenant, run.tool, field, value)
            added = sums.setdefault(key, {"runs": 0, "last_ms": run.at_ms})
            added["runs"] += 1
            added["last_ms"] = max(added["last_ms"], run.at_ms)
    return sums


def fill_sums(runs: Iterable[Run]) -> Sums[FillDay]:
    """How many results had a field, and in how many it held something."""
    sums: dict[FillDay, Counter[str]] = {}
    for run in runs:
        for name, held in run.filled.items():
            added = sums.setdefault(FillDay(day_of(run.at_ms), run.tenant, run.tool, name), Counter())
            added["results"] += 1
            added["filled"] += held
    return sums


def _by_day(hours: Sums[OperationHour], place: Callable[[OperationHour], K]) -> Sums[K]:
    sums: dict[K, Counter[str]] = {}
    for hour, added in hours.items():
        sums.setdefault(place(hour), Counter()).update(added)
    return sums


def _charged(runs: Iterable[Run], place: Callable[[Run, str], K]) -> Sums[K]:
    sums: dict[K, Counter[str]] = {}
    for run in runs:
        for charge in run.charges:
            sums.setdefault(place(run, charge.currency), Counter())["amount_minor"] += charge.amount_minor
    return sums


def _operation_hour(operation: Operation) -> OperationHour:
    place = operation.place
    return OperationHour(hour_of(operation.at_ms), *place, operation.contract_version, operation.code)
