"""A budget in fields for programs, as docs/schemas/budget.json describes them. Owns no arithmetic."""

from __future__ import annotations

from decimal import Decimal

from fourfold.budget.compare import TokenChange
from fourfold.budget.cost import Spending
from fourfold.budget.fields import CostlyField
from fourfold.budget.measure import ToolTokens
from fourfold.budget.report import Budget, Plan, WhatIf

__all__ = ["budget_facts", "what_if_facts"]


def budget_facts(budget: Budget) -> dict[str, object]:
    """The fields of a target's budget."""
    counted = budget.counted
    return {
        "target": counted.target,
        **_plan_facts(budget.plan),
        "total_tokens": counted.total,
        "tokens_per_tool": counted.mean,
        "description_percent": counted.description_percent,
        "input_schema_percent": counted.input_percent,
        "output_schemas_sent": counted.output_is_sent,
        "tools": [_tool_facts(tool) for tool in counted.tools],
        "other_renderings": [{"rendering": name, "total_tokens": tokens} for name, tokens in budget.elsewhere.items()],
        "cost": _cost_facts(budget.spending),
        "windows": [
            {"tokens": share.tokens, "models": list(share.models), "permille": share.permille}
            for share in budget.windows
        ],
        "costly_fields": [_field_facts(field) for field in budget.fields],
        "change": None if budget.change is None else _change_facts(budget.change, budget.plan),
        "over": budget.is_over,
    }


def what_if_facts(supposed: WhatIf) -> dict[str, object]:
    """The fields of docs/schemas/budget-what-if.json."""
    return {
        "tools": supposed.tools,
        "tokens_per_tool": supposed.tokens_per_tool,
        "total_tokens": supposed.total,
        "max_tokens": supposed.plan.max_tokens,
        "cost": _cost_facts(supposed.spending),
        "over": supposed.is_over,
    }


def _plan_facts(plan: Plan) -> dict[str, object]:
    return {
        "profile": plan.profile.name,
        "profile_is_estimate": plan.profile.is_estimate,
        "rendering": plan.rendering.name,
        "max_tokens": plan.max_tokens,
    }


def _tool_facts(tool: ToolTokens) -> dict[str, object]:
    return {
        "name": tool.name,
        "tokens": tool.total,
        "description": tool.description,
        "input_schema": tool.input_schema,
        "output_schema": tool.output_schema,
    }


def _cost_facts(spending: Spending | None) -> dict[str, object] | None:
    """Amounts are decimal strings of US dollars."""
    if spending is None:
        return None
    price, cached = spending.price, spending.month_cached
    return {
        "model": price.model,
        "price_per_million": _exact(price.input),
        "as_of": None if price.as_of is None else price.as_of.isoformat(),
        "requests": spending.requests,
        "turns": spending.turns,
        "month_tokens": spending.month_tokens,
        "month": _exact(spending.month),
        "month_cached": None if cached is None else _exact(cached),
        "thousand_turns": _exact(spending.thousand_turns),
    }


def _exact(value: Decimal) -> str:
    """Every digit that says something, and no exponent."""
    return f"{value.normalize():f}"


def _field_facts(costly: CostlyField) -> dict[str, object]:
    return {
        "tool": costly.field.tool,
        "pointer": costly.field.pointer,
        "tokens": costly.tokens,
        "cheaper": costly.equivalent.advice,
        "cheaper_tokens": costly.equivalent.tokens,
    }


def _change_facts(change: TokenChange, plan: Plan) -> dict[str, object]:
    before, after = plan.spending(change.before), plan.spending(change.after)
    added = None if before is None or after is None else _exact(after.month - before.month)
    return {
        "before": change.before,
        "after": change.after,
        "added": change.added,
        "month_added": added,
        "tools": [{"name": tool.name, "before": tool.before, "after": tool.after} for tool in change.tools],
    }
