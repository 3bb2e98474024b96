"""What the pages of approvals and claims share: who decides, and that they still may."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from starlette.exceptions import HTTPException

from fourfold.console.asked import Asked
from fourfold.ports.units import Transaction
from fourfold.stages.on_call import OnCall

__all__ = ["PAGE", "decide", "rows_asked"]

A = TypeVar("A")

PAGE = 50
_MOST = 1_000


async def decide(asked: Asked, work: Callable[[OnCall, Transaction], A], *, tenant: str | None = None) -> A:
    """Run `work` for the person who asks, in one transaction.

    Raises:
        HTTPException: 403 for somebody who only looks, or who is no operator any more.
        DecisionError: `work` was refused.
    """
    operator = asked.viewer.operator
    if operator is None or not asked.console.people.stands(operator):
        raise HTTPException(403, "only an operator decides; sign in with an operator's token")
    console = asked.console
    person = OnCall(
        store=console.store, clock=console.clock, operator=operator, retention=console.retention, channel="console"
    )
    return await console.change(lambda found: work(person, found), tenant=tenant)


def rows_asked(asked: Asked) -> int:
    """How many rows a list shows: a page of them, and a page more for each time that somebody asked for more."""
    given = asked.value("rows")
    return min(_MOST, max(PAGE, int(given))) if given.isascii() and given.isdecimal() and len(given) < 6 else PAGE
