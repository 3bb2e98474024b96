"""From validation errors to `Problem`s: a pointer, a stable code, and what would be accepted.

The validator's own texts, URLs and rejected values stop here (requirement A2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from fourfold.contracts.expected import in_short, unknown_name
from fourfold.contracts.schema import Schema
from fourfold.contracts.strict_json import pointer, well_formed
from fourfold.model.fault import Problem

__all__ = ["MAX_PROBLEMS", "problems_of"]

MAX_PROBLEMS = 50
"""Problems listed in one answer; a caller that has more fixes these first."""

_OUT_OF_BOUNDS = frozenset({
    "greater_than", "greater_than_equal", "less_than", "less_than_equal", "multiple_of", "finite_number",
    "string_too_short", "string_too_long", "too_short", "too_long",
})  # fmt: skip
_NOT_ALLOWED = frozenset({"enum", "literal_error", "union_tag_invalid"})
_PLACEHOLDERS = frozenset({"null", "none", "undefined", "nil", "n/a", "nan"})
_OMIT = "a real value; if there is none, omit this argument"


def problems_of(error: ValidationError, arguments: Any, *, schema: Schema) -> tuple[Problem, ...]:
    """Every problem of `error`, in the order of the arguments, each place once."""
    details = error.errors(include_url=False, include_context=True, include_input=False)
    found = (_problem(detail, arguments, schema=schema) for detail in details[: MAX_PROBLEMS * 4])
    return _merged(found)[:MAX_PROBLEMS]


def _merged(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """One problem for each pointer: the arms of a union fail at the same place."""
    merged: dict[str, Problem] = {}
    for problem in problems:
        merged.setdefault(problem.pointer, problem)
    return tuple(merged.values())


def _problem(detail: ErrorDetails, arguments: Any, *, schema: Schema) -> Problem:
    place = _Place.find(detail["loc"], arguments, schema=schema)
    kind = detail["type"]
    context: Mapping[str, Any] = detail.get("ctx", {})
    if kind == "fourfold":
        at = pointer(*place.steps, *(step for step in str(context["at"]).split(".") if step))
        return Problem(pointer=at, code=str(context["code"]), expected=str(context["expected"]))
    if kind == "extra_forbidden":
        return _unknown(place)
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return _tag(place, str(context["discriminator"]).strip("'"), missing=kind == "union_tag_not_found")
    code = _code(kind, place)
    expected = _OMIT if code == "placeholder_value" else in_short(place.schema)
    if kind == "path_outside_root":
        expected = "a relative path inside the allowed folder"
    return Problem(pointer=well_formed(pointer(*place.steps)), code=code, expected=expected)


def _unknown(place: _Place) -> Problem:
    name = str(place.steps[-1])
    return Problem(
        pointer=well_formed(pointer(*place.steps[:-1], name[:100])),
        code="unknown_argument",
        expected=unknown_name(name, list(place.parent.get("properties", {}))),
    )


def _tag(place: _Place, name: str, *, missing: bool) -> Problem:
    """The field that tells the arms of a union apart is missing or names none of them."""
    tags = [arm.get("properties", {}).get(name, {}).get("enum", []) for arm in place.schema.get("anyOf", [])]
    accepted = [tag for group in tags for tag in group]
    code = "missing_argument" if missing else "not_allowed"
    return Problem(pointer=pointer(*place.steps, name), code=code, expected=in_short({"enum": accepted}))


def _code(kind: str, place: _Place) -> str:
    if kind == "missing":
        return "missing_argument"
    if kind == "path_outside_root":
        return kind
    value = place.value
    if isinstance(value, str) and value.strip().lower() in _PLACEHOLDERS and _is_closed(place.schema):
        return "placeholder_value"
    if kind in _NOT_ALLOWED:
        return "not_allowed"
    if kind in _OUT_OF_BOUNDS:
        return "out_of_bounds"
    if kind == "string_pattern_mismatch":
        return "pattern_mismatch"
    if isinstance(value, str) and "format" in place.schema:
        return "bad_format"
    return "wrong_type"


def _is_closed(schema: Schema) -> bool:
    """Whether the field takes no free text, so that the word null cannot be meant."""
    return any(key in schema for key in ("enum", "pattern", "format")) or schema.get("type") != "string"


class _Place:
    """Where an error happened: JSON Pointer steps without union labels, the schema there, and the value sent."""

    __slots__ = ("parent", "schema", "steps", "value")

    def __init__(self, steps: tuple[str | int, ...], schema: Schema, *, parent: Schema, value: Any) -> None:
        self.steps = steps
        self.schema = schema
        self.parent = parent
        self.value = value

    @classmethod
    def find(cls, loc: tuple[str | int, ...], arguments: Any, *, schema: Schema) -> _Place:
        """Follow `loc` through schema and arguments together. At a union one step is the label of an arm."""
        root = schema
        node, parent, value = schema, schema, arguments
        steps: list[str | int] = []
        for step in loc:
            node = _followed(node, root)
            if "anyOf" in node:
                node = _arm(node, str(step), root)
                continue
            parent = node
            node = _child(node, step)
            value = _member(value, step)
            steps.append(step)
        return cls(tuple(steps), _followed(node, root), parent=parent, value=value)


def _followed(node: Schema, root: Schema) -> Schema:
    reference = node.get("$ref")
    if not isinstance(reference, str):
        return node
    return cast("Schema", root["$defs"][reference.removeprefix("#/$defs/")])


def _arm(union: Schema, label: str, root: Schema) -> Schema:
    """The arm that `label` stands for: a tag's value, or the name that the validator gives a type."""
    arms = [_followed(arm, root) for arm in union["anyOf"]]
    for arm in arms:
        properties = cast("dict[str, Schema]", arm.get("properties", {}))
        if any(label in schema.get("enum", ()) for schema in properties.values() if len(schema.get("enum", ())) == 1):
            return arm
    kind = {"int": "integer", "str": "string", "bool": "boolean", "float": "number"}.get(label.partition("[")[0])
    return next((arm for arm in arms if arm.get("type") == kind), union if kind is None else arms[0])


def _child(node: Schema, step: str | int) -> Schema:
    if isinstance(step, int):
        prefix = cast("list[Schema]", node.get("prefixItems", []))
        return prefix[step] if step < len(prefix) else cast("Schema", node.get("items", {}))
    properties = cast("dict[str, Schema]", node.get("properties", {}))
    extra = node.get("additionalProperties")
    return properties.get(step, cast("Schema", extra) if isinstance(extra, dict) else {})


def _member(value: Any, step: str | int) -> Any:
    try:
        return value[step]
    except (KeyError, IndexError, TypeError):
        return None
