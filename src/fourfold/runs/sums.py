"""What runs add to the sums that are kept by the hour and the day. Pure; who stores them is decided elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from fourfold.model.run import Run
from fourfold.runs.linking import Attempt, Linked, Operation, Place

__all__ = [
    "DAY_MS",
    "HOUR_MS",
    "ChargeDay",
    "FillDay",
    "OperationHour",
    "RunDay",
    "attempt_of",
    "charge_sums",
    "day_of",
    "fill_sums",
    "hour_of",
    "operation_sums",
    "run_sums",
]

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


class OperationHour(NamedTuple):
    """Where an operation is counted: in the hour of its first run, under what that run was."""

    hour_ms: int
    tenant: str
    principal: str
    tool: str
    contract_version: str
    code: str


class RunDay(NamedTuple):
    """Where a run is counted."""

    day_ms: int
    tenant: str
    subject: str
    tool: str
    code: str
    outcome: str


class ChargeDay(NamedTuple):
    """Where a charge is counted."""

    day_ms: int
    tenant: str
    subject: str
    tool: str
    code: str
    outcome: str
    currency: str


class FillDay(NamedTuple):
    """Where a field of a result is counted."""

    day_ms: int
    tenant: str
    tool: str
    field: str


def hour_of(at_ms: int) -> int:
    """The beginning of the hour, in UTC."""
    return at_ms - at_ms % HOUR_MS


def day_of(at_ms: int) -> int:
    """The beginning of the day, in UTC."""
    return at_ms - at_ms % DAY_MS


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


def operation_sums(linked: Iterable[Linked]) -> Mapping[OperationHour, Mapping[str, int]]:
    """What attempts add to operations, retried ones and attempts."""
    sums: dict[OperationHour, Counter[str]] = {}
    for before, after in linked:
        had, has = (0 if before is None else before.attempts), after.attempts
        added = sums.setdefault(_hour(after), Counter())
        added["operations"] += before is None
        added["retried"] += had <= 1 < has
        added["attempts"] += has - had
    return sums


def run_sums(runs: Iterable[Run]) -> Mapping[RunDay, Mapping[str, int]]:
    """How many runs there are and what they took, with the time of the newest."""
    sums: dict[RunDay, Counter[str]] = {}
    for run in runs:
        added = sums.setdefault(_day(run), Counter())
        added["runs"] += 1
        added["tokens_in"] += run.tokens_in
        added["tokens_out"] += run.tokens_out
        added["tokens_definition"] += run.tokens_definition
        added["last_ms"] = max(added["last_ms"], run.at_ms)
    return sums


def charge_sums(runs: Iterable[Run]) -> Mapping[ChargeDay, Mapping[str, int]]:
    """What other systems charged. A replay did nothing and was charged nothing."""
    sums: dict[ChargeDay, Counter[str]] = {}
    for run in runs:
        for charge in run.charges:
            sums.setdefault(ChargeDay(*_day(run), charge.currency), Counter())["amount_minor"] += charge.amount_minor
    return sums


def fill_sums(runs: Iterable[Run]) -> Mapping[FillDay, Mapping[str, int]]:
    """How many results had a field, and in how many it held something."""
    sums: dict[FillDay, Counter[str]] = {}
    for run in runs:
        for name, held in run.filled.items():
            added = sums.setdefault(FillDay(day_of(run.at_ms), run.tenant, run.tool, name), Counter())
            added["results"] += 1
            added["filled"] += held
    return sums


def _hour(operation: Operation) -> OperationHour:
    place = operation.place
    return OperationHour(hour_of(operation.at_ms), *place, operation.contract_version, operation.code)


def _day(run: Run) -> RunDay:
    return RunDay(day_of(run.at_ms), run.tenant, run.subject, run.tool, run.code, run.outcome)
