"""Everything that a budget report says, put together for the terminal and for programs."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.budget.compare import TokenChange, compare
from fourfold.budget.cost import Spending, WindowShare, window_shares
from fourfold.budget.fields import CostlyField, costly_fields
from fourfold.budget.measure import CatalogTokens, measure
from fourfold.budget.prices import Price, prices
from fourfold.budget.rendering import RENDERINGS, Rendering
from fourfold.budget.tokens import Profile
from fourfold.model.listed import ListedCatalog

__all__ = ["Budget", "Plan", "WhatIf", "budget_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a budget is counted and priced.

    Attributes:
        price: `None` if nobody named one; then only tokens are counted.
        requests: requests in a month.
        turns: requests of one conversation.
        max_tokens: what one request may take; `None` for no limit.
    """

    profile: Profile
    rendering: Rendering
    requests: int
    turns: int
    price: Price | None = None
    max_tokens: int | None = None

    def spending(self, tokens: int) -> Spending | None:
        """What `tokens` in each request cost; `None` without a price."""
        if self.price is None:
            return None
        return Spending(tokens=tokens, requests=self.requests, turns=self.turns, price=self.price)


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What a catalog costs.

    Attributes:
        elsewhere: tokens of one request in each of the other renderings, by name.
    """

    plan: Plan
    counted: CatalogTokens
    elsewhere: dict[str, int]
    windows: tuple[WindowShare, ...]
    fields: tuple[CostlyField, ...]
    change: TokenChange | None = None

    @property
    def spending(self) -> Spending | None:
        """What it costs; `None` without a price."""
        return self.plan.spending(self.counted.total)

    @property
    def is_over(self) -> bool:
        """Whether one request takes more than it may."""
        return self.plan.max_tokens is not None and self.counted.total > self.plan.max_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """What tools would cost that nobody has written yet."""

    tools: int
    tokens_per_tool: int
    plan: Plan

    @property
    def total(self) -> int:
        """Tokens of one request."""
        return self.tools * self.tokens_per_tool

    @property
    def spending(self) -> Spending | None:
        """What they would cost; `None` without a price."""
        return self.plan.spending(self.total)

    @property
    def is_over(self) -> bool:
        """Whether one request would take more than it may."""
        return self.plan.max_tokens is not None and self.total > self.plan.max_tokens


def budget_of(catalog: ListedCatalog, plan: Plan, *, against: ListedCatalog | None = None) -> Budget:
    """The budget of `catalog`, and what it adds to that of `against`."""
    profile, rendering = plan.profile, plan.rendering
    counted = measure(catalog, profile=profile, rendering=rendering)
    before = measure(against, profile=profile, rendering=rendering) if against is not None else None
    return Budget(
        plan=plan,
        counted=counted,
        elsewhere={
            name: measure(catalog, profile=profile, rendering=other).total
            for name, other in RENDERINGS.items()
            if name != rendering.name
        },
        windows=window_shares(counted.total, prices()),
        fields=costly_fields(catalog, profile=profile, output_is_sent=counted.output_is_sent),
        change=None if before is None else compare(before, counted),
    )
