"""Headers that repeat arguments have to match them."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk, is_read
from fourfold.prove.expect import expect_error
from fourfold.prove.peer import SPEC, as_object
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    peer = await modern(desk)
    declared = _declared(tool)
    for sample in valid_arguments(desk, tool, check=CHECK.name):
        given = {header: sample.value[name] for name, header in declared.items() if sample.value.get(name) is not None}
        headers = {f"mcp-param-{header}": _text(value) for header, value in given.items()}
        if headers and all(text.isascii() and text.isprintable() for text in headers.values()):
            break
    else:
        raise NotTested(f"no arguments of {tool.name} that go into a header", next_step="give some in [prove]")
    frame = peer.request("tools/call", {"name": tool.name, "arguments": sample.value})
    expect_error(await peer.send(frame), "a call without its Mcp-Param header", code=-32020, status=400)
    others = dict.fromkeys(headers, "fourfold-other")
    expect_error(await peer.send(frame, others), "a call with another Mcp-Param header", code=-32020, status=400)
    if (await peer.send(frame, headers)).code == -32020:
        raise Broken(f"a call of {tool.name} with the Mcp-Param headers of its arguments was refused with -32020")


def _declared(tool: ToolView) -> dict[str, str]:
    """The arguments at the top that are repeated in a header, each with the name of the header."""
    properties: JsonObject = as_object(tool.tool.input_schema.get("properties")) or {}
    named = {name: (as_object(schema) or {}).get("x-mcp-header") for name, schema in properties.items()}
    return {name: header for name, header in named.items() if isinstance(header, str)}


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


CHECK = Check(
    name="protocol-parameter-headers",
    family="protocol",
    proves="a call whose Mcp-Param headers are missing or differ from its arguments is refused with -32020",
    requires=(f"{SPEC}/basic/transports/streamable-http#server-behavior-for-custom-headers",),
    run=_run,
    whole=True,
    applies=lambda tool: is_read(tool) and bool(_declared(tool)),
    transport="http",
)
