"""A small MCP server of both eras, written without any SDK, with one flaw at a time.

It is told frames and headers and says what to answer; `small_server_main` puts it behind HTTP and stdio.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

MODERN = "2026-07-28"
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
PREFIX = "io.modelcontextprotocol"
READ = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
OBJECT = {"type": "object", "additionalProperties": False}
NUMBER = {"item_id": {"type": "integer", "minimum": 1, "maximum": 9}}
REGION = {"region": {"type": "string", "enum": ["eu", "us"], "x-mcp-header": "Region"}}
TOOLS: tuple[dict[str, Any], ...] = (
    {
        "name": "get_item",
        "description": "Gets an item.",
        "inputSchema": {**OBJECT, "properties": NUMBER, "required": ["item_id"]},
        "outputSchema": {**OBJECT, "properties": NUMBER, "required": ["item_id"]},
        "annotations": READ,
    },
    {
        "name": "list_regions",
        "description": "Lists the items of a region.",
        "inputSchema": {**OBJECT, "properties": REGION, "required": ["region"]},
        "annotations": READ,
    },
)


@dataclass
class Answer:
    """What goes out: messages, and over HTTP a status, headers, and whether it is a stream, and one that ends."""

    messages: list[dict[str, Any]]
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    streamed: bool = False
    ends: bool = True
    closes: bool = False


def error(number: Any, code: int, *, status: int = 400, data: Any = None) -> Answer:
    """An error answer; without an id if `number` is `None`."""
    what = {"code": code, "message": "refused", **({} if data is None else {"data": data})}
    known = {} if number is None else {"id": number}
    return Answer([{"jsonrpc": "2.0", **known, "error": what}], status)


def an_object(value: Any) -> dict[str, Any]:
    """A value that is an object; else an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


class SmallServer:
    """One server with one flaw. The empty flaw is none, nor is `older`, a server that wants a handshake."""

    def __init__(self, flaw: str = "") -> None:
        self.flaw = flaw
        self.calls = 0
        self.remembered = False
        self.seen_legacy = False

    def take(self, raw: bytes, headers: Mapping[str, str] | None = None, *, caller: str = "first") -> Answer:
        """The answer to a frame; `headers` by lower-case name, `None` over stdio."""
        body: Any
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError):
            return self._unreadable(-32700)
        if isinstance(body, list) and self.flaw == "takes_batches":
            each = [self._message(message, headers, caller) for message in cast("list[Any]", body)]
            return Answer([message for answer in each for message in answer.messages])
        return self._message(an_object(body), headers, caller) if isinstance(body, dict) else self._unreadable(-32600)

    def _unreadable(self, code: int) -> Answer:
        refused = error(None, code)
        if self.flaw == "null_id":
            refused.messages[0]["id"] = None
        return refused

    def _message(self, body: dict[str, Any], headers: Mapping[str, str] | None, caller: str) -> Answer:
        number, params = body.get("id"), an_object(body.get("params"))
        if "id" not in body:
            return self._notified()
        if self.flaw != "any_id" and (isinstance(number, bool) or not isinstance(number, str | int)):
            return error(None, -32600)
        is_modern = self._is_modern(body, params, headers)
        refused = self._ladder(body, params, headers) if is_modern else None
        answer = refused or self._dispatch(body, params, is_modern=is_modern, caller=caller)
        return self._spoil(answer, body, is_modern=is_modern, headers=headers)

    def _is_modern(self, body: dict[str, Any], params: dict[str, Any], headers: Mapping[str, str] | None) -> bool:
        """The era: as the body says; else, for want of a header, that of the first request."""
        if body["method"] == "initialize":
            self.seen_legacy = True
            return f"{PREFIX}/protocolVersion" in an_object(params.get("_meta"))
        if self.flaw == "older" or (self.flaw == "locks_era" and self.seen_legacy):
            return False
        says = f"{PREFIX}/protocolVersion" in an_object(params.get("_meta"))
        return says or (not self.seen_legacy if headers is None else headers.get("mcp-protocol-version") not in LEGACY)

    def _notified(self) -> Answer:
        if self.flaw == "answers_notifications":
            return Answer([{"jsonrpc": "2.0", "id": "x", "result": {}}], 200)
        return Answer([], 202)

    def _ladder(self, body: dict[str, Any], params: dict[str, Any], headers: Mapping[str, str] | None) -> Answer | None:
        """What a request of 2026-07-28 is refused for, in the order of the conformance suite."""
        number, meta = body["id"], an_object(params.get("_meta"))
        version, capabilities = meta.get(f"{PREFIX}/protocolVersion"), meta.get(f"{PREFIX}/clientCapabilities")
        lacks = version is None or capabilities is None
        if self.flaw == "remembers" and self.remembered and version is not None:
            lacks = False
        self.remembered = self.remembered or capabilities is not None
        if lacks and self.flaw != "envelope_optional":
            return error(number, -32602)
        if self.flaw == "client_info_required" and f"{PREFIX}/clientInfo" not in meta:
            return error(number, -32602)
        if headers is not None and self.flaw != "ignores_headers" and not self._headers_match(body, params, headers):
            return error(number, -32020)
        if version not in (MODERN, None) and self.flaw != "version_taken":
            return error(number, -32022, data={"supported": [MODERN], "requested": version})
        if meta.get(f"{PREFIX}/logLevel") == "made-up":
            return error(number, -32602)
        return None

    def _headers_match(self, body: dict[str, Any], params: dict[str, Any], headers: Mapping[str, str]) -> bool:
        version = an_object(params.get("_meta")).get(f"{PREFIX}/protocolVersion")
        if version is not None and headers.get("mcp-protocol-version") != version:
            return False
        if headers.get("mcp-method") != body["method"]:
            return False
        if body["method"] != "tools/call" or not isinstance(params.get("name"), str):
            return True
        named = self._decoded(headers.get("mcp-name", ""))
        region = an_object(params.get("arguments")).get("region")
        same = region is None or headers.get("mcp-param-region") == region
        return named == params["name"] and (same or self.flaw == "ignores_parameter_headers")

    def _decoded(self, value: str) -> str | None:
        if not value.startswith("=?base64?") or self.flaw == "name_not_decoded":
            return value
        try:
            return base64.b64decode(value[9:-2], validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            return None

    def _dispatch(self, body: dict[str, Any], params: dict[str, Any], *, is_modern: bool, caller: str) -> Answer:
        number, method = body["id"], body["method"]
        match method:
            case "server/discover" if is_modern:
                return self._result(number, self._discovered(), is_modern=True)
            case "initialize" if not is_modern:
                return self._result(number, self._initialized(params), is_modern=False)
            case "tools/list":
                return self._list(number, params, is_modern=is_modern, caller=caller)
            case "tools/call":
                return self._call(number, params, is_modern=is_modern)
            case "ping" if not is_modern:
                return self._result(number, {}, is_modern=False)
            case "prompts/list" if self.flaw == "undeclared_prompts":
                return self._result(number, {"prompts": []}, is_modern=is_modern)
            case "subscriptions/listen" if self.flaw == "listen_without_id":
                return Answer([_acknowledged(None)], streamed=True, ends=False)
            case "subscriptions/listen" if is_modern:
                return Answer([_acknowledged(number)], streamed=True, ends=False)
            case "resources/read" if self.flaw == "old_codes":
                return error(number, -32002)
            case _:
                code = -32600 if self.flaw == "unknown_method_is_invalid" else -32601
                return error(number, code, status=404 if is_modern else 200)

    def _result(self, number: Any, result: dict[str, Any], *, is_modern: bool) -> Answer:
        modern: dict[str, Any] = {"resultType": "complete"}
        if self.flaw != "no_server_info":
            modern["_meta"] = {f"{PREFIX}/serverInfo": {"name": "small", "version": "1"}}
        if self.flaw == "no_result_type" and "content" in result:
            del modern["resultType"]
        added = modern if is_modern or self.flaw == "newer_fields" else {}
        return Answer([{"jsonrpc": "2.0", "id": number, "result": {**added, **result}}])

    def _discovered(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "supportedVersions": [MODERN],
            "capabilities": {"tools": {"listChanged": True}},
            "ttlMs": 1000,
            "cacheScope": "public",
        }
        if self.flaw == "discover_without_ttl":
            del found["ttlMs"]
        return found

    def _initialized(self, params: dict[str, Any]) -> dict[str, Any]:
        asked = params.get("protocolVersion")
        answered = asked if asked in LEGACY or self.flaw == "handshake_of_2026" else LEGACY[0]
        info = {"name": "small", "version": "1"}
        return {"protocolVersion": answered, "capabilities": {"tools": {}}, "serverInfo": info}

    def _list(self, number: Any, params: dict[str, Any], *, is_modern: bool, caller: str) -> Answer:
        cursor = params.get("cursor")
        if cursor not in (None, "two") and self.flaw != "any_cursor":
            return error(number, -32602)
        tools = [dict(tool) for tool in (TOOLS[:1] if cursor is None else TOOLS[1:])]
        if self.flaw == "invalid_schema":
            tools[0]["inputSchema"] = {"type": "object", "properties": {"item_id": {"type": "whole number"}}}
        if self.flaw == "list_grows" and self.calls:
            tools[0]["description"] += " It was called."
        if caller == "second":
            tools[0]["description"] += " Yours."
        result: dict[str, Any] = {"tools": tools}
        if cursor is None:
            result["nextCursor"] = "two"
        elif self.flaw == "null_cursor":
            result["nextCursor"] = None
        if is_modern:
            scope = "public" if self.flaw == "public_list" or (self.flaw == "mixed_scopes" and cursor) else "private"
            result = {**result, "ttlMs": 1000, "cacheScope": scope}
        return self._result(number, result, is_modern=is_modern)

    def _call(self, number: Any, params: dict[str, Any], *, is_modern: bool) -> Answer:
        name, given = params.get("name"), params.get("arguments", {})
        if self.flaw == "takes_list_arguments" and isinstance(given, list):
            given = {"item_id": 1}
        if not isinstance(name, str) or not isinstance(given, dict):
            return error(number, -32602)
        if name not in {tool["name"] for tool in TOOLS}:
            if self.flaw != "unknown_tool_is_result":
                return error(number, -32602)
            return self._result(number, _failure("no such tool"), is_modern=is_modern)
        self.calls += 1
        if self.flaw == "dies_of_depth" and "fourfold_nested" in given:
            return Answer([], closes=True)
        item = an_object(given).get("item_id")
        is_right = isinstance(item, int) and not isinstance(item, bool) and 0 < item < 10 and len(an_object(given)) == 1
        if name == "get_item" and not is_right:
            if self.flaw == "invalid_is_protocol_error":
                return error(number, -32602)
            return self._result(number, _failure("invalid item_id"), is_modern=is_modern)
        return self._result(number, self._success({"item_id": item}), is_modern=is_modern)

    def _success(self, value: dict[str, Any]) -> dict[str, Any]:
        text = "See the structured content." if self.flaw == "no_mirror" else json.dumps(value)
        content = {} if self.flaw == "no_content" else {"content": [{"type": "text", "text": text}]}
        return {**content, "structuredContent": value, "isError": False}

    def _spoil(
        self, answer: Answer, body: dict[str, Any], *, is_modern: bool, headers: Mapping[str, str] | None
    ) -> Answer:
        """Flaws that are about the answer as a whole."""
        is_call = body.get("method") == "tools/call" and "result" in (answer.messages or [{}])[-1]
        extra = {
            "sends_requests": {"id": "s1", "method": "ping"},
            "logs_unasked": {"method": "notifications/message", "params": {"level": "info", "data": "called"}},
            "tells_progress": {"method": "notifications/progress", "params": {"progressToken": "t", "progress": 1}},
        }.get(self.flaw)
        if is_call and is_modern and extra is not None:
            answer.messages.insert(0, {"jsonrpc": "2.0", **extra})
            answer.streamed = True
        if is_call and self.flaw == "stream_stays_open":
            answer.streamed, answer.ends = True, False
        if self.flaw == "id_as_text" and answer.messages and "id" in answer.messages[-1]:
            answer.messages[-1]["id"] = str(answer.messages[-1]["id"])
        if self.flaw == "streams_errors" and answer.status >= 400:
            answer.streamed = True
        if self.flaw == "opens_sessions" and headers is not None:
            answer.headers["mcp-session-id"] = "s1"
        return answer


def _acknowledged(number: Any) -> dict[str, Any]:
    meta = {} if number is None else {"_meta": {f"{PREFIX}/subscriptionId": number}}
    params = {"notifications": {"toolsListChanged": True}, **meta}
    return {"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params}


def _failure(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": True}
