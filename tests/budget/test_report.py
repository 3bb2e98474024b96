"""A whole budget: counted, priced and compared."""

from __future__ import annotations

from decimal import Decimal

from fourfold.budget.compare import ToolTokenChange
from fourfold.budget.prices import custom_price
from fourfold.budget.rendering import rendering_named
from fourfold.budget.report import Plan, WhatIf, budget_of
from fourfold.budget.tokens import ESTIMATE
from tests.budget.listing import REFUND, catalog_of

_PLAN = Plan(
    profile=ESTIMATE, rendering=rendering_named("json"), requests=1_000_000, turns=10, price=custom_price("1"),
    max_tokens=61,
)  # fmt: skip
_LONGER = {**REFUND, "description": "Refund an invoice. It is paid back the way it was paid."}


def test_a_change_is_counted_tool_by_tool() -> None:
    """A10: what is new, gone or longer; what stays the same is left out."""
    before = catalog_of(REFUND, {**REFUND, "name": "a"}, {**REFUND, "name": "same"})
    after = catalog_of(_LONGER, {**REFUND, "name": "b"}, {**REFUND, "name": "same"})

    change = budget_of(after, _PLAN, against=before).change

    assert change is not None
    assert change.tools == (
        ToolTokenChange(name="a", before=58, after=None),
        ToolTokenChange(name="b", before=None, after=58),
        ToolTokenChange(name="refund_create", before=61, after=70),
    )
    assert (change.added, change.before, change.after) == (9, 178, 187)


def test_a_budget_is_over_when_one_request_takes_more_than_it_may() -> None:
    """A10: exactly the limit is within."""
    within = budget_of(catalog_of(REFUND), _PLAN)
    over = budget_of(catalog_of(_LONGER), _PLAN)

    assert (within.counted.total, within.is_over) == (61, False)
    assert (over.counted.total, over.is_over) == (70, True)


def test_every_other_rendering_is_counted_too() -> None:
    """A10: what is said about one client isn't true of another."""
    assert budget_of(catalog_of(REFUND), _PLAN).elsewhere == {"typescript": 50, "list": 89}


def test_without_a_price_only_tokens_are_counted() -> None:
    """A10: a price that nobody named isn't made up."""
    unpriced = Plan(profile=ESTIMATE, rendering=rendering_named("json"), requests=1, turns=1)

    assert budget_of(catalog_of(REFUND), unpriced).spending is None
    assert budget_of(catalog_of(REFUND), unpriced).is_over is False


def test_tools_that_nobody_has_written_cost_the_same() -> None:
    """A10: so many tools of so many tokens."""
    supposed = WhatIf(tools=2, tokens_per_tool=31, plan=_PLAN)

    assert (supposed.total, supposed.is_over) == (62, True)
    assert supposed.spending is not None
    assert supposed.spending.month == Decimal(62)
