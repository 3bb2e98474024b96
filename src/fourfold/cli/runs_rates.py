"""`fourfold runs retry-rate`, and `rebuild`, which makes the sums behind it anew."""

from __future__ import annotations

from dataclasses import replace

import click

from fourfold.adapters.clock import SystemClock
from fourfold.bootstrap.service import ServedStore
from fourfold.cli.filters import time_option
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import print_json, table, when
from fourfold.cli.sums import of_store, of_sums, place_options, span, sum_options
from fourfold.ports.tallies import OperationBy, SumFilter, Tallies
from fourfold.ports.units import Unit
from fourfold.runs.rates import BUCKETS, Change, RetryRate, Window, bucketed, change, windows
from fourfold.runs.upkeep import sum_again

__all__ = ["rebuild", "retry_rate"]

_BY: dict[str, OperationBy] = {
    "tool": "tool",
    "version": "contract_version",
    "principal": "principal",
    "tenant": "tenant",
    "code": "code",
}
_DAYS = 14


@click.command("retry-rate", cls=StrictCommand, short_help="How many operations took more than one attempt.")
@time_option("--around", "around_ms", about="Compare before and after that moment.")
@click.option("--days", type=click.IntRange(1, 366), metavar="N", help=f"Days on each side of it; {_DAYS} by default.")
@click.option("--by", type=click.Choice([*_BY, *BUCKETS]), default="tool", show_default=True, help="One row for each.")
@click.option("--principal", metavar="NAME", help="Only this principal.")
@click.option("--code", metavar="CODE", help="Only operations whose first attempt met this code.")
@sum_options
@place_options
def retry_rate(
    store: str, where: SumFilter, *, around_ms: int | None, days: int | None, by: str, as_json: bool
) -> None:
    """How many operations took more than one attempt, of all there were; not how many calls failed.

    A retry is a call with the same key, or the same caller's next call of the tool soon after it was told that its
    arguments are invalid or that a repeat may help. Going on after a person was asked is none. An operation counts
    in the hour of its first attempt, under the version and the code of that one.

    \b
    Examples
      fourfold runs retry-rate --tool quote_create --around 2026-11-01
      fourfold runs retry-rate --tool quote_create --by week --since 2026-09-01
      fourfold runs retry-rate --by code --json
    """
    if around_ms is None:
        if days is not None:
            raise click.UsageError("--days needs --around beside it; --since and --until restrict a table")
        _show_table(store, where, by=by, as_json=as_json)
        return
    two = windows(around_ms, days=days or _DAYS, now_ms=SystemClock().now_ms())
    _show_change(
        of_sums(store, lambda tallies, unit: _change(tallies, unit, where=where, two=two)), two, where, as_json=as_json
    )


@click.command("rebuild", cls=StrictCommand, short_help="Make the sums over the runs anew.")
@place_options
def rebuild(store: str, *, as_json: bool) -> None:
    """Make the sums anew from the runs that are kept. Sums of days whose runs were dropped stay as they are.

    Needed after an upgrade that links calls in another way.

    \b
    Example
      fourfold runs rebuild
    """

    async def again(opened: ServedStore) -> int:
        return await sum_again(opened, clock=SystemClock())

    runs = of_store(store, again)
    if as_json:
        print_json("runs-rebuild/v1", {"runs": runs})
        return
    click.echo(f"{runs:,} runs are in the sums")


def _change(tallies: Tallies, unit: Unit, *, where: SumFilter, two: tuple[Window, Window]) -> Change:
    before, after = (
        tallies.operations(unit, replace(where, since_ms=each.since_ms, until_ms=each.until_ms), by=()) for each in two
    )
    return change(before, after)


def _show_table(store: str, where: SumFilter, *, by: str, as_json: bool) -> None:
    rates = of_sums(store, lambda tallies, unit: _rates(tallies, unit, where=where, by=by))
    if as_json:
        rows = [{"key": rate.key, **_facts(rate)} for rate in rates]
        print_json("runs-retry-rate/v1", {"by": by, **span(where), "rates": rows})
        return
    rows = [(rate.key or "-", rate.operations, rate.retried, _percent(rate.share), _range(rate)) for rate in rates]
    table((by, "operations", "retried", "rate", "95 %"), rows, empty="No operations.")


def _rates(tallies: Tallies, unit: Unit, *, where: SumFilter, by: str) -> list[RetryRate]:
    if by in BUCKETS:
        times: OperationBy = "hour_ms" if by == "hour" else "day_ms"
        return [*bucketed(tallies.operations(unit, where, by=(times,)), BUCKETS[by])]
    return [
        RetryRate(key=str(each.key[0]), operations=each.operations, retried=each.retried, attempts=each.attempts)
        for each in tallies.operations(unit, where, by=(_BY[by],))
    ]


def _show_change(found: Change, two: tuple[Window, Window], where: SumFilter, *, as_json: bool) -> None:
    if as_json:
        sides = {
            name: {"since_ms": each.since_ms, "until_ms": each.until_ms, **_facts(rate)}
            for name, each, rate in zip(("before", "after"), two, (found.before, found.after), strict=True)
        }
        interval = {"low": found.interval.low, "high": found.interval.high}
        told = {"difference": found.difference, "interval": interval, "could_be_chance": found.could_be_chance}
        print_json("runs-retry-change/v1", {"tool": where.tool or None, **sides, **told})
        return
    rows = [
        (
            rate.key,
            when(each.since_ms),
            when(each.until_ms),
            rate.operations,
            rate.retried,
            _percent(rate.share),
            _range(rate),
        )
        for each, rate in zip(two, (found.before, found.after), strict=True)
    ]
    table(("", "from", "until", "operations", "retried", "rate", "95 %"), rows, empty="")
    click.echo(_verdict(found))


def _verdict(found: Change) -> str:
    empty = [rate.key for rate in (found.before, found.after) if not rate.operations]
    if empty:
        return f"no operations {' and '.join(empty)}: there is nothing to compare"
    low, high = (_points(edge) for edge in (found.interval.low, found.interval.high))
    judged = "this could be chance" if found.could_be_chance else "more than chance explains, at 95 % confidence"
    return f"difference {_points(found.difference)} points ({low} to {high}): {judged}"


def _facts(rate: RetryRate) -> dict[str, object]:
    interval = {"low": rate.interval.low, "high": rate.interval.high}
    counts = {"operations": rate.operations, "retried": rate.retried, "attempts": rate.attempts}
    return {**counts, "rate": rate.share, "interval": interval}


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"


def _range(rate: RetryRate) -> str:
    return f"{100 * rate.interval.low:.1f} to {100 * rate.interval.high:.1f}"
