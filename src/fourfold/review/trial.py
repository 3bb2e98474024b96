"""Values to try on a schema: some that should fit, and each of those with one place changed. The same every time.

Every bound, enum value and length of the schema is tried at its place, with its neighbours on both sides; then what
fits no schema of that place: other types, null, absence, one member more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from fourfold.contracts.strict_json import Json
from fourfold.model.contract import JsonObject
from fourfold.review.place import Place
from fourfold.review.variants import ABSENT, Path, variants

__all__ = ["trial_values"]

_TURNS = 3
"""How many arms of a union are taken in turn."""

_DEPTH = 6
_LONGEST = 300
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_TEXTS = ("text", "a", "A", "abc", "ABC", "a1", "A1", "1", "12", "123", "1234567890", "2026-11-30", "12:30", "a@b.cc",
          "2026-11-30T12:30:00Z", "https://a.cc/b", "00000000-0000-4000-8000-000000000000", "a-b", "a_b", "a.b", "/a",
          "EUR", "#a", "@a", "1.5", "a b", "0x1f", "abcdefabcdef", "12345")  # fmt: skip
"""Texts among which one may match a pattern."""


def trial_values(schema: JsonObject, *, most: int) -> tuple[Json, ...]:
    """Values for `schema`, `most` at most: evenly taken from all of them, those that should fit first."""
    found: list[Json] = []
    changed: list[Json] = []
    for full in (True, False):
        for turn in range(_TURNS):
            builder = _Builder(root=schema, full=full, turn=turn)
            value = builder.value(schema, (), depth=0)
            found.append(value)
            changed.extend(variants(value, builder.edges))
    step = max(1, math.ceil(len(changed) / max(1, most - len(found))))
    return (*found, *changed[::step])[:most]


@dataclass(slots=True)
class _Builder:
    """Builds one value that should fit. `edges` collects what to try at each place of it."""

    root: JsonObject
    full: bool
    turn: int
    edges: dict[Path, list[Json]] = field(default_factory=dict[Path, list[Json]])

    def value(self, schema: object, path: Path, *, depth: int) -> Json:
        """A value for a subschema at `path`."""
        if not isinstance(schema, Mapping):
            return "any"
        node = self._flat(cast("JsonObject", schema), path, depth=depth)
        self.edges.setdefault(path, []).extend(_edges(node))
        known = _known(node)
        if known is not ABSENT:
            return known
        kind = node.get("type")
        if isinstance(kind, list):
            kinds = cast("list[object]", kind)
            kind = kinds[self.turn % len(kinds)] if kinds else None
        if kind == "object" or (kind is None and "properties" in node):
            return self._object(node, path, depth=depth)
        return self._array(node, path, depth=depth) if kind == "array" else _scalar(kind, node)

    def _flat(self, schema: JsonObject, path: Path, *, depth: int) -> JsonObject:
        """The schema with its reference, its parts and one arm of its union in it."""
        node = Place(pointer="", schema=schema, root=self.root).resolved
        if depth > _DEPTH:
            return node
        for part in _schemas(node.get("allOf")):
            node = _both(node, self._flat(part, path, depth=depth + 1))
        for keyword in ("anyOf", "oneOf"):
            arms = _schemas(node.get(keyword))
            if arms:
                self.edges.setdefault(path, []).extend(edge for arm in arms for edge in _edges(arm))
                node = _both(node, self._flat(arms[self.turn % len(arms)], path, depth=depth + 1))
        return node

    def _object(self, node: JsonObject, path: Path, *, depth: int) -> Json:
        takes_all = self.full and depth < _DEPTH
        wanted = _list(node.get("required")) if depth < 2 * _DEPTH else []
        made = {
            name: self.value(schema, (*path, name), depth=depth + 1)
            for name, schema in _members(node.get("properties")).items()
            if takes_all or name in wanted
        }
        others = node.get("additionalProperties")
        if takes_all and isinstance(others, Mapping):
            made["another"] = self.value(cast("JsonObject", others), (*path, "another"), depth=depth + 1)
        return made

    def _array(self, node: JsonObject, path: Path, *, depth: int) -> Json:
        if depth > _DEPTH:
            return []
        count = max(int(_plain(node.get("minItems")) or 0), int(self.full))
        return [self.value(node.get("items"), (*path, index), depth=depth + 1) for index in range(min(count, 20))]


def _known(node: JsonObject) -> Json:
    """A value that the schema itself shows; `ABSENT` if it shows none."""
    values = [node["const"]] if "const" in node else _list(node.get("enum")) or _list(node.get("examples"))
    return values[0] if values else ABSENT


def _scalar(kind: object, node: JsonObject) -> Json:
    if kind in ("integer", "number"):
        return _number(node)
    return _text(node) if kind == "string" else {"boolean": True, "null": None}.get(str(kind), "any")


def _number(node: JsonObject) -> Json:
    """The least that should fit, else the greatest, else one."""
    low, high, above, below, step = (_plain(node.get(keyword)) for keyword in _BOUNDS)
    step = step or 1
    if low is None and above is None:
        found = high if high is not None else 1 if below is None else math.ceil(below) - 1
    else:
        found = low if low is not None else math.floor(above or 0) + 1
    found = math.ceil(found / step) * step
    return int(found) if node.get("type") == "integer" else found


def _text(node: JsonObject) -> str:
    least = int(_plain(node.get("minLength")) or 0)
    pattern = node.get("pattern")
    if isinstance(pattern, str):
        return next((text for text in _TEXTS if len(text) >= least and _matches(pattern, text)), "")
    most = int(_plain(node.get("maxLength")) or len("text"))
    return ("text" if least < len("text") else "x" * min(least, _LONGEST))[: max(least, most)]


def _matches(pattern: str, text: str) -> bool:
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return False


def _edges(node: JsonObject) -> list[Json]:
    """What to try where `node` stands: its bounds and values with their neighbours."""
    found: list[Json] = list(_TEXTS) if "pattern" in node else []
    for keyword in _BOUNDS:
        bound = _plain(node.get(keyword))
        if bound is not None:
            found += [bound, bound - 1, bound + 1, bound + 0.5, float(bound)]
    for keyword in ("minLength", "maxLength"):
        length = _plain(node.get(keyword))
        if length is not None and length < _LONGEST:
            found += ["x" * max(0, int(length) + more) for more in (-1, 0, 1)]
    values = [*_list(node.get("enum")), *_list(node.get("examples"))]
    values = [*values[:4], *values[-1:], *(node[keyword] for keyword in ("const", "default") if keyword in node)]
    return [*found, *values, *map(_near, values)]


def _near(value: Json) -> Json:
    if isinstance(value, str):
        return f"{value}x"
    return value + 1 if isinstance(value, int | float) and not isinstance(value, bool) else value


def _both(left: JsonObject, right: JsonObject) -> JsonObject:
    """Roughly what both say; good enough for a value to try."""
    properties = {**_members(left.get("properties")), **_members(right.get("properties"))}
    required = [*_list(left.get("required")), *_list(right.get("required"))]
    return {**left, **right, **({"properties": properties} if properties else {}), "required": required}


def _schemas(value: object) -> list[JsonObject]:
    return [cast("JsonObject", each) for each in _list(value) if isinstance(each, Mapping)]


def _list(value: object) -> list[Json]:
    return cast("list[Json]", value) if isinstance(value, list) else []


def _members(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, Mapping) else {}


def _plain(value: object) -> float | int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None
