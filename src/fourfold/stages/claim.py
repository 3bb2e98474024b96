"""Stage 10, claim: a write takes its claim and happens, once.

In the store, claim, effect and settlement are one transaction (`in_store`). A write that reaches another system
is claimed in one transaction and settled in a second one, with the effect between them (`outside`).
"""

from __future__ import annotations

from functools import partial

from fourfold.model.outcome import Outcome
from fourfold.stages.flow import Flow, Proceed, to_its_end
from fourfold.stages.in_store import write_in_store
from fourfold.stages.outside import write_outside

__all__ = ["claim"]


async def claim(flow: Flow, proceed: Proceed) -> Outcome:
    """Run a write, to the end even if the caller is gone; a read goes on."""
    effect = flow.tool.contract.effect
    if not effect.writes:
        return await proceed(flow)
    return await to_its_end(partial(write_outside if effect.reach == "outside" else write_in_store, flow))
