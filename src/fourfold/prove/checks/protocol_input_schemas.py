"""Every tool has an input schema that is one."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC, as_object
from fourfold.prove.peers import speaking
from fourfold.prove.reading import listed_tools
from fourfold.review.accepts import Judge, Unjudged
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk) as peer:
        for tool in await listed_tools(peer):
            name, schema = tool.get("name"), as_object(tool.get("inputSchema"))
            if schema is None or schema.get("type") != "object":
                raise Broken(f"the inputSchema of {name!r} is no schema of an object; it has to have type object")
            _expect_valid(schema, f"the inputSchema of {name!r}")
            output = tool.get("outputSchema", {})
            if as_object(output) is None:
                raise Broken(f"the outputSchema of {name!r} is no object")
            _expect_valid(as_object(output) or {}, f"the outputSchema of {name!r}")


def _expect_valid(schema: JsonObject, what: str) -> None:
    try:
        Judge(schema)
    except Unjudged as unjudged:
        raise Broken(f"{what} is refused by a validator of its dialect: {unjudged}") from None


CHECK = Check(
    name="protocol-input-schemas",
    family="protocol",
    proves="every inputSchema is of type object, and every schema valid in its dialect",
    requires=(
        f"{SPEC}/server/tools#tool",
        f"{SPEC}/basic/index#json-schema-usage",
    ),
    run=_run,
    whole=True,
)
