"""Arguments that are nested too deep or far too large are answered with an error, and the server goes on."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.conform import misfits
from fourfold.errors import TargetError
from fourfold.model.contract import JsonObject
from fourfold.model.proof import SentCall
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_DEPTH = 80
"""Beyond what any tool needs, and below what a client can send."""

_CHARACTERS = 1_000_000
_LONGEST_LINE = 2_000


async def _run(desk: Desk, tool: ToolView) -> None:
    good = next(valid_arguments(desk, tool, check=CHECK.name, most=1)).value
    for kind, arguments in _excessive(tool, good):
        # A million characters are no line to paste.
        is_short = len(str(arguments)) < _LONGEST_LINE
        sent = desk.sent_as(tool.name, arguments if is_short else good, beside="" if is_short else f"with {kind}")
        try:
            answer = await desk.call(tool.name, arguments)
        except TargetError as error:
            await _goes_on(desk, desk.sent_as(tool.name, good), after=sent, kind=kind, error=error)
            continue
        if in_short(answer) == "internal":
            raise Broken(f"{kind} led to an internal error", sent)
        is_wrong = misfits(arguments, tool.tool.input_schema) or tool.tool.contract is not None
        if succeeded(answer) and is_wrong:
            raise Broken(f"{kind} was taken", sent)
    await desk.call(tool.name, good)


async def _goes_on(desk: Desk, good: SentCall, *, after: SentCall, kind: str, error: TargetError) -> None:
    """An error of the transport is a refusal, if the next call is answered."""
    try:
        await desk.call(good.tool, good.arguments)
    except TargetError:
        detail = f"the server does not answer any more after {kind}: {error}"
        raise Broken(detail, after, good) from None


def _excessive(tool: ToolView, good: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    own = [place for place in tool.arguments if len(place.parents) == 1]
    text = next((place.name for place in own if "string" in place.types), "fourfold_unknown")
    deep: object = []
    for _ in range(_DEPTH):
        deep = [deep]
    yield f"a value {_DEPTH} levels deep", {**good, own[0].name if own else "fourfold_unknown": deep}
    yield f"a text of {_CHARACTERS:,} characters", {**good, text: "x" * _CHARACTERS}


CHECK = Check(
    name="deep-and-huge-refused",
    family="contract",
    proves="what is nested too deep or far too large is refused, and the server goes on",
    requires=("B19", "B12"),
    run=_run,
)
