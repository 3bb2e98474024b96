"""No error has a code that the specification keeps for itself."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC, VERSION
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_DEFINED = {-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022}
_RESERVED = range(-32_099, -31_999)
"""From -32099 to -32000: the specification's own codes, and old ones that nobody should use any more."""

_GONE = {-32042, -32002}
_WRONG: dict[str, JsonObject] = {
    "made/up": {},
    "tools/call": {"name": "fourfold_made_up", "arguments": {}},
    "tools/list": {"cursor": "made-up-by-fourfold"},
    "resources/read": {"uri": "file:///fourfold/made/up"},
    "prompts/get": {"name": "fourfold_made_up"},
}


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    for method, params in _WRONG.items():
        await peer.ask(method, params)
    await peer.send({**peer.request("tools/list"), "params": {}})
    await peer.send(peer.request("tools/list", meta={VERSION: "1999-01-01"}))
    for reply in peer.heard:
        code = reply.code
        is_kept = code in _GONE or (code in _RESERVED and code not in _DEFINED)
        if code is not None and (is_kept or not isinstance(code, int)):
            raise Broken(f"an error had the code {code!r}, which this revision does not define or no longer uses")


CHECK = Check(
    name="protocol-error-codes",
    family="protocol",
    proves="errors use the codes that the specification defines, and none that it reserves",
    requires=(f"{SPEC}/basic/index#error-codes",),
    run=_run,
    whole=True,
)
