"""What sums are kept by: hours and days with what a call was, and where a run is counted in each. Pure."""

from __future__ import annotations

from typing import NamedTuple

from fourfold.model.run import Run

__all__ = [
    "DAY_MS",
    "HOUR_MS",
    "AccountDay",
    "CallerDay",
    "ChargeDay",
    "ChargeHour",
    "CountDay",
    "FailureHour",
    "FillDay",
    "LatencyDay",
    "LatencyHour",
    "OperationDay",
    "OperationHour",
    "RunDay",
    "RunHour",
    "ToolDay",
    "account_day",
    "day_of",
    "hour_of",
    "latency_day",
    "latency_hour",
    "run_day",
    "run_hour",
    "tool_day",
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


class OperationDay(NamedTuple):
    """Where an operation is counted once more, whoever called."""

    day_ms: int
    tenant: str
    tool: str
    contract_version: str
    code: str


class CallerDay(NamedTuple):
    """Where an operation is counted once more, whatever was called."""

    day_ms: int
    tenant: str
    principal: str


class RunHour(NamedTuple):
    """Where a run is counted by the hour."""

    hour_ms: int
    tenant: str
    tool: str
    contract_version: str
    outcome: str


class ToolDay(NamedTuple):
    """Where a run is counted by what was called."""

    day_ms: int
    tenant: str
    tool: str
    contract_version: str
    code: str
    outcome: str


class AccountDay(NamedTuple):
    """Where a run is counted by what it touched."""

    day_ms: int
    tenant: str
    subject: str
    outcome: str


class RunDay(NamedTuple):
    """Where a run is counted by both."""

    day_ms: int
    tenant: str
    subject: str
    tool: str
    code: str
    outcome: str


class LatencyHour(NamedTuple):
    """Where a run is counted by how long it took: `bucket` is a number of `runs.latency`."""

    hour_ms: int
    tenant: str
    tool: str
    contract_version: str
    bucket: int


class LatencyDay(NamedTuple):
    """The same by the day."""

    day_ms: int
    tenant: str
    tool: str
    contract_version: str
    bucket: int


class ChargeHour(NamedTuple):
    """Where a charge is counted by the hour."""

    hour_ms: int
    tenant: str
    tool: str
    currency: str


class ChargeDay(NamedTuple):
    """Where a charge is counted by what the run touched."""

    day_ms: int
    tenant: str
    subject: str
    tool: str
    code: str
    outcome: str
    currency: str


class FailureHour(NamedTuple):
    """Where a run that did not succeed is counted."""

    hour_ms: int
    tenant: str
    principal: str
    subject: str
    tool: str
    code: str


class CountDay(NamedTuple):
    """Where a declared output value is counted."""

    day_ms: int
    tenant: str
    tool: str
    field: str
    value: str


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


def run_hour(run: Run) -> RunHour:
    """Where `run` is counted by the hour."""
    return RunHour(hour_of(run.at_ms), run.tenant, run.tool, run.contract_version, run.outcome)


def tool_day(run: Run) -> ToolDay:
    """Where `run` is counted by what was called."""
    return ToolDay(day_of(run.at_ms), run.tenant, run.tool, run.contract_version, run.code, run.outcome)


def account_day(run: Run) -> AccountDay:
    """Where `run` is counted by what it touched."""
    return AccountDay(day_of(run.at_ms), run.tenant, run.subject, run.outcome)


def run_day(run: Run) -> RunDay:
    """Where `run` is counted by both."""
    return RunDay(day_of(run.at_ms), run.tenant, run.subject, run.tool, run.code, run.outcome)


def latency_hour(run: Run, bucket: int) -> LatencyHour:
    """Where `run` is counted by how long it took."""
    return LatencyHour(hour_of(run.at_ms), run.tenant, run.tool, run.contract_version, bucket)


def latency_day(run: Run, bucket: int) -> LatencyDay:
    """The same by the day."""
    return LatencyDay(day_of(run.at_ms), run.tenant, run.tool, run.contract_version, bucket)
