"""`fourfold runs failures` and `counts`: what was met how often, from sums over the runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from fourfold.cli.filters import Asked, filtered
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import print_json, table, when
from fourfold.cli.sums import month_of, of_sums, place_options, sum_options
from fourfold.ports.tallies import CountSum, FailureSum, SumFilter

__all__ = ["counts", "failures"]

_ACCOUNT = ("account", "tool", "code")
_VALUE = ("tool", "field", "value")


@click.command("failures", cls=StrictCommand, short_help="Which account saw which failure, how often.")
@filtered
def failures(asked: Asked) -> None:
    """Which account saw which failure, how often, and when first and last; with the last run as an example.

    A time inside an hour means all of it.

    \b
    Example
      fourfold runs failures --tool quote_create --since 7d
    """
    given = asked.where
    where = SumFilter(
        tenant=given.tenant,
        principal=given.principal,
        subject=given.subject,
        tool=given.tool,
        code=given.code,
        since_ms=given.since_ms,
        until_ms=given.until_ms,
    )
    limit = asked.limit
    found = of_sums(
        asked.store,
        lambda tallies, unit: tallies.failures(unit, where, by=("subject", "tool", "code"), limit=limit),
    )
    if asked.as_json:
        print_json("runs-failures/v1", {"counts": [_failure_facts(each) for each in found]})
        return
    rows = [(each.runs, *_words(each), when(each.first_ms), when(each.last_ms), each.last_run) for each in found]
    table(("runs", *_ACCOUNT, "first", "last", "example"), rows, empty="No runs.")
    _say_if_cut(found, limit)


@click.command("counts", cls=StrictCommand, short_help="How often which output value was returned.")
@click.option("--field", default="", metavar="NAME", help="Only this output field.")
@click.option(
    "--limit", default=50, type=click.IntRange(1, 10_000), metavar="N", show_default=True, help="Rows at most."
)
@click.option("--by-month", is_flag=True, help="Each month by itself, in the order of months.")
@sum_options
@place_options
def counts(store: str, where: SumFilter, *, field: str, limit: int, by_month: bool, as_json: bool) -> None:
    """How often each declared output value was returned: "how often was below_floor returned this month".

    Days are in UTC; a time inside a day means all of it.

    \b
    Examples
      fourfold runs counts --field flags --since 2026-11-01
      fourfold runs counts --field flags --since 2026-01-01 --by-month
    """
    if by_month:
        days = of_sums(store, lambda tallies, unit: tallies.counts_by_day(unit, where, field=field))
        _show_months(_by_month(days), limit, as_json=as_json)
        return
    found = of_sums(store, lambda tallies, unit: tallies.counts(unit, where, field=field, limit=limit))
    if as_json:
        print_json("runs-counts/v1", {"counts": [_count_facts(each) for each in found]})
        return
    rows = [(each.runs, each.tool, each.field, each.value, when(each.last_ms)) for each in found]
    table(("runs", *_VALUE, "last"), rows, empty="No runs.")
    _say_if_cut(found, limit)


def _by_month(days: Sequence[CountSum]) -> Sequence[tuple[str, CountSum]]:
    """Months with the sums of their days, the most frequent value of each month first."""
    months: dict[tuple[str, str, str, str], CountSum] = {}
    for each in days:
        key = (month_of(each.day_ms), each.tool, each.field, each.value)
        before = months.get(key)
        runs = each.runs + (before.runs if before else 0)
        months[key] = replace(each, runs=runs, day_ms=0)
    return sorted(((key[0], found) for key, found in months.items()), key=lambda found: (found[0], -found[1].runs))


def _show_months(months: Sequence[tuple[str, CountSum]], limit: int, *, as_json: bool) -> None:
    shown = months[:limit]
    if as_json:
        print_json("runs-counts/v1", {"counts": [{"month": month, **_count_facts(each)} for month, each in shown]})
        return
    rows = [(month, each.runs, each.tool, each.field, each.value, when(each.last_ms)) for month, each in shown]
    table(("month", "runs", *_VALUE, "last"), rows, empty="No runs.")
    _say_if_cut(shown, limit)


def _words(found: FailureSum) -> Sequence[str]:
    return [str(value) for value in found.key]


def _failure_facts(found: FailureSum) -> dict[str, object]:
    times = {"first_ms": found.first_ms, "last_ms": found.last_ms, "last_run": found.last_run}
    return {**dict(zip(_ACCOUNT, _words(found), strict=True)), "runs": found.runs, **times}


def _count_facts(found: CountSum) -> dict[str, object]:
    return {
        "tool": found.tool,
        "field": found.field,
        "value": found.value,
        "runs": found.runs,
        "last_ms": found.last_ms,
    }


def _say_if_cut(rows: Sequence[object], limit: int) -> None:
    if len(rows) == limit:
        click.echo(f"{limit} rows, and there may be more: see --limit", err=True)
