"""Wire logs of MCP: what was listed and called, but nothing of the conversation, so that no call makes a case."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.model.contract import JsonObject
from fourfold.selection.importing.decision import Found
from fourfold.selection.wire.values import is_object, object_of

__all__ = ["jsonrpc_of", "read_mcp"]

_WRAPPED = ("msg", "message", "payload", "data")


def read_mcp(record: JsonObject) -> Iterator[Found]:
    """That a call has no conversation; other messages hold no decision."""
    if jsonrpc_of(record).get("method") == "tools/call":
        yield "no_conversation"


def jsonrpc_of(record: JsonObject) -> JsonObject:
    """The JSON-RPC message in a line, bare or with a time and a direction around it; empty if there is none."""
    wrapped = [object_of(record[name]) for name in _WRAPPED if is_object(record.get(name))]
    return next((each for each in (record, *wrapped) if "jsonrpc" in each), object_of(None))
