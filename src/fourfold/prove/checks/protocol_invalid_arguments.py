"""Arguments that break the schema are an error of the tool, which a model can mend."""

from __future__ import annotations

from fourfold.prove.arguments import invalid_arguments
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.prove.reading import some_read
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_WITHOUT = "2025-06-18"
"""The last revision in which they were a protocol error."""

_SAMPLES = 6


async def _run(desk: Desk, _: ToolView) -> None:
    tool = some_read(desk)
    async with speaking(desk) as peer:
        if peer.revision <= _WITHOUT:
            raise NotTested(f"the server speaks {peer.revision}", next_step="serve 2025-11-25 or newer")
        refused = 0
        for sample in invalid_arguments(desk, tool, check=CHECK.name, most=_SAMPLES):
            reply = await peer.call(tool.name, sample.value)
            if reply.result is None:
                what = f"{tool.name} with {sample.kind} at {sample.pointer or 'the root'}"
                raise Broken(f"{what} was answered with {reply.shown}; it should be a result with isError")
            refused += reply.result.get("isError") is True
    if not refused:
        # A server may mend some arguments, such as null for what may be left out, but not all of them.
        raise Broken(f"{tool.name} took each of {_SAMPLES} arguments that break its schema")


CHECK = Check(
    name="protocol-invalid-arguments",
    family="protocol",
    proves="arguments that break the schema are answered with a result that has isError",
    requires=(f"{SPEC}/server/tools#error-handling",),
    run=_run,
    whole=True,
)
