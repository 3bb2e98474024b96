"""A walk over the pages meets every entry once and ends, whatever the size of the pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.pages import Pager, Walk, is_paged, pager_of, unlimited, walk
from fourfold.prove.working import working
from fourfold.review.place import Place
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_MOST_PAGES = 60
_SMALL_PAGES = 5
"""Pages that the second walk is to take at least."""


async def _run(desk: Desk, tool: ToolView) -> None:
    pager = pager_of(tool)
    if pager is None:
        return
    arguments = _first_page(tool, pager, (await working(desk, tool, check=CHECK.name))[0])
    whole = await walk(desk, tool, arguments=arguments, pager=pager, most=_MOST_PAGES)
    _judge_repeats(whole)
    if len(whole.entries) < 2:
        raise NotTested("the list has fewer than two entries", next_step="give arguments with a longer one in [prove]")
    if pager.limit is not None:
        await _compare(desk, tool, {**arguments, pager.limit.name: _small(pager.limit, whole)}, whole=whole)
    elif len(whole.pages) < 2:
        raise NotTested("the list has one page", next_step="prove it on data that has more")
    if not whole.ended:
        raise NotTested(f"the list has over {_MOST_PAGES} pages", next_step="give arguments with fewer in [prove]")


def _first_page(tool: ToolView, pager: Pager, arguments: JsonObject) -> JsonObject:
    first = {name: value for name, value in arguments.items() if name != pager.place}
    return first if pager.limit is None else unlimited(tool, first, limit=pager.limit.name)


def _judge_repeats(walked: Walk) -> None:
    if not all(isinstance(entry, dict) for page in walked.pages for entry in page):
        # Lines of text may be the same twice.
        return
    found = walked.entries
    repeated = next((entry for entry, count in Counter(found).items() if count > 1), None)
    if repeated is not None:
        raise Broken(f"the walk meets an entry twice: {repeated[:100]}", *walked.calls[:2])


def _small(limit: Place, whole: Walk) -> int:
    wanted = max(1, min(len(whole.entries) // _SMALL_PAGES, len(whole.pages[0]) - 1))
    least: object = limit.resolved.get("minimum")
    return max(wanted, int(least)) if isinstance(least, int | float) else wanted


async def _compare(desk: Desk, tool: ToolView, arguments: JsonObject, *, whole: Walk) -> None:
    """Walk once more in smaller pages, and expect the same entries in the same order."""
    pager = pager_of(tool)
    if pager is None:
        return
    small = await walk(desk, tool, arguments=arguments, pager=pager, most=_MOST_PAGES)
    _judge_repeats(small)
    met, expected = small.entries, whole.entries
    if small.ended and len(met) < len(expected):
        detail = f"in small pages the list ends after {len(met)} entries, in large ones it has {len(expected)}"
        raise Broken(detail, small.calls[-1], whole.calls[0])
    if whole.ended and len(met) > len(expected):
        detail = f"in large pages the list ends after {len(expected)} entries, in small ones it has {len(met)}"
        raise Broken(detail, whole.calls[-1], small.calls[0])
    different = _first_difference(met, expected)
    if different is not None:
        detail = f"entry {different + 1} of the list depends on the size of the pages: there is a gap, or no order"
        raise Broken(detail, small.calls[min(different // max(1, len(small.pages[0])), len(small.calls) - 1)])


def _first_difference(left: Sequence[str], right: Sequence[str]) -> int | None:
    pairs = enumerate(zip(left, right, strict=False))
    return next((index for index, (one, other) in pairs if one != other), None)


CHECK = Check(
    name="pages-end",
    family="contract",
    proves="a walk over the pages meets every entry once and ends",
    requires=("B3", "B12"),
    run=_run,
    applies=is_paged,
)
