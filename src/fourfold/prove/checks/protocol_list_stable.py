"""The list does not depend on the connection, nor on what was called."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.prove.reading import call_a_read, listed_tools
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk) as peer:
        first = await listed_tools(peer)
        _compare(first, await listed_tools(peer), "asked twice")
        async with speaking(desk, fresh=True) as other:
            _compare(first, await listed_tools(other), "asked over another connection")
        await call_a_read(desk, peer, check=CHECK.name)
        _compare(first, await listed_tools(peer), "asked again after a call")


def _compare(first: list[JsonObject], second: list[JsonObject], when: str) -> None:
    if first == second:
        return
    before, after = [tool.get("name") for tool in first], [tool.get("name") for tool in second]
    if sorted(map(str, before)) == sorted(map(str, after)) and before != after:
        raise Broken(f"tools/list, {when}, has another order; it should be the same", weight="should")
    raise Broken(f"tools/list, {when}, differs: {len(before)} tools and then {len(after)}, or another definition")


CHECK = Check(
    name="protocol-list-stable",
    family="protocol",
    proves="tools/list is the same, in the same order, on every connection and after calls",
    requires=(f"{SPEC}/server/tools#capabilities",),
    run=_run,
    whole=True,
)
