"""One JSON-RPC message: from the bytes of either transport to something that may be dispatched, or to an error.

HTTP and stdio both read through this module, so they accept the same bytes. It owns the shape of the envelope
and which protocol era a message belongs to; it does not look at a method's own parameters.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from mcp.shared.inbound import (
    ERROR_CODE_HTTP_STATUS,
    MCP_PROTOCOL_VERSION_HEADER,
    InboundLadderRejection,
    classify_inbound_request,
    unsupported_protocol_version_rejection,
)
from mcp_types import INVALID_REQUEST, PARSE_ERROR, PROTOCOL_VERSION_META_KEY
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from fourfold.contracts.strict_json import StrictJsonError, parse
from fourfold.model.contract import JsonObject
from fourfold.model.fault import Problem

__all__ = ["Message", "MessageError", "era_refusal", "is_modern", "read_message"]

_ARGUMENTS = "/params/arguments"
_MODERN = frozenset(MODERN_PROTOCOL_VERSIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A well-formed JSON-RPC request or notification.

    Attributes:
        id: the request's id, or `None` for a notification.
        problems: what the strict reader found inside the arguments of a `tools/call`, pointers relative to them.
            `body` holds harmless stand-ins at those places.
    """

    body: JsonObject
    id: str | int | None
    method: str
    params: JsonObject
    problems: tuple[Problem, ...] = ()

    @property
    def tool(self) -> str:
        """The tool that a `tools/call` names; "" if this is not one or it names none."""
        name = self.params.get("name") if self.method == "tools/call" else None
        return name if isinstance(name, str) else ""

    @property
    def arguments(self) -> JsonObject | None:
        """The arguments of a `tools/call`, `{}` when left out; `None` if they are not an object."""
        found = self.params.get("arguments")
        return {} if found is None else _object(found)

    @property
    def version(self) -> object:
        """The protocol version in `params._meta`, unchecked; `None` if there is none (2026-07-28, "Basic")."""
        meta = _object(self.params.get("_meta"))
        return None if meta is None else meta.get(PROTOCOL_VERSION_META_KEY)


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageError:
    """A JSON-RPC error that is answered before anything is dispatched.

    It never repeats what was sent, except for a protocol version where the specification asks for that.
    """

    code: int
    message: str
    id: str | int | None = None
    data: object = None

    @property
    def status(self) -> int:
        """The HTTP status that goes with the code."""
        return ERROR_CODE_HTTP_STATUS.get(self.code, 200)

    def encode(self) -> bytes:
        """The error as JSON. An unknown id is left out, because `"id": null` breaks the schema (2026-07-28)."""
        error: dict[str, object] = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        known = {} if self.id is None else {"id": self.id}
        return json.dumps({"jsonrpc": "2.0", **known, "error": error}, separators=(",", ":")).encode()


def read_message(raw: bytes) -> Message | MessageError:
    """The message in `raw`, or the error that it is answered with."""
    try:
        parsed = parse(raw)
    except StrictJsonError:
        return MessageError(code=PARSE_ERROR, message="Parse error")
    body = _object(parsed.value)
    if body is None:
        return MessageError(code=INVALID_REQUEST, message="Send one JSON-RPC request or notification")
    known = _certain_id(body, parsed.faults)
    # A fault elsewhere may lie in what says what this message is, so nothing of it is believed.
    if not _confined_to_arguments(body, parsed.faults):
        return MessageError(code=PARSE_ERROR, message="Parse error", id=known)
    message = _envelope(body, known)
    if message is None:
        return MessageError(code=INVALID_REQUEST, message="Not a JSON-RPC request or notification", id=known)
    return replace(message, problems=_relative_to_arguments(parsed.faults)) if parsed.faults else message


def _object(value: object) -> JsonObject | None:
    return cast("JsonObject", value) if isinstance(value, dict) else None


def _certain_id(body: JsonObject, faults: tuple[Problem, ...]) -> str | int | None:
    """The id, if it is one and nothing about it is in doubt (a duplicate `id` has a fault at `/id`)."""
    found = body.get("id")
    # In Python a bool is an int; in JSON-RPC it is no id.
    if isinstance(found, bool) or not isinstance(found, str | int):
        return None
    doubted = any(fault.pointer == "/id" for fault in faults)
    return None if doubted else found


def _envelope(body: JsonObject, known: str | int | None) -> Message | None:
    """The body as a message; `None` for a response, a malformed id, or anything else that is not one."""
    method, params = body.get("method"), body.get("params")
    if body.get("jsonrpc") != "2.0" or not isinstance(method, str) or "result" in body or "error" in body:
        return None
    given = _object({} if params is None else params)
    if given is None or ("id" in body and known is None):
        return None
    return Message(body=body, id=known, method=method, params=given)


def _confined_to_arguments(body: JsonObject, faults: tuple[Problem, ...]) -> bool:
    """Whether every fault lies inside the arguments of a `tools/call`, so that the rest can be trusted."""
    inside = all(fault.pointer.startswith(_ARGUMENTS + "/") for fault in faults)
    return not faults or (inside and body.get("method") == "tools/call")


def _relative_to_arguments(faults: tuple[Problem, ...]) -> tuple[Problem, ...]:
    return tuple(replace(fault, pointer=fault.pointer.removeprefix(_ARGUMENTS)) for fault in faults)


def is_modern(message: Message, header: str | None) -> bool:
    """Whether the message belongs to the era without a handshake.

    The body decides. The version header only does so where it names something that no handshake revision is
    called, so that such a client is told what is wrong in terms of the era it meant.
    """
    return message.version is not None or (header is not None and header not in HANDSHAKE_PROTOCOL_VERSIONS)


def era_refusal(
    message: Message, headers: Mapping[str, str] | None = None, *, modern_only: bool = False
) -> MessageError | None:
    """Why the message may not be dispatched in the era that it belongs to, or `None` if it may.

    Args:
        message: what arrived.
        headers: its HTTP headers by lower-case name; `None` where the transport has none.
        modern_only: whether the revisions with a handshake are turned off.
    """
    header = None if headers is None else headers.get(MCP_PROTOCOL_VERSION_HEADER)
    if not is_modern(message, header):
        return _legacy_refusal(message, header) if modern_only else None
    # Notifications have no envelope to check; the header alone says which version they are for.
    if message.id is None:
        return None if headers is None else _error(unsupported_protocol_version_rejection(header or ""), message)
    if headers is not None and header in _MODERN:
        # The SDK routes this one to its modern side, which checks the headers against the body itself.
        return None
    verdict = classify_inbound_request(message.body, headers=headers)
    return _error(verdict, message) if isinstance(verdict, InboundLadderRejection) else None


def _legacy_refusal(message: Message, header: str | None) -> MessageError | None:
    """The versions that are spoken, where the client named another; else what a modern request lacks."""
    requested = message.params.get("protocolVersion") if message.method == "initialize" else header
    if isinstance(requested, str):
        return _error(unsupported_protocol_version_rejection(requested, MODERN_PROTOCOL_VERSIONS), message)
    verdict = classify_inbound_request(message.body)
    return _error(verdict, message) if isinstance(verdict, InboundLadderRejection) else None


def _error(rejection: InboundLadderRejection | None, message: Message) -> MessageError | None:
    if rejection is None:
        return None
    return MessageError(code=rejection.code, message=rejection.message, id=message.id, data=rejection.data)
