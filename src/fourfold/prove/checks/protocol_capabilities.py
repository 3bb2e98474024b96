"""What a server declares works, and what it does not declare is unknown."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_error, expect_result
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_LISTS = {"tools": "tools/list", "prompts": "prompts/list", "resources": "resources/list"}


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk) as peer:
        if "tools" not in peer.capabilities:
            raise Broken("the server lists tools and does not declare the capability tools")
        for capability, method in _LISTS.items():
            reply = await peer.ask(method)
            if capability in peer.capabilities:
                expect_result(reply, f"{method}, whose capability is declared,")
            elif peer.is_modern:
                expect_error(reply, f"{method}, whose capability is not declared,", code=-32601, status=404)


CHECK = Check(
    name="protocol-capabilities",
    family="protocol",
    proves="declared capabilities work, and methods of undeclared ones are refused with -32601",
    requires=(f"{SPEC}/server/tools#capabilities",),
    run=_run,
    whole=True,
)
