"""A change between two locks as a person reads it: what stood there before, and what stands there now."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, NamedTuple, cast

from fourfold.model.lock import CatalogLock, Change, LockedTool

__all__ = ["ShownChange", "Words", "shown"]

_MOST_CHARACTERS = 4_000
_CONTRACT = "/contract"


class Words(NamedTuple):
    """A stretch of a text that stayed, came or went."""

    kind: Literal["same", "new", "gone"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownChange:
    """A change with what it is about.

    Attributes:
        before, after: the value at its place; `None` where nothing stands there. Long ones are cut.
        words: where both are text, the two woven into one; empty otherwise.
    """

    change: Change
    before: str | None
    after: str | None
    words: Sequence[Words]


def shown(change: Change, *, before: CatalogLock, after: CatalogLock) -> ShownChange:
    """`change` with what stood at its place in both locks. A tool that came or went is not told of field by field."""
    if not change.pointer:
        return ShownChange(change=change, before=None, after=None, words=())
    old, new = (_value(_tool(lock, change.tool), change.pointer) for lock in (before, after))
    woven = _woven(old, new) if isinstance(old, str) and isinstance(new, str) else ()
    return ShownChange(change=change, before=_text(old), after=_text(new), words=woven)


def _tool(lock: CatalogLock, name: str) -> LockedTool | None:
    return next((tool for tool in lock.tools if tool.name == name), None)


def _value(tool: LockedTool | None, pointer: str) -> object:
    """What the pointer (RFC 6901) leads to; `None` where that is nothing."""
    if tool is None:
        return None
    is_contract = pointer.startswith(f"{_CONTRACT}/")
    found: object = tool.contract if is_contract else tool.definition
    for step in pointer.removeprefix(_CONTRACT if is_contract else "").split("/")[1:]:
        found = _below(found, step.replace("~1", "/").replace("~0", "~"))
    return found


def _below(value: object, step: str) -> object:
    if isinstance(value, Mapping):
        return cast("Mapping[str, object]", value).get(step)
    if isinstance(value, list) and step.isdecimal():
        items = cast("list[object]", value)
        return items[int(step)] if int(step) < len(items) else None
    return None


def _text(value: object) -> str | None:
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}…"


def _woven(before: str, after: str) -> Sequence[Words]:
    """Both texts word by word; nothing for long ones, whose comparison would take too long."""
    if max(len(before), len(after)) > _MOST_CHARACTERS:
        return ()
    old, new = before.split(), after.split()
    found: list[Words] = []
    for kind, first, last, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            found.append(Words("same", " ".join(old[first:last])))
            continue
        found += [Words("gone", " ".join(old[first:last]))] if last > first else []
        found += [Words("new", " ".join(new[begin:end]))] if end > begin else []
    return found
