"""Repairs of arguments that can mean only one thing, guided by the schema and recorded in the run.

Models and clients send objects as JSON text, digits without quotes, and `null` for "not given". Each repair here
is lossless; whatever could mean two things is left alone and refused by the validator.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from fourfold.contracts.breach import types_of
from fourfold.contracts.strict_json import MAX_DEPTH, MAX_SAFE_INTEGER, Json, StrictJsonError, parse, pointer
from fourfold.contracts.walk import Schema, arms_of, followed, tag_of, tags

__all__ = ["Repaired", "repair"]

Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """The arguments after the repairs, and what was done where: `null as absent at /since`."""

    arguments: Json
    notes: tuple[str, ...]


def repair(arguments: Json, schema: Schema) -> Repaired:
    """`arguments` with what can only mean one thing put right. The input is not changed."""
    walk = _Walk(schema)
    repaired = walk.value(arguments, schema, at=())
    return Repaired(arguments=repaired, notes=tuple(walk.notes))


@dataclass(slots=True)
class _Walk:
    root: Schema
    notes: list[str] = field(default_factory=list[str])

    def value(self, value: Json, schema: Schema, *, at: Steps) -> Json:
        schema = followed(schema, self.root)
        if "anyOf" in schema:
            return self._choice(value, schema, at=at)
        kinds = types_of(schema)
        found: Json = self._decoded(value, kinds, at=at) if isinstance(value, str) else value
        if isinstance(found, dict) and "object" in kinds:
            return self._object(cast("dict[str, Json]", found), schema, at=at)
        if isinstance(found, list) and "array" in kinds:
            items = schema.get("items", {})
            return [self.value(item, items, at=(*at, index)) for index, item in enumerate(cast("list[Json]", found))]
        if "string" in kinds and _is_plain_integer(found) and _takes_any_text(schema):
            self._note("number as text", at)
            return str(value)
        return cast("Json", found)

    def _choice(self, value: Json, union: Schema, *, at: Steps) -> Json:
        """A value of a union: repaired only where its one arm, or its tag, says what is meant."""
        arms = arms_of(union, self.root)
        if value is None:
            return value
        if len(arms) == 1:
            return self.value(value, arms[0], at=at)
        tag = tag_of(union, self.root)
        if tag is None:
            return value
        found: Json = self._decoded(value, ("object",), at=at) if isinstance(value, str) else value
        label = cast("dict[str, Json]", found).get(tag) if isinstance(found, dict) else None
        arm = next((arm for arm in arms if label in tags(arm, tag, root=self.root)), None)
        return cast("Json", found) if arm is None else self.value(found, arm, at=at)

    def _decoded(self, text: str, kinds: tuple[str, ...], *, at: Steps) -> Json:
        """The object or list that `text` is the JSON of, where one is wanted; else `text` itself."""
        if not {"object", "array"} & set(kinds):
            return text
        try:
            parsed = parse(text.encode("utf-8", "surrogatepass"), depth=MAX_DEPTH - len(at))
        except StrictJsonError:
            return text
        value: object = parsed.value
        kind = "object" if isinstance(value, dict) else "array" if isinstance(value, list) else ""
        if parsed.faults or kind not in kinds:
            return text
        self._note(f"JSON text as {kind}", at)
        return cast("Json", value)

    def _object(self, members: dict[str, Json], schema: Schema, *, at: Steps) -> dict[str, Json]:
        properties = cast("dict[str, Schema]", schema.get("properties", {}))
        required = set(schema.get("required", ()))
        repaired: dict[str, Json] = {}
        for name, value in members.items():
            known = properties.get(name)
            if known is not None and name not in required and self._means_absent(value, known, at=(*at, name)):
                continue
            repaired[name] = value if known is None else self.value(value, known, at=(*at, name))
        return repaired

    def _means_absent(self, value: Json, schema: Schema, *, at: Steps) -> bool:
        if value is None and not _nullable(schema):
            self._note("null as absent", at)
            return True
        if value == "" and "string" in types_of(schema) and not _takes_empty(schema):
            self._note("empty text as absent", at)
            return True
        return False

    def _note(self, what: str, steps: Steps) -> None:
        self.notes.append(f"{what} at {pointer(*steps)}")


def _is_plain_integer(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_SAFE_INTEGER


def _takes_any_text(schema: Schema) -> bool:
    """Whether digits fit as they are: with a pattern or format, zeros in front or behind may have been lost."""
    return not any(key in schema for key in ("pattern", "format", "enum"))


def _takes_empty(schema: Schema) -> bool:
    """Whether the empty string can be a value of its own."""
    return _takes_any_text(schema) and schema.get("minLength", 0) == 0


def _nullable(schema: Schema) -> bool:
    has_arm = any(arm.get("type") == "null" for arm in schema.get("anyOf", ()))
    return has_arm or "null" in types_of(schema) or None in schema.get("enum", ())
