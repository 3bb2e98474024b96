"""Every page of the list says how long it may be kept, and for whom."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import modern
from fourfold.prove.reading import listed_pages
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    pages = await listed_pages(await modern(desk))
    for page in pages:
        lasting = page.get("ttlMs")
        if not isinstance(lasting, int) or isinstance(lasting, bool) or lasting < 0:
            raise Broken(f"a page of tools/list has ttlMs {lasting!r}; it has to be an integer from 0 up")
    scopes = [page.get("cacheScope") for page in pages]
    if scopes[0] not in ("public", "private") or any(scope != scopes[0] for scope in scopes):
        raise Broken(f"the pages of tools/list have cacheScope {scopes}; all have to be public, or all private")


CHECK = Check(
    name="protocol-list-caching",
    family="protocol",
    proves="all pages of tools/list have ttlMs and one cacheScope",
    requires=(f"{SPEC}/server/utilities/caching",),
    run=_run,
    whole=True,
)
