"""A list that depends on the caller is not for shared caches."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import FIRST, SECOND, Desk
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import modern
from fourfold.prove.reading import listed_pages
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    pages = await listed_pages(await modern(desk))
    first, second = [list(await desk.seats[name].target.tools()) for name in (FIRST, SECOND)]
    if first != second and any(page.get("cacheScope") == "public" for page in pages):
        raise Broken("the two callers are listed different tools, and cacheScope is public: a cache would mix them up")


CHECK = Check(
    name="protocol-list-private",
    family="protocol",
    proves="a list that differs between callers has cacheScope private",
    requires=(f"{SPEC}/server/utilities/caching#cache-scope-field",),
    run=_run,
    whole=True,
    callers=2,
)
