"""What was refused does not come back in the refusal: a value may be a secret that was put in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.contracts.conform import misfits
from fourfold.model.contract import JsonObject
from fourfold.prove.answered import everything, succeeded
from fourfold.prove.arguments import invalid_arguments
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.sample import Sample
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_MOST = 8


async def _run(desk: Desk, tool: ToolView) -> None:
    canary = f"canary-{desk.dice(CHECK.name, tool.name).getrandbits(64):016x}"
    refused = 0
    for arguments, pointer in _broken(desk, tool, canary):
        answer = await desk.call(tool.name, arguments)
        if succeeded(answer):
            continue
        refused += 1
        if canary in everything(answer):
            raise Broken(f"the refusal repeats what stood at {pointer}", desk.sent_as(tool.name, arguments))
    if not refused:
        raise NotTested("no bad arguments were refused", next_step="refuse arguments that break the schema")


def _broken(desk: Desk, tool: ToolView, canary: str) -> Iterator[tuple[JsonObject, str]]:
    """Bad arguments whose bad value is the canary, one for each place that can be broken so."""
    places: dict[str, Sample] = {}
    for sample in invalid_arguments(desk, tool, check=CHECK.name, most=4 * _MOST):
        places.setdefault(sample.pointer, sample)
    count = 0
    for pointer, sample in places.items():
        changed = _put(sample.value, pointer.split("/")[1:], canary)
        if not isinstance(changed, Mapping):
            continue
        arguments = cast("JsonObject", changed)
        if not misfits(arguments, tool.tool.input_schema):
            continue
        yield arguments, pointer
        count += 1
        if count == _MOST:
            return


def _put(value: object, steps: list[str], leaf: str) -> object:
    """A copy of `value` with `leaf` where the steps lead; `None` if they lead nowhere."""
    if not steps:
        return leaf
    first, rest = steps[0].replace("~1", "/").replace("~0", "~"), steps[1:]
    if isinstance(value, Mapping):
        members = cast("JsonObject", value)
        return {**members, first: _put(members.get(first), rest, leaf)}
    if isinstance(value, list) and first.isdecimal() and int(first) < len(cast("list[object]", value)):
        items = cast("list[object]", value)
        return [_put(item, rest, leaf) if index == int(first) else item for index, item in enumerate(items)]
    return None


CHECK = Check(
    name="rejected-value-not-echoed",
    family="contract",
    proves="a refusal does not repeat the value that it refuses",
    requires=("A2",),
    run=_run,
)
