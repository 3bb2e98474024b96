"""Every result says which server it is from."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_result
from fourfold.prove.peer import SERVER_INFO, SPEC, as_object
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    for method in ("server/discover", "tools/list"):
        result = expect_result(await peer.ask(method), method)
        info = as_object((as_object(result.get("_meta")) or {}).get(SERVER_INFO)) or {}
        if not isinstance(info.get("name"), str) or not isinstance(info.get("version"), str):
            raise Broken(f"the result of {method} does not name the server in _meta[{SERVER_INFO!r}]; it should")


CHECK = Check(
    name="protocol-server-info",
    family="protocol",
    proves="every result names the server in its _meta",
    requires=(f"{SPEC}/basic/index#meta",),
    run=_run,
    weight="should",
    whole=True,
)
