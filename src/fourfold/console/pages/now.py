"""Now: the last day by the hour. Is something wrong, and since when?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from fourfold.console.asked import Asked
from fourfold.console.spans import span_of
from fourfold.model.run import RunFilter
from fourfold.ports.runs import RunRecord
from fourfold.ports.units import Unit
from fourfold.runs.now import now as traffic_now
from fourfold.runs.pages import run_page
from fourfold.runs.spending import Tokens

__all__ = ["now"]

_HOURS = {"24h": 24, "7d": 168}
_NEWEST_FAILURES = 5
_MOST_COUNTED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class _Waits:
    """How much waits for a person, each counted up to `_MOST_COUNTED`."""

    approvals: int
    unknown: int
    dead: int


async def now(asked: Asked) -> Response:
    """The first page."""
    console, span = asked.console, span_of(asked, *_HOURS)
    price = console.prices.get(asked.value("model"))
    found = await traffic_now(
        console.store, tenant=asked.tenant, now_ms=console.clock.now_ms(), hours=_HOURS[span.name]
    )
    return asked.page(
        "now.html",
        found=found,
        total=found.total,
        hours=[hour.traffic for hour in found.hours],
        tokens=_all(found.total.tokens),
        tokens_by_hour=[_all(hour.traffic.tokens) for hour in found.hours],
        span=span,
        model=asked.value("model") if price else "",
        models=[("", "no price"), *((name, name) for name in console.prices)],
        cost=None if price is None else found.total.tokens.cost(price),
        failures=await _newest_failures(asked, since_ms=found.since_ms),
        waits=await console.look(lambda unit: _waits(asked, unit)),
        most=_MOST_COUNTED,
    )


def _all(tokens: Tokens) -> int:
    return tokens.arguments + tokens.result + tokens.definition


async def _newest_failures(asked: Asked, *, since_ms: int) -> Sequence[RunRecord]:
    where = RunFilter(tenant=asked.tenant, failed=True, since_ms=since_ms)
    return (await run_page(asked.console.store, where, limit=_NEWEST_FAILURES)).records


def _waits(asked: Asked, unit: Unit) -> _Waits:
    store, tenant, limit = asked.console.store, asked.tenant, _MOST_COUNTED + 1
    now_ms = asked.console.clock.now_ms()
    plans = store.plans.list(unit, state="open", tenant=tenant, limit=limit)
    return _Waits(
        approvals=sum(1 for plan in plans if plan.approval != "none" and plan.expires_ms > now_ms),
        unknown=len(store.claims.list(unit, state="unknown", tenant=tenant, limit=limit)),
        dead=len(store.messages.list(unit, state="dead", tenant=tenant, limit=limit)),
    )
