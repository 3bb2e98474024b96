"""No call takes longer than the contract says: what would, ends with a fault."""

from __future__ import annotations

from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_CALLS = 3
_GRACE_S = 1.0
"""Seconds beyond the limit for the way there and back, and for a machine that is busy."""


async def _run(desk: Desk, tool: ToolView) -> None:
    contract = tool.tool.contract
    if contract is None:
        raise NotTested("nothing says how long a call may take", next_step="prove the catalog instead of the server")
    for sample in valid_arguments(desk, tool, check=CHECK.name, most=_CALLS):
        await desk.call(tool.name, sample.value)
    # Whatever check has called the tool until now: the longest call is the one that counts.
    took, call = desk.slowest[tool.name]
    limit = contract.limits.deadline_s
    if took > limit + _GRACE_S:
        raise Broken(f"a call took {took:.1f} s, and may take {limit:g} s", call)


def _applies(tool: ToolView) -> bool:
    return tool.tool.contract is not None


CHECK = Check(
    name="time-limit-kept",
    family="contract",
    proves="every call is answered within the time that the contract allows",
    requires=("B12",),
    run=_run,
    applies=_applies,
)
