"""The pages of the list come to an end, and no tool is on two of them."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.prove.reading import listed_pages
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk) as peer:
        pages = await listed_pages(peer)
    last = pages[-1].get("nextCursor", "")
    if last is None:
        raise Broken('the last page of tools/list has "nextCursor": null; it has to have none')
    if last:
        raise Broken(f"tools/list did not come to an end in {len(pages)} pages")
    lists = [page.get("tools") for page in pages]
    if not all(isinstance(tools, list) for tools in lists):
        raise Broken("a page of tools/list has no array of tools")
    names = [tool.tool.name for tool in desk.view.tools]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise Broken(f"tools/list has more than one tool of the name {', '.join(twice)}", weight="should")


CHECK = Check(
    name="protocol-list-pages",
    family="protocol",
    proves="the pages of tools/list end, and each tool is on one of them",
    requires=(f"{SPEC}/server/utilities/pagination",),
    run=_run,
    whole=True,
)
