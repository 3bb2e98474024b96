"""Tools: what the catalog offers and how often each was called; and what was called that it does not offer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from fourfold.console.asked import Asked
from fourfold.console.known import KnownCatalog
from fourfold.console.spans import span_of
from fourfold.model.contract import ToolContract
from fourfold.model.finding import SEVERITIES
from fourfold.ports.tallies import SumFilter, UsageSum
from fourfold.runs.asking import ask

__all__ = ["catalog_of", "tools"]

_MOST_NAMES = 1_000
"""Names whose calls are counted. A caller may call anything, so there is no end of them."""

_MOST_OTHERS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A tool of the catalog. `findings` are counts by severity, of those that there are; `usage` its calls."""

    contract: ToolContract
    tokens: int
    findings: Sequence[tuple[str, int]]
    usage: UsageSum | None


async def tools(asked: Asked) -> Response:
    """The list."""
    span, store = span_of(asked, "30d", "24h", "7d", "90d", "all"), asked.console.store
    where = SumFilter(tenant=asked.tenant, since_ms=span.since_ms)
    usage = await ask(
        store,
        lambda unit: store.tallies.usage(unit, where, by=("tool",), most="runs", limit=_MOST_NAMES),
        tenant=asked.tenant,
    )
    called, known = {str(each.key[0]): each for each in usage}, catalog_of(asked)
    others = [(name, each) for name, each in called.items() if known is None or name not in known.contracts]
    return asked.page(
        "tools.html",
        span=span,
        known=known,
        lines=[] if known is None else [_line(known, name, called.get(name)) for name in sorted(known.contracts)],
        others=others[:_MOST_OTHERS],
        more=len(others) > _MOST_OTHERS,
        whole=known.reviewed.of_tool("") if known else (),
    )


def catalog_of(asked: Asked) -> KnownCatalog | None:
    """The catalog, if it is known and the viewer's to look at."""
    return asked.console.known if asked.viewer.sees_catalog else None


def _line(known: KnownCatalog, name: str, usage: UsageSum | None) -> _Line:
    found = Counter(finding.severity for finding in known.reviewed.of_tool(name))
    return _Line(
        contract=known.contracts[name],
        tokens=known.tokens[name].total,
        findings=[(severity, found[severity]) for severity in SEVERITIES if found[severity]],
        usage=usage,
    )
