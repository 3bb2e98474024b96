"""A schema as lines of a table."""

from __future__ import annotations

from typing import Any

from fourfold.console.fields import fields_of

WORD = {"type": "string", "maxLength": 9}


def lines(properties: dict[str, Any], *required: str, **more: Any) -> list[tuple[str, str, str, bool | None]]:
    """Path, kind, values and whether it is required, of each field of an object with these properties."""
    schema = {"type": "object", "properties": properties, "required": [*required], **more}
    return [(each.path, each.kind, each.values, each.is_required) for each in fields_of(schema)]


def test_fields_below_fields_have_their_whole_path() -> None:
    """D5: a line in a list of objects."""
    line = {"type": "object", "properties": {"sku": WORD}, "required": ["sku"]}
    assert lines({"lines": {"type": "array", "items": line, "maxItems": 5}}) == [
        ("lines", "array", "a list of at most 5 items", False),
        ("lines[].sku", "string", "a string in quotes of at most 9 characters", True),
    ]


def test_items_that_are_no_objects_have_a_line_of_their_own() -> None:
    """D5: else nobody would see what the list holds."""
    flags = {"type": "array", "items": {"type": "string", "enum": ["late", "new"]}, "maxItems": 2}
    assert lines({"flags": flags}, "flags")[1] == ("flags[]", "string", "one of late, new", None)


def test_a_default_is_told_with_the_values() -> None:
    """D5: what a call means that leaves it out."""
    assert lines({"gift": {"type": "boolean", "default": False}}) == [
        ("gift", "boolean", "true or false, without quotes; false when it is left out", False)
    ]


def test_kinds_name_formats_and_alternatives() -> None:
    """D5: a date, a value or null, and one form or another."""
    day = {"type": "string", "format": "date"}
    assert [
        each[1] for each in lines({"day": day, "note": {"type": ["string", "null"]}, "at": {"anyOf": [day, WORD]}})
    ] == [
        "string (date)",
        "string or null",
        "string (date) or string",
    ]


def test_fields_of_one_form_say_what_tells_it() -> None:
    """D5: an amount or a percentage, never both."""
    forms = [
        {
            "type": "object",
            "properties": {"by": {"type": "string", "enum": [name]}, name: WORD},
            "required": ["by", name],
        }
        for name in ("amount", "percent")
    ]
    schema = {"type": "object", "properties": {"off": {"anyOf": forms}}}
    assert [(each.path, each.only_if) for each in fields_of(schema)] == [
        ("off", ""),
        ("off.by", "by is amount"),
        ("off.amount", "by is amount"),
        ("off.by", "by is percent"),
        ("off.percent", "by is percent"),
    ]


def test_a_schema_that_holds_itself_ends() -> None:
    """D5: its definition is told once, by its own name."""
    node = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}}
    found = lines({"tree": {"$ref": "#/$defs/Node"}}, **{"$defs": {"Node": node}})
    assert [each[:2] for each in found] == [
        ("tree", "reference"),
        ("$defs.Node.children", "array"),
        ("$defs.Node.children[]", "reference"),
    ]


def test_what_the_framework_added_is_marked() -> None:
    """D5: at the top alone; an author may use the name further down."""
    below = {"type": "object", "properties": {"cursor": WORD}}
    schema = {"type": "object", "properties": {"cursor": WORD, "below": below}}
    assert [each.path for each in fields_of(schema, ours=("cursor",)) if each.is_ours] == ["cursor"]
