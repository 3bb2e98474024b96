"""Tokens times prices. Every amount is an exact decimal of US dollars."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from fourfold.budget.prices import Price

__all__ = ["Spending", "WindowShare", "amount", "cost", "window_shares"]

_PER_MILLION = -6
_CENT = Decimal("0.01")


def cost(tokens: int, *, price: Decimal) -> Decimal:
    """What `tokens` cost at `price` a million; exact."""
    # A shift of the point, since a division would round at 28 digits.
    return (tokens * price).scaleb(_PER_MILLION)


def amount(value: Decimal) -> str:
    """Dollars as people write them: `$126.00`. Less than a cent keeps the digits that say something."""
    if value and abs(value) < _CENT:
        return f"{'-' if value < 0 else ''}${abs(value).normalize():f}"
    sign = "-" if value < 0 else ""
    return f"{sign}${abs(value).quantize(_CENT, ROUND_HALF_UP):,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What tool definitions cost in a month.

    Attributes:
        tokens: tool definitions in one request.
        requests: requests in a month. Every turn of an agent is one.
        turns: requests of one conversation, which share a prompt cache.
    """

    tokens: int
    requests: int
    turns: int
    price: Price

    @property
    def month_tokens(self) -> int:
        """Tokens of a month."""
        return self.tokens * self.requests

    @property
    def month(self) -> Decimal:
        """The cost of a month if nothing is cached."""
        return cost(self.month_tokens, price=self.price.input)

    @property
    def thousand_turns(self) -> Decimal:
        """The cost of a thousand requests if nothing is cached."""
        return cost(self.tokens * 1_000, price=self.price.input)

    @property
    def month_cached(self) -> Decimal | None:
        """The cost of a month if the first request of each conversation fills the cache and the others read it.

        `None` where the price of a cached token isn't known.
        """
        if self.price.cached is None:
            return None
        written = -(-self.requests // self.turns)
        filled = cost(self.tokens * written, price=self.price.cache_write)
        return filled + cost(self.tokens * (self.requests - written), price=self.price.cached)


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowShare:
    """What tool definitions take of a context window; `permille` is rounded up, so that nothing looks free."""

    tokens: int
    models: tuple[str, ...]
    permille: int


def window_shares(tokens: int, known: tuple[Price, ...]) -> tuple[WindowShare, ...]:
    """The share of every context window in `known`, the smallest window first."""
    sizes = sorted({price.context_tokens for price in known})
    return tuple(
        WindowShare(
            tokens=size,
            models=tuple(price.model for price in known if price.context_tokens == size),
            permille=-(-tokens * 1_000 // size),
        )
        for size in sizes
    )
