"""A server of notes on the official SDK's low-level server, sound unless a fault is named. It serves stdio.

`python broken_server.py FAULT …` breaks it in that way; `FAULTS` lists the names.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import jsonschema
from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool

FAULTS = frozenset(
    {
        "protocol-error", "refuses-good", "coerces", "nameless", "writes-first", "echoes", "trace", "path-in-error",
        "sql-for-quote", "huge", "stops-at-limit", "repeats", "circles", "says-more", "says-whole",
        "offset", "any-cursor",
        "ignores-limit", "shuffles", "redescribes", "ignores-unknown", "ends-when-deep", "takes-huge", "composes",
        "loses-emoji", "null-is-text", "null-crashes", "joins-path", "takes-absolute", "decodes-path",
        "wrong-output", "no-schema", "keeps-places", "tells-time",
    }
)  # fmt: skip
ON = frozenset(sys.argv[1:])
READ = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
WRITE = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False}
PAGE = 10
NOTE = {
    "type": "object",
    "properties": {"note_id": {"type": "string"}, "title": {"type": "string"}},
    "required": ["note_id", "title"],
}
NOTES = [{"note_id": f"N-{number:04}", "title": f"Tax note {number}"} for number in range(0, 46, 2)]
CURSORS: dict[str, int] = {}
TAKEN: list[int] = []
LISTED = itertools.count()
SENT = itertools.count(101, 2)


def tool(
    name: str,
    properties: dict[str, Any],
    *,
    required: tuple[str, ...] = (),
    output: dict[str, Any] | None = None,
    hints: dict[str, bool] = READ,
) -> dict[str, Any]:
    """A definition as this server lists it."""
    schema = {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}
    definition = {"name": name, "description": f"Does {name}.", "inputSchema": schema, "annotations": hints}
    return definition if output is None else {**definition, "outputSchema": output}


TEXT = {"type": "string", "minLength": 1, "maxLength": 80}
TOOLS = [
    tool(
        "note_list",
        {
            "cursor": {"type": "string", "maxLength": 100},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50},
            "state": {"type": "string", "enum": ["open", "done"]},
        },
        output={"type": "object", "properties": {"items": {"type": "array", "items": NOTE}}, "required": ["items"]},
    ),
    tool(
        "note_get",
        {"note_id": {**TEXT, "pattern": "^N-[0-9]{4}$"}},
        required=("note_id",),
        output={**NOTE, "required": "title"} if "no-schema" in ON else NOTE,
    ),
    tool("note_add", {"title": TEXT}, required=("title",), output=NOTE, hints=WRITE),
    tool("file_read", {"path": {**TEXT, "maxLength": 400, "examples": ["a.txt"]}}, required=("path",)),
]


def refusal(text: str) -> CallToolResult:
    """An error of a tool."""
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


def result(value: dict[str, Any]) -> CallToolResult:
    """A success."""
    return CallToolResult(content=[TextContent(text=json.dumps(value))], structured_content=value)


def note_list(arguments: dict[str, Any]) -> CallToolResult:
    """A page of the notes, by id: a cursor is the id after which it begins."""
    size = 1_000 if "ignores-limit" in ON else arguments.get("limit") or PAGE
    start = 0
    if arguments.get("cursor") is not None:
        if "any-cursor" not in ON and arguments["cursor"] not in CURSORS:
            return refusal("cursor_invalid: leave cursor out for the first page")
        start = position(arguments["cursor"])
    if "state" in arguments and arguments["state"] is None and "null-is-text" in ON:
        return result({"items": []})
    rows = sorted(NOTES, key=lambda note: note["note_id"])[start : start + size]
    page: dict[str, Any] = {"items": rows * 400 if "huge" in ON else rows}
    is_last = start + size >= len(NOTES) or "stops-at-limit" in ON
    if not is_last:
        page["next_cursor"] = cursor(start, start + size)
    if "says-whole" in ON:
        page["has_more"] = False
    if "says-more" in ON:
        page = {"items": rows, "has_more": True}
    return result(page)


def cursor(start: int, end: int) -> str:
    """The cursor of the page that begins at `end`, wrong if that is the fault."""
    begins = {"repeats": end - 1, "circles": start}
    end = next((place for fault, place in begins.items() if fault in ON), end)
    text = f"after {sorted(note['note_id'] for note in NOTES)[max(0, end - 1)]} {end}"
    CURSORS[text] = end
    return text


def position(text: str) -> int:
    """Where the page of a cursor begins: after its entry, wherever that stands now, or at a number if that is wrong."""
    end = CURSORS.get(text, 0)
    if "offset" in ON or end == 0:
        return end
    after = text.split()[1]
    return sum(note["note_id"] <= after for note in NOTES)


def note_get(arguments: dict[str, Any]) -> CallToolResult:
    """One note."""
    found = next((note for note in NOTES if note["note_id"] == arguments["note_id"]), None)
    if found is None:
        return refusal("unknown_note: there is no such note")
    if "tells-time" in ON:
        found = {**found, "title": f"{found['title']} at {time.time():.0f}"}
    return result({**found, "title": 5} if "wrong-output" in ON else found)


def note_add(arguments: dict[str, Any]) -> CallToolResult:
    """Adds a note in front of those that were there before the newest."""
    title = str(arguments.get("title"))
    if "composes" in ON:
        title = unicodedata.normalize("NFC", title)
    if "loses-emoji" in ON:
        title = "".join(letter for letter in title if ord(letter) < 0x1_0000)
    added = {"note_id": f"N-{2 * len(NOTES) - 45 if len(NOTES) < 44 else next(SENT):04}", "title": title}
    NOTES.append(added)
    return result(added)


def file_read(arguments: dict[str, Any]) -> CallToolResult:
    """A file of a folder of its own."""
    path = arguments["path"]
    if "sql-for-quote" in ON and "'" in path:
        return refusal("SELECT body FROM file WHERE path = ''' failed")
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "a.txt").write_text("a file")
        try:
            return CallToolResult(content=[TextContent(text=inside(root, path).read_text()[:200])])
        except (OSError, ValueError):
            return refusal(f"not_found: {root}/x" if "path-in-error" in ON else "not_found: there is no such file")


def inside(root: Path, path: str) -> Path:
    """The path of a file in the folder.

    Raises:
        ValueError: it is outside.
    """
    if "joins-path" in ON or ("takes-absolute" in ON and path.startswith("/")):
        return root / path
    if "decodes-path" in ON and ".." not in path and not path.startswith("/"):
        return root / path.replace("%2e", ".").replace("%2f", "/")
    found = (root / path).resolve()
    if not found.is_relative_to(root.resolve()):
        raise ValueError("outside")
    return found


HANDLERS: dict[str, Callable[[dict[str, Any]], CallToolResult]] = {
    "note_list": note_list,
    "note_get": note_get,
    "note_add": note_add,
    "file_read": file_read,
}


async def list_tools(_context: object, _params: object) -> ListToolsResult:
    """The tools."""
    count = next(LISTED)
    listed = [*reversed(TOOLS)] if "shuffles" in ON and count % 2 else TOOLS
    if "redescribes" in ON:
        listed = [{**each, "description": f"Call {count}."} for each in listed]
    return ListToolsResult(tools=[Tool.model_validate(each, by_name=False) for each in listed])


async def call_tool(_context: object, params: CallToolRequestParams) -> CallToolResult:
    """Checks the arguments against the schema, and calls the tool."""
    arguments = dict(params.arguments or {})
    if "keeps-places" in ON and not await has_place():
        return refusal("busy: all places are taken")
    crash(arguments)
    if "writes-first" in ON and params.name == "note_add":
        note_add(arguments)
    refused = problem(params.name, arguments)
    return refused if refused is not None else HANDLERS[params.name](arguments)


async def has_place() -> bool:
    """Takes one of three places, and gives it back unless the caller has given up meanwhile."""
    if len(TAKEN) >= 3:
        return False
    TAKEN.append(1)
    with anyio.move_on_after(0.03):
        await anyio.sleep_forever()
    TAKEN.pop()
    return True


def crash(arguments: dict[str, Any]) -> None:
    """What is no answer at all."""
    if "ends-when-deep" in ON and str(arguments).count("[") > 20:
        os._exit(3)
    if "protocol-error" in ON:
        raise MCPError(code=-32603, message="it did not work")


def problem(name: str, arguments: dict[str, Any]) -> CallToolResult | None:
    """What is wrong with the arguments, said as the faults make it say it."""
    schema = next(each for each in TOOLS if each["name"] == name)["inputSchema"]
    if "refuses-good" in ON:
        return refusal("Input validation error: the arguments are not valid")
    if "null-crashes" in ON and None in arguments.values():
        return refusal("TypeError: 'NoneType' object is not iterable\n  File \"/srv/notes.py\", line 5, in run")
    validator: Any = jsonschema.Draft202012Validator(schema)
    error = next(validator.iter_errors(arguments), None)
    if error is None or is_let_through(error):
        return None
    place = "/".join(map(str, error.absolute_path)) or unnamed(error, arguments)
    if "echoes" in ON:
        return refusal(f"Input validation error: {place}: {error.message}")
    if "trace" in ON:
        return refusal('Traceback (most recent call last):\n  File "/srv/notes.py", line 5, in run')
    return refusal("Invalid request." if "nameless" in ON else f"invalid_arguments: {place}: {error.validator}")


def unnamed(error: Any, arguments: dict[str, Any]) -> str:
    """The member that is missing, or too many."""
    if error.validator == "required":
        return ", ".join(name for name in error.validator_value if name not in arguments)
    return ", ".join(name for name in arguments if name not in error.schema.get("properties", {}))


def is_let_through(error: Any) -> bool:
    """Whether a fault takes what the schema refuses."""
    if error.validator == "additionalProperties":
        return "ignores-unknown" in ON
    if error.validator == "type" and error.instance is None:
        return "null-is-text" in ON
    if error.validator == "maxLength" and "takes-huge" in ON:
        return True
    return "coerces" in ON and error.validator in ("type", "maximum")


async def main() -> None:
    """Serve on the pipes until the input ends."""
    if ON - FAULTS:
        raise SystemExit(f"no such fault: {', '.join(ON - FAULTS)}")
    server = Server("notes", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, written):
        await server.run(read, written, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
