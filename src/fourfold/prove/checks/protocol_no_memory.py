"""What one request declares is not remembered for the next."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_error, expect_result
from fourfold.prove.peer import CAPABILITIES, MODERN, SPEC, VERSION
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    declares: JsonObject = {CAPABILITIES: {"elicitation": {}, "sampling": {}}}
    expect_result(await peer.ask("tools/list", meta=declares), "a good request")
    frame = peer.request("tools/list")
    without = await peer.send({**frame, "params": {"_meta": {VERSION: MODERN}}})
    expect_error(without, "a request without capabilities, after one with them,", code=-32602, status=400)


CHECK = Check(
    name="protocol-no-memory",
    family="protocol",
    proves="capabilities of an earlier request don't stand in for missing ones",
    requires=(f"{SPEC}/basic/index#statelessness",),
    run=_run,
    whole=True,
)
