"""What a result depends on, as digests: SHA-256 over canonical JSON (RFC 8785), so that two results can be compared."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import cast

import rfc8785

from fourfold.contracts.case_file import case_line
from fourfold.contracts.strict_json import MAX_SAFE_INTEGER, Json
from fourfold.model.case import Case
from fourfold.model.chosen import OfferedTool
from fourfold.model.contract import JsonObject

__all__ = ["messages_digest", "suite_digest", "text_digest", "tool_digest", "tools_digest"]


def tool_digest(tool: OfferedTool) -> str:
    """Of what a model is told of one tool: name, description and input schema."""
    return _digest(_told(tool))


def tools_digest(tools: Sequence[OfferedTool]) -> str:
    """Of all tools together, in whatever order they are listed."""
    return _digest([_told(tool) for tool in sorted(tools, key=lambda tool: (tool.name, tool_digest(tool)))])


def messages_digest(messages: Sequence[JsonObject]) -> str:
    """Of a conversation up to a decision."""
    return _digest([*messages])


def suite_digest(cases: Sequence[Case]) -> str:
    """Of all cases, in whatever order they stand."""
    return _digest([case_line(case) for case in sorted(cases, key=lambda case: case.id)])


def text_digest(text: str) -> str:
    """Of a text, such as the instructions that stand before a conversation."""
    return _digest(text)


def _told(tool: OfferedTool) -> JsonObject:
    return {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}


def _digest(value: object) -> str:
    return f"sha256:{hashlib.sha256(rfc8785.dumps(_canonical(value))).hexdigest()}"


def _canonical(value: object) -> Json:
    """`value` as RFC 8785 takes it: longer integers are doubles there, and lone surrogates are no text."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        members = cast("Mapping[str, object]", value)
        return {str(_canonical(str(key))): _canonical(each) for key, each in members.items()}
    if isinstance(value, list | tuple):
        return [_canonical(each) for each in cast("Sequence[object]", value)]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > MAX_SAFE_INTEGER:
        return _double(value)
    return value if isinstance(value, bool | int | float | None) else str(value)


def _double(value: int) -> float | str:
    try:
        return float(value)
    except OverflowError:
        return str(value)
