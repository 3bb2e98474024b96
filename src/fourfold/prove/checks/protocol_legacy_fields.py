"""A client of an older revision gets no fields of the newer one."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SERVER_INFO, SPEC, Reply, as_object
from fourfold.prove.peers import legacy
from fourfold.prove.reading import call_a_read
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_NEWER = ("resultType", "ttlMs", "cacheScope")


async def _run(desk: Desk, _: ToolView) -> None:
    async with legacy(desk) as peer:
        _expect(await peer.ask("tools/list"), "tools/list")
        _expect(await call_a_read(desk, peer, check=CHECK.name), "tools/call")


def _expect(reply: Reply, method: str) -> None:
    result = reply.result or {}
    found = [name for name in _NEWER if name in result]
    if SERVER_INFO in (as_object(result.get("_meta")) or {}):
        found.append(SERVER_INFO)
    if found:
        raise Broken(f"after a handshake, the result of {method} has {', '.join(found)}, which belongs to 2026-07-28")


CHECK = Check(
    name="protocol-legacy-fields",
    family="protocol",
    proves="results after a handshake have no resultType, ttlMs, cacheScope or serverInfo",
    requires=(f"{SPEC}/basic/versioning#backward-compatibility-with-initialization-based-versions",),
    run=_run,
    whole=True,
)
