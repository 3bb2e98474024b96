"""A call whose connection breaks before its answer is there is done once, however often it is sent again."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.books import Watch, watching
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk, operation_of
from fourfold.prove.peer import as_object
from fourfold.prove.peers import speaking
from fourfold.prove.repeating import corrected, done_alone, is_repeatable, like_it, rows_of, settled
from fourfold.prove.writing import Written
from fourfold.review.answers import structured
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_AFTER_S = (None, 0.0, 0.004, 0.02)
"""When the connection breaks: when the answer is on its way, and seconds after the request was sent."""


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk)
    alone = await done_alone(watch, tool, check=CHECK.name)
    had_effect = [await _is_done_once(watch, alone, turn=turn) for turn in range(len(_AFTER_S))]
    if not any(had_effect):
        reason = "no call that was cut left anything behind: each connection may have a store of its own"
        raise NotTested(reason, next_step="keep what it writes where every process of the server finds it")


async def _is_done_once(watch: Watch, alone: Written, *, turn: int) -> bool:
    """Cut one call, and see that its repeat is no second effect; whether there was one before the repeat."""
    arguments = await like_it(watch, alone, check=f"{CHECK.name} {turn}")
    had_effect, answer = await _cut(watch, alone, arguments, after_s=_AFTER_S[turn])
    other = corrected(watch.desk, alone, arguments=arguments, answer=answer)
    if other is not None and not had_effect:
        had_effect, _ = await _cut(watch, alone, other, after_s=_AFTER_S[turn])
    return had_effect


async def _cut(
    watch: Watch, alone: Written, arguments: JsonObject, *, after_s: float | None
) -> tuple[bool, ToolAnswer]:
    desk, tool = watch.desk, alone.tool
    before = await watch.look()
    async with speaking(desk, fresh=True) as peer:
        await peer.cut(tool.name, arguments, after_s=after_s)
    broken_off = await watch.look()
    answer = await settled(desk, tool, arguments=arguments)
    calls = (
        desk.sent_as(tool.name, arguments, beside="cut before the answer"),
        desk.sent_as(tool.name, arguments),
    )
    rows, once = (await watch.look()).rows - before.rows, rows_of(alone)
    if 0 < 2 * once <= rows or (tool.tool.contract is not None and rows > once):
        raise Broken(f"cut before its answer and repeated, the call writes {rows} rows; alone it writes {once}", *calls)
    # What is refused both times shows nothing: what the call is about may be used up.
    if tool.tool.contract is None or not (rows or succeeded(answer)):
        return broken_off != before, answer
    if not succeeded(answer):
        raise Broken(f"a call whose answer was lost is answered with {in_short(answer)} when it comes again", *calls)
    if rows < once:
        raise Broken(f"a call whose answer was lost succeeds when it comes again, and writes {rows} rows", *calls)
    await _is_told(desk, answer, arguments=arguments, tool=tool)
    return broken_off != before, answer


async def _is_told(desk: Desk, answer: ToolAnswer, *, arguments: JsonObject, tool: ToolView) -> None:
    """`operation_status` says that it is done."""
    operation = operation_of(answer)
    if operation is None or all(each.name != "operation_status" for each in desk.view.tools):
        return
    asked = {"operation_id": operation}
    status = await desk.call("operation_status", asked)
    found = as_object(structured(status))
    state = in_short(status) if found is None else found.get("state")
    if state != "done":
        calls = (desk.sent_as(tool.name, arguments), desk.sent_as("operation_status", asked))
        raise Broken(f"operation_status says {state} of a call that went well after its answer was lost", *calls)


CHECK = Check(
    name="lost-answer-one-effect",
    family="effect",
    proves="a call whose connection breaks after it was read is done once when it comes again, and its outcome is told",
    requires=("D1", "B7"),
    run=_run,
    applies=is_repeatable,
    writes=True,
)
