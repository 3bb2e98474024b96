"""A protocol version that nobody speaks is refused with a list of those that are spoken."""

from __future__ import annotations

from typing import cast

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_error
from fourfold.prove.peer import SPEC, VERSION, as_object
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_MADE_UP = "1999-01-01"


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    discovered = (await peer.ask("server/discover")).result or {}
    for method in ("tools/list", "server/discover"):
        frame = peer.request(method, meta={VERSION: _MADE_UP})
        reply = await peer.send(frame, {"mcp-protocol-version": _MADE_UP})
        expect_error(reply, f"{method} in version {_MADE_UP}", code=-32022, status=400)
        data = as_object(reply.error.get("data")) or {}
        _expect_versions(data.get("supported"), discovered.get("supportedVersions"))
        if data.get("requested") != _MADE_UP:
            raise Broken(f"error -32022 says that {data.get('requested')!r} was requested; it was {_MADE_UP!r}")


def _expect_versions(supported: object, discovered: object) -> None:
    if not isinstance(supported, list) or not supported:
        raise Broken("error -32022 does not list the versions in data.supported")
    named, known = cast("list[object]", supported), cast("list[object]", discovered or [])
    if not all(version in known for version in named):
        raise Broken(f"error -32022 lists {named}, and server/discover {known}")


CHECK = Check(
    name="protocol-version-refused",
    family="protocol",
    proves="a version that is not spoken is refused with -32022, which lists those that server/discover lists",
    requires=(f"{SPEC}/basic/versioning#protocol-version-negotiation",),
    run=_run,
    whole=True,
)
