"""Who subscribes is told so first; a server without notices has nothing to subscribe to."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_error
from fourfold.prove.peer import SPEC, as_object
from fourfold.prove.peers import modern, modern_on, wire_of
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
_ASKED = {"notifications": {"toolsListChanged": True}}


async def _run(desk: Desk, _: ToolView) -> None:
    shared = await modern(desk)
    if (as_object(shared.capabilities.get("tools")) or {}).get("listChanged") is not True:
        reply = await shared.ask("subscriptions/listen", _ASKED)
        if reply.error:
            expect_error(reply, "subscriptions/listen, which is not served,", code=-32601, status=404)
            return
    # A connection of its own, because the subscription lasts as long as that.
    async with wire_of(desk).fresh() as wire:
        peer = await modern_on(wire, desk)
        frame = peer.request("subscriptions/listen", _ASKED)
        reply = await peer.send(frame)
    first: JsonObject = reply.messages[0] if reply.messages else {}
    if first.get("method") != "notifications/subscriptions/acknowledged":
        raise Broken(f"subscriptions/listen was answered with {reply.shown}; an acknowledgement has to come first")
    meta = as_object((as_object(first.get("params")) or {}).get("_meta")) or {}
    if meta.get(_SUBSCRIPTION) != frame["id"]:
        raise Broken(f"the acknowledgement of a subscription does not carry its id in _meta[{_SUBSCRIPTION!r}]")


CHECK = Check(
    name="protocol-listen",
    family="protocol",
    proves="subscriptions/listen is acknowledged first, with its id; where it is not served, it is unknown",
    requires=(f"{SPEC}/basic/patterns/subscriptions",),
    run=_run,
    whole=True,
)
