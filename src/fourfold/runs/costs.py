"""What calls cost by account, tool, code or day, and all together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fourfold.ports.tallies import ChargeSum, SumFilter, UsageSum
from fourfold.ports.units import Unit
from fourfold.runs.asking import AskedStore, ask
from fourfold.runs.spending import Spent, spent_by

__all__ = ["CostBy", "Costs", "costs"]

CostBy = Literal["tenant", "subject", "tool", "code", "outcome", "day_ms"]
"""What costs can be told by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What calls cost: `lines` by what was asked for, and all of them together, those without a line too."""

    lines: Sequence[Spent]
    total: Spent
    more: bool


async def costs(store: AskedStore, where: SumFilter, *, by: CostBy, limit: int = 50) -> Costs:
    """What calls cost. Days come in their order, anything else with the most calls first; `limit` lines at most.

    A time inside a day means all of it.

    Raises:
        StoreError: the database refused or failed.
    """

    def question(unit: Unit) -> tuple[Sequence[UsageSum], Sequence[ChargeSum], Spent]:
        tallies = store.tallies
        most = None if by == "day_ms" else "runs"
        usage = tallies.usage(unit, where, by=(by,), most=most, limit=limit + 1)
        (total,) = spent_by(tallies.usage(unit, where, by=()), tallies.charges(unit, where, by=()))
        return usage, tallies.charges(unit, where, by=(by,)), total

    usage, charges, total = await ask(store, question, tenant=where.tenant)
    return Costs(lines=spent_by(usage[:limit], charges), total=total, more=len(usage) > limit)
