"""What a run took: tokens, time and money, and what the tools alone take of each request. Owns no prices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median, quantiles

from fourfold.budget.measure import measure
from fourfold.budget.rendering import JSON_TOOLS
from fourfold.budget.tokens import default_profile
from fourfold.model.chosen import Choice, OfferedTool
from fourfold.model.listed import ListedCatalog, ListedTool
from fourfold.selection.spending import SpendingCap, choice_cost

__all__ = ["Effort", "SchemaTokens", "Seconds", "effort", "schema_tokens"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seconds:
    """How long something took: the middle of all, and what one in twenty exceeds. `count` says of how many."""

    median: float
    p95: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaTokens:
    """What the offered tools take of each request, counted here and by no provider; `profile` says how."""

    tokens: int
    profile: str
    is_estimate: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What the answers took. Tokens and money are of those answers that the provider counted.

    Attributes:
        answers: how many there are; `counted` of them have tokens.
        decision: seconds until the whole answer was there; `None` where nothing took time.
        first_token: seconds until its first part came; `None` if no answer came in parts.
        cost: US dollars; `None` where no price is known, or nothing was counted.
    """

    answers: int
    counted: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    decision: Seconds | None
    first_token: Seconds | None
    cost: Decimal | None


def effort(choices: Sequence[Choice], prices: SpendingCap | None) -> Effort:
    """What `choices` took; failures count with the tokens that they cost."""
    answered = [choice for choice in choices if not choice.failure]
    # A failure may be billed all the same, so that its tokens count.
    costs = [choice_cost(choice, prices) for choice in choices] if prices is not None else []
    known = [each for each in costs if each is not None]
    return Effort(
        answers=len(answered),
        counted=sum(choice.usage.input_tokens is not None for choice in choices),
        input_tokens=_total(choice.usage.input_tokens for choice in choices),
        output_tokens=_total(choice.usage.output_tokens for choice in choices),
        cached_tokens=_total(choice.usage.cached_tokens for choice in choices),
        decision=_seconds([choice.seconds for choice in answered if choice.seconds]),
        first_token=_seconds([choice.first_token_s for choice in answered if choice.first_token_s is not None]),
        cost=sum(known, Decimal(0)) if known else None,
    )


def schema_tokens(tools: Sequence[OfferedTool]) -> SchemaTokens:
    """The tokens of the tools, in the form in which most providers take them."""
    profile = default_profile()
    listed = tuple(
        ListedTool(definition={"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema})
        for tool in tools
    )
    found = measure(ListedCatalog(target="", tools=listed), profile=profile, rendering=JSON_TOOLS)
    return SchemaTokens(tokens=found.total, profile=profile.name, is_estimate=profile.is_estimate)


def _total(counts: Iterable[int | None]) -> int:
    return sum(count or 0 for count in counts)


def _seconds(found: Sequence[float]) -> Seconds | None:
    if not found:
        return None
    # Inclusive: of a few answers the slowest is a figure, and nothing beyond it is made up.
    p95 = quantiles(found, n=20, method="inclusive")[-1] if len(found) > 1 else found[0]
    return Seconds(median=median(found), p95=p95, count=len(found))
