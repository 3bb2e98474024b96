"""What calls cost: tokens, what they come to at a price, and what other systems charged. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from fourfold.budget.cost import cost
from fourfold.model.run import Run
from fourfold.ports.tallies import ChargeSum, UsageSum

__all__ = ["Spent", "TokenPrice", "Tokens", "spent_by", "spent_on"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPrice:
    """What a model's tokens cost, in US dollars per million; `output` is `None` where nobody has said it."""

    input: Decimal
    output: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Tokens of calls, as a model meets them; all of them estimated.

    Attributes:
        arguments: written by the model.
        result: read by the model, once; each later turn that still carries it reads it again.
        definition: read by the model, once for each call.
    """

    arguments: int
    result: int
    definition: int

    def cost(self, price: TokenPrice) -> Decimal:
        """What they come to. Arguments count only if the price of output is known."""
        read = cost(self.result + self.definition, price=price.input)
        return read if price.output is None else read + cost(self.arguments, price=price.output)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What the runs of a key cost. `charges` are minor units by currency."""

    key: str | int
    runs: int
    failed: int
    last_ms: int
    tokens: Tokens
    charges: Mapping[str, int]


def spent_by(usage: Iterable[UsageSum], charges: Iterable[ChargeSum]) -> Sequence[Spent]:
    """Sums and charges of one key each, put together in the order of the sums. The key of all together is ""."""
    by_key: dict[object, dict[str, int]] = {}
    for charge in charges:
        by_key.setdefault(charge.key, {})[charge.currency] = charge.amount_minor
    return [
        Spent(
            key=found.key[0] if found.key else "",
            runs=found.runs,
            failed=found.failed,
            last_ms=found.last_ms,
            tokens=Tokens(arguments=found.tokens_in, result=found.tokens_out, definition=found.tokens_definition),
            charges=by_key.get(found.key, {}),
        )
        for found in usage
    ]


def spent_on(run: Run) -> Spent:
    """What one run cost."""
    charges: dict[str, int] = {}
    for charge in run.charges:
        charges[charge.currency] = charges.get(charge.currency, 0) + charge.amount_minor
    return Spent(
        key=run.run_id,
        runs=1,
        failed=int(run.outcome not in ("done", "needs_input")),
        last_ms=run.at_ms,
        tokens=Tokens(arguments=run.tokens_in, result=run.tokens_out, definition=run.tokens_definition),
        charges=charges,
    )
