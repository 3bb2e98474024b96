"""Arguments that are nested deeply are answered, and the server lives on."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_result
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.prove.reading import some_read
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_DEPTH = 500


async def _run(desk: Desk, _: ToolView) -> None:
    tool = some_read(desk)
    nested: object = 1
    for _level in range(_DEPTH):
        nested = [nested]
    async with speaking(desk) as peer:
        reply = await peer.call(tool.name, {"fourfold_nested": nested})
        if not reply.response and not 400 <= reply.answer.status < 500:
            raise Broken(f"arguments nested {_DEPTH} deep were not answered in time, or the connection was closed")
        expect_result(await peer.ask("tools/list"), f"a request after arguments nested {_DEPTH} deep")


CHECK = Check(
    name="protocol-deep-arguments",
    family="protocol",
    proves="arguments nested 500 deep are answered in bounded time",
    requires=(f"{SPEC}/basic/index#composition-keyword-resource-use",),
    run=_run,
    weight="should",
    whole=True,
)
