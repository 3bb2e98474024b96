"""The first request may be `server/discover`, and its answer says what the server speaks."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_result
from fourfold.prove.peer import MODERN, SPEC, Peer
from fourfold.prove.peers import wire_of
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    target = wire_of(desk)
    if target.revision != MODERN:
        raise NotTested(f"the server speaks {target.revision}, not {MODERN}", next_step=f"serve {MODERN} as well")
    async with target.fresh() as wire:
        peer = Peer(wire=wire, revision=MODERN, spend=desk.spend)
        result = expect_result(await peer.ask("server/discover"), "server/discover, as the first request,")
    wrong = next((name for name, is_right in _FIELDS.items() if not is_right(result)), None)
    if wrong is not None:
        raise Broken(f"the result of server/discover has {wrong} {result.get(wrong)!r}")


def _speaks(result: JsonObject) -> bool:
    versions = result.get("supportedVersions")
    return isinstance(versions, list) and MODERN in versions


def _lasts(result: JsonObject) -> bool:
    found = result.get("ttlMs")
    return isinstance(found, int) and not isinstance(found, bool) and found >= 0


def _declares(result: JsonObject) -> bool:
    return isinstance(result.get("capabilities"), dict)


def _is_for(result: JsonObject) -> bool:
    return result.get("cacheScope") in ("public", "private")


_FIELDS = {"supportedVersions": _speaks, "capabilities": _declares, "ttlMs": _lasts, "cacheScope": _is_for}


CHECK = Check(
    name="protocol-discover",
    family="protocol",
    proves="server/discover works as the first request and has every field that it needs",
    requires=(
        f"{SPEC}/server/discover",
        f"{SPEC}/server/utilities/caching",
    ),
    run=_run,
    whole=True,
)
