"""Every question that the console and `fourfold runs …` ask of the runs and their sums, by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from benchmarks.made_runs import END_MS
from fourfold.model.run import UNKNOWN_SUBJECT, RunFilter
from fourfold.ports.runs import RunPlace
from fourfold.ports.tallies import OperationBy, SumFilter, UsageBy
from fourfold.runs.asking import AskedStore, ask
from fourfold.runs.costs import CostBy, costs
from fourfold.runs.failing import heat_map
from fourfold.runs.now import MOST_WAITING, now
from fourfold.runs.of_tool import of_tool
from fourfold.runs.pages import count_runs, run_page
from fourfold.runs.stories import MOST_ATTEMPTS, story

__all__ = ["RUN_FILTERS", "SUM_FILTERS", "Question", "list_questions", "record_questions", "sum_questions"]

Question = Callable[[AskedStore], Awaitable[Any]]

_DAY_MS = 86_400_000
_PLACE = RunPlace(END_MS - 3 * _DAY_MS, "run_")

_RESTRICTED: Sequence[Mapping[str, Any]] = (
    {},
    {"tool": "quote_create"},
    {"subject": "ACC-00003"},
    {"subject": UNKNOWN_SUBJECT},
    {"failed": True},
    {"code": "credit_limit"},
    {"outcome": "done"},
    {"outcome": "unknown"},
    {"principal": "clerk-01@acme"},
    {"tool": "shipment_list", "code": "cancelled", "failed": True},
    {"subject": "ACC-00003", "failed": True},
    {"tool": "no_such_tool"},
    {"since_ms": END_MS - 7 * _DAY_MS},
)
_ROWS = 50


_TENANTS = (None, "acme", "stark")

RUN_FILTERS: Mapping[str, RunFilter] = {
    f"{tenant or 'everybody'}: {' '.join(f'{name}={value}' for name, value in by.items()) or 'all'}": RunFilter(
        tenant=tenant, **by
    )
    for tenant in _TENANTS
    for by in _RESTRICTED
}
"""What a list of runs is restricted by: of all tenants, of one with much traffic, of one with little."""

_MONTH = SumFilter(since_ms=END_MS - 30 * _DAY_MS, until_ms=END_MS)
SUM_FILTERS: Mapping[str, SumFilter] = {
    "90 days": SumFilter(),
    "30 days": _MONTH,
    "30 days of a tenant": replace(_MONTH, tenant="acme"),
    "30 days of a tool": replace(_MONTH, tool="quote_create"),
    "90 days of an account": SumFilter(subject="ACC-00003"),
    "30 days of failures": replace(_MONTH, failed=True),
    "a day": SumFilter(since_ms=END_MS - _DAY_MS, until_ms=END_MS),
}
"""What sums are restricted by."""


def record_questions(run_id: str) -> Mapping[str, Question]:
    """What is asked about single runs, and about now."""
    return {
        "a run": lambda store: store.runs.show(run_id),
        "the story of a run": lambda store: story(store, run_id, tenant=None),
        "attempts": partial(_attempts, run_id=run_id),
        "runs by their ids": lambda store: store.runs.these([run_id, "run_none"], tenant="acme"),
        "now": lambda store: now(store, tenant=None, now_ms=END_MS - 1),
        "now of a tenant": lambda store: now(store, tenant="acme", now_ms=END_MS - 1),
        "waiting": _waiting,
    }


def list_questions(where: RunFilter) -> Mapping[str, Question]:
    """What a list of runs asks: its first page, those on both sides of a place, and how many there are."""
    return {
        "newest": lambda store: run_page(store, where),
        "older": lambda store: run_page(store, where, place=_PLACE),
        "newer": lambda store: run_page(store, where, place=_PLACE, direction="newer"),
        "count": lambda store: count_runs(store, where),
    }


def sum_questions(where: SumFilter) -> Mapping[str, Question]:
    """What sums are asked for."""
    by_cost: Sequence[CostBy] = ("subject", "tool", "code", "outcome", "day_ms", "tenant")
    by_operation: Sequence[OperationBy] = ("tool", "contract_version", "principal", "code", "hour_ms", "day_ms")
    return {
        "failures": partial(_failures, where=where),
        "heat map": partial(heat_map, where=where),
        "a tool": partial(of_tool, where=replace(where, tool="quote_create")),
        "tools": partial(_tools, where=where),
        **{f"costs by {by}": partial(costs, where=where, by=by) for by in by_cost},
        **{f"operations by {by}": partial(_operations, where=where, by=by) for by in by_operation},
        "accounts": partial(_usage, where=where, by="subject"),
        "counts": partial(_counts, where=where),
        "fill": partial(_fill, where=where),
    }


async def _attempts(store: AskedStore, *, run_id: str) -> object:
    return await ask(store, lambda unit: store.tallies.attempts(unit, run_id, limit=MOST_ATTEMPTS), tenant=None)


async def _waiting(store: AskedStore) -> object:
    return await ask(store, lambda unit: store.tallies.waiting(unit, tenant="acme", limit=MOST_WAITING), tenant=None)


async def _failures(store: AskedStore, *, where: SumFilter) -> object:
    return await ask(
        store,
        lambda unit: store.tallies.failures(unit, where, by=("subject", "tool", "code"), limit=_ROWS),
        tenant=where.tenant,
    )


async def _operations(store: AskedStore, *, where: SumFilter, by: OperationBy) -> object:
    return await ask(store, lambda unit: store.tallies.operations(unit, where, by=(by,)), tenant=where.tenant)


async def _usage(store: AskedStore, *, where: SumFilter, by: UsageBy) -> object:
    return await ask(
        store,
        lambda unit: store.tallies.usage(unit, where, by=(by,), most="failed", limit=_ROWS),
        tenant=where.tenant,
    )


async def _tools(store: AskedStore, *, where: SumFilter) -> object:
    return await ask(
        store,
        lambda unit: store.tallies.usage(unit, where, by=("tool",), most="runs", limit=1_000),
        tenant=where.tenant,
    )


async def _counts(store: AskedStore, *, where: SumFilter) -> object:
    return await ask(
        store, lambda unit: store.tallies.counts(unit, where, field="flags", limit=_ROWS), tenant=where.tenant
    )


async def _fill(store: AskedStore, *, where: SumFilter) -> object:
    return await ask(store, lambda unit: store.tallies.fill(unit, where, field="note"), tenant=where.tenant)
