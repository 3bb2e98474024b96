"""Progress is told only to who asks for it, and it only grows."""

from __future__ import annotations

from itertools import pairwise

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC, Reply, as_object
from fourfold.prove.peers import modern
from fourfold.prove.reading import call_a_read
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    if _progress(await call_a_read(desk, peer, check=CHECK.name)):
        raise Broken("a call without a progressToken was told progress")
    token = f"prove-{desk.spend()}"
    reply = await call_a_read(desk, peer, check=CHECK.name, meta={"progressToken": token})
    told = _progress(reply)
    if any(params.get("progressToken") != token for params in told):
        raise Broken("progress was told for another token than the one of the call")
    values = [value for params in told if isinstance(value := params.get("progress"), int | float)]
    if len(values) != len(told) or any(later <= earlier for earlier, later in pairwise(values)):
        raise Broken(f"the progress of a call was {values}; it has to grow")
    if told and reply.messages[-1].get("method") == "notifications/progress":
        raise Broken("progress was told after the response")


def _progress(reply: Reply) -> list[dict[str, object]]:
    found = [message for message in reply.messages if message.get("method") == "notifications/progress"]
    return [dict(as_object(message.get("params")) or {}) for message in found]


CHECK = Check(
    name="protocol-progress",
    family="protocol",
    proves="progress comes only for a progressToken, grows, and ends with the response",
    requires=(f"{SPEC}/basic/patterns/progress",),
    run=_run,
    whole=True,
)
