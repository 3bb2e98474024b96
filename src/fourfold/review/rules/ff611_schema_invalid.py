"""A keyword whose value no validator of JSON Schema 2020-12 takes.

## What it does

Finds keywords with a value of the wrong form: `required` as true, `exclusiveMinimum` as a boolean (draft-04), a list
under `items` (draft-07), a type that does not exist, bounds in quotes.

## Why it hurts

The Claude API checks input schemas against 2020-12 and answers 400 to the whole request, with the number of the tool
and not its name. Elsewhere the keyword is silently read as nothing.

## Example

```json
{
  "name": "page_show",
  "description": "Show one page.",
  "inputSchema": {
    "type": "object",
    "properties": {"page": {"type": "integer", "minimum": 0, "exclusiveMinimum": true}},
    "required": ["page"],
    "additionalProperties": false
  }
}
```

## Use instead

Write it as 2020-12 does.

```json
{
  "name": "page_show",
  "description": "Show one page.",
  "inputSchema": {
    "type": "object",
    "properties": {"page": {"type": "integer", "minimum": 1}},
    "required": ["page"],
    "additionalProperties": false
  }
}
```

## When to ignore

Never.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from fourfold.review.fit import Misfit, ToolFit, places_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def _is_schema(value: object) -> bool:
    return isinstance(value, Mapping | bool)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _is_texts(value: object) -> bool:
    return _is_list(value) and all(isinstance(each, str) for each in cast("Sequence[object]", value))


def _is_schemas(value: object) -> bool:
    arms = cast("Sequence[object]", value) if _is_list(value) else ()
    return bool(arms) and all(_is_schema(arm) for arm in arms)


def _is_types(value: object) -> bool:
    names: Sequence[object] = (value,) if isinstance(value, str) else cast("Sequence[object]", value)
    return _is_texts(names) and bool(names) and set(names) <= _TYPES


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    if isinstance(value, float):
        return value.is_integer() and value >= 0
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_map(value: object) -> bool:
    return isinstance(value, Mapping) and all(_is_schema(each) for each in cast("Mapping[str, object]", value).values())


# `properties` has a rule of its own, `properties-not-object`.
_FORMS: tuple[tuple[Callable[[object], bool], str, str], ...] = (
    (_is_types, "a type that exists, or a list of such", "type"),
    (_is_list, "a list", "enum"),
    (_is_texts, "a list of names", "required"),
    (_is_schema, "a schema", "items additionalProperties not if then else contains propertyNames"),
    (_is_schemas, "a list of schemas", "anyOf oneOf allOf prefixItems"),
    (_is_map, "a map of schemas", "patternProperties $defs"),
    (_is_number, "a number", "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
    (_is_count, "a count", "minLength maxLength minItems maxItems minProperties maxProperties"),
    (lambda value: isinstance(value, str), "text", "pattern format $ref $schema $id"),
    (lambda value: isinstance(value, bool), "true or false", "uniqueItems"),
)


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in places_of(tool, demand):
        for fits, form, keywords in _FORMS:
            for keyword in keywords.split():
                if keyword in place.schema and not fits(place.schema[keyword]):
                    yield Misfit(
                        pointer=f"{place.pointer}/{keyword}",
                        what=f"{keyword} is not {form}",
                        fix=f"make {keyword} {form}, as JSON Schema 2020-12 has it",
                    )


RULE = ToolRule(
    id="FF611",
    symbol="schema-invalid",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/anthropics/claude-code/issues/586",
        "https://github.com/Dokploy/mcp/issues/10",
        "https://github.com/kintone/mcp-server/issues/547",
    ),
    page=Page.read(__doc__),
    check=ToolFit("schema-invalid", _find),
)
