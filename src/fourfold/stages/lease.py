"""Who owns a claim between its two transactions: a lease that its owner renews, and loses once it is gone."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

from fourfold.errors import ClaimLost, StoreError
from fourfold.model.claim import Claim
from fourfold.stages.flow import Flow

__all__ = ["LEASE_MS", "while_owned"]

T = TypeVar("T")

LEASE_MS = 30_000
"""How long an owner that says nothing is believed to be alive; it speaks up three times in that time."""

_log = logging.getLogger(__name__)


async def while_owned(flow: Flow, claim: Claim, *, work: Callable[[], Awaitable[T]]) -> T:
    """Run `work`, which raises nothing, and renew the lease of `claim` until it ends.

    Raises:
        ClaimLost: another owner has the claim; `work` was stopped.
    """
    results: list[T] = []

    async with anyio.create_task_group() as tasks:

        async def beat() -> None:
            ours = True
            while ours:
                await anyio.sleep(flow.ports.beat_s)
                ours = await _renewed(flow, claim)
            tasks.cancel_scope.cancel()

        tasks.start_soon(beat)
        # `work` ends with a value whatever happened, so that the group has no error of its own to wrap.
        results.append(await work())
        tasks.cancel_scope.cancel()
    if not results:
        raise ClaimLost(f"operation {claim.operation_id} was taken over")
    return results[0]


async def _renewed(flow: Flow, claim: Claim) -> bool:
    """Whether the claim is still ours. A store that does not answer is asked again at the next beat."""
    ports = flow.ports
    until = ports.clock.now_ms() + LEASE_MS
    try:
        return await ports.units.write(
            lambda transaction: ports.claims.renew(
                transaction.unit, claim.operation_id, fence=claim.fence, until_ms=until
            ),
            deadline=ports.clock.ticks() + LEASE_MS / 3000,
            tenant=flow.tenant,
        )
    except StoreError as error:
        _log.warning("the lease of %s was not renewed", claim.operation_id, exc_info=error)
        return True
