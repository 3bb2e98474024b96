"""A method that does not exist, or no longer does, is refused as unknown."""

from __future__ import annotations

from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_error
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_REMOVED = ("ping", "logging/setLevel", "resources/subscribe")


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk) as peer:
        status = 404 if peer.is_modern else 0
        removed = _REMOVED if peer.is_modern else ()
        # Over stdio, how a handshake is refused is left to the server ("Versioning", "Compatibility Matrix").
        also = ("initialize",) if peer.is_modern and peer.over_http else ()
        for method in ("made/up", *removed, *also):
            expect_error(await peer.ask(method), f"the method {method}", code=-32601, status=status)


CHECK = Check(
    name="protocol-unknown-method",
    family="protocol",
    proves="unknown and removed methods are refused with -32601, over HTTP with 404",
    requires=(
        f"{SPEC}/basic/transports/streamable-http#protocol-version-header",
        f"{SPEC}/basic/index#error-codes",
    ),
    run=_run,
    whole=True,
)
