"""A cap on what a run may cost. What a request costs is reserved before it is made, so that no answer passes the cap.

The reserve is the most that the request may cost, by an estimate of its tokens; what the provider counted replaces it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from fourfold.budget.cost import cost
from fourfold.budget.prices import Price
from fourfold.model.chosen import Choice, OfferedTool, Sampling
from fourfold.model.contract import JsonObject

__all__ = ["Purse", "SpendingCap", "choice_cost"]

_CHARACTERS = 3
"""Of a token. English JSON has about four, so that the reserve is above what is billed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingCap:
    """What a run may cost.

    Attributes:
        most: US dollars.
        price: of the model's input tokens.
        output: US dollars per million output tokens; the table of prices has none, so that the user names it.
    """

    most: Decimal
    price: Price
    output: Decimal


@dataclass(slots=True)
class Purse:
    """What was spent, and what is reserved for requests on their way. Without a cap it holds as much as is asked."""

    cap: SpendingCap | None = None
    spent: Decimal = Decimal(0)
    reserved: Decimal = field(default=Decimal(0), init=False)

    def reserve(
        self, messages: Sequence[JsonObject], tools: Sequence[OfferedTool], *, sampling: Sampling
    ) -> Decimal | None:
        """The most that one request may cost, set aside; `None` if the cap does not hold it any more."""
        if self.cap is None:
            return Decimal(0)
        told = [[tool.name, tool.description, dict(tool.input_schema)] for tool in tools]
        size = len(json.dumps([*messages])) + len(json.dumps(told)) + len(sampling.system)
        tokens = -(-size // _CHARACTERS)
        # Nobody knows before whether the provider puts the prompt into its cache, which costs more.
        dearest = max(self.cap.price.input, self.cap.price.cache_write)
        wanted = cost(tokens, price=dearest) + cost(sampling.max_tokens, price=self.cap.output)
        if self.spent + self.reserved + wanted > self.cap.most:
            return None
        self.reserved += wanted
        return wanted

    def settle(self, reserved: Decimal, choice: Choice) -> None:
        """Put what it cost in the place of the reserve; an answer without a count costs all of the reserve."""
        self.reserved -= reserved
        if self.cap is not None and not _is_free(choice):
            known = choice_cost(choice, self.cap)
            self.spent += reserved if known is None else known

    def settle_known(self, choices: Iterable[Choice]) -> None:
        """Count what was answered before, as far as its tokens were counted."""
        if self.cap is not None:
            self.spent += sum((choice_cost(each, self.cap) or Decimal(0) for each in choices), Decimal(0))


def _is_free(choice: Choice) -> bool:
    """Whether no model has read the request. One that ran out of time may be billed."""
    return choice.failure in ("rate_limited", "unreachable") or choice.failure.startswith("http_")


def choice_cost(choice: Choice, cap: SpendingCap) -> Decimal | None:
    """What an answer cost, in US dollars; `None` if the provider did not count its tokens."""
    usage, price = choice.usage, cap.price
    if usage.input_tokens is None:
        return None
    cached = min(usage.cached_tokens or 0, usage.input_tokens)
    read = price.input if price.cached is None else price.cached
    return (
        cost(usage.input_tokens - cached, price=price.input)
        + cost(cached, price=read)
        + cost(usage.output_tokens or 0, price=cap.output)
    )
