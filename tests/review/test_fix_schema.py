"""`fix_schema`: what is rewritten, what is left, and that both schemas accept the same values."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedTool
from fourfold.model.portability import FixedSchema
from fourfold.review.fix_schema import fix_schema
from fourfold.review.profile import chosen
from fourfold.review.saved import read_saved
from fourfold.review.trial import trial_values
from tests.meta.repository import SHARED

TEXT = {"type": "string"}
TAGGED = [{"properties": {"kind": {"type": "string", "enum": [kind]}}, "required": ["kind"]} for kind in ("a", "b")]
"""Arms that a text tells apart, if they are objects."""


def _fixed(schema: JsonObject, *clients: str) -> FixedSchema:
    tool = ListedTool(definition={"name": "thing_show", "description": "Show it.", "inputSchema": schema})
    return fix_schema(tool, chosen(clients))


def _argument(schema: JsonObject, **root: Any) -> Any:
    """What becomes of the schema of an argument."""
    return _fixed({"type": "object", "properties": {"a": schema}, **root}).schema["properties"]["a"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"const": "x"}, {"type": "string", "enum": ["x"]}),
        ({"const": 1}, {"enum": [1]}),
        ({"type": "boolean", "const": True}, {"type": "boolean", "enum": [True]}),
        ({"enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
        ({"type": ["string"]}, TEXT),
        ({"type": "integer", "exclusiveMinimum": 0}, {"type": "integer", "minimum": 1}),
        ({"type": "integer", "exclusiveMinimum": 0.5, "minimum": 3}, {"type": "integer", "minimum": 3}),
        ({"type": "integer", "exclusiveMaximum": 10.5}, {"type": "integer", "maximum": 10}),
        ({"type": "integer", "enum": [3, 1, 2]}, {"type": "integer", "minimum": 1, "maximum": 3}),
        ({"type": "array"}, {"type": "array", "items": {}}),
        ({"anyOf": [{"type": "string", "maxLength": 9}], "maxLength": 5}, {"type": "string", "maxLength": 5}),
        ({"allOf": [TEXT, {"minLength": 2}], "maxLength": 5}, {"type": "string", "minLength": 2, "maxLength": 5}),
        ({"oneOf": [TEXT, {"type": "integer"}]}, {"anyOf": [TEXT, {"type": "integer"}]}),
        ({"type": "object", "oneOf": TAGGED}, {"type": "object", "anyOf": TAGGED}),
        ({"type": "string", "format": "uri"}, {"type": "string", "description": "Format: uri."}),
        (
            {"type": "string", "format": "uri", "description": "Where it is."},
            {"type": "string", "description": "Where it is. Format: uri."},
        ),
    ],
)
def test_what_has_an_equal_is_rewritten(before: JsonObject, after: JsonObject) -> None:
    """D3: the same values, in keywords that every client knows."""
    assert _argument(before) == after


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [TEXT, {"type": "null"}]},
        {"type": ["string", "null"]},
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "integer", "enum": [1, 2, 4]},
        {"type": "number", "enum": [1, 2, 3]},
        {"oneOf": [{"type": "number"}, {"type": "integer"}]},
        {"oneOf": TAGGED},
        {"oneOf": [{"type": "string", "minLength": 1}, {"type": "string", "maxLength": 3}]},
        {"type": "array", "items": TEXT, "uniqueItems": True},
        {"type": "object", "additionalProperties": TEXT},
        {"type": "string", "format": "date-time"},
    ],
)
def test_what_has_no_equal_stays_as_it_is(schema: JsonObject) -> None:
    """D3: dropping null, or a bound of a fraction, would change what is accepted; it isn't even tried."""
    result = _fixed({"type": "object", "properties": {"a": schema}})

    assert result.schema["properties"]["a"] == schema
    assert result.proof is None


def test_what_stays_is_reported_with_the_clients_that_mind() -> None:
    """D3: nobody should think that it is done."""
    result = _fixed({"type": "object", "properties": {"a": {"anyOf": [TEXT, {"type": "null"}]}}}, "gemini")

    assert result.changes == ()
    assert result.proof is None
    assert [(left.pointer, left.what) for left in result.left] == [
        (
            "/inputSchema/properties/a/anyOf",
            "FF613: a is a union with null (gemini-functions: refuses the whole request)",
        )
    ]


def test_what_stands_beside_a_reference_still_applies() -> None:
    """D3: MP-019: the looser of two limits never deletes the tighter one."""
    quantity = {"type": "integer", "minimum": 1, "maximum": 100}
    schema = {
        "type": "object",
        "properties": {"quantity": {"$ref": "#/$defs/Q", "maximum": 1000, "description": "How many."}},
        "$defs": {"Q": quantity},
    }

    result = _fixed(schema)

    assert result.schema == {
        "type": "object",
        "properties": {"quantity": {**quantity, "description": "How many."}},
    }
    assert [change.what for change in result.changes] == [
        "#/$defs/Q written out",
        "$defs left out: nothing refers to it",
    ]


def test_halves_that_look_at_each_other_are_not_poured_into_one() -> None:
    """D3: a closed object with one property more beside it accepts nothing more than before."""
    closed = {"type": "object", "properties": {"x": TEXT}, "additionalProperties": False}
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/C", "properties": {"y": TEXT}}},
        "$defs": {"C": closed},
    }

    assert _fixed(schema).schema["properties"]["a"] == {"allOf": [closed, {"properties": {"y": TEXT}}]}


def test_a_reference_that_recurses_keeps_its_definition() -> None:
    """D3: there is no schema without it; another one beside it is written out all the same."""
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/Node"}, "b": {"$ref": "#/$defs/Text"}},
        "$defs": {"Node": node, "Text": TEXT},
    }

    result = _fixed(schema, "claude-code")

    assert result.schema["properties"] == {"a": {"$ref": "#/$defs/Node"}, "b": TEXT}
    assert result.schema["$defs"]["Node"] == node
    assert {left.what[:5] for left in result.left} == {"FF608"}


def test_before_2019_what_stands_beside_a_reference_is_left_to_its_author() -> None:
    """D3: there it means nothing, and writing it out would make it count."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"a": {"$ref": "#/definitions/Q", "maximum": 5}},
        "definitions": {"Q": {"type": "integer"}},
    }

    result = _fixed(schema)

    assert result.schema == schema


def test_an_old_dialect_goes_where_every_keyword_means_the_same() -> None:
    """D3: the line is a converter's habit; a list under items is not."""
    dialect = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}

    assert "$schema" not in _fixed({**dialect, "properties": {"a": TEXT}}).schema
    assert "$schema" in _fixed({**dialect, "properties": {"a": {"type": "array", "items": [TEXT]}}}).schema


def test_the_size_before_and_after_is_told() -> None:
    """D3: writing out a reference may cost tokens in every request."""
    big = {"type": "object", "properties": {f"field_{number}": TEXT for number in range(20)}}
    schema = {"type": "object", "properties": {name: {"$ref": "#/$defs/B"} for name in "abc"}, "$defs": {"B": big}}

    result = _fixed(schema)

    assert result.size_before == len(json.dumps(schema, separators=(",", ":")))
    assert result.size_after > 2 * result.size_before


def test_references_that_double_and_double_are_left() -> None:
    """D3: 24 definitions of two fields each would become millions."""
    pairs = {
        f"D{number}": {"type": "object", "properties": {side: {"$ref": f"#/$defs/D{number + 1}"} for side in "lr"}}
        for number in range(24)
    }
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/D0"}}, "$defs": {**pairs, "D24": TEXT}}

    result = _fixed(schema)

    assert result.schema == schema
    assert result.left[0].what.startswith("left as it was: written out, it would have ")


@pytest.mark.parametrize(
    ("argument", "why"),
    [
        ({"type": "string", "pattern": "(", "const": "x"}, "it is no valid JSON Schema"),
        ({"const": "x", "$ref": "https://example.com/a"}, "a reference leads out of it, or nowhere"),
        ({"const": "x", "required": True}, "it is no valid JSON Schema"),
        ({"const": "x", "not": {}}, "no value was found that it accepts"),
    ],
)
def test_what_cannot_be_proven_is_not_rewritten(argument: JsonObject, why: str) -> None:
    """D3: a pattern that no validator reads, a reference out of the schema, a schema that accepts nothing."""
    schema = {"type": "object", "properties": {"a": argument}, "required": ["a"]}

    result = _fixed(schema)

    assert (result.schema, result.changes) == (schema, ())
    assert result.left[0].what == f"left as it was: {why}"


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["object", "#", "#/properties/a", "("])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["type", "properties", "a", "items", "anyOf", "$ref", "enum", "$schema"]), inner
        ),
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(schema=JSON)
def test_no_shape_of_a_schema_breaks_it(schema: Any) -> None:
    """D3: what others publish is not always JSON Schema."""
    result = fix_schema(ListedTool(definition={"name": "thing_show", "inputSchema": schema}))

    assert result.changes == () or result.proof is not None


def test_the_same_schema_gives_the_same_values() -> None:
    """D3: a proof that another run can repeat."""
    schema: JsonObject = {"type": "object", "properties": {"a": {"anyOf": [TEXT, {"type": "integer", "minimum": 3}]}}}

    assert trial_values(schema, most=300) == trial_values(schema, most=300)
    assert 30 < len(trial_values(schema, most=50)) <= 50


SCALARS = st.sampled_from([None, True, 0, 1, 2, 3.5, "a", "b", "abc", ""])
LEAVES = st.one_of(
    st.fixed_dictionaries({"const": SCALARS}),
    st.fixed_dictionaries({"enum": st.lists(SCALARS, min_size=1, max_size=4)}),
    st.fixed_dictionaries(
        {"type": st.just("integer")},
        optional={
            "minimum": st.integers(-3, 3),
            "exclusiveMinimum": st.sampled_from([-1, 0, 0.5, 2]),
            "exclusiveMaximum": st.sampled_from([3, 3.5, 9]),
            "enum": st.lists(st.integers(0, 4), min_size=1, max_size=4, unique=True),
        },
    ),
    st.fixed_dictionaries({"type": st.sampled_from(["string", "number", "boolean", "null", "array", ["string"]])}),
    st.fixed_dictionaries({"$ref": st.sampled_from(["#/$defs/Q", "#/$defs/O"])}, optional={"maximum": st.just(50)}),
    st.fixed_dictionaries({"$ref": st.just("#/$defs/O")}, optional={"required": st.just(["z"])}),
)


def _wider(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named = st.dictionaries(st.sampled_from(["x", "y", "z"]), inner, max_size=3)
    arms = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": named},
            optional={"required": st.just(["x"]), "additionalProperties": st.one_of(st.booleans(), inner)},
        ),
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}, optional={"minItems": st.integers(0, 2)}),
        st.fixed_dictionaries({"anyOf": arms}),
        st.fixed_dictionaries({"oneOf": arms}),
        st.fixed_dictionaries({"allOf": arms}, optional={"properties": named, "type": st.just("object")}),
    )


SCHEMAS = st.recursive(LEAVES, _wider, max_leaves=6)
VALUES = st.recursive(
    st.one_of(SCALARS, st.integers(-5, 60), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["x", "y", "z", "w"]), inner, max_size=3)
    ),
    max_leaves=6,
)
DEFINITIONS = {
    "Q": {"type": "integer", "minimum": 1, "maximum": 100},
    "O": {"type": "object", "properties": {"x": TEXT}, "additionalProperties": False},
}


@settings(deadline=None)
@given(schema=SCHEMAS, values=st.lists(VALUES, max_size=12))
def test_no_value_tells_a_schema_from_its_rewriting(schema: JsonObject, values: list[Any]) -> None:
    """D3: judged by another validator than the one behind the proof, with values that it did not make."""
    root: JsonObject = {"type": "object", "properties": {"a": schema}, "$defs": DEFINITIONS}
    result = _fixed(root)
    before, after = (jsonschema_rs.Draft202012Validator({**each}) for each in (root, result.schema))

    for value in [{}, *({"a": value} for value in values), *trial_values(root, most=60)]:
        assert before.is_valid(value) == after.is_valid(value), value


@settings(deadline=None)
@given(schema=SCHEMAS)
def test_no_rewriting_has_to_be_thrown_away(schema: JsonObject) -> None:
    """D3: the proof is a net; each step alone already keeps what is accepted."""
    result = _fixed({"type": "object", "properties": {"a": schema}, "$defs": DEFINITIONS})

    assert result.proof is None or "would tell it apart" not in result.proof.note


@settings(deadline=None)
@given(schema=SCHEMAS)
def test_a_second_time_changes_nothing(schema: JsonObject) -> None:
    """D3: what `--fix-schema` wrote is clean for it."""
    once = _fixed({"type": "object", "properties": {"a": schema}, "$defs": DEFINITIONS}).schema

    assert _fixed(once).schema == once


def test_published_schemas_that_are_rewritten_are_all_proven() -> None:
    """D3, C10: a catalog with references, unions by tag and formats; nothing is thrown away."""
    path = SHARED / "data/catalogs/awslabs-aws-pricing-mcp-server.json"
    if not path.is_file():
        pytest.skip("no ../shared/data beside this checkout")

    results = [fix_schema(tool) for tool in read_saved(path.read_bytes(), target=path.name).tools]

    assert any(result.changes for result in results)
    assert [result.proof.note for result in results if result.proof and result.changes] == [
        "" for result in results if result.changes
    ]
