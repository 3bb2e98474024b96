"""Arguments that break the schema are refused, and as such: not as a failure of what the tool does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fourfold.contracts.conform import misfits
from fourfold.model.proof import SentCall
from fourfold.prove.answered import in_short, refuses_arguments, succeeded
from fourfold.prove.arguments import invalid_arguments
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.shrink import shrink
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_EACH = 24


async def _run(desk: Desk, tool: ToolView) -> None:
    for sample in invalid_arguments(desk, tool, check=CHECK.name, most=_EACH):
        answer = await desk.call(tool.name, sample.value)
        place = sample.pointer or "the arguments"
        if succeeded(answer):
            detail = f"arguments that break the schema at {place} were taken ({sample.kind})"
            raise Broken(detail, await shrink(desk.sent_as(tool.name, sample.value), _still_taken(desk, tool)))
        # What strangers call a refusal can't be told from their other failures.
        if tool.tool.contract is not None and not refuses_arguments(answer):
            detail = f"arguments that break the schema at {place} ({sample.kind}) were answered with {in_short(answer)}"
            raise Broken(detail, desk.sent_as(tool.name, sample.value))


def _still_taken(desk: Desk, tool: ToolView) -> Callable[[SentCall], Awaitable[bool]]:
    async def still(call: SentCall) -> bool:
        # One fault has to be left in it, and the same as before: what is not needed goes.
        is_bad = len(misfits(call.arguments, tool.tool.input_schema)) == 1
        return is_bad and succeeded(await desk.call(tool.name, call.arguments))

    return still


CHECK = Check(
    name="invalid-is-refused",
    family="contract",
    proves="arguments that break the schema are refused",
    requires=("A2", "A4", "B12"),
    run=_run,
)
