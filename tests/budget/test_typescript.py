"""The TypeScript of a schema. The expected texts were printed by openai-harmony 0.0.8."""

from __future__ import annotations

import pytest

from fourfold.budget.typescript import comment, signature
from fourfold.model.contract import JsonObject


def _members(**properties: JsonObject) -> str:
    text = signature("t", {"type": "object", "properties": properties, "required": [*properties][:1]})
    return text.removeprefix("type t = (_: {\n").removesuffix("}) => any;")


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({}, "type t = (_: any) => any;"),
        ({"type": "object"}, "type t = (_: {\n}) => any;"),
        ({"anyOf": [{"type": "object"}]}, "type t = (_: any) => any;"),
    ],
)
def test_what_is_no_object_is_any(schema: JsonObject, text: str) -> None:
    """A10: the model sees no argument of a union at the root."""
    assert signature("t", schema) == text


def test_types_have_the_names_of_typescript() -> None:
    """A10: integers are numbers, and an optional argument has a mark."""
    assert _members(
        a={"type": "string"},
        n={"type": ["integer", "null"], "default": 3, "minimum": 1},
        rows={"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
        loose={"type": "array"},
        later={"type": "string", "nullable": True},
    ) == (
        "a: string,\n"
        "n?: number | null, // default: 3\n"
        "rows?: number[][],\n"
        "loose?: Array<any>,\n"
        "later?: string | null,\n"
    )


def test_what_the_format_does_not_know_is_any() -> None:
    """A10: references, unions and constants lose their type."""
    assert _members(r={"$ref": "#/$defs/R"}, u={"anyOf": [{"type": "string"}, {"type": "null"}]}, c={"const": "z"}) == (
        "r: any,\nu?: any,\nc?: any,\n"
    )


def test_title_description_and_examples_are_comments() -> None:
    """A10: limits and patterns are not shown at all."""
    argument: JsonObject = {"type": "string", "title": "A", "description": "d", "maxLength": 5, "examples": ["x", "y"]}

    assert _members(a=argument) == '// A\n//\n// d\n// Examples:\n// - "x"\n// - "y"\na: string,\n'


def test_a_default_among_values_has_no_quotes() -> None:
    """A10: any other text has them."""
    assert _members(
        u={"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
        w={"type": "string", "default": "celsius"},
    ) == ('u: "celsius" | "fahrenheit", // default: celsius\nw?: string, // default: "celsius"\n')


def test_an_object_inside_says_its_description_twice() -> None:
    """A10: the published renderer does, so the tokens are there."""
    inner: JsonObject = {"x": {"type": "string"}}

    assert _members(a={"type": "object", "description": "obj", "properties": inner, "required": ["x"]}) == (
        "// obj\na:     // obj\n{\n    x: string,\n    },\n"
    )


def test_a_schema_that_never_ends_does() -> None:
    """A Python object may hold itself."""
    schema: JsonObject = {"type": "object", "properties": {}}
    schema["properties"]["again"] = schema

    assert signature("t", schema).count("again?: any,") == 1


def test_every_line_of_a_description_is_a_comment() -> None:
    """A10: no text, no comment."""
    assert comment("one\ntwo", indent="  ") == "  // one\n  // two\n"
    assert comment("") == ""
