"""What says that it only reads changes nothing."""

from __future__ import annotations

import anyio

from fourfold.model.contract import JsonObject
from fourfold.model.effect import Preview
from fourfold.prove.answered import succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.books import Watch, watching
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk, is_read
from fourfold.prove.writing import written
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_MOST = 6
_TICK_S = 1.1


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk, besides=tool.name)
    learned, went_well = desk.learned.get(tool.name), False
    for arguments in [learned] if learned is not None else []:
        went_well = await _is_harmless(desk, watch, tool, arguments=arguments)
    for sample in valid_arguments(desk, tool, check=CHECK.name, most=_MOST):
        went_well |= await _is_harmless(desk, watch, tool, arguments=sample.value)
    if went_well:
        return
    if not desk.writes:
        raise NotTested("no call succeeded", next_step="give arguments that work in [prove]")
    # What it asks for may have to be made first.
    found = await written(desk, tool, watch=watch, check=CHECK.name)
    if found.before != found.after:
        raise Broken("a read has an effect", desk.sent_as(tool.name, found.arguments))


async def _is_harmless(desk: Desk, watch: Watch, tool: ToolView, *, arguments: JsonObject) -> bool:
    """Whether a call went well; an effect of it is a fault in either case."""
    before = await watch.look()
    went_well = succeeded(await desk.call(tool.name, arguments))
    if await watch.look() != before:
        await _see_that_it_is_calm(watch)
        raise Broken("a read has an effect", desk.sent_as(tool.name, arguments))
    return went_well


async def _see_that_it_is_calm(watch: Watch) -> None:
    """See that what is looked at stays the same while nothing is called.

    Raises:
        NotTested: it does not; a read may answer with the time, in seconds.
    """
    before = await watch.look()
    await anyio.sleep(_TICK_S)
    if await watch.look() != before:
        step = "give arguments of other reads in [prove], whose answers stay the same"
        raise NotTested("what the other reads answer changes while nothing is called", next_step=step)


def _applies(tool: ToolView) -> bool:
    contract = tool.tool.contract
    return is_read(tool) and not (contract is not None and isinstance(contract.effect, Preview))


CHECK = Check(
    name="read-has-no-effect",
    family="effect",
    proves="a tool that says that it only reads changes nothing",
    requires=("B4", "B5"),
    run=_run,
    applies=_applies,
)
