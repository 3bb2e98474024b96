"""No success is larger than its limit, whatever is asked for: a list has an end, and a text too."""

from __future__ import annotations

import json

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.pages import entries
from fourfold.prove.working import working
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_MOST_BYTES = 100_000
"""About 25,000 tokens, beyond which clients cut a result or refuse it."""

_MOST_ITEMS = 1_000


async def _run(desk: Desk, tool: ToolView) -> None:
    successes = 0
    for sample in valid_arguments(desk, tool, check=CHECK.name):
        answer = await desk.call(tool.name, sample.value)
        if succeeded(answer):
            successes += 1
            _judge(desk, tool, sample.value, answer=answer)
    if not successes:
        arguments, answer = await working(desk, tool, check=CHECK.name)
        _judge(desk, tool, arguments, answer=answer)


def _judge(desk: Desk, tool: ToolView, arguments: JsonObject, *, answer: ToolAnswer) -> None:
    contract = tool.tool.contract
    most = _MOST_BYTES if contract is None else contract.limits.result_bytes
    # A text block beside the structured content says the same once more.
    told = answer.result.get("structuredContent") or answer.result.get("content")
    size = len(json.dumps(told, ensure_ascii=False, separators=(",", ":"), default=str).encode())
    if size > most:
        raise Broken(f"the result has {size:,} bytes, over {most:,}", desk.sent_as(tool.name, arguments))
    count = len(entries(answer) or ())
    if count > _MOST_ITEMS:
        raise Broken(f"a list in the result has {count:,} entries", desk.sent_as(tool.name, arguments))


CHECK = Check(
    name="result-bounded",
    family="contract",
    proves="no result is larger than its limit",
    requires=("B19", "B3"),
    run=_run,
)
