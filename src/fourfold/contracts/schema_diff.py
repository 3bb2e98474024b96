"""What changed between two schemas, keyword by keyword: what each takes away from callers, or gives to them.

A schema of an input that takes less breaks calls; one of an output that may hold more breaks readers. What cannot be
told apart counts as breaking.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from fourfold.contracts.strict_json import pointer
from fourfold.model.contract import JsonObject
from fourfold.model.lock import Change, Impact

__all__ = ["schema_changes"]

_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
_NOTES = ("title", "description", "examples", "$comment", "deprecated")
_NAMED = ("properties", "patternProperties", "$defs", "definitions")
_ARMS = ("anyOf", "oneOf")
_INNER = ("items", "contains", "propertyNames", "additionalProperties", "unevaluatedProperties")
_WIDER = {("integer", "number")}
_NOTHING: JsonObject = {}

_COMPARED = {*_LOWER, *_UPPER, *_NOTES, *_NAMED, *_ARMS, *_INNER, "type", "enum", "const", "required", "default"}


def schema_changes(before: JsonObject, after: JsonObject, *, side: str, at: str) -> Iterator[Change]:
    """The changes from `before` to `after`; their `tool` is empty.

    Args:
        before: a JSON Schema.
        after: the one that replaces it.
        side: `input` or `output`.
        at: the pointer of both.
    """
    yield from _Compared(side).at(before, after, place=at)


_Way = Literal["narrower", "wider"]


@dataclass(frozen=True, slots=True)
class _Compared:
    """Compares schemas of one side: `input` or `output`."""

    side: str

    def at(self, before: JsonObject, after: JsonObject, *, place: str) -> Iterator[Change]:
        """The changes at one place and below it."""
        if before == after:
            return
        yield from self._notes(before, after, place)
        yield from self._types(before, after, place)
        yield from self._values(before, after, place)
        yield from self._bounds(before, after, place)
        yield from self._required(before, after, place)
        yield from self._default(before, after, place)
        yield from self._properties(before, after, place)
        yield from self._below(before, after, place)
        yield from self._arms(before, after, place)
        yield from self._others(before, after, place)

    def _change(self, place: str, way: _Way, reason: str, *, kind: str = "") -> Change:
        breaks: _Way = "narrower" if self.side == "input" else "wider"
        impact: Impact = "breaking" if way == breaks else "additive"
        return Change(tool="", pointer=place, kind=kind or f"{self.side}-{_WAYS[way]}", impact=impact, reason=reason)

    def _notes(self, before: JsonObject, after: JsonObject, place: str) -> Iterator[Change]:
        for note in _NOTES:
            if before.get(note) != after.get(note):
                yield Change(
                    tool="",
                    pointer=f"{place}/{note}",
                    kind="text-changed",
                    impact="routing",
                    reason=f"{note} changed: a model may fill in something else",
                )

    def _types(self, before: JsonObject, after: JsonObject, place: str) -> Iterator[Change]:
        old, new = _types_of(before), _types_of(after)
        if old == new:
            return
        lost = {kind for kind in old if not _is_covered(kind, new)} if new else set[str]()
        gained = {kind for kind in new if not _is_covered(kind, old)} if old else set[str]()
        if lost or not old:
            yield self._change(f"{place}/type", "narrower", f"{_words(lost) or 'other types'} no longer possible")
        if gained or not new:
            yield self._change(f"{place}/type", "wider", f"{_words(gained) or 'every type'} now possible")

    def _values(self, before: JsonObject, after: JsonObject, place: str) -> Iterator[Change]:
        old, new = _values_of(before), _values_of(after)
        where = f"{place}/{'enum' if 'enum' in before or 'enum' in after else 'const'}"
        if old == new:
            return
        if old is None:
            yield self._change(where, "narrower", "only listed values from now on")
        elif new is None:
            yield self._change(where, "wider", "any value from now on")
        else:
            if gone := [value for value in old if value not in new]:
                yield self._change(where, "narrower", f"{_words(gone)} removed", kind=f"{self.side}-value-removed")
            if came := [value for value in new if value not in old]:
                yield self._change(where, "wider", f"{_words(came)} added", kind=f"{self.side}-value-added")

    def _bounds(self, before: JsonObject, after: JsonObject, place: str) -> Iterator[Change]:
        for keyword in (*_LOWER, *_UPPER):
            old, new = _number(before.get(keyword)), _number(after.get(keyword))
            if old == new:
                continue
            raised = old is None or (new is not None and new > old)
            if keyword in _UPPER:
                raised = new is None or (old is not None and new > old)
            way: _Way = "narrower" if raised == (keyword in _LOWER) else "wider"
            shown = f"{keyword} was {'not set' if old is None else old} and is {'not set' if new is None else new}"
            yield self._change(f"{place}/{keyword}", way, shown)

    def _required(self, before: JsonObject, after: JsonObject, place: str) -> Iterator[Change]:
        old, new = _strings(before.get("required")), _strings(after.get("required"))
        known = set(_object(before.get("properties")))
        for name in sorted(new - old):
            # A new property that is required is one change, and `_properties` says it.
            if name in known or name not in _object(after.get("properties")):
                yield self._change(f"{place}/required", "narrower", f"{name} is required")
        for name in sorted(old - new):
            if name in _object(after.get("properties")):
                yield self._change(f"{place}/required", "wider", f"{name} may be left out")

    def _default(self, before: JsonObject, after: JsonObject, place: str) -> Iterator[Change]:
        if before.get("default") != after.get("default"):
            reason = "the default changed: the same call means something else"
            kind = f"{self.side}-default-changed"
            yield Change(tool="", pointer=f"{place}/default", kind=kind, impact="breaking", reason=reason)

    def _properties(self, before: JsonObject, after: JsonObject, place: str) -> Iterator[Change]:
        for keyword in _NAMED:
            old, new = _object(before.get(keyword)), _object(after.get(keyword))
            for name in sorted({*old, *new}):
                where = place + pointer(keyword, name)
                if name in old and name in new:
                    yield from self.at(_object(old[name]), _object(new[name]), place=where)
                elif keyword == "properties":
                    yield self._came_or_went(name, after, came=name in new, where=where)
                else:
                    reason = f"{name} {'came' if name in new else 'went'}: what refers to it has changed"
                    yield self._change(where, "narrower" if self.side == "input" else "wider", reason)

    def _came_or_went(self, name: str, after: JsonObject, *, came: bool, where: str) -> Change:
        if not came:
            reason = f"{name} is gone: whoever {'sends' if self.side == 'input' else 'reads'} it is let down"
            return Change(tool="", pointer=where, kind=f"{self.side}-removed", impact="breaking", reason=reason)
        required = name in _strings(after.get("required"))
        breaks = required and self.side == "input"
        reason = f"{name} is new and {'required' if required else 'optional'}"
        impact: Impact = "breaking" if breaks else "additive"
        return Change(tool="", pointer=where, kind=f"{self.side}-added", impact=impact, reason=reason)

    def _below(self, before: JsonObject, after: JsonObject, place: str) -> Iterator[Change]:
        for keyword in _INNER:
            old, new = _schema_of(before.get(keyword)), _schema_of(after.get(keyword))
            where = f"{place}/{keyword}"
            if old == new:
                continue
            if old is False or new is False:
                opened = old is False
                said = f"{keyword}: {'allowed' if opened else 'refused'} from now on"
                yield self._change(where, "wider" if opened else "narrower", said)
            else:
                yield from self.at(cast("JsonObject", old), cast("JsonObject", new), place=where)

    def _arms(self, before: JsonObject, after: JsonObject, place: str) -> Iterator[Change]:
        for keyword in _ARMS:
            old, new = _list(before.get(keyword)), _list(after.get(keyword))
            where = f"{place}/{keyword}"
            if len(old) == len(new):
                for index, (one, other) in enumerate(zip(old, new, strict=True)):
                    yield from self.at(_object(one), _object(other), place=f"{where}/{index}")
                continue
            gone, came = [arm for arm in old if arm not in new], [arm for arm in new if arm not in old]
            if gone or not old:
                yield self._change(where, "narrower", f"{len(gone)} of {len(old)} forms gone" if old else "now a union")
            if came or not new:
                yield self._change(where, "wider", f"{len(came)} new forms" if new else "no union any more")

    def _others(self, before: JsonObject, after: JsonObject, place: str) -> Iterator[Change]:
        """Keywords whose effect is not weighed: gone means more is taken, come or changed means less."""
        for keyword in sorted({*before, *after} - _COMPARED):
            if before.get(keyword) == after.get(keyword):
                continue
            if keyword in before and keyword in after:
                kind, reason = f"{self.side}-changed", f"{keyword} changed"
                yield Change(tool="", pointer=place + pointer(keyword), kind=kind, impact="breaking", reason=reason)
            else:
                way: _Way = "narrower" if keyword in after else "wider"
                yield self._change(
                    place + pointer(keyword), way, f"{keyword} {'came' if way == 'narrower' else 'went'}"
                )


_WAYS: Mapping[_Way, str] = {"narrower": "narrowed", "wider": "widened"}


def _types_of(schema: JsonObject) -> frozenset[str]:
    kind: object = schema.get("type")
    return frozenset([kind]) if isinstance(kind, str) else frozenset(_strings(kind))


def _is_covered(kind: str, kinds: frozenset[str]) -> bool:
    return kind in kinds or any((kind, wider) in _WIDER for wider in kinds)


def _values_of(schema: JsonObject) -> Sequence[object] | None:
    if isinstance(schema.get("enum"), list):
        return cast("Sequence[object]", schema["enum"])
    return [schema["const"]] if "const" in schema else None


def _schema_of(value: object) -> JsonObject | bool:
    """A subschema; absent and `true` are the one that takes everything."""
    return False if value is False else _object(value)


def _number(value: object) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _object(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, Mapping) else _NOTHING


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _strings(value: object) -> set[str]:
    return {each for each in _list(value) if isinstance(each, str)}


def _words(values: object) -> str:
    return ", ".join(sorted(str(value) for value in cast("Sequence[object]", values)))
