"""Structured content stands in a text as well, for clients that read only text."""

from __future__ import annotations

import json
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC, as_object
from fourfold.prove.peers import speaking
from fourfold.prove.reading import calls_of_reads
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    seen = 0
    async with speaking(desk) as peer:
        async for tool, reply in calls_of_reads(desk, peer, check=CHECK.name):
            result = reply.result or {}
            if "structuredContent" not in result or result.get("isError"):
                continue
            seen += 1
            if not _mirrors(result["structuredContent"], result):
                raise Broken(f"the structured content of {tool.name} does not stand in a text block; it should")
    if not seen:
        raise NotTested("no call had structured content", next_step="give arguments that work in [prove]")


def _mirrors(structured: object, result: JsonObject) -> bool:
    content = result.get("content")
    blocks = [as_object(block) or {} for block in cast("list[object]", content)] if isinstance(content, list) else []
    texts = [block["text"] for block in blocks if isinstance(block.get("text"), str)]
    values = [value for text in texts for value in (text, _parsed(str(text)))]
    # Some SDKs wrap what is no object, and put only what is inside into the text.
    return structured in values or any(structured == {"result": value} for value in values)


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


CHECK = Check(
    name="protocol-text-mirror",
    family="protocol",
    proves="structured content is repeated as JSON in a text block",
    requires=(f"{SPEC}/server/tools#structured-content",),
    run=_run,
    weight="should",
    whole=True,
)
