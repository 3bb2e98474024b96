"""A tool as OpenAI's published prompt format shows it to a model: a TypeScript type with comments.

The rules are those of openai-harmony 0.0.8, the renderer that OpenAI published with the format. They lose much: a
reference, `anyOf`, `allOf` and `const` become `any`, and no limit or pattern is shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from fourfold.model.contract import JsonObject

__all__ = ["comment", "signature"]

_NAMES = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}
_INDENT = "    "
_MAX_DEPTH = 40
"""Nesting that is followed; no published schema has a quarter of it."""


def comment(text: str, *, indent: str = "") -> str:
    """`text` as comment lines; nothing for no text."""
    return "".join(f"{indent}// {line}\n" for line in text.splitlines()) if text else ""


def signature(name: str, schema: JsonObject) -> str:
    """The declaration of a tool that takes `schema`, without its comment."""
    if schema.get("type") != "object":
        return f"type {name} = (_: any) => any;"
    return f"type {name} = (_: {{\n{''.join(_members(schema, '', 0))}}}) => any;"


def _members(schema: JsonObject, indent: str, depth: int) -> Iterator[str]:
    required: object = schema.get("required")
    wanted = cast("Sequence[object]", required) if isinstance(required, Sequence) else ()
    for name, each in _object(schema.get("properties")).items():
        inner = _object(each)
        yield from _remarks(inner, indent)
        mark = "" if name in wanted else "?"
        yield f"{indent}{name}{mark}: {_type(inner, indent, depth)},{_default(inner)}\n"


def _remarks(schema: JsonObject, indent: str) -> Iterator[str]:
    title, text, examples = schema.get("title"), schema.get("description"), schema.get("examples")
    if isinstance(title, str):
        yield f"{indent}// {title}\n{indent}//\n"
    if isinstance(text, str):
        yield comment(text, indent=indent)
    if isinstance(examples, list) and examples:
        yield f"{indent}// Examples:\n"
        yield from (f"{indent}// - {_json(each)}\n" for each in cast("list[object]", examples))


def _default(schema: JsonObject) -> str:
    if "default" not in schema:
        return ""
    value: object = schema["default"]
    bare = isinstance(value, str) and "enum" in schema
    return f" // default: {value if bare else _json(value)}"


def _type(schema: JsonObject, indent: str, depth: int) -> str:
    if depth > _MAX_DEPTH:
        return "any"
    kind: object = schema.get("type")
    arms: object = schema.get("oneOf")
    if isinstance(arms, list):
        each = (_type(_object(arm), indent, depth + 1) for arm in cast("list[object]", arms))
        return "".join(f"\n{indent} | {arm}" for arm in each) + "\n"
    if isinstance(kind, list):
        return " | ".join(_NAMES.get(str(name), "any") for name in cast("list[object]", kind))
    return _plain(schema, indent, depth) + (" | null" if schema.get("nullable") is True else "")


def _plain(schema: JsonObject, indent: str, depth: int) -> str:
    kind: object = schema.get("type")
    values: object = schema.get("enum")
    # Numbers with an enum lose it: the published renderer knows only values that are text.
    if kind == "string" and isinstance(values, list):
        return " | ".join(map(_json, cast("list[object]", values)))
    if kind == "array":
        return f"{_type(_object(schema['items']), indent, depth + 1)}[]" if "items" in schema else "Array<any>"
    if kind == "object":
        inner = indent + _INDENT
        # The published renderer repeats an object's description here; so do the tokens.
        again = comment(schema["description"], indent=inner) if isinstance(schema.get("description"), str) else ""
        return f"{again}{{\n{''.join(_members(schema, inner, depth + 1))}{inner}}}"
    return _NAMES.get(kind, "any") if isinstance(kind, str) else "any"


def _object(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, Mapping) else {}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
