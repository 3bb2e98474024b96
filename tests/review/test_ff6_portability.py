"""Rules about portability beyond the examples of their pages, recorded cases, and the matrix."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from fourfold.model.contract import JsonObject
from fourfold.model.finding import Finding
from fourfold.model.listed import ListedCatalog
from fourfold.review.engine import review
from fourfold.review.portability import portability
from fourfold.review.profile import chosen
from fourfold.review.saved import listed
from fourfold.review.settings import ReviewSettings
from tests.meta.repository import SHARED
from tests.review.compact import expanded
from tests.review.examples import TODAY

CASES = ("001", "002", "004", "005", "007", "008", "010", "011", "013", "014", "016", "017", "020", "022", "077")
LEVELS = {"error": "error", "warn": "warning"}
SYMBOLS = {"free-form-object": "any-keys-object"}
"""The name of a recorded rule where ours has another."""

TEXT: JsonObject = {"type": "string"}
ANYTHING: JsonObject = {}
NOTHING: JsonObject = {"type": "object", "properties": {}}


def _tool(name: str = "thing_show", **properties: Any) -> JsonObject:
    return {"name": name, "description": "Show it.", "inputSchema": {"type": "object", "properties": properties}}


def _raw(schema: object, **more: object) -> JsonObject:
    return {"name": "thing_show", "description": "Show it.", "inputSchema": schema, **more}


def _catalog(*tools: JsonObject, server: str = "", **facts: object) -> ListedCatalog:
    named = {"serverInfo": {"name": server}} if server else {}
    return listed([*tools], target="example", facts={**named, **facts})


def _found(catalog: ListedCatalog, *clients: str, only: str = "FF6") -> list[Finding]:
    settings = ReviewSettings(select=(only,), clients=clients)
    return [*review(catalog, today=TODAY, settings=settings).findings]


def _at(tool: JsonObject, *clients: str) -> list[tuple[str, str, str]]:
    return [(found.symbol, found.pointer, found.severity) for found in _found(_catalog(tool), *clients)]


def _case(number: str) -> Any:
    path = SHARED / f"cases/MP-{number}.json"
    if not path.is_file():
        pytest.skip("no ../shared/cases beside this checkout")
    return expanded(json.loads(path.read_text("utf-8")))


def _tools_of(case: Any) -> list[JsonObject]:
    return [case["input"]["tool"]] if "tool" in case["input"] else case["input"]["tools"]


def _places(found: Finding, tools: list[JsonObject]) -> Iterator[str]:
    """Where a finding is, as a recorded case says it."""
    if not found.tool:
        yield found.pointer
    for index, tool in enumerate(tools):
        if found.tool and tool["name"] == found.tool:
            yield f"/tools/{index}{found.pointer}" if len(tools) > 1 else found.pointer


@pytest.mark.parametrize("number", CASES)
def test_what_a_recorded_case_expects_is_found_for_its_clients(number: str) -> None:
    """D3: at the pointer, at the level, with every client by name and how much is lost.

    MP-001, MP-002, MP-004, MP-005, MP-007, MP-008, MP-010, MP-011, MP-013, MP-014, MP-016, MP-017, MP-020, MP-022,
    MP-077.
    """
    case = _case(number)
    tools, server = _tools_of(case), case["input"].get("context", {}).get("server_name", "")

    for expected in case["expected"]["findings"]:
        clients = expected.get("profiles", ())
        all_found = _found(_catalog(*tools, server=server), *clients)
        symbol = SYMBOLS.get(expected["rule"], expected["rule"])
        here = [each for each in all_found if each.symbol == symbol and expected["at"] in _places(each, tools)]
        assert [each.severity for each in here] == [LEVELS[expected["level"]]]
        assert all(client in here[0].message for client in clients)
        assert f"whole {expected.get('blast_radius', '')}".rstrip() in here[0].message or "blast_radius" not in expected


@pytest.mark.parametrize("number", CASES)
def test_what_a_recorded_case_clears_is_not_found(number: str) -> None:
    """D3: the controls, and the definition that its report was closed with, whatever the clients."""
    case = _case(number)
    tools, server = _tools_of(case), case["input"].get("context", {}).get("server_name", "")
    controls = set(case["expected"].get("must_not_flag", ()))
    fixed = case["expected"].get("fixed")

    flagged = {place for found in _found(_catalog(*tools, server=server)) for place in _places(found, tools)}

    assert not controls & flagged
    assert fixed is None or _found(_catalog(fixed)) == []


def test_one_name_in_two_servers_is_found_with_the_other_one() -> None:
    """D3: MP-023: the later one would win without a word."""
    crm, hr = _case("023")["input"]["servers"]
    catalog = listed(hr["tools"], target="hr", facts={"serverInfo": {"name": hr["name"]}, "servers": [crm]})

    (found,) = [each for each in _found(catalog) if each.symbol == "name-collision"]

    assert (found.severity, found.tool, found.pointer) == ("error", "send_email", "/name")
    assert "'crm'" in found.message


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        (_raw({"anyOf": [{"type": "object"}]}), [("root-not-object", "/inputSchema", "error")]),
        (_raw({"type": "array", "items": TEXT}), [("root-not-object", "/inputSchema", "error")]),
        (_raw(None), [("root-not-object", "/inputSchema", "error")]),
        (_raw(True), [("root-not-object", "/inputSchema", "error")]),
        ({"name": "x", "description": "No schema."}, [("root-not-object", "", "error")]),
        (_raw({"type": "object"}), [("properties-missing", "/inputSchema", "error")]),
        (_raw({"type": "object", "properties": []}), [("properties-not-object", "/inputSchema/properties", "error")]),
        (_tool(a=TEXT), []),
        (_raw(NOTHING, outputSchema={"type": "array"}), [
            ("output-root-not-object", "/outputSchema", "error"),
        ]),
        (_raw(NOTHING, outputSchema={"type": "object"}), []),
    ],
)  # fmt: skip
def test_roots(tool: JsonObject, expected: list[tuple[str, str, str]]) -> None:
    """D3: the root of a schema decides for the whole server."""
    assert _at(tool) == expected


def test_a_later_revision_alone_takes_any_root_of_an_output() -> None:
    """D3: 2026-07-28 lifted the rule; clients of before stay refused."""
    tool = _raw(NOTHING, outputSchema={"type": "array", "items": TEXT})

    assert _at(tool, "mcp-2026-07-28") == []
    assert _at(tool, "mcp-2025-11-25") == [("output-root-not-object", "/outputSchema", "error")]


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf", "allOf"])
def test_each_combinator_at_the_root_is_found_and_none_below_it(keyword: str) -> None:
    """D3: the model API minds the root only."""
    arms = [{"required": ["a"]}, {"required": ["b"]}]
    root = {"type": "object", "properties": {"a": TEXT, "b": TEXT}, keyword: arms}
    below = _tool(inner={"type": "object", "properties": {"a": TEXT}, "additionalProperties": False, keyword: arms})

    assert ("root-combinator", f"/inputSchema/{keyword}", "error") in _at(_raw(root), "anthropic-api")
    assert _at(below, "anthropic-api") == []


def test_an_array_without_items_is_found_wherever_it_stands() -> None:
    """D3: in an arm, in a definition, and as one of several types; a tuple has items too."""
    bare = {"type": "array"}
    tool = _raw(
        {
            "type": "object",
            "properties": {
                "arm": {"anyOf": [TEXT, bare]},
                "several": {"type": ["array", "string"]},
                "right": {"type": "array", "items": {}},
                "map": {"type": "object", "additionalProperties": bare},
            },
            "$defs": {"D": bare},
        }
    )

    assert [pointer for _, pointer, _ in _at(tool, "vscode-copilot")] == [
        "/inputSchema/$defs/D",
        "/inputSchema/properties/arm/anyOf/1",
        "/inputSchema/properties/map/additionalProperties",
        "/inputSchema/properties/several",
    ]


NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
PAIR = {"A": {"items": {"$ref": "#/$defs/B"}}, "B": {"items": {"$ref": "#/$defs/A"}}, "C": {"$ref": "#/$defs/A"}}


@pytest.mark.parametrize(
    ("properties", "definitions", "recursive", "plain"),
    [
        ({"a": {"$ref": "#/$defs/Node"}}, {"Node": NODE}, 2, 0),
        ({"a": {"$ref": "#/$defs/C"}}, PAIR, 4, 0),
        ({"a": {"$ref": "#"}}, {}, 1, 0),
        ({"a": {"$ref": "#/properties/a"}}, {}, 1, 0),
        ({"a": {"$ref": "#/$defs/X"}, "b": {"$ref": "#/$defs/X"}}, {"X": TEXT}, 0, 2),
        ({"a": {"$ref": "#/$defs/a~1b"}}, {"a/b": TEXT}, 0, 1),
        ({"a": {"$ref": "#/$defs/a%20b"}}, {"a b": TEXT}, 0, 1),
        ({"$ref": TEXT}, {}, 0, 0),
    ],
)
def test_references_that_recurse_are_told_from_those_that_can_be_written_out(
    properties: JsonObject, definitions: JsonObject, recursive: int, plain: int
) -> None:
    """D3: by definitions, by pointers, by two that call each other; and it ends."""
    found = _at(_raw({"type": "object", "properties": properties, "$defs": definitions}), "claude-code")
    symbols = [symbol for symbol, _, _ in found]

    assert symbols.count("recursive-ref") == recursive
    assert symbols.count("ref-not-inlined") == plain


@pytest.mark.parametrize("reference", ["https://example.com/a.json", "other.json#/a", "#/$defs/None", "#anchor"])
def test_a_reference_out_of_the_schema_or_nowhere_is_an_error(reference: str) -> None:
    """D3: the argument has no schema, and a client that follows it fetches what somebody else wrote."""
    found = _at(_tool(a={"$ref": reference}), "mcp-2026-07-28")

    assert found == [("unresolved-ref", "/inputSchema/properties/a/$ref", "error")]


@pytest.mark.parametrize(
    ("dialect", "inner", "outer"),
    [
        ("http://json-schema.org/draft-07/schema#", ["warning"], ["error"]),
        ("https://json-schema.org/draft/2019-09/schema", ["warning"], ["error"]),
        ("https://json-schema.org/draft/2020-12/schema", [], []),
        ("https://json-schema.org/draft/2020-12/schema#", [], []),
    ],
)
def test_another_dialect_breaks_calls_by_the_output_and_is_only_risky_in_the_input(
    dialect: str, inner: list[str], outer: list[str]
) -> None:
    """D3: listing works either way."""
    schema = {"$schema": dialect, **NOTHING}

    assert [severity for _, _, severity in _at(_raw(schema))] == inner
    assert [severity for _, _, severity in _at(_raw(NOTHING, outputSchema=schema))] == outer


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("type", "int"),
        ("type", []),
        ("required", True),
        ("required", [1]),
        ("items", [TEXT]),
        ("exclusiveMinimum", True),
        ("minimum", "1"),
        ("maxLength", -1),
        ("maxLength", 1.5),
        ("anyOf", []),
        ("anyOf", {}),
        ("enum", {"a": 1}),
        ("pattern", 1),
        ("additionalProperties", "no"),
        ("uniqueItems", 1),
        ("minItems", float("inf")),
        ("$defs", {"a": 1}),
    ],
)
def test_a_value_of_the_wrong_form_is_found_at_its_keyword(keyword: str, value: object) -> None:
    """D3: the model API refuses the request for it, with no more than the tool's number."""
    found = _at(_tool(a={keyword: value}), "mcp-2026-07-28")

    assert ("schema-invalid", f"/inputSchema/properties/a/{keyword}", "error") in found


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["string", "null"], "maxLength": 5.0, "enum": [], "required": [], "items": True},
        {"exclusiveMinimum": 0.5, "multipleOf": 1, "anyOf": [True, NOTHING], "not": False, "uniqueItems": False},
    ],
)
def test_odd_but_valid_values_are_left_alone(schema: JsonObject) -> None:
    """D3: 2020-12 allows them."""
    assert [symbol for symbol, _, _ in _at(_tool(a=schema), "mcp-2026-07-28")] == []


@pytest.mark.parametrize(
    ("schema", "symbols"),
    [
        ({"type": "string", "format": "date-time"}, []),
        ({"type": "string", "format": "uuid"}, []),
        ({"type": "string", "format": "uri"}, ["format-unsupported"]),
        ({"type": "string", "examples": ["a"]}, ["keyword-unsupported"]),
        ({"anyOf": [TEXT, {"type": "integer"}]}, []),
        ({"oneOf": [TEXT, {"type": "null"}]}, ["keyword-unsupported", "nullable-union"]),
        ({"type": ["string"]}, ["type-array"]),
        ({}, ["type-missing"]),
        ({"description": "Any value."}, ["type-missing"]),
        ({"enum": ["a", "b"]}, []),
        ({"type": "boolean", "enum": [True]}, ["enum-not-string"]),
        ({"type": "string", "title": "A", "default": "x", "maxLength": 9, "pattern": "a"}, []),
        ({"type": "object", "properties": {"const": TEXT, "not": TEXT}, "additionalProperties": False}, []),
        ({"type": "array", "items": TEXT, "uniqueItems": True}, ["keyword-unsupported"]),
    ],
)
def test_what_gemini_takes_and_refuses(schema: JsonObject, symbols: list[str]) -> None:
    """D3: an argument may be called like a keyword; a plain union is fine."""
    found = _at(_tool(a=schema), "gemini")

    assert sorted(symbol for symbol, _, _ in found) == symbols
    assert {severity for _, _, severity in found} <= {"error"}


def test_one_place_that_several_clients_mind_is_one_finding_with_all_of_them() -> None:
    """D3: the worst of them gives its severity, and its evidence."""
    (found,) = _found(_catalog(_tool(a={"type": "array"})))

    assert found.severity == "error"
    assert found.message == (
        "the array a does not say what its items are (gemini-functions, openai-functions, openai-strict: refuses the "
        "whole request; vscode-copilot: loses the tool)"
    )
    assert found.evidence.startswith("OpenAI functions (not strict) as of 2026-")


def test_clients_that_are_not_named_say_nothing() -> None:
    """D3: `clients` are exactly those that count."""
    tool = _tool(a={"const": "x"})

    assert [found.severity for found in _found(_catalog(tool))] == ["advice"]
    assert [found.severity for found in _found(_catalog(tool), "gemini")] == ["error"]
    assert _found(_catalog(tool), "claude-code", "cursor") == []


def test_notes_that_software_drops_count_only_for_a_client_that_is_named() -> None:
    """D3: examples help every other model; a team that forwards schemas to Gemini as they are needs to know."""
    catalog = _catalog(_tool(a={"type": "string", "examples": ["INV-1"]}))

    assert _found(catalog) == []
    assert [found.pointer for found in _found(catalog, "gemini")] == ["/inputSchema/properties/a/examples"]
    assert {cell.outcome for cell in portability(catalog).rows[0].cells} == {"accepted"}


@pytest.mark.parametrize(
    ("server", "name", "clients"),
    [
        ("", "a" * 60, []),
        ("", "a" * 61, ["cursor"]),
        ("", "a" * 65, ["bedrock", "claude-code", "cursor", "gemini-functions", "openai-functions"]),
        ("crm", "a" * 54, []),
        ("crm", "a" * 55, ["claude-code"]),
        ("crm", "a" * 57, ["claude-code", "cursor"]),
    ],
)
def test_a_name_is_counted_as_each_client_hands_it_on(server: str, name: str, clients: list[str]) -> None:
    """D3: with the server's name in front where it is known, at the last character that fits and one over."""
    found = _found(_catalog(_tool(name), server=server), only="FF621")

    assert [each for each in clients if each not in found[0].message] == [] if found else clients == []
    assert bool(found) == bool(clients)


@pytest.mark.parametrize(
    ("server", "name", "severities"),
    [
        ("crm" * 10, "a" * 45, ["warning"]),
        ("crm", "a" * 58, ["error"]),
        ("The CRM of the house", "a" * 50, []),
    ],
)
def test_a_long_name_that_a_short_server_mends_is_a_warning(server: str, name: str, severities: list[str]) -> None:
    """D3: who sets the client up names the server, and never by a title."""
    found = _found(_catalog(_tool(name), server=server), only="FF621")

    assert [each.severity for each in found] == severities


@pytest.mark.parametrize(
    ("rule", "schema", "said"),
    [
        (
            "FF612",
            {"type": "string", "const": "a"},
            ("a is a const", "write an enum with that one value, and its type"),
        ),
        (
            "FF612",
            {"type": "boolean", "const": True},
            ("a is a const", "write its type alone, and check the value at run time: an enum takes text only there"),
        ),
        (
            "FF614",
            {"type": ["string", "number"]},
            ("a has several types", "give one type; a number can be sent as text"),
        ),
        (
            "FF615",
            {"anyOf": [{"type": "array", "items": ANYTHING}, TEXT]},
            ("an item of a has no type", "say what it is; a value of several kinds is several arguments, or text"),
        ),
        (
            "FF618",
            {"type": "integer", "exclusiveMinimum": 0},
            ("exclusiveMinimum is no keyword of every client", "use minimum, one more"),
        ),
        (
            "FF618",
            {"type": "object", "propertyNames": TEXT},
            ("propertyNames is no keyword of every client", "leave it out: names are text in any case"),
        ),
        (
            "FF619",
            {"type": "array", "items": {"type": "object"}},
            (
                "an item of a takes any keys",
                "name its properties; if the keys are free, use a list of objects with key and value",
            ),
        ),
    ],
)
def test_what_is_said_fits_the_value(rule: str, schema: JsonObject, said: tuple[str, str]) -> None:
    """D3: an item is not its list, and a number can't be mended as a text is."""
    (found,) = _found(_catalog(_tool(a=schema)), only=rule)

    assert (found.message.partition(" (")[0], found.fix) == said


def test_an_object_that_names_its_properties_keeps_them_in_strict_mode() -> None:
    """D3: it loses only keys that nobody named."""
    named: JsonObject = {"type": "object", "properties": {"b": TEXT}, "additionalProperties": True}

    assert _found(_catalog(_tool(a=named)), only="FF619") == []


@pytest.mark.parametrize(
    ("name", "severity"),
    [
        ("invoice_list", None),
        ("getUser-2", None),
        ("invoice.list", "error"),
        ("invoice/list", "error"),
        ("invoice list", "error"),
        ("größe", "error"),
        ("", "error"),
    ],
)
def test_characters_of_names(name: str, severity: str | None) -> None:
    """D3: the protocol allows the dot, the model APIs don't."""
    found = _found(_catalog(_tool(name)), only="FF622")

    assert [each.severity for each in found] == ([severity] if severity else [])
    assert all(each.message.isascii() for each in found)


def test_names_of_arguments_count_at_the_top_only() -> None:
    """D3: the model API looks no deeper, so that a finding there would be a false alarm."""
    names: dict[str, Any] = {"$top": TEXT, "x" * 70: TEXT}

    assert _at(_tool(filter={"type": "object", "properties": names}), "anthropic-api") == []
    assert [symbol for symbol, _, _ in _at(_tool(**names), "anthropic-api")] == [
        "property-key-charset",
        "property-key-too-long",
    ]


@pytest.mark.parametrize(("count", "severities"), [(40, []), (41, ["warning"]), (128, ["warning"]), (129, ["error"])])
def test_the_number_of_tools_is_held_against_each_client(count: int, severities: list[str]) -> None:
    """D3, C10: less in one client at 41, the request refused in another at 129."""
    tools = [_tool(f"t_{number}") for number in range(count)]

    assert [found.severity for found in _found(_catalog(*tools), only="FF626")] == severities


def test_the_matrix_says_who_takes_which_tool_and_why() -> None:
    """D3: one row a tool, one cell a client, the worst reason first and each rule once."""
    bad = _raw({"anyOf": [{"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 2}}}]})
    catalog = _catalog(_tool("thing_find", a=TEXT), bad)

    matrix = portability(catalog, chosen(["claude-code", "gemini", "cursor"]))

    assert [client.name for client in matrix.clients] == ["claude-code", "gemini-functions", "cursor"]
    assert [(row.tool, [cell.outcome for cell in row.cells]) for row in matrix.rows] == [
        ("thing_find", ["accepted", "accepted", "accepted"]),
        ("thing_show", ["refused", "refused", "accepted"]),
    ]
    assert matrix.rows[1].cells[0].blast_radius == "server"
    assert matrix.rows[1].cells[0].reasons == ("FF601 /inputSchema: the input schema's root names no type",)
    assert [reason[:5] for reason in matrix.rows[1].cells[1].reasons] == ["FF612"]
    assert matrix.lost("claude-code") == ("thing_show",)
    assert matrix.lost("cursor") == ()


def test_the_matrix_has_a_row_for_the_catalog_as_a_whole() -> None:
    """D3, C10: what is wrong with their number is wrong with no tool of them."""
    matrix = portability(_catalog(*(_tool(f"t_{number}") for number in range(41))))

    assert {cell.client: cell.outcome for cell in matrix.whole.cells}["cursor"] == "degraded"
    assert {cell.outcome for row in matrix.rows for cell in row.cells} == {"accepted"}


@pytest.mark.parametrize("schema", [[], 1, "x", {"properties": {"a": None}}, {"type": 1, "$ref": 1, "enum": {}}])
def test_no_shape_of_a_schema_breaks_the_review(schema: object) -> None:
    """D3: what others publish is not always JSON Schema."""
    assert _found(_catalog(_raw(schema, outputSchema=schema)))
    assert portability(_catalog(_raw(schema))).rows
