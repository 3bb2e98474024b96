"""`fourfold runs cost`, `accounts` and `fill`: what calls took, for whom, and which output fields hold anything."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import click

from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import print_json, table, when
from fourfold.cli.sums import (
    charges_text,
    cost_facts,
    dollars_text,
    month_of,
    of_sums,
    place_options,
    priced,
    span,
    sum_options,
)
from fourfold.ports.tallies import FillSum, SumFilter, UsageBy
from fourfold.runs.spending import Spent, TokenPrice, spent_by

__all__ = ["accounts", "cost", "fill"]

_BY: dict[str, UsageBy] = {"account": "subject", "tool": "tool", "code": "code", "day": "day_ms", "outcome": "outcome"}
_ESTIMATED = "tokens are estimated from bytes, 4 a token; no provider counted them"

_account = click.option(
    "--account", "subject", metavar="ID", help="The run's Subject; `unknown` for those without one."
)
_limit = click.option(
    "--limit", default=50, type=click.IntRange(1, 10_000), metavar="N", show_default=True, help="Rows at most."
)


@click.command("cost", cls=StrictCommand, short_help="What calls cost: tokens, money, charges of other systems.")
@click.option("--by", type=click.Choice([*_BY]), default="account", show_default=True, help="One row for each.")
@_account
@click.option("--code", metavar="CODE", help="Only this code.")
@click.option("--failed", is_flag=True, help="Only calls that did not succeed.")
@_limit
@priced
@sum_options
@place_options
def cost(store: str, where: SumFilter, *, by: str, price: TokenPrice | None, limit: int, as_json: bool) -> None:
    """What calls cost: tokens of arguments, results and definitions, and what other systems charged.

    A model writes the arguments and reads the result and, once for each call, the tool's definition. Every figure
    is an estimate from bytes. Dollars need a price; the arguments are in them only with --output-price, since the
    table has input prices. Days are in UTC; a time inside a day means all of it.

    \b
    Examples
      fourfold runs cost --by tool --since 7d --model gpt-6.2-sol
      fourfold runs cost --by day --account C001
      fourfold runs cost --failed --by code --json
    """
    found = _spent(store, where, by)
    found = found if by == "day" else sorted(found, key=lambda each: -each.runs)
    if as_json:
        rows = [{"key": _name(each), **_counts(each), **cost_facts(each, price)} for each in found[:limit]]
        print_json("runs-cost/v1", {"by": by, **span(where), "costs": rows})
        return
    rows = [
        (
            _name(each) or "-",
            each.runs,
            each.failed,
            each.tokens.arguments,
            each.tokens.result,
            each.tokens.definition,
            dollars_text(each, price),
            charges_text(each),
        )
        for each in found[:limit]
    ]
    table((by, "runs", "failed", "arguments", "results", "definitions", "usd", "charges"), rows, empty="No runs.")
    _say_what_the_figures_are(found, limit)


@click.command("accounts", cls=StrictCommand, short_help="Accounts, those with most failures first.")
@_account
@_limit
@priced
@sum_options
@place_options
def accounts(store: str, where: SumFilter, *, price: TokenPrice | None, limit: int, as_json: bool) -> None:
    """Accounts: how many calls touched each, how many of those failed, when last, and what they cost.

    \b
    Example
      fourfold runs accounts --tool quote_create --since 7d
    """
    found = sorted(_spent(store, where, "account"), key=lambda each: (-each.failed, -each.runs))
    if as_json:
        rows = [
            {"account": each.key, **_counts(each), "last_ms": each.last_ms, **cost_facts(each, price)}
            for each in found[:limit]
        ]
        print_json("runs-accounts/v1", {**span(where), "accounts": rows})
        return
    rows = [
        (each.key, each.runs, each.failed, when(each.last_ms), dollars_text(each, price), charges_text(each))
        for each in found[:limit]
    ]
    table(("account", "runs", "failed", "last", "usd", "charges"), rows, empty="No runs.")
    _say_what_the_figures_are(found, limit)


@click.command("fill", cls=StrictCommand, short_help="How often each output field held anything, by month.")
@click.option("--field", default="", metavar="NAME", help="Only this output field.")
@sum_options
@place_options
def fill(store: str, where: SumFilter, *, field: str, as_json: bool) -> None:
    """How often each output field held anything, by month in UTC: zero and false do, an empty list does not.

    Of successes that ran; an answer that was repeated is counted once.

    \b
    Example
      fourfold runs fill --tool quote_create --field flags --since 2026-01-01
    """
    months = _by_month(of_sums(store, lambda tallies, unit: tallies.fill(unit, where, field=field)))
    if as_json:
        rows = [
            {
                "month": month,
                "tool": tool,
                "field": name,
                "results": results,
                "filled": filled,
                "rate": filled / results,
            }
            for (month, tool, name), (results, filled) in months.items()
        ]
        print_json("runs-fill/v1", {**span(where), "fields": rows})
        return
    rows = [(*key, results, filled, f"{100 * filled / results:.1f} %") for key, (results, filled) in months.items()]
    table(("month", "tool", "field", "results", "filled", "rate"), rows, empty="No results.")


def _spent(store: str, where: SumFilter, by: str) -> Sequence[Spent]:
    keys = (_BY[by],)
    usage, charges = of_sums(
        store, lambda tallies, unit: (tallies.usage(unit, where, by=keys), tallies.charges(unit, where, by=keys))
    )
    return spent_by(usage, charges)


def _by_month(sums: Sequence[FillSum]) -> dict[tuple[str, str, str], tuple[int, int]]:
    months: dict[tuple[str, str, str], tuple[int, int]] = {}
    for each in sums:
        key = (month_of(each.day_ms), each.tool, each.field)
        results, filled = months.get(key, (0, 0))
        months[key] = (results + each.results, filled + each.filled)
    return dict(sorted(months.items()))


def _name(spent: Spent) -> str:
    """The key as it is printed; a day as a date."""
    key = spent.key
    return f"{datetime.fromtimestamp(key // 1000, UTC):%Y-%m-%d}" if isinstance(key, int) else key


def _counts(spent: Spent) -> dict[str, object]:
    return {"runs": spent.runs, "failed": spent.failed}


def _say_what_the_figures_are(found: Sequence[Spent], limit: int) -> None:
    if found:
        click.echo(_ESTIMATED, err=True)
    if len(found) > limit:
        click.echo(f"{limit} of {len(found)} rows: see --limit", err=True)
