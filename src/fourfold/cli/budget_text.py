"""A budget in words for the terminal. Owns no arithmetic."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.budget.compare import TokenChange, ToolTokenChange
from fourfold.budget.cost import Spending, WindowShare, amount
from fourfold.budget.fields import CostlyField
from fourfold.budget.measure import CatalogTokens
from fourfold.budget.prices import CUSTOM, Price
from fourfold.budget.report import Budget, Plan, WhatIf

__all__ = ["as_text", "what_if_text"]


def as_text(budget: Budget) -> Iterator[str]:
    """The lines of the report."""
    yield from _how_counted(budget)
    yield ""
    yield from _tools(budget.counted)
    yield ""
    yield from _money(budget.spending)
    yield from (_window(share) for share in budget.windows)
    if budget.fields:
        yield ""
        yield "The most expensive fields, and what says the same for less:"
        yield from (_field(number, field) for number, field in enumerate(budget.fields, 1))
    if budget.change is not None:
        yield ""
        yield from _changed(budget.change, budget.plan)
    yield from _limit(budget.counted.total, budget.plan)


def what_if_text(supposed: WhatIf) -> Iterator[str]:
    """The lines for tools that nobody has written yet."""
    yield f"{supposed.tools:,} tools of {supposed.tokens_per_tool:,} tokens: {supposed.total:,} tokens in each request"
    yield from _money(supposed.spending)
    yield from _limit(supposed.total, supposed.plan)


def _how_counted(budget: Budget) -> Iterator[str]:
    counted, plan = budget.counted, budget.plan
    tools = "1 tool" if len(counted.tools) == 1 else f"{len(counted.tools):,} tools"
    yield f"{counted.target}: {tools}, {counted.total:,} tokens in each request"
    yield f"counted by   {plan.profile.name}: {plan.profile.about}"
    yield f"rendered as  {plan.rendering.name}: {plan.rendering.about}"
    yield "otherwise    " + ", ".join(f"{name} {tokens:,}" for name, tokens in budget.elsewhere.items())
    yield (
        f"shares       descriptions {counted.description_percent} %, input schemas {counted.input_percent} %; "
        f"output schemas {counted.output_schemas:,} tokens, {_sent(counted)}"
    )


def _sent(counted: CatalogTokens) -> str:
    return "sent" if counted.output_is_sent else "not sent in this rendering"


def _tools(counted: CatalogTokens) -> Iterator[str]:
    """The tools, the most expensive first."""
    width = max([len("tool"), *(len(tool.name) for tool in counted.tools)])
    yield f"{'tool':{width}}  tokens  description   input  output"
    for tool in sorted(counted.tools, key=lambda tool: -tool.total):
        yield (
            f"{tool.name:{width}}  {tool.total:>6,}  {tool.description:>11,}  {tool.input_schema:>6,}"
            f"  {tool.output_schema:>6,}"
        )


def _money(spending: Spending | None) -> Iterator[str]:
    if spending is None:
        yield "money        name a price with --price or --model"
        return
    price = spending.price
    yield (
        f"a month      {spending.requests:,} requests are {_millions(spending.month_tokens)} tokens, "
        f"{amount(spending.month)} at ${price.input} a million{_dated(price)}"
    )
    yield f"1,000 turns  {amount(spending.thousand_turns)}"
    if (cached := spending.month_cached) is not None:
        yield f"cached       {amount(cached)} a month if {spending.turns:,} requests in a row share the prompt cache"
    if price.note:
        yield f"note         {price.note}"


def _millions(tokens: int) -> str:
    """`50.4 M`; small numbers whole."""
    if tokens < 1_000_000:
        return f"{tokens:,}"
    tenths = (tokens + 50_000) // 100_000
    return f"{tenths // 10:,}.{tenths % 10} M"


def _dated(price: Price) -> str:
    return "" if price.model == CUSTOM else f" ({price.model}, {price.as_of})"


def _window(share: WindowShare) -> str:
    percent = f"{share.permille // 10}.{share.permille % 10} %"
    return f"window       {percent:>7} of {share.tokens:>9,} ({', '.join(share.models)})"


def _field(number: int, costly: CostlyField) -> str:
    field, instead = costly.field, costly.equivalent
    saved = "" if instead.tokens is None else f" (about {instead.tokens:,})"
    return f"{number}. {field.tool} {field.pointer}: {costly.tokens:,} tokens; {instead.advice}{saved}"


def _changed(change: TokenChange, plan: Plan) -> Iterator[str]:
    yield f"change       {_signed(change.added)} tokens in each request ({change.before:,} to {change.after:,})"
    before, after = plan.spending(change.before), plan.spending(change.after)
    if before is not None and after is not None:
        yield f"             {_signed_amount(after, before)} a month"
    yield from (f"             {_signed(tool.added):>6} {tool.name}{_kind(tool)}" for tool in change.tools)


def _signed(number: int) -> str:
    return f"{number:+,}"


def _signed_amount(after: Spending, before: Spending) -> str:
    added = after.month - before.month
    return amount(added) if added < 0 else f"+{amount(added)}"


def _kind(tool: ToolTokenChange) -> str:
    if tool.before is None:
        return " (new)"
    return " (gone)" if tool.after is None else ""


def _limit(total: int, plan: Plan) -> Iterator[str]:
    if plan.max_tokens is not None:
        word = "over" if total > plan.max_tokens else "within"
        yield f"limit        {total:,} tokens are {word} the limit of {plan.max_tokens:,}"
