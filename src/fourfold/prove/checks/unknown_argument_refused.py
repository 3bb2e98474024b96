"""An argument that does not exist is refused: a filter with a typing error in it is no filter."""

from __future__ import annotations

from collections.abc import Mapping

from fourfold.prove.answered import everything, refuses_arguments, succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.working import working
from fourfold.review.place import property_names
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    is_ours = tool.tool.contract is not None
    # Of a stranger's failure nobody can tell what it is about, so that the call without the argument has to work.
    good = (
        next(valid_arguments(desk, tool, check=CHECK.name, most=1)).value
        if is_ours
        else (await working(desk, tool, check=CHECK.name))[0]
    )
    known = property_names(tool.tool.input_schema)
    # A near miss is what a model writes.
    unknown = f"{known[0]}_x" if known else "fourfold_unknown"
    sent = {**good, unknown: "x"}
    answer = await desk.call(tool.name, sent)
    if succeeded(answer):
        detail = f"there is no argument {unknown}, and the call with it was answered"
        raise Broken(detail, desk.sent_as(tool.name, sent))
    if is_ours and not (refuses_arguments(answer) and unknown in everything(answer)):
        raise Broken(f"the refusal does not name the argument {unknown}", desk.sent_as(tool.name, sent))


def _is_closed(tool: ToolView) -> bool:
    """Whether the schema does not say on purpose that it takes more than it lists."""
    schema = tool.tool.input_schema
    more: object = schema.get("additionalProperties", False)
    return more is not True and not isinstance(more, Mapping) and "patternProperties" not in schema


CHECK = Check(
    name="unknown-argument-refused",
    family="contract",
    proves="an argument that does not exist is refused",
    requires=("A2", "C1"),
    run=_run,
    applies=_is_closed,
)
