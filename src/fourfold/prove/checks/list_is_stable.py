"""The same caller gets the same tools in the same order each time, so that clients and caches can rely on it."""

from __future__ import annotations

import json

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import FIRST, Desk
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_TIMES = 3


async def _run(desk: Desk, _tool: ToolView) -> None:
    target = desk.seats[FIRST].target
    lists = [[*await target.tools()] for _ in range(_TIMES)]
    names = [[str(tool.get("name")) for tool in listed] for listed in lists]
    if any(sorted(each) != sorted(names[0]) for each in names[1:]):
        raise Broken("two calls of tools/list named different tools")
    if any(each != names[0] for each in names[1:]):
        raise Broken("two calls of tools/list gave the tools in another order")
    for again in lists[1:]:
        for one, other in zip(lists[0], again, strict=True):
            if json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True):
                raise Broken(f"two calls of tools/list described {one.get('name')} differently")


CHECK = Check(
    name="list-is-stable",
    family="contract",
    proves="tools/list says the same each time, in the same order",
    requires=("B11", "https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools"),
    run=_run,
    whole=True,
)
