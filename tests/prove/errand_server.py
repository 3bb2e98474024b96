"""A server of errands on the official SDK's low-level server: it asks, takes keys, and keeps all in a file.

`python errand_server.py FILE CALLER FAULT …` serves stdio as that caller, broken in that way; `FAULTS` lists the names.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    ListToolsResult,
    TextContent,
    Tool,
)

FAULTS = frozenset({
    "any-state", "asks-again", "says-it-as-a-tool", "any-caller", "any-arguments", "redeems-again", "key-late",
    "says-whose", "no-state", "alone",
    "new-secret", "never-late",
})  # fmt: skip
CONFIRM = {"type": "object", "properties": {"confirm": {"type": "boolean"}}, "required": ["confirm"]}
TITLE = {"type": "string", "minLength": 1, "maxLength": 80}
ERRAND = {
    "type": "object",
    "properties": {"errand_id": {"type": "string"}, "title": {"type": "string"}},
    "required": ["errand_id", "title"],
}
Said = dict[str, Any]


def tool(name: str, properties: Said, *, read: bool = False) -> Tool:
    """A definition as this server lists it; what is no key has to be given."""
    required = [each for each in properties if each != "idempotency_key"]
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    hints = {"readOnlyHint": read, "destructiveHint": False, "idempotentHint": read, "openWorldHint": False}
    definition = {"name": name, "description": f"Does {name}.", "inputSchema": schema, "annotations": hints}
    return Tool.model_validate(definition, by_name=False)


TOOLS = [
    tool("errand_list", {}, read=True),
    tool("errand_add", {"title": TITLE, "idempotency_key": {"type": "string", "maxLength": 200}}),
    tool("errand_send", {"title": TITLE}),
]


class Errands:
    """What one caller asks of the file."""

    def __init__(self, path: Path, caller: str, faults: frozenset[str]) -> None:
        assert faults <= FAULTS
        self.path, self.caller, self.faults = path, caller, faults
        if "alone" in faults:
            self.path = path.with_suffix(f".{os.getpid()}")

    def beside(self, name: str) -> int:
        """A number that a test keeps beside the file: what time it is, and how often it was started again."""
        file = self.path.with_suffix(f".{name}")
        return int(file.read_text()) if file.exists() else 0

    def seal(self, text: str) -> str:
        """A mark that only this server can make; with a secret that goes when it is started again, if that is wrong."""
        secret = b"errands %d" % (self.beside("starts") if "new-secret" in self.faults else 0)
        return hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()

    def kept(self) -> Said:
        """What the file holds."""
        return json.loads(self.path.read_text()) if self.path.exists() else {"errands": [], "done": {}}

    def keep(self, **changed: Any) -> None:
        """Change the file, all of it at once."""
        new = self.path.with_suffix(f".{self.caller}")
        new.write_text(json.dumps({**self.kept(), **changed}))
        new.replace(self.path)

    def errand_list(self) -> CallToolResult:
        """The caller's own errands."""
        own = [each for each in self.kept()["errands"] if each["of"] == self.caller]
        return result({"items": [shown(each) for each in own]})

    async def errand_add(self, title: str, idempotency_key: str | None = None) -> CallToolResult:
        """Add one, once for each key."""
        key = None if idempotency_key is None else f"{self.caller} {idempotency_key}"
        if key is not None and key in self.kept()["done"]:
            said, found = self.kept()["done"][key]
            return result(found) if said == title else refusal("conflict: this key was used for something else")
        if "key-late" not in self.faults:
            return result(self.added(title, key=key))
        found = self.added(title, key=None)
        with anyio.move_on_after(0.1):
            await anyio.sleep_forever()
        self.keep(done={**self.kept()["done"], str(key): (title, found)})
        return result(found)

    def added(self, title: str, *, key: str | None) -> Said:
        """A new errand, with the key that it was added under."""
        kept = self.kept()
        errand = {"errand_id": f"E-{len(kept['errands']) + 1:04}", "title": title, "of": self.caller}
        done = kept["done"] if key is None else {**kept["done"], key: (title, shown(errand))}
        self.keep(errands=[*kept["errands"], errand], done=done)
        return shown(errand)

    def errand_send(self, params: CallToolRequestParams, title: str) -> CallToolResult | InputRequiredResult:
        """Send somebody, once a person has confirmed it."""
        if params.request_state is None:
            return self.question(title)
        bound = self.opened(params.request_state)
        if isinstance(bound, InputRequiredResult | CallToolResult):
            return bound
        if bound["of"] != self.caller and "any-caller" not in self.faults:
            raise MCPError(code=-32602, message="Not yours" if "says-whose" in self.faults else "Invalid requestState")
        if bound["title"] != title and "any-arguments" not in self.faults:
            raise MCPError(code=-32602, message="Invalid requestState")
        if bound["until"] < self.beside("now") and "never-late" not in self.faults:
            raise MCPError(code=-32602, message="Invalid requestState")
        said = (params.input_responses or {}).get("sure")
        if not isinstance(said, ElicitResult) or said.content != {"confirm": True}:
            return refusal("not confirmed")
        key = f"state {bound['nonce']}"
        done = self.kept()["done"]
        if key in done and "redeems-again" not in self.faults:
            return result(done[key][1])
        return result(self.added(title, key=key))

    def question(self, title: str) -> InputRequiredResult:
        """What is asked, and the sealed state that goes with it."""
        until = self.beside("now") + 1_800
        text = json.dumps({"title": title, "of": self.caller, "nonce": time.monotonic_ns(), "until": until})
        sealed = None if "no-state" in self.faults else f"{text.encode().hex()}.{self.seal(text)}"
        params = ElicitRequestFormParams(message=f"Send somebody: {title}?", requested_schema=CONFIRM)
        return InputRequiredResult(input_requests={"sure": ElicitRequest(params=params)}, request_state=sealed)

    def opened(self, state: str) -> Said | InputRequiredResult | CallToolResult:
        """What a state holds."""
        body, _, mark = state.partition(".")
        try:
            text = bytes.fromhex(body).decode()
            if hmac.compare_digest(self.seal(text), mark) or "any-state" in self.faults:
                return json.loads(text)
        except ValueError:
            pass
        if "asks-again" in self.faults:
            return self.question("again")
        if "says-it-as-a-tool" in self.faults:
            return refusal("invalid requestState")
        raise MCPError(code=-32602, message="Invalid requestState")


def shown(errand: Said) -> Said:
    """An errand as it is answered with."""
    return {name: errand[name] for name in ("errand_id", "title")}


def refusal(text: str) -> CallToolResult:
    """An error of a tool."""
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


def result(value: Said) -> CallToolResult:
    """A success."""
    return CallToolResult(content=[TextContent(text=json.dumps(value))], structured_content=value)


async def list_tools(_context: object, _params: object) -> ListToolsResult:
    """The tools."""
    return ListToolsResult(tools=TOOLS)


async def main(file: str, caller: str, *, faults: Sequence[str]) -> None:
    """Serve on the pipes until the input ends."""
    errands = Errands(Path(file), caller, frozenset(faults))

    async def call_tool(_context: object, params: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
        arguments = dict(params.arguments or {})
        match params.name:
            case "errand_add":
                return await errands.errand_add(**arguments)
            case "errand_send":
                return errands.errand_send(params, **arguments)
            case _:
                return errands.errand_list()

    server = Server("errands", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, written):
        await server.run(read, written, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(partial(main, sys.argv[1], sys.argv[2], faults=sys.argv[3:]))
