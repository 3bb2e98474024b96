"""A saved `tools/list`: what a server answered, or the tools of it, in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from fourfold.contracts.strict_json import StrictJsonError, parse
from fourfold.errors import TargetError
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedCatalog, ListedTool

__all__ = ["listed", "read_saved"]

_DEPTH = 200
"""Nesting of a saved catalog; deeper than what a call may have, because schemas of schemas are."""


def read_saved(raw: bytes, *, target: str) -> ListedCatalog:
    """The catalog in `raw`: a whole JSON-RPC answer, its result, an object with `tools`, or a list of tools.

    Raises:
        TargetError: it is no JSON, or holds no list of tools.
    """
    try:
        found: object = parse(raw, depth=_DEPTH).value
    except StrictJsonError as error:
        raise TargetError(f"{target} is no JSON ({error}); save what tools/list answers") from None
    facts = _object(found)
    # A whole JSON-RPC answer holds the list in its result.
    facts = _object(facts.get("result")) or facts
    return listed(facts.get("tools", found), target=target, facts=facts)


def listed(tools: object, *, target: str, facts: JsonObject) -> ListedCatalog:
    """The catalog of `tools`, with what else is known of it in `facts`.

    Raises:
        TargetError: it is no list of objects.
    """
    if not isinstance(tools, Sequence) or isinstance(tools, str):
        raise TargetError(f"{target} holds no list of tools; save what tools/list answers")
    entries = cast("Sequence[object]", tools)
    if not all(isinstance(entry, Mapping) for entry in entries):
        raise TargetError(f"{target} lists something that is no tool: a tool is an object")
    return ListedCatalog(
        target=target,
        tools=tuple(ListedTool(definition=cast("JsonObject", entry)) for entry in entries),
        server=_server_name(facts),
        instructions=_text(facts.get("instructions")),
        facts={name: value for name, value in facts.items() if name != "tools"},
    )


def _server_name(facts: JsonObject) -> str:
    """The name of the server, where the file says it: our own wire surveys, or an answer to `initialize`."""
    for key in ("server_info", "serverInfo"):
        if name := _text(_object(facts.get(key)).get("name")):
            return name
    return ""


def _object(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
