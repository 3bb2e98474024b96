"""The published schema: whole, literal, portable, and the same bytes everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import ConfigDict, Field, RootModel
from typing_extensions import TypeAliasType

from fourfold.contracts.base import Input, Output, Page
from fourfold.contracts.schema import Unpublishable, canonical, published
from fourfold.contracts.walk import walk
from tests.contracts import golden
from tests.contracts.declaring import Nothing, input_with, output_with, rules_of
from tests.contracts.schema_models import Priority, Tree

ROOT = Path(__file__).parents[2]


def _schema_of(kind: Any, *, default: Any = ...) -> dict[str, Any]:
    """The published schema of one field."""
    return published(canonical(input_with(value=(kind, default))))["properties"]["value"]


def test_a_model_with_everything_is_published_literally() -> None:
    """B2, B3, C1: the whole schema, and its members in this order."""
    assert json.dumps(published(canonical(golden.Everything))) == json.dumps(golden.PUBLISHED)


def test_the_same_bytes_come_from_every_process() -> None:
    """D4: digests, locks and cursors outlive a restart; no set and no hash decides an order."""
    outputs = {
        subprocess.run(
            [sys.executable, "-m", "tests.contracts.golden"],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "src")},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert outputs == {json.dumps(golden.PUBLISHED).encode()}


def test_a_model_without_fields_still_says_so() -> None:
    """B2: MP-005. Model APIs refuse an object without `properties`, and every later prompt with it."""
    assert published(canonical(Nothing)) == {
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": False,
    }


def test_the_root_is_always_an_object() -> None:
    """B2: MP-001, MP-004. One tool with another root makes clients drop the whole server."""
    models = [Nothing, golden.Everything, Tree, Page[Output], output_with(value=(bool | None, None))]

    for model in models:
        schema = published(canonical(model))
        assert schema["type"] == "object"
        assert {"properties", "required", "additionalProperties"} <= schema.keys()
        assert not schema.keys() & {"anyOf", "oneOf", "allOf", "$ref", "$schema", "$id"}


def test_an_author_cannot_give_the_root_a_combinator() -> None:
    """B2: MP-001, MP-002. A root that is one of several models does not build; a written schema doesn't either."""

    class Either(RootModel[int | str]):
        pass

    class Written(Input):
        model_config = ConfigDict(json_schema_extra={"anyOf": [{"required": ["a"]}, {"required": ["b"]}]})

        a: bool = False

    assert rules_of(Either) == [("no_input", "")]
    assert rules_of(Written) == [("loosened_model", "input")]
    assert "anyOf" not in published(canonical(Written))


def test_no_other_dialect_is_stamped_on_a_schema() -> None:
    """B2: MP-011. A client that knows only 2020-12 lists the tool and then fails each call."""

    class Stamped(Output):
        model_config = ConfigDict(json_schema_extra={"$schema": "http://json-schema.org/draft-07/schema#"})

        done: bool

    assert rules_of(Nothing, Stamped) == [("loosened_model", "output")]
    assert "$schema" not in published(canonical(Stamped))


@pytest.mark.parametrize(
    ("kind", "default", "expected"),
    [
        pytest.param(
            Annotated[str | None, Field(max_length=9)], None, {"type": "string", "maxLength": 9}, id="optional"
        ),
        pytest.param(Literal["one"], ..., {"type": "string", "enum": ["one"]}, id="constant"),
        pytest.param(Priority, ..., {"type": "string", "enum": ["low", "high"]}, id="enum with an alias"),
        pytest.param(
            Annotated[list[Annotated[str, Field(max_length=1)]] | None, Field(max_length=2)],
            None,
            {"type": "array", "items": {"type": "string", "maxLength": 1}, "maxItems": 2},
            id="optional list",
        ),
    ],
)
def test_optionals_and_constants_are_plain_types(kind: Any, default: Any, expected: dict[str, Any]) -> None:
    """C1: MP-013. Null arms, lists of types and `const` are no function declaration to some model APIs."""
    assert _schema_of(kind, default=default) == expected


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({"gt": 0, "lt": 10}, {"minimum": 1, "maximum": 9}),
        ({"ge": 0, "le": 10}, {"minimum": 0, "maximum": 10}),
        ({"ge": 5, "gt": 1, "le": 7, "lt": 9}, {"minimum": 5, "maximum": 7}),
        ({"ge": 1, "gt": 5, "le": 9, "lt": 7}, {"minimum": 6, "maximum": 6}),
    ],
)
def test_exclusive_bounds_of_integers_become_inclusive(bounds: dict[str, int], expected: dict[str, int]) -> None:
    """C1: MP-016. Both bounds hold where both kinds are given."""
    assert _schema_of(Annotated[int, Field(**bounds)]) == {"type": "integer", **expected}  # pyright: ignore[reportArgumentType, reportCallIssue]  # names of bounds


def test_formats_that_few_clients_know_stand_in_the_description() -> None:
    """C1: MP-016. Some model APIs refuse a tool for `format: uri`; the server still checks it."""
    schema = published(canonical(golden.Everything))

    assert schema["properties"]["page"]["description"] == "Where it is shown. An absolute URL."
    assert {node.schema.get("format") for node in walk(schema)} == {None, "uuid", "date", "date-time"}


def test_a_reference_is_inlined() -> None:
    """B2: MP-008. Some clients connect and then fail to list tools with references in them."""
    line = published(canonical(golden.Everything))["properties"]["lines"]["items"]

    assert line["properties"]["quantity"] == {"type": "integer", "minimum": 1, "maximum": 10000}
    assert list(published(canonical(golden.Everything))["$defs"]) == ["Folder"]


def test_a_recursive_model_keeps_one_definition_and_the_build_ends() -> None:
    """B2: MP-010. Walks over the schema follow no reference, so that a cycle cannot trap them."""
    schema = canonical(Tree)

    assert published(schema)["properties"]["left"] == {"$ref": "#/$defs/Tree"}
    assert schema["$defs"]["Tree"]["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}
    assert {node.pointer for node in walk(schema)} == {
        "/name",
        "/children",
        "/children/*",
        "/left",
        "/$defs/Tree/name",
        "/$defs/Tree/children",
        "/$defs/Tree/children/*",
        "/$defs/Tree/left",
    }


Quantity = TypeAliasType("Quantity", Annotated[int, Field(ge=1, le=100)])


def test_a_limit_beside_a_reference_only_tightens_it() -> None:
    """B2: MP-019. Both hold; a looser sibling deletes nothing, whoever wrote it."""

    class Order(Input):
        tighter: Annotated[Quantity, Field(le=10)]
        beside: Annotated[golden.Line, Field(json_schema_extra={"required": ["sku"], "additionalProperties": True})]

    schema = canonical(Order)

    assert published(schema)["properties"]["tighter"] == {"type": "integer", "minimum": 1, "maximum": 10}
    assert schema["properties"]["beside"]["required"] == ["sku", "quantity", "unit_price_minor"]
    assert schema["properties"]["beside"]["additionalProperties"] is False
    assert rules_of(input_with(quantity=Annotated[Quantity, Field(le=1000)])) == [("loosened_bound", "input /quantity")]


def test_siblings_of_a_reference_intersect() -> None:
    """B2: MP-019. The smaller maximum, the larger minimum, and what has no order in an `allOf`."""

    class Loose(Input):
        line: Annotated[Quantity, Field(json_schema_extra={"maximum": 1000, "minimum": 5, "type": "number"})]
        folder: Annotated[Tree, Field(json_schema_extra={"minProperties": 1})]

    properties = published(canonical(Loose))["properties"]

    assert properties["line"] == {"type": "integer", "minimum": 5, "maximum": 100, "allOf": [{"type": "number"}]}
    assert properties["folder"] == {"minProperties": 1, "$ref": "#/$defs/Tree"}
    assert ("own_schema", "input /line") in rules_of(Loose)


def test_names_that_are_keywords_are_names() -> None:
    """B2: a property called `items`, `$ref` or `x-fourfold` is a property."""
    names = ["items", "type", "properties", "title", "default", "$ref", "$defs", "required", "enum", "x-fourfold"]
    fields: dict[str, Any] = {f"field{index}": (bool, Field(alias=name)) for index, name in enumerate(names)}
    schema = published(canonical(input_with(**fields)))

    assert schema["properties"] == {name: {"type": "boolean"} for name in names}
    assert schema["required"] == names


def test_an_output_requires_what_is_always_sent() -> None:
    """B3: a field with a default is always there; only one that defaults to None may be left out."""
    schema = canonical(
        output_with(always=(bool, True), maybe=(bool | None, None), listed=(list[bool], [])), output=True
    )

    assert schema["required"] == ["always", "listed"]


def test_free_keys_are_published_as_they_are_checked() -> None:
    """B2: where a waiver allows them, models under them are inlined and other keys refused."""
    key = Annotated[str, Field(pattern=r"^\d{2}$", max_length=2)]
    schema = _schema_of(Annotated[dict[key, golden.Line], Field(max_length=3)])

    assert schema["patternProperties"]["^[0-9]{2}$"]["properties"]["quantity"]["maximum"] == 10000
    assert schema["additionalProperties"] is False
    assert schema["propertyNames"] == {"maxLength": 2}
    assert _schema_of(dict[Literal["a"], golden.Line])["propertyNames"] == {"enum": ["a"]}


def test_a_type_that_json_has_no_word_for_is_refused_by_name() -> None:
    """B2: a sentence for the author, and no library's traceback."""
    with pytest.raises(Unpublishable, match="CallableSchema"):
        canonical(input_with(value=Callable[[], None]))
