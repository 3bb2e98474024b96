"""Headers that contradict the body are refused."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_error
from fourfold.prove.peer import LEGACY, SPEC
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_LIST: dict[str, dict[str, str | None]] = {
    "another Mcp-Method": {"mcp-method": "tools/call"},
    "Mcp-Method in capitals": {"mcp-method": "TOOLS/LIST"},
    "no Mcp-Method": {"mcp-method": None},
    "another MCP-Protocol-Version": {"mcp-protocol-version": LEGACY[0]},
}
_CALL: dict[str, dict[str, str | None]] = {
    "another Mcp-Name": {"mcp-name": "fourfold_other"},
    "Mcp-Name in capitals": {"mcp-name": "FOURFOLD_MADE_UP"},
    "no Mcp-Name": {"mcp-name": None},
}
_MADE_UP: JsonObject = {"name": "fourfold_made_up", "arguments": {}}
"""No server has this tool, so that nothing runs where nothing is refused."""


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    for what, headers in _LIST.items():
        reply = await peer.send(peer.request("tools/list"), headers)
        expect_error(reply, f"tools/list with {what}", code=-32020, status=400)
    for what, headers in _CALL.items():
        reply = await peer.send(peer.request("tools/call", _MADE_UP), headers)
        expect_error(reply, f"tools/call with {what}", code=-32020, status=400)


CHECK = Check(
    name="protocol-header-mismatch",
    family="protocol",
    proves="a missing or contradicting version, method or name header is refused with -32020",
    requires=(f"{SPEC}/basic/transports/streamable-http#server-validation",),
    run=_run,
    whole=True,
    transport="http",
)
