"""What a preview shows is what the write then answers: whoever agreed to the one gets the other."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.contracts.conform import misfits
from fourfold.model.contract import JsonObject
from fourfold.model.effect import Preview
from fourfold.prove.answered import succeeded
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.keys import executes, plans, with_new_key
from fourfold.prove.own import differing
from fourfold.prove.pages import as_record
from fourfold.prove.working import working
from fourfold.review.place import property_names
from fourfold.review.view import CatalogView, ToolView

__all__ = ["CHECK"]

_TURNS = 40
_MORE = 100
"""What a number grows by at most from call to call: rounding shows in the last digits."""


async def _run(desk: Desk, tool: ToolView) -> None:
    write = next(iter(_writes(desk.view, tool)))
    found, _ = await working(desk, tool, check=CHECK.name)
    dice, compared = desk.dice(CHECK.name, tool.name), 0
    for arguments in _varied(tool, found, dice):
        shown = await desk.call(tool.name, arguments)
        sent = with_new_key(write, arguments, desk=desk, dice=dice)
        done = await desk.call(write.name, sent) if succeeded(shown) else shown
        # What is refused may need a right that a preview does not.
        if not succeeded(done):
            continue
        compared += 1
        one, other = as_record(shown), as_record(done)
        wrong = next(differing(one, other), None)
        if wrong is not None:
            detail = f"the preview shows {wrong} {one[wrong]!r}, and {write.name} answers {other[wrong]!r}"
            raise Broken(detail, desk.sent_as(tool.name, arguments), desk.sent_as(write.name, sent))
    if not compared:
        raise NotTested("nothing that was previewed could be done", next_step="give arguments that work in [prove]")


def _varied(tool: ToolView, arguments: JsonObject, dice: random.Random) -> Iterator[JsonObject]:
    """The arguments, and the same with larger numbers."""
    yield arguments
    for _ in range(_TURNS):
        larger = cast("JsonObject", _larger(arguments, dice))
        if not misfits(larger, tool.tool.input_schema):
            yield larger


def _larger(value: object, dice: random.Random) -> object:
    if isinstance(value, Mapping):
        return {name: _larger(inner, dice) for name, inner in cast("JsonObject", value).items()}
    if isinstance(value, list):
        return [_larger(inner, dice) for inner in cast("list[object]", value)]
    return value + dice.randrange(_MORE) if isinstance(value, int) and not isinstance(value, bool) else value


def _writes(view: CatalogView, tool: ToolView) -> list[ToolView]:
    """The writes that take what the preview takes, and answer with something that it shows."""
    shown = set(property_names(tool.tool.output_schema or {}))
    return [
        other
        for other in view.tools
        if other.action != "read"
        and not executes(other)
        and _own(other) == _own(tool)
        and shown & set(property_names(other.tool.output_schema or {}))
    ]


def _own(tool: ToolView) -> frozenset[str]:
    """Its arguments without those of the framework."""
    contract = tool.tool.contract
    framework = contract.framework_arguments if contract is not None else ()
    return frozenset(property_names(tool.tool.input_schema)) - {*framework}


def _is_preview(tool: ToolView) -> bool:
    contract = tool.tool.contract
    return contract is not None and isinstance(contract.effect, Preview) and not plans(tool)


def _has_write(view: CatalogView, tool: ToolView) -> bool:
    return bool(_writes(view, tool))


CHECK = Check(
    name="preview-agrees",
    family="effect",
    proves="a preview shows what the write then answers",
    requires=("B4", "B12"),
    run=_run,
    applies=_is_preview,
    fits=_has_write,
    writes=True,
)
