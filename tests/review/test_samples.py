"""Arguments that are made up from a schema."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.model.listed import ListedTool
from fourfold.review.samples import minimal, mistyped
from fourfold.review.view import ToolView


def a_tool(properties: dict[str, Any], *, required: list[str] | None = None, **more: Any) -> ToolView:
    """A tool with these arguments, all of them required unless some are named."""
    schema = {"type": "object", "properties": properties, "required": [*properties] if required is None else required}
    return ToolView(ListedTool(definition={"name": "x", "inputSchema": {**schema, **more}}))


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, "example"),
        ({"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$"}, "ABC-1234"),
        ({"type": "string", "format": "date"}, "2026-01-31"),
        ({"type": "string", "minLength": 10}, "exampleeee"),
        ({"type": "integer", "minimum": 5}, 5),
        ({"type": "integer", "maximum": 0}, 0),
        ({"type": "integer", "minimum": 1, "default": 20}, 20),
        ({"type": ["null", "boolean"]}, False),
        ({"enum": ["open", "paid"]}, "open"),
        ({"type": "string", "examples": ["INV-42"]}, "INV-42"),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, 1),
        ({"type": "array", "items": {"type": "string"}, "minItems": 2}, ["example", "example"]),
        ({"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}, {"a": False}),
        ({"$ref": "#/days"}, "2026-01-31"),
    ],
)
def test_the_fewest_arguments_fit_their_schema(schema: dict[str, Any], value: object) -> None:
    """C1: defaults, examples and enums first, then the least that the type allows."""
    tool = a_tool({"one": schema}, days={"type": "string", "format": "date"})

    assert minimal(tool) == {"one": value}


def test_what_is_not_required_is_left_out() -> None:
    """C1: the fewest arguments."""
    assert minimal(a_tool({"one": {"type": "string"}}, required=[])) == {}


@pytest.mark.parametrize("pattern", ["^zebra$", "^[0-9]{9}$"])
def test_where_none_can_be_made_up_there_are_none(pattern: str) -> None:
    """C1: a call with bad arguments would tell nothing."""
    assert minimal(a_tool({"one": {"type": "string", "pattern": pattern}})) is None


@pytest.mark.parametrize(
    ("properties", "wrong"),
    [
        ({"name": {"type": "string"}, "limit": {"type": "integer"}}, {"name": "example", "limit": "1"}),
        ({"name": {"type": "string"}}, {"name": 5}),
        ({"all": {"type": "boolean"}}, {"all": "false"}),
        ({"ids": {"type": "array"}}, {"ids": "text"}),
    ],
)
def test_a_wrong_type_is_one_that_servers_like_to_coerce(properties: dict[str, Any], wrong: object) -> None:
    """C1: a number as text before anything else."""
    tool = a_tool(properties)
    arguments = minimal(tool)
    assert arguments is not None

    assert mistyped(tool, arguments) == wrong


def test_where_everything_is_allowed_nothing_is_of_a_wrong_type() -> None:
    """C1: nothing to send."""
    assert mistyped(a_tool({"anything": {}}), {}) is None
