"""Previewing a write does none of it."""

from __future__ import annotations

from fourfold.contracts.names import words
from fourfold.model.effect import Preview
from fourfold.prove.books import watching
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.keys import plans
from fourfold.prove.writing import written
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_PREVIEWS = frozenset({"preview", "simulate", "dryrun"})


async def _run(desk: Desk, tool: ToolView) -> None:
    preview = await written(desk, tool, watch=await watching(desk), check=CHECK.name)
    if preview.before != preview.after:
        raise Broken("previewing it has an effect", desk.sent_as(tool.name, preview.arguments))


def _applies(tool: ToolView) -> bool:
    contract = tool.tool.contract
    if contract is not None:
        return isinstance(contract.effect, Preview) and not plans(tool)
    return tool.named_action == "read" and bool(_PREVIEWS & set(words(tool.name)))


CHECK = Check(
    name="preview-has-no-effect",
    family="effect",
    proves="a preview changes nothing",
    requires=("B4",),
    run=_run,
    applies=_applies,
    writes=True,
)
