"""What another caller has sent makes no difference to the same call of this one, its key included."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import SECOND, Desk, code_of, operation_of
from fourfold.prove.foreign import id_places
from fourfold.prove.keys import executes, is_keyed_write, key_argument, with_new_key
from fourfold.prove.writing import written
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_SAMPLES = 24
_MET = frozenset({"idempotency_conflict", "idempotency_expired", "in_progress", "possible_duplicate", "plan_used"})
"""What only somebody is told whose key or arguments are there already."""


async def _run(desk: Desk, tool: ToolView) -> None:
    first = await written(desk, tool, check=CHECK.name)
    await _judge(desk, tool, sent=first.arguments, answer=first.answer)
    # What has to be one of its kind may be an argument that can be left out.
    dice = desk.dice(CHECK.name, tool.name)
    for sample in valid_arguments(desk, tool, check=CHECK.name, most=_SAMPLES):
        sent = with_new_key(tool, sample.value, desk=desk, dice=dice)
        answer = await desk.call(tool.name, sent)
        if succeeded(answer):
            await _judge(desk, tool, sent=sent, answer=answer)


async def _judge(desk: Desk, tool: ToolView, *, sent: JsonObject, answer: ToolAnswer) -> None:
    again = await desk.call(tool.name, sent, by=SECOND)
    calls = [desk.sent_as(tool.name, sent), desk.sent_as(tool.name, sent, by=SECOND)]
    if code_of(again) in _MET:
        raise Broken(f"the key of another caller is met: the same call is answered with {in_short(again)}", *calls)
    if succeeded(again) and operation_of(again) is not None and operation_of(again) == operation_of(answer):
        raise Broken("the key of another caller is answered with what that one did", *calls)
    named = [place for place in id_places(sent) if place.name != key_argument(tool)]
    # An id of the first caller's may well be nobody's for the second one.
    if not succeeded(again) and not named and tool.tool.contract is not None:
        raise Broken(f"what one caller has made, another one may not make: {in_short(again)}", *calls)


CHECK = Check(
    name="callers-do-not-meet",
    family="tenant",
    proves="the same call, under the same key, of another caller is a call of its own",
    requires=("D1", "B18"),
    run=_run,
    applies=lambda tool: is_keyed_write(tool) and not executes(tool),
    writes=True,
    callers=2,
)
