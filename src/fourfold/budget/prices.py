"""The dated table of prices and context windows. Owns reading it; the figures stand in `prices.toml`."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cache
from importlib.resources import files

from fourfold.errors import ConfigError

__all__ = ["CUSTOM", "Price", "custom_price", "price_of", "prices"]

CUSTOM = "custom"
"""The model of a price that the user names."""

_MOST = Decimal(1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What input tokens of a model cost, in US dollars per million.

    Attributes:
        input: of a token that is in no cache.
        cached: of a token read from the prompt cache; `None` if it isn't known.
        cache_write: of a token that is put into the cache; as `input` where nothing else is published.
        context_tokens: the context window; 0 if it isn't known.
        as_of: the day on which the source read the vendor's page.
        note: when the price is another one.
    """

    model: str
    input: Decimal
    cached: Decimal | None
    cache_write: Decimal
    vendor: str = ""
    context_tokens: int = 0
    as_of: date | None = None
    note: str = ""
    sources: tuple[str, ...] = ()


@cache
def prices() -> tuple[Price, ...]:
    """Every price of the table."""
    table = tomllib.loads(files("fourfold.budget").joinpath("prices.toml").read_text("utf-8"))
    return tuple(
        Price(
            model=entry["name"],
            vendor=entry["vendor"],
            input=Decimal(entry["input"]),
            cached=Decimal(entry["cached"]) if "cached" in entry else None,
            cache_write=Decimal(entry.get("cache_write", entry["input"])),
            context_tokens=entry["context_tokens"],
            as_of=entry["as_of"],
            note=entry.get("note", ""),
            sources=tuple(entry["sources"]),
        )
        for entry in table["model"]
    )


def price_of(model: str) -> Price:
    """The price of a model of the table.

    Raises:
        ConfigError: the table has none; the message names the nearest.
    """
    known = {price.model: price for price in prices()}
    if model in known:
        return known[model]
    nearest = difflib.get_close_matches(model, known, n=1)
    hint = f"did you mean {nearest[0]}?" if nearest else f"it has {', '.join(known)}"
    raise ConfigError(f"the price table has no {model!r}; {hint} Any other price is named with --price.")


def custom_price(text: str) -> Price:
    """A price that the user names, in US dollars per million input tokens.

    Raises:
        ConfigError: it is no amount from 0 to a million.
    """
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or not 0 <= amount <= _MOST:
        raise ConfigError(f"a price is an amount of US dollars per million tokens, such as 2.50; {text!r} is none")
    return Price(model=CUSTOM, input=amount, cached=None, cache_write=amount)
