"""What an answer of a server holds: its texts with their pointers, and every string and number in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from fourfold.contracts.strict_json import pointer
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer

__all__ = ["as_json", "asks", "is_error", "leaves", "said", "structured", "texts"]

_MAX_LEAVES = 50_000


def is_error(answer: ToolAnswer) -> bool:
    """Whether it says that the call failed."""
    return answer.result.get("isError") is True or bool(answer.refusal)


def asks(answer: ToolAnswer) -> bool:
    """Whether it says that somebody has to be asked first (2026-07-28, "Multi Round-Trip Requests")."""
    return answer.result.get("resultType") == "input_required"


def structured(answer: ToolAnswer) -> object:
    """Its `structuredContent`; `None` if there is none."""
    return answer.result.get("structuredContent")


def texts(answer: ToolAnswer) -> Iterator[tuple[str, str]]:
    """Its text blocks, each with its pointer; the message of a refusal has the empty one."""
    if answer.refusal:
        yield "", answer.refusal
    content: object = answer.result.get("content")
    if not _is_list(content):
        return
    for index, block in enumerate(cast("Sequence[object]", content)):
        text: object = cast("JsonObject", block).get("text") if isinstance(block, Mapping) else None
        if isinstance(text, str):
            yield pointer("content", index, "text"), text


def said(answer: ToolAnswer) -> str:
    """All its text."""
    return "\n".join(text for _, text in texts(answer))


def as_json(text: str) -> object:
    """The JSON in a text block; `None` if it holds none."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return None


def leaves(value: object, *, at: str = "") -> Iterator[tuple[str, object]]:
    """Every string, number, boolean and null in `value`, names of members included, each with its pointer."""
    waiting: list[tuple[str, object]] = [(at, value)]
    for _ in range(_MAX_LEAVES):
        if not waiting:
            return
        place, found = waiting.pop()
        if isinstance(found, Mapping):
            members = cast("JsonObject", found)
            waiting.extend((place + pointer(name), inner) for name, inner in reversed([*members.items()]))
        elif _is_list(found):
            entries = [*enumerate(cast("Sequence[object]", found))]
            waiting.extend((place + pointer(index), inner) for index, inner in reversed(entries))
        else:
            yield place, found


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
