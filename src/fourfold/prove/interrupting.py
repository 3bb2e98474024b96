"""What can befall a server between two calls: it is stopped and started again, or time passes."""

from __future__ import annotations

from fourfold.errors import StoreError
from fourfold.prove.check import Broken, NotTested
from fourfold.prove.desk import Desk

__all__ = ["let_pass", "restarted"]

_STEP = "prove the catalog instead of the server"


async def restarted(desk: Desk) -> None:
    """Stop the server and start it again, on the same store.

    Raises:
        Broken: it does not start a second time.
        NotTested: nobody can stop it from here.
    """
    if desk.restart is None:
        raise NotTested("nobody can stop it and start it again from here", next_step=_STEP)
    try:
        await desk.restart()
    except StoreError as error:
        detail = f"the catalog does not start a second time on its own store: {error}"
        raise Broken(detail) from None


def let_pass(desk: Desk, seconds: int) -> None:
    """Let it be later at the server.

    Raises:
        NotTested: its clock cannot be moved from here.
    """
    if desk.advance is None:
        raise NotTested("its clock cannot be moved from here", next_step=_STEP)
    desk.advance(seconds)
