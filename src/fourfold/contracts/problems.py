"""From validation errors to `Problem`s: a pointer, a stable code, and what would be accepted.

The validator's own texts, URLs and rejected values stop here (requirement A2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails, core_schema

from fourfold.contracts.breach import types_of
from fourfold.contracts.expected import in_short, one_of, unknown_name
from fourfold.contracts.strict_json import Json, pointer
from fourfold.contracts.walk import Schema, arms_of, followed, tag_of, tags
from fourfold.model.fault import Problem

__all__ = ["MAX_PROBLEMS", "problems_of"]

MAX_PROBLEMS = 50
"""Problems listed in one answer; a caller that has more fixes these first."""

_BOUNDS = {
    "greater_than": ("gt", "above"), "greater_than_equal": ("ge", "of at least"),
    "less_than": ("lt", "below"), "less_than_equal": ("le", "of at most"),
}  # fmt: skip
_MOMENTS = {"date_past": "in the past", "date_future": "in the future"}
_OUT_OF_BOUNDS = frozenset({
    *_BOUNDS, *_MOMENTS, "multiple_of", "finite_number", "string_too_short", "string_too_long", "too_short",
    "too_long",
})  # fmt: skip
_NOT_ALLOWED = frozenset({"enum", "literal_error", "value_error", "assertion_error"})
_OURS = frozenset({"wrong_type", "not_allowed", "path_outside_root"})
"""Errors that our own checks raise under the code of the problem."""

_BUILT_IN = frozenset({*get_args(core_schema.ErrorType), "bad_format"})
_IN_WORDS = {
    "path_outside_root": "a relative path inside the allowed folder",
    "url_": "an absolute URL, such as https://example.com/",
    "ip_": "an IP address, such as 192.0.2.1",
}
"""What a kind of error asks for where the published schema does not say it, by how the kind begins."""

_PLACEHOLDERS = frozenset({"null", "none", "undefined", "nil", "n/a", "nan"})


def problems_of(error: ValidationError, arguments: Json, *, schema: Schema) -> tuple[Problem, ...]:
    """Every problem of `error`, in the order of the arguments, each place once."""
    details = error.errors(include_url=False, include_context=True, include_input=False)
    found = (_problem(detail, arguments, schema=schema) for detail in details[: MAX_PROBLEMS * 4])
    return _merged(found)[:MAX_PROBLEMS]


def _merged(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """One problem for each pointer: every arm of a union fails, most of them for their type.

    A type is not wrong where something is wrong inside: then the arm of that type is the one that was meant.
    """
    merged: dict[str, Problem] = {}
    for problem in problems:
        known = merged.setdefault(problem.pointer, problem)
        if known.code == "wrong_type":
            merged[problem.pointer] = problem
    around = {at[:end] for at in merged for end in range(len(at)) if at[end] == "/"}
    return tuple(each for each in merged.values() if each.code != "wrong_type" or each.pointer not in around)


def _problem(detail: ErrorDetails, arguments: Json, *, schema: Schema) -> Problem:
    place = _Place.find(detail["loc"], arguments, schema=schema)
    kind = detail["type"]
    context: Mapping[str, object] = detail.get("ctx", {})
    if kind == "fourfold":
        at = (step for step in str(context["at"]).split(".") if step)
        return place.problem(str(context["code"]), str(context["expected"]), *at)
    if kind == "extra_forbidden":
        return _unknown(place)
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return _tag(place, is_missing=kind == "union_tag_not_found")
    code = _code(kind, place)
    return place.problem(code, _expected(kind, code, place=place, context=context))


def _unknown(place: _Place) -> Problem:
    name = str(place.steps[-1])
    parent = _Place(place.root, place.parent, place.steps[:-1], parent={}, value=None)
    return parent.problem("unknown_argument", unknown_name(name, list(place.parent.get("properties", {}))), name[:100])


def _tag(place: _Place, *, is_missing: bool) -> Problem:
    """The field that tells the arms of a union apart is missing or names none of them."""
    name = tag_of(place.schema, place.root) or ""
    accepted = [tag for arm in arms_of(place.schema, place.root) for tag in tags(arm, name, root=place.root)]
    return place.problem("missing_argument" if is_missing else "not_allowed", one_of(accepted), name)


def _code(kind: str, place: _Place) -> str:
    value = place.value
    if kind == "missing":
        return "missing_argument"
    if isinstance(value, str) and value.strip().lower() in _PLACEHOLDERS and _is_closed(place.schema):
        return "placeholder_value"
    if kind in _OURS:
        return kind
    if kind in _NOT_ALLOWED or not (kind in _BUILT_IN or kind.startswith("ip_")):
        return "not_allowed"
    if kind in _OUT_OF_BOUNDS:
        return "out_of_bounds"
    if kind == "string_pattern_mismatch" or (kind == "bad_format" and "pattern" in place.schema):
        return "pattern_mismatch"
    return "bad_format" if isinstance(value, str) and not kind.endswith("_type") else "wrong_type"


def _is_closed(schema: Schema) -> bool:
    """Whether the field takes no free text, so that the word null cannot be meant."""
    return any(key in schema for key in ("enum", "pattern", "format")) or "string" not in types_of(schema)


def _expected(kind: str, code: str, *, place: _Place, context: Mapping[str, object]) -> str:
    words = next((text for start, text in _IN_WORDS.items() if kind.startswith(start)), None)
    words = words or in_short(place.shown)
    if code == "placeholder_value" and not place.is_required:
        return f"{words}; if there is none, omit this argument"
    if code == "out_of_bounds" and "string" in types_of(place.schema):
        return words + _unpublished_bound(kind, context)
    return words


def _unpublished_bound(kind: str, context: Mapping[str, object]) -> str:
    """A bound of a date or a decimal, which JSON Schema has no word for."""
    if kind in _BOUNDS:
        name, relation = _BOUNDS[kind]
        return f", {relation} {context[name]}"
    return f", {_MOMENTS[kind]}" if kind in _MOMENTS else ""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an error happened: JSON Pointer steps without union labels, the schema there, and the value sent."""

    root: Schema
    schema: Schema
    steps: tuple[str | int, ...]
    parent: Schema
    value: Json

    @classmethod
    def find(cls, loc: tuple[str | int, ...], arguments: Json, *, schema: Schema) -> _Place:
        """Follow `loc` through schema and arguments together. At a union one step is the label of an arm."""
        node, parent, value = schema, schema, arguments
        steps: list[str | int] = []
        for step in loc:
            node = followed(node, schema)
            arms = arms_of(node, schema) if "anyOf" in node else [node]
            if len(arms) > 1:
                node = _arm(node, str(step), root=schema, value=value)
                continue
            if step == "[key]":
                node, value = _keys_of(parent), steps[-1]
                continue
            parent = arms[0]
            node, value = _child(parent, step), _member(value, step)
            steps.append(step)
        return cls(schema, followed(node, schema), tuple(steps), parent, value)

    @property
    def shown(self) -> Schema:
        """The schema with the arms of a union in full."""
        if "anyOf" not in self.schema:
            return self.schema
        return {**self.schema, "anyOf": [followed(arm, self.root) for arm in self.schema["anyOf"]]}

    @property
    def is_required(self) -> bool:
        """Whether the argument here must be sent."""
        return bool(self.steps) and self.steps[-1] in self.parent.get("required", ())

    def problem(self, code: str, expected: str, *inside: str) -> Problem:
        """A problem here, or at `inside` below."""
        return Problem(pointer=pointer(*self.steps, *inside), code=code, expected=expected)


_JSON_TYPES: dict[object, tuple[str, ...]] = {
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    str: ("string",),
    list: ("array",),
    dict: ("object",),
}


def _arm(union: Schema, label: str, *, root: Schema, value: object) -> Schema:
    """The arm with the tag `label`, or the only one for values of such a type; else the union itself."""
    arms = arms_of(union, root)
    tag = tag_of(union, root)
    if tag is not None:
        return next((arm for arm in arms if label in tags(arm, tag, root=root)), union)
    kinds = _JSON_TYPES.get(type(value), ())
    fitting = [arm for arm in arms if set(kinds) & set(types_of(arm))]
    return fitting[0] if len(fitting) == 1 else union


def _child(node: Schema, step: str | int) -> Schema:
    if isinstance(step, int):
        prefix = cast("list[Schema]", node.get("prefixItems", []))
        return prefix[step] if step < len(prefix) else cast("Schema", node.get("items", {}))
    properties = cast("dict[str, Schema]", node.get("properties", {}))
    free = [*node.get("patternProperties", {}).values(), node.get("additionalProperties")]
    return properties.get(step, cast("Schema", free[0]) if isinstance(free[0], dict) else {})


def _keys_of(node: Schema) -> Schema:
    """The schema of the keys of an object with free keys."""
    patterns = list(node.get("patternProperties", {}))
    return {"type": "string", **node.get("propertyNames", {}), **({"pattern": patterns[0]} if patterns else {})}


def _member(value: Json, step: str | int) -> Json:
    try:
        return value[step]
    except (KeyError, IndexError, TypeError):
        return None
