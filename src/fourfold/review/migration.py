"""The order in which to mend tools: free text that touches money first, then writes, then reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fourfold.contracts.names import is_money, words
from fourfold.model.finding import Finding, MigrationStep
from fourfold.review.place import Place
from fourfold.review.view import CatalogView, ToolView

__all__ = ["migration_order"]

_MONEY_WORDS = frozenset(
    words(
        """
        invoice invoices payment payments refund refunds charge charges payout price pricing quote
        quotes billing subscription order orders transfer checkout credit
        """
    )
)

_WHY = (
    "it takes free text and touches money",
    "it touches money and writes",
    "it writes",
    "it reads",
)


def migration_order(view: CatalogView, findings: Sequence[Finding]) -> tuple[MigrationStep, ...]:
    """The tools that have an error or a warning, the most urgent first."""
    serious = [finding for finding in findings if finding.severity != "advice"]
    worst = Counter(tool for finding in serious for tool in (finding.tool, *finding.also))
    urgent = {tool.name: _urgency(tool) for tool in view.tools if worst[tool.name]}
    ordered = sorted(urgent, key=lambda name: (urgent[name], -worst[name]))
    return tuple(MigrationStep(tool=name, why=_WHY[urgent[name]]) for name in ordered)


def _urgency(tool: ToolView) -> int:
    """An index into `_WHY`."""
    money = bool(_MONEY_WORDS & set(tool.words)) or any(is_money(place.name) for place in tool.arguments)
    if money and any(map(_is_free_text, tool.arguments)):
        return 0
    if tool.action == "read":
        return 3
    return 1 if money else 2


def _is_free_text(place: Place) -> bool:
    schema = place.resolved
    bounded = {"enum", "const", "pattern", "format", "maxLength"} & set(schema)
    return (place.types == ("string",) and not bounded) or not (set(schema) - {"description", "title", "default"})
