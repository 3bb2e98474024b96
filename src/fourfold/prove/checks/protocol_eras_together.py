"""Clients of both eras are served side by side at one endpoint."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_result
from fourfold.prove.peer import SPEC, Reply
from fourfold.prove.peers import legacy, modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    newer = await modern(desk)
    async with legacy(desk) as older:
        for _round in range(2):
            _expect(await newer.ask("tools/list"), is_modern=True)
            _expect(await older.ask("tools/list"), is_modern=False)


def _expect(reply: Reply, *, is_modern: bool) -> None:
    era = "without a handshake" if is_modern else "after a handshake"
    result = expect_result(reply, f"tools/list {era}, between requests of the other era,")
    if ("resultType" in result) is not is_modern:
        raise Broken(f"tools/list {era} was answered as in the other era")


CHECK = Check(
    name="protocol-eras-together",
    family="protocol",
    proves="requests of both eras are served in turn at one endpoint, each in its own way",
    requires=(f"{SPEC}/basic/versioning#backward-compatibility-with-initialization-based-versions",),
    run=_run,
    whole=True,
    transport="http",
)
