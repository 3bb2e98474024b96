"""A request whose id is none is refused."""

from __future__ import annotations

from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_no_result
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_NO_IDS: tuple[object, ...] = (None, True, 1.5, [1], {})


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    for number in _NO_IDS:
        reply = await peer.send({**peer.request("tools/list"), "id": number})
        expect_no_result(reply, f"a request with id {number!r}")


CHECK = Check(
    name="protocol-id-refused",
    family="protocol",
    proves="an id that is null, a boolean, a fraction or a structure is refused",
    requires=(f"{SPEC}/basic/index#requests",),
    run=_run,
    whole=True,
)
