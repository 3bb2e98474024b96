"""Cost: what calls took in tokens, what those come to at a price, and what other systems charged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from starlette.responses import Response

from fourfold.console.asked import Asked
from fourfold.console.render import day
from fourfold.console.spans import span_of
from fourfold.ports.tallies import SumFilter
from fourfold.runs.costs import CostBy, costs
from fourfold.runs.spending import Spent, TokenPrice

__all__ = ["cost"]

_BY: Mapping[str, CostBy] = {"account": "subject", "tool": "tool", "code": "code", "day": "day_ms"}
_ROWS = ("50", "200", "1000")
_MOST_DAYS = 366


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """What one account, tool, code or day came to."""

    name: str
    link: str
    spent: Spent
    dollars: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bar:
    """A day of the chart; `height` is a share of the highest."""

    name: str
    tokens: int
    dollars: Decimal | None
    height: float


async def cost(asked: Asked) -> Response:
    """Totals, a chart by the day, and a table by what is asked for."""
    span, store = span_of(asked, "30d", "7d", "90d", "365d"), asked.console.store
    by, most = asked.choice("by", *_BY), int(asked.choice("rows", *_ROWS))
    model = asked.choice("model", *(asked.console.prices or [""]))
    price = asked.console.prices.get(model)
    where = SumFilter(
        tenant=asked.tenant,
        tool=asked.value("tool"),
        subject=asked.value("account"),
        code=asked.value("code"),
        since_ms=span.since_ms,
    )
    days = await costs(store, where, by="day_ms", limit=_MOST_DAYS)
    found = days if by == "day" else await costs(store, where, by=_BY[by], limit=most)
    return asked.page(
        "cost.html",
        span=span,
        by=by,
        keys=[*_BY],
        model=model,
        models=[(name, name) for name in asked.console.prices],
        price=price,
        total=days.total,
        dollars=_dollars(days.total, price),
        lines=[_line(asked, by, each, price=price) for each in found.lines],
        more=next((rows for rows in _ROWS if int(rows) > most), "") if found.more else "",
        most=most,
        bars=_bars(days.lines, span.days(asked.console.clock.now_ms()), price=price),
        here={name: asked.value(name) for name in ("since", "tool", "account", "code", "model")},
    )


def _line(asked: Asked, by: str, spent: Spent, *, price: TokenPrice | None) -> _Line:
    name = day(spent.key) if isinstance(spent.key, int) else spent.key
    link = asked.link("/runs", **{by: name}, since=asked.value("since")) if name and by != "day" else ""
    return _Line(name=name, link=link, spent=spent, dollars=_dollars(spent, price))


def _bars(days: Sequence[Spent], drawn: range, *, price: TokenPrice | None) -> Sequence[_Bar]:
    """A bar for each day, those without calls too."""
    spent = {each.key: each for each in days}
    sizes = {key: _size(each, price) for key, each in spent.items()}
    most = max(sizes.values(), default=Decimal(0)) or Decimal(1)
    return [
        _Bar(
            name=day(at_ms),
            tokens=_tokens(spent[at_ms]) if at_ms in spent else 0,
            dollars=_dollars(spent[at_ms], price) if at_ms in spent else None,
            height=float(sizes.get(at_ms, Decimal(0)) / most),
        )
        for at_ms in drawn
    ]


def _size(spent: Spent, price: TokenPrice | None) -> Decimal:
    return Decimal(_tokens(spent)) if price is None else spent.tokens.cost(price)


def _tokens(spent: Spent) -> int:
    return spent.tokens.arguments + spent.tokens.result + spent.tokens.definition


def _dollars(spent: Spent, price: TokenPrice | None) -> Decimal | None:
    return None if price is None else spent.tokens.cost(price)
