"""A refusal of arguments names the place that is wrong, so that the next call can put it right."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.conform import misfits
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import everything, in_short, succeeded
from fourfold.prove.arguments import invalid_arguments
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk, fault_of
from fourfold.prove.sample import Sample
from fourfold.prove.working import working
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_AS_A_WHOLE = frozenset({"too_deep", "oversized"})
"""What is refused before anybody looks for the place."""


async def _run(desk: Desk, tool: ToolView) -> None:
    refused = 0
    for sample in _with_place(invalid_arguments(desk, tool, check=CHECK.name)):
        answer = await desk.call(tool.name, sample.value)
        if succeeded(answer):
            continue
        sent = sample.value
        if not _names(answer, sample.pointer) and tool.tool.contract is None:
            # A stranger may have refused something else in them, such as an id that was made up.
            sent = await _in_good_arguments(desk, tool, sample)
            answer = await desk.call(tool.name, sent) if sent else answer
            if not sent or succeeded(answer):
                continue
        refused += 1
        if not _names(answer, sample.pointer):
            detail = f"the refusal does not name {_name(sample.pointer)} ({sample.kind}): {in_short(answer)}"
            raise Broken(detail, desk.sent_as(tool.name, sent))
    if not refused:
        raise NotTested("no bad arguments were refused", next_step="refuse arguments that break the schema")


async def _in_good_arguments(desk: Desk, tool: ToolView, sample: Sample) -> JsonObject:
    """Arguments that work, but for what is wrong in the sample; empty if there are none."""
    try:
        good, _ = await working(desk, tool, check=CHECK.name)
    except NotTested:
        return {}
    broken = sample.pointer.split("/")[1].replace("~1", "/").replace("~0", "~")
    changed = {name: value for name, value in good.items() if name != broken}
    if broken in sample.value:
        changed[broken] = sample.value[broken]
    return changed if misfits(changed, tool.tool.input_schema) else {}


def _with_place(samples: Iterator[Sample]) -> Iterator[Sample]:
    return (sample for sample in samples if _name(sample.pointer) and sample.kind not in _AS_A_WHOLE)


def _name(pointer: str) -> str:
    """The innermost name on the way: an index alone says nothing without the list."""
    steps = [step for step in pointer.split("/")[1:] if not step.isdecimal()]
    return steps[-1].replace("~1", "/").replace("~0", "~") if steps else ""


def _names(answer: ToolAnswer, pointer: str) -> bool:
    return _name(pointer) in everything(answer) or pointer in str(fault_of(answer))


CHECK = Check(
    name="invalid-names-the-path",
    family="contract",
    proves="the refusal of bad arguments names the place that is wrong",
    requires=("A2",),
    run=_run,
)
