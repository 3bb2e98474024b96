"""A call that is not shaped as one is a protocol error."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.prove.reading import some_read
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    name = some_read(desk).name
    malformed: dict[str, JsonObject] = {
        "whose arguments are a list": {"name": name, "arguments": [1]},
        "whose arguments are text": {"name": name, "arguments": "{}"},
        "without a name": {"arguments": {}},
        "whose name is a number": {"name": 5, "arguments": {}},
    }
    async with speaking(desk) as peer:
        # A call without a name has no header for it, which may be looked at first; older revisions name no code.
        other = -32600 if not peer.is_modern else -32020 if peer.over_http else -32602
        for what, params in malformed.items():
            reply = await peer.ask("tools/call", params)
            if reply.code not in (-32602, other):
                raise Broken(f"a call {what} was answered with {reply.shown}; it has to be error -32602")


CHECK = Check(
    name="protocol-malformed-call",
    family="protocol",
    proves="a call without a name, or whose arguments are no object, is refused with -32602",
    requires=(f"{SPEC}/server/tools#error-handling",),
    run=_run,
    weight="should",
    whole=True,
)
