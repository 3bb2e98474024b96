"""`fourfold runs`: questions to the run records."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

import anyio
import click

from fourfold.adapters.clock import SystemClock
from fourfold.bootstrap.maintenance import open_runs
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.output import json_option, print_json, table, when
from fourfold.model.run import RunFilter
from fourfold.ports.runs import Count, RunRecord, Runs

__all__ = ["command"]

F = TypeVar("F", bound=Callable[..., Any])
A = TypeVar("A")

Question = Callable[[Runs, RunFilter, int], Awaitable[Sequence[A]]]
"""A question to the run records, with what restricts it and how many rows it may have."""

_AGO = re.compile(r"(\d{1,6})([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def _moment(_ctx: click.Context, _option: click.Parameter, value: str | None) -> int | None:
    """A time as milliseconds: `24h` ago, or an ISO 8601 date or time (UTC unless it says otherwise)."""
    if value is None:
        return None
    ago = _AGO.fullmatch(value)
    if ago:
        return SystemClock().now_ms() - int(ago[1]) * _SECONDS[ago[2]] * 1000
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise click.BadParameter("use 15m, 24h, 7d, or a date or time such as 2026-11-30T09:00:00Z") from None
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


_FILTERS = (
    click.option("--account", "subject", default="", help="The run's Subject; `unknown` for those without one."),
    click.option("--tenant", default="", help="Only this tenant."),
    click.option("--principal", default="", help="Only this principal."),
    click.option("--tool", default="", help="Only this tool."),
    click.option("--code", default="", help="Only this code."),
    click.option("--since", "since_ms", callback=_moment, help="From then on: 24h, 7d, or an ISO date or time."),
    click.option("--until", "until_ms", callback=_moment, help="Before then."),
    click.option("--limit", default=50, type=click.IntRange(1, 10_000), show_default=True, help="Rows at most."),
    store_option,
    json_option,
    config_option,
)


def _filtered(function: F) -> F:
    """The options that every question takes."""
    for option in reversed(_FILTERS):
        function = option(function)
    return function


@click.group("runs")
def command() -> None:
    """Ask the run records of a store. Every call leaves one, denied and invalid ones too.

    \b
    Examples
      fourfold runs list --account 8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60
      fourfold runs failures --since 24h
      fourfold runs counts --field flags --since 2026-11-01
      fourfold runs show run_0192f0c4a1b2c3d4
    """


@command.command("list")
@click.option("--outcome", default="", help="Only this outcome: done, invalid, rejected, denied, failed …")
@click.option("--failed", is_flag=True, help="Only calls that did not succeed.")
@_filtered
def list_(**options: Any) -> None:
    """Runs, newest first."""
    records = _asked(options, _list)
    if options["as_json"]:
        print_json("runs-list/v1", {"runs": [_facts(record) for record in records]})
        return
    rows = [
        (when(run.at_ms), run.run_id, run.tool, _ending(run.outcome, run.code), run.subject, run.principal)
        for run in (record.run for record in records)
    ]
    table(("at", "run", "tool", "outcome", "account", "principal"), rows, empty="No runs.")


@command.command("show")
@click.argument("run_id")
@store_option
@json_option
@config_option
def show(run_id: str, **options: Any) -> int:
    """One run, by its id or by the reference that an `internal` answer gave."""
    record = anyio.run(_one, find_store(options["store_url"], options["config_path"]), run_id)
    if record is None:
        raise click.UsageError(f"no run and no reference is {run_id!r} in this store")
    facts = _facts(record)
    if options["as_json"]:
        print_json("runs-show/v1", {"run": facts})
        return 0
    width = max(map(len, facts))
    for name, value in facts.items():
        if value not in ("", None, [], {}):
            click.echo(f"{name.ljust(width)}  {value}")
    return 0


@command.command("failures")
@_filtered
def failures(**options: Any) -> None:
    """Which account saw which failure, and how often."""
    _show_counts(
        _asked(options, _failures), ("account", "tool", "code"), schema="runs-failures/v1", as_json=options["as_json"]
    )


@command.command("counts")
@click.option("--field", default="", help="Only this output field.")
@_filtered
def counts(field: str, **options: Any) -> None:
    """How often each declared output value was returned: "how often was below_floor returned this month"."""

    async def question(runs: Runs, where: RunFilter, limit: int) -> Sequence[Count]:
        return await runs.counts(where, field=field, limit=limit)

    _show_counts(
        _asked(options, question), ("tool", "field", "value"), schema="runs-counts/v1", as_json=options["as_json"]
    )


def _show_counts(counts: Sequence[Count], names: tuple[str, ...], *, schema: str, as_json: bool) -> None:
    if as_json:
        keys = [dict(zip(names, found.key, strict=True)) for found in counts]
        rows = [{**key, "runs": found.runs, "last_ms": found.last_ms} for key, found in zip(keys, counts, strict=True)]
        print_json(schema, {"counts": rows})
        return
    table((*names, "runs", "last"), [(*found.key, found.runs, when(found.last_ms)) for found in counts], empty="None.")


async def _list(runs: Runs, where: RunFilter, limit: int) -> Sequence[RunRecord]:
    return await runs.list(where, limit=limit)


async def _failures(runs: Runs, where: RunFilter, limit: int) -> Sequence[Count]:
    return await runs.failures(where, limit=limit)


def _asked(options: dict[str, Any], question: Question[A]) -> Sequence[A]:
    """The answer of the store to one question."""
    url = find_store(options["store_url"], options["config_path"])
    fields = RunFilter.__dataclass_fields__
    where = RunFilter(**{name: value for name, value in options.items() if name in fields})

    async def ask() -> Sequence[A]:
        async with open_runs(url) as runs:
            return await question(runs, where, options["limit"])

    return anyio.run(ask)


async def _one(url: str, run_id: str) -> RunRecord | None:
    async with open_runs(url) as runs:
        return await runs.show(run_id)


def _ending(outcome: str, code: str) -> str:
    return f"{outcome} {code}".rstrip()


def _facts(record: RunRecord) -> dict[str, Any]:
    """A run as JSON; tokens say that they are estimates."""
    facts = asdict(record.run)
    facts["counted"] = [list(pair) for pair in record.run.counted]
    facts["tokens_in_estimated"] = facts.pop("tokens_in")
    facts["tokens_out_estimated"] = facts.pop("tokens_out")
    facts["total_us"] = record.closing.total_us if record.closing else None
    facts["delivered"] = record.closing.delivered if record.closing else None
    return facts
