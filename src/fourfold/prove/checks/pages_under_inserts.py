"""What is added during a walk over the pages neither hides an entry nor shows one twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from fourfold.contracts.conform import misfits
from fourfold.contracts.names import words
from fourfold.model.contract import JsonObject
from fourfold.model.proof import SentCall
from fourfold.prove.answered import succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.pages import is_paged, pager_of, walk
from fourfold.prove.working import working
from fourfold.review.view import CatalogView, ToolView
from fourfold.review.writes import adds, subject

__all__ = ["CHECK"]

_MOST_PAGES = 60
_INSERTS = 3
_TITLES = (("name",), ("title",), ("subject",))
_STEP = "prove it on a list that one of the server's own tools adds to"


@dataclass(slots=True, kw_only=True)
class _Adding:
    """Adds an entry each time it is called, a few times at most."""

    desk: Desk
    tool: ToolView
    candidates: Iterator[JsonObject]
    calls: list[SentCall] = field(default_factory=list[SentCall])

    async def __call__(self) -> None:
        """Add one more, with the first arguments that work."""
        for arguments in self.candidates if len(self.calls) < _INSERTS else ():
            answer = await self.desk.call(self.tool.name, arguments)
            if succeeded(answer):
                self.calls.append(self.desk.sent_as(self.tool.name, arguments))
                return


async def _run(desk: Desk, tool: ToolView) -> None:
    pager, adding = pager_of(tool), _adding_tool(desk.view, tool)
    if pager is None or pager.limit is None or adding is None:
        raise NotTested("the size of its pages cannot be chosen", next_step=_STEP)
    found = (await working(desk, tool, check=CHECK.name))[0]
    arguments = {name: value for name, value in found.items() if name not in (pager.place, pager.limit.name)}
    before = (await walk(desk, tool, arguments=arguments, pager=pager, most=_MOST_PAGES)).entries
    small = {**arguments, pager.limit.name: max(1, len(before) // (_INSERTS + 1))}
    add = _Adding(desk=desk, tool=adding, candidates=_candidates(desk, adding, found))
    walked = await walk(desk, tool, arguments=small, pager=pager, most=_MOST_PAGES, between=add)
    _judge(before, walked.entries, shown=(walked.calls[0], *add.calls[:1], walked.calls[-1]))
    after = (await walk(desk, tool, arguments=arguments, pager=pager, most=_MOST_PAGES)).entries
    if len(after) == len(before) or len(walked.pages) < 2:
        raise NotTested("nothing that was added comes up in this list", next_step=_STEP)


def _adding_tool(view: CatalogView, tool: ToolView) -> ToolView | None:
    about = subject(tool)
    return next((other for other in view.tools if adds(other) is not None and subject(other) == about), None)


def _can_grow(view: CatalogView, tool: ToolView) -> bool:
    return _adding_tool(view, tool) is not None


def _candidates(desk: Desk, adding: ToolView, sought: JsonObject) -> Iterator[JsonObject]:
    """Arguments to add with. Their title holds the words that the list is searched for, so that they come up in it."""
    title = next((place.name for place in adding.arguments if words(place.name)[-1:] in _TITLES), None)
    terms = [value for value in sought.values() if isinstance(value, str)]
    for number, sample in enumerate(valid_arguments(desk, adding, check=CHECK.name)):
        titled = {**sample.value, title: f"{terms[0]} {number}"} if title is not None and terms else sample.value
        yield sample.value if misfits(titled, adding.tool.input_schema) else titled


def _judge(before: list[str], during: list[str], *, shown: tuple[SentCall, ...]) -> None:
    counted = Counter(during)
    hidden = next((entry for entry in before if entry not in counted), None)
    if hidden is not None:
        raise Broken(f"what was added during the walk hid an entry: {hidden[:100]}", *shown)
    twice = next((entry for entry in before if counted[entry] > 1), None)
    if twice is not None:
        raise Broken(f"what was added during the walk showed an entry twice: {twice[:100]}", *shown)


CHECK = Check(
    name="pages-under-inserts",
    family="contract",
    proves="what is added during a walk over the pages hides nothing and repeats nothing",
    requires=("B3", "B12"),
    run=_run,
    applies=is_paged,
    fits=_can_grow,
    writes=True,
)
