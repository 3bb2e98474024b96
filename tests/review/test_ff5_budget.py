"""Rules about cost, beyond the examples of their pages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fourfold.model.contract import JsonObject
from tests.meta.repository import SHARED
from tests.review.compact import expanded
from tests.review.examples import findings


def _tool(name: str = "ticket_get", description: str = "Read a ticket.", **schema: Any) -> JsonObject:
    return {"name": name, "description": description, "inputSchema": {"type": "object", **schema}}


def _symbols(example: JsonObject) -> list[tuple[str, str, str]]:
    return [(found.symbol, found.severity, found.pointer) for found in findings(example, "FF5")]


def test_a_catalog_over_its_budget_is_an_error_with_its_figures() -> None:
    """A10, D2; MP-074: 66 tools, 37 thousand tokens, a budget of 10,000 in the file."""
    path = SHARED / "cases/MP-074.json"
    if not path.is_file():
        pytest.skip("no ../shared/cases beside this checkout")
    case = json.loads(path.read_text("utf-8"))

    (found,) = findings(expanded(case["input"]), "FF501")

    assert (found.symbol, found.severity, found.tool, found.pointer) == ("catalog-over-budget", "error", "", "/tools")
    assert found.message == "66 tools take about 37,224 tokens of every request, 564 a tool; the budget is 10,000"
    assert found.evidence == ("characters / 4 as JSON: total_tokens 37224, tokens_per_tool 564, description_share 92 %")
    assert found.fix.startswith("list a named set of tools, or shorten the worst: repo_tool_")


@pytest.mark.parametrize(
    ("tools", "facts", "severity"),
    [
        (10, {}, None),
        (105, {}, None),
        (115, {}, "warning"),
        (300, {}, "error"),
        (10, {"budget_tokens": 800}, "error"),
        (10, {"budget_tokens": 1000}, None),
        (10, {"budget_tokens": "many"}, None),
        (0, {"budget_tokens": 0}, None),
    ],
)
def test_a_tenth_over_the_budget_is_let_through(tools: int, facts: JsonObject, severity: str | None) -> None:
    """A10: the estimate is that much too high. Each tool here takes 100 tokens."""
    listed = [_tool(f"tool_{number:03}", "x" * 323) for number in range(tools)]

    found = findings({"tools": listed, **facts}, "FF501")

    assert [finding.severity for finding in found] == ([] if severity is None else [severity])


def test_names_of_tools_are_shown_and_not_obeyed() -> None:
    """A name is foreign text."""
    (found,) = findings({"tools": [_tool("a\u202eb", "x" * 4000)], "budget_tokens": 10}, "FF501")

    assert "a\\u202eb (1,0" in found.fix


@pytest.mark.parametrize(("characters", "is_found"), [(5_000, False), (6_000, True)])
def test_a_tool_has_a_budget_of_its_own(characters: int, *, is_found: bool) -> None:
    """A10: wherever the text stands."""
    argument: JsonObject = {"type": "string", "description": "x" * characters}

    found = [symbol for symbol, _, _ in _symbols(_tool(properties={"a": argument}))]

    assert found == (["tool-over-budget"] if is_found else [])


def test_a_long_description_beside_a_full_schema_is_in_order() -> None:
    """A10: only one that says what the schema could say is found; nor one of a tool that takes nothing."""
    long = "Reads. " * 300
    argument: JsonObject = {"type": "string", "description": "y" * 500}

    assert [symbol for symbol, _, _ in _symbols(_tool(description=long, properties={"a": {"type": "string"}}))] == [
        "description-outweighs-schema"
    ]
    assert _symbols(_tool(description=long, properties={"a": argument, "b": argument, "c": argument})) == []
    assert _symbols(_tool(description=long)) == []
    assert _symbols(_tool(description=long, properties={"sql": {"type": "string"}})) == []


def test_a_repeated_text_is_found_at_its_first_place() -> None:
    """A10: once for each text, with the number of copies; a list of values is checked where it stands."""
    values: JsonObject = {"type": "string", "enum": [f"region-{number}" for number in range(40)]}
    argument: JsonObject = {**values, "description": "The region. " * 30}
    listed = [_tool(f"tool_{number}", properties={"region": argument}) for number in range(4)]

    (found,) = findings({"tools": listed}, "FF504")

    assert (found.tool, found.pointer) == ("tool_0", "/inputSchema/properties/region/description")
    assert "stands 4 times, in 4 tools" in found.message
    assert findings({"tools": listed[:3]}, "FF504") == []
    plain = [_tool(f"tool_{number}", properties={"region": values}) for number in range(4)]
    assert findings({"tools": plain}, "FF504") == []


def test_short_texts_may_be_repeated() -> None:
    """A10: a few words that say the same everywhere are what a reader expects."""
    argument: JsonObject = {"type": "string", "description": "The number of the page to read, from 1 on."}
    listed = [_tool(f"tool_{number}", properties={"page": argument}) for number in range(50)]

    assert findings({"tools": listed}, "FF504") == []


def test_an_output_schema_as_large_as_the_rest_is_in_order() -> None:
    """A10: it may be large where the tool is."""
    output: JsonObject = {"type": "object", "description": "x" * 6_000}
    argument: JsonObject = {"type": "string", "description": "y" * 1_600}

    assert _symbols({**_tool(), "outputSchema": output}) == [("heavy-output-schema", "advice", "/outputSchema")]
    assert _symbols({**_tool(properties={"a": argument}), "outputSchema": output}) == []
    assert _symbols({**_tool(), "outputSchema": {"type": "object", "description": "x" * 5_000}}) == []


def test_a_title_that_says_more_than_the_name_stays() -> None:
    """A10: only what repeats the name is counted."""
    generated: JsonObject = {f"account_id_{number}": {"title": f"Account Id {number}"} for number in range(30)}
    written: JsonObject = {f"account_id_{number}": {"title": f"Debtor, No. {number}"} for number in range(30)}

    assert [symbol for symbol, _, _ in _symbols(_tool(properties=generated))] == ["generated-titles"]
    assert _symbols(_tool(properties=written)) == []


@pytest.mark.parametrize(
    ("root", "is_found"),
    [
        ({}, True),
        ({"properties": {"a": {"$ref": "#/$defs/used"}}}, False),
        ({"properties": {"a": {"$ref": "#/$defs/used/properties/text"}}}, False),
        ({"properties": {"a": {"$ref": "#/$defs/first"}}}, False),
        ({"properties": {"a": {"$ref": "#somewhere"}}}, False),
        ({"properties": {"a": {"$ref": "#/properties/b"}, "b": {}}}, True),
    ],
)
def test_a_definition_is_used_when_a_chain_of_references_leads_to_it(root: JsonObject, *, is_found: bool) -> None:
    """A10: an anchor could mean any of them, so that none is called unused."""
    defined: JsonObject = {
        "used": {
            "type": "object",
            "properties": {"text": {"description": "x" * 400}, "again": {"$ref": "#/$defs/used"}},
        },
        "first": {"$ref": "#/$defs/used"},
    }

    found = findings({**_tool(), "inputSchema": {"type": "object", **root, "$defs": defined}}, "FF507")

    assert [finding.pointer for finding in found] == (["/inputSchema/$defs"] if is_found else [])


def test_a_dialect_that_means_something_stays() -> None:
    """A10: draft-07 reads some keywords in another way."""
    default, other = "https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"
    schemas = {dialect: {"$schema": dialect, "type": "object"} for dialect in (default, other)}

    def listed(dialect: str) -> JsonObject:
        return {"tools": [{**_tool(f"t_{number}"), "inputSchema": schemas[dialect]} for number in range(20)]}

    assert _symbols(listed(default)) == [("needless-dialect", "advice", "/tools")]
    assert _symbols(listed(other)) == []


def test_a_union_with_null_is_found_only_where_the_argument_may_be_left_out() -> None:
    """A10: a required argument has no other way to say nothing; nor is a union of two types one."""
    nullable: JsonObject = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}
    either: JsonObject = {"anyOf": [{"type": "string"}, {"type": "integer"}]}

    def found(argument: JsonObject, *, required: bool) -> list[str]:
        properties = {f"a{number}": argument for number in range(20)}
        tool = _tool(properties=properties, required=[*properties] if required else [])
        return [symbol for symbol, _, _ in _symbols(tool)]

    assert found(nullable, required=False) == ["optional-as-union"]
    assert found(nullable, required=True) == []
    assert found(either, required=False) == []


@pytest.mark.parametrize(
    "definition",
    [
        {},
        {"name": None, "description": 7, "inputSchema": {"$defs": [], "properties": {"a": None}}},
        {"inputSchema": {"properties": {"a": {"title": 1, "enum": {}, "anyOf": [None, {"type": "null"}]}}}},
        {"inputSchema": {"$schema": [], "definitions": {"a": True}}, "outputSchema": []},
    ],
)
def test_definitions_of_any_shape_are_looked_at(definition: JsonObject) -> None:
    """Foreign servers list anything."""
    assert _symbols({"tools": [definition]}) == []
