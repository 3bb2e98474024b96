"""What the commands that ask the sums share: their options, and a store whose sums are up to date."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import anyio
import click

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sql.unit import no_subject
from fourfold.bootstrap.maintenance import open_existing
from fourfold.bootstrap.service import ServedStore
from fourfold.budget.cost import amount
from fourfold.budget.prices import custom_price, price_of
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.filters import time_option
from fourfold.cli.output import json_option
from fourfold.ports.tallies import SumFilter, Tallies
from fourfold.ports.units import Unit
from fourfold.runs.spending import Spent, TokenPrice
from fourfold.runs.upkeep import fold_all

__all__ = [
    "charges_text",
    "cost_facts",
    "dollars_text",
    "month_of",
    "of_store",
    "of_sums",
    "place_options",
    "priced",
    "span",
    "sum_options",
]

A = TypeVar("A")
Command = Callable[..., Any]

_PLACE = (store_option, json_option, config_option)
_SPAN = (
    click.option("--tenant", metavar="NAME", help="Only this tenant."),
    click.option("--tool", metavar="NAME", help="Only this tool."),
    time_option(
        "--since",
        "since_ms",
        default="30d",
        about="From then on: 24h or 7d ago, or an ISO date or time, in UTC unless it says otherwise.",
    ),
    time_option("--until", "until_ms", about="Before then."),
)
_PRICED = (
    click.option("--model", metavar="NAME", help="Price tokens by the dated table in docs/budget.md."),
    click.option("--price", metavar="USD", help="Price of a million input tokens, such as 2.50."),
    click.option("--output-price", metavar="USD", help="Price of a million output tokens: arguments cost it."),
)


def place_options(command: Command) -> Command:
    """Give `command` the options for where the store is and how to print; it gets `store` and `as_json`."""

    @wraps(command)
    def placed(*, store_url: str | None, config_path: Path | None, **rest: Any) -> Any:
        return command(store=find_store(store_url, config_path), **rest)

    return _with(placed, _PLACE)


def sum_options(command: Command) -> Command:
    """Give `command` the options that restrict sums; it gets them as `where`, with what else it takes."""

    @wraps(command)
    def restricted(**rest: Any) -> Any:
        given = {name: rest.pop(name) for name in SumFilter.__dataclass_fields__ if name in rest}
        where = SumFilter(**{name: value for name, value in given.items() if value is not None})
        return command(where=where, **rest)

    return _with(restricted, _SPAN)


def priced(command: Command) -> Command:
    """Give `command` the options that price tokens; it gets them as `price`, `None` if none was named."""

    @wraps(command)
    def named(*, model: str | None, price: str | None, output_price: str | None, **rest: Any) -> Any:
        return command(price=_price(model, price, output=output_price), **rest)

    return _with(named, _PRICED)


def of_sums(store: str, question: Callable[[Tallies, Unit], A]) -> A:
    """What the sums of `store` answer, once every run is in them."""

    async def ask(opened: ServedStore) -> A:
        await fold_all(opened, clock=SystemClock())
        return await opened.units.read(
            lambda unit: question(opened.tallies, unit), deadline=float("inf"), subject=no_subject
        )

    return of_store(store, ask)


def of_store(store: str, question: Callable[[ServedStore], Awaitable[A]]) -> A:
    """What an existing store answers."""

    async def ask() -> A:
        async with open_existing(store) as opened:
            return await question(opened)

    return anyio.run(ask)


def span(where: SumFilter) -> Mapping[str, int | None]:
    """The times that were asked for, as JSON has them."""
    return {"since_ms": where.since_ms, "until_ms": where.until_ms}


def cost_facts(spent: Spent, price: TokenPrice | None) -> dict[str, object]:
    """What was spent as JSON. Tokens say that they are estimates; dollars are a decimal as text."""
    tokens = spent.tokens
    return {
        "tokens": {
            "arguments": tokens.arguments,
            "result": tokens.result,
            "definition": tokens.definition,
            "source": "estimated",
        },
        "usd": None if price is None else f"{tokens.cost(price):f}",
        "charges": [{"currency": currency, "amount_minor": minor} for currency, minor in sorted(spent.charges.items())],
    }


def charges_text(spent: Spent) -> str:
    """Charges for people, in minor units, since not every currency has a hundred of them."""
    return ", ".join(f"{minor} {currency} minor" for currency, minor in sorted(spent.charges.items())) or "-"


def dollars_text(spent: Spent, price: TokenPrice | None) -> str:
    """What the tokens come to for people; a dash without a price."""
    return "-" if price is None else amount(spent.tokens.cost(price))


def _price(model: str | None, price: str | None, *, output: str | None) -> TokenPrice | None:
    if model is not None and price is not None:
        raise click.UsageError("--model and --price both name a price: choose one")
    if model is None and price is None:
        if output is not None:
            raise click.UsageError("--output-price needs --price or --model beside it")
        return None
    found = price_of(model) if model is not None else custom_price(price or "")
    return TokenPrice(input=Decimal(found.input), output=None if output is None else custom_price(output).input)


def _with(command: Command, options: tuple[Callable[[Command], Command], ...]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def month_of(day_ms: int) -> str:
    """The month of a day in UTC, such as `2026-11`."""
    return f"{datetime.fromtimestamp(day_ms // 1000, UTC):%Y-%m}"
