"""Every result says whether it is complete, and a list always is."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC, Reply
from fourfold.prove.peers import modern
from fourfold.prove.reading import call_a_read
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    _expect(await peer.ask("server/discover"), "server/discover", {"complete"})
    _expect(await peer.ask("tools/list"), "tools/list", {"complete"})
    # No extension was declared, so that no other type may come.
    _expect(await call_a_read(desk, peer, check=CHECK.name), "tools/call", {"complete", "input_required"})


def _expect(reply: Reply, method: str, types: set[str]) -> None:
    found = "complete" if reply.result is None else reply.result.get("resultType")
    if found not in types:
        raise Broken(f"the result of {method} has resultType {found!r}; it has to be {' or '.join(sorted(types))}")


CHECK = Check(
    name="protocol-result-type",
    family="protocol",
    proves="every result has a resultType, and one that the client knows",
    requires=(f"{SPEC}/basic/index#resulttype",),
    run=_run,
    whole=True,
)
