"""A key that was used cannot be used for something else."""

from __future__ import annotations

from fourfold.prove.answered import in_short, refuses_arguments
from fourfold.prove.books import watching
from fourfold.prove.check import Check, NotTested
from fourfold.prove.desk import Desk, code_of
from fourfold.prove.keys import is_keyed_write
from fourfold.prove.refusing import Forbidden, require_refused
from fourfold.prove.varying import varied
from fourfold.prove.writing import written
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_CONFLICT = "idempotency_conflict"


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk)
    first = await written(desk, tool, watch=watch, check=CHECK.name)
    done, codes = desk.sent_as(tool.name, first.arguments), list[str]()
    for arguments in varied(desk, first, check=CHECK.name):
        forbidden = Forbidden(what="a key of another call", tool=tool, arguments=arguments, after=(done,))
        answer = await require_refused(watch, forbidden)
        if code_of(answer) == _CONFLICT or (tool.tool.contract is None and not refuses_arguments(answer)):
            return
        codes.append(in_short(answer))
    said = ", ".join(dict.fromkeys(codes)) or "no other arguments fit the schema"
    raise NotTested(f"nothing met the key: {said}", next_step="give two calls that work in [prove]")


CHECK = Check(
    name="key-with-other-arguments-refused",
    family="effect",
    proves="a key that was used with other arguments is refused, and nothing is done",
    requires=("D1",),
    run=_run,
    applies=is_keyed_write,
    writes=True,
)
