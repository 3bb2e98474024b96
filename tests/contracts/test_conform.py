"""Values against schemas that somebody else wrote: what breaks them, and what must never happen."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.contracts.conform import Misfit, misfits

VALUE = {
    "type": "object",
    "properties": {"lines": {"type": "array", "items": {"type": "integer"}}},
    "required": ["lines"],
}


@pytest.mark.parametrize(
    ("value", "schema", "found"),
    [
        ({"lines": [1]}, VALUE, []),
        ({}, VALUE, [("", "required")]),
        ({"lines": [1, "2"]}, VALUE, [("/lines/1", "type")]),
        ({"a/b": 1}, {"properties": {"a/b": {"type": "string"}}}, [("/a~1b", "type")]),
        ("ab-1", {"pattern": "^[A-Z]{3}-[0-9]{4}$"}, [("", "pattern")]),
        ("ABC-1234", {"pattern": "^[A-Z]{3}-[0-9]{4}$"}, []),
        ({"n": 1}, {"$ref": "#/$defs/N", "$defs": {"N": {"properties": {"n": {"maximum": 0}}}}}, [("/n", "maximum")]),
        ([1], {"items": [{"type": "string"}], "$schema": "http://json-schema.org/draft-07/schema#"}, [("/0", "type")]),
    ],
)
def test_what_breaks_a_schema_is_named_by_its_place(value: Any, schema: Any, found: list[tuple[str, str]]) -> None:
    """B3: the place in the value, and the keyword that it breaks."""
    assert [(misfit.pointer, misfit.keyword) for misfit in misfits(value, schema)] == found


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://localhost:9/schema.json"},
        {"$ref": "#/nowhere"},
        {"type": "nonsense"},
        {"pattern": "("},
        {"properties": []},
        {"$ref": "#"},
    ],
)
def test_a_schema_that_cannot_be_understood_is_broken_by_nothing(schema: Any) -> None:
    """C10: nothing is fetched, nothing is raised."""
    assert misfits({"a": "b"}, schema) == ()


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|a)*$", "^(?:a|aa)+$"])
def test_a_pattern_that_would_run_for_ever_is_not_tried(pattern: str) -> None:
    """A16: the schema is a stranger's, and so is the value."""
    schema = {"pattern": pattern}
    assert misfits("a" * 60 + "b", schema) == ()


def test_only_the_first_twenty_are_listed() -> None:
    """C6: a page of the same fault helps nobody."""
    found = misfits(["x"] * 100, {"items": {"type": "integer"}})

    assert len(found) == 20
    assert found[0] == Misfit(pointer="/0", keyword="type", expected="integer")
