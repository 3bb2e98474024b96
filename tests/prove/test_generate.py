"""Arguments are made up from a schema: good ones that both validators take, bad ones that both refuse."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any, cast

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.contracts.conform import Misfit
from fourfold.contracts.strict_json import MAX_SAFE_INTEGER
from fourfold.model.contract import JsonObject
from fourfold.prove.generate import Maker, maker_for, negatives, positives
from fourfold.prove.judge import Judge, Pair, judges
from fourfold.prove.sample import Sample, Unmakeable
from fourfold.review.view import CatalogView, ToolView
from tests.prove.samples import CATALOGS, draw, published_schemas, seeded

_MOST = 40


def _maker(schema: JsonObject, *, seed: int = 1, limit: int | None = None, **known: tuple[object, ...]) -> Maker:
    return maker_for(schema, dice=seeded(seed), known=lambda name: known.get(name, ()), limit=limit)


def _object(required: tuple[str, ...] = (), **properties: JsonObject) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _good(schema: JsonObject, *known: object) -> list[object]:
    return [sample.value["x"] for sample in _maker(schema, x=known).positives() if "x" in sample.value]


def _bad(schema: JsonObject) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for sample in _maker(schema).negatives():
        found.setdefault(sample.kind, []).append(sample.value.get("x"))
    return found


def _integer(low: int, size: int, step: int) -> JsonObject:
    return {"type": "integer", "minimum": low, "maximum": low + size + step, "multipleOf": step}


def _text(low: int, size: int) -> JsonObject:
    return {"type": "string", "minLength": low, "maxLength": low + size}


def _array(items: JsonObject, low: int, size: int) -> JsonObject:
    return {"type": "array", "items": items, "minItems": low, "maxItems": low + size}


def _members(found: dict[str, JsonObject], opened: bool) -> JsonObject:
    return {"type": "object", "properties": found, "required": [min(found)], "additionalProperties": opened}


def _dependent(found: dict[str, JsonObject]) -> JsonObject:
    return {"type": "object", "properties": found, "dependentRequired": {min(found): [*found]}}


def _union(arms: list[JsonObject]) -> JsonObject:
    return {"anyOf": arms}


def _tuple(first: list[JsonObject]) -> JsonObject:
    return {"type": "array", "prefixItems": first}


def _map(each: JsonObject) -> JsonObject:
    return {"type": "object", "additionalProperties": each, "maxProperties": 2}


def _patterned(each: JsonObject) -> JsonObject:
    return {"type": "object", "patternProperties": {"^x-[a-z]+$": each}}


_FIXED: list[JsonObject] = [
    {"type": "boolean"},
    {"type": "null"},
    {"type": "number", "exclusiveMinimum": 0, "maximum": 1.5},
    {"type": ["string", "null"]},
    {"type": "string", "pattern": "^[a-c]{2,4}-\\d+$"},
    {"type": "string", "format": "date"},
    {"enum": ["a", "b", 3, None]},
    {"const": "fixed"},
    {"type": "string", "not": {"enum": ["example"]}, "minLength": 1, "examples": ["other"]},
    {"$ref": "#/$defs/Tree"},
    {"allOf": [{"type": "integer"}, {"minimum": 3}, {"maximum": 9}]},
    {"if": {"type": "string"}, "then": {"maxLength": 3}, "else": {"type": "integer"}},
]
_SCALARS = st.one_of(
    st.builds(_integer, st.integers(-50, 50), st.integers(1, 100), st.integers(1, 7)),
    st.builds(_text, st.integers(0, 4), st.integers(0, 9)),
    st.sampled_from(_FIXED),
)
_DEFINITIONS: JsonObject = {
    "Tree": {"type": "object", "properties": {"name": {"type": "string"}, "left": {"$ref": "#/$defs/Tree"}}},
}


def _wider(inner: st.SearchStrategy[JsonObject]) -> st.SearchStrategy[JsonObject]:
    names = st.sampled_from(["a", "b", "c d", "e/f~"])
    members = st.dictionaries(names, inner, min_size=1, max_size=3)
    return st.one_of(
        st.builds(_union, st.lists(inner, min_size=1, max_size=3)),
        st.builds(_array, inner, st.integers(0, 2), st.integers(0, 2)),
        st.builds(_tuple, st.lists(inner, min_size=1, max_size=2)),
        st.builds(_members, members, st.booleans()),
        st.builds(_dependent, members),
        st.builds(_map, inner),
        st.builds(_patterned, inner),
    )


_SCHEMAS = st.recursive(_SCALARS, _wider, max_leaves=6)


@settings(deadline=None, max_examples=60)
@given(schema=_SCHEMAS, seed=st.integers(0, 9))
def test_both_validators_see_every_sample_as_what_it_claims_to_be(schema: JsonObject, seed: int) -> None:
    """Judged as the two validators come, without the judge that the generator asks."""
    root = {**_object(("x",), x=schema), "$defs": _DEFINITIONS}
    library = cast("Any", jsonschema)
    first = library.Draft202012Validator(root, format_checker=library.Draft202012Validator.FORMAT_CHECKER)
    second = jsonschema_rs.Draft202012Validator(root, validate_formats=True)
    maker = _maker(root, seed=seed)

    samples = [*islice(maker.positives(), _MOST), *islice(maker.negatives(), _MOST)]

    assert {sample.valid for sample in samples} == {True, False}
    for sample in samples:
        assert first.is_valid(sample.value) is sample.valid, sample
        assert second.is_valid(sample.value) is sample.valid, sample


@settings(deadline=None, max_examples=60)
@given(schema=_SCHEMAS)
def test_a_bad_sample_is_broken_in_one_place(schema: JsonObject) -> None:
    """Whatever the validator names lies on the way to the place that the sample is about, or below it."""
    root = {**_object(("x",), x=schema), "$defs": _DEFINITIONS}
    first = cast("Any", jsonschema).Draft202012Validator(root)

    for sample in islice((each for each in _maker(root).negatives() if each.kind != "format"), _MOST):
        places = [list(error.absolute_path) for error in first.iter_errors(sample.value)]
        steps = [step.replace("~1", "/").replace("~0", "~") for step in sample.pointer.split("/")[1:]]
        around = [[str(step) for step in place][: len(steps)] for place in places]
        assert all(place == steps[: len(place)] for place in around), (sample, places)


@settings(deadline=None, max_examples=30)
@given(schema=_SCHEMAS, seed=st.integers())
def test_the_same_dice_make_the_same_samples(schema: JsonObject, seed: int) -> None:
    """What fails can be made again from its seed."""
    root = {**_object(("x",), x=schema), "$defs": _DEFINITIONS}

    first, again = (
        [*islice(maker.positives(), _MOST), *islice(maker.negatives(), _MOST)]
        for maker in (_maker(root, seed=seed), _maker(root, seed=seed))
    )

    assert first == again


def test_each_side_of_a_limit_is_tried() -> None:
    """A number and a text at their limits, one inside, and one outside."""
    number = _object(("x",), x={"type": "integer", "minimum": 3, "maximum": 20})
    text = _object(("x",), x={"type": "string", "minLength": 2, "maxLength": 5})
    items = _object(("x",), x={"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3})

    assert {3, 4, 19, 20} <= {*_good(number)}
    assert {2, 21} <= {each for kind in ("too_small", "too_large") for each in _bad(number)[kind]}
    assert {len(str(each)) for each in _good(text)} == {2, 3, 4, 5}
    assert [len(cast("str", each)) for kind in ("too_short", "too_long") for each in _bad(text)[kind]] == [1, 6]
    assert {len(cast("list[int]", each)) for each in _good(items)} == {1, 2, 3}
    assert [len(cast("list[int]", each)) for kind in ("too_few", "too_many") for each in _bad(items)[kind]] == [0, 4]


def test_every_listed_value_and_every_arm_is_tried() -> None:
    """An enum, and a union of a number, a text and null."""
    assert set(_good(_object(x={"enum": ["open", "paid", "void"]}))) == {"open", "paid", "void"}
    assert "OPEN" in _bad(_object(x={"enum": ["open", "paid"]}))["not_listed"]
    union = _object(x={"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]})
    assert {type(each) for each in _good(union)} == {int, str, type(None)}


def test_texts_hold_more_than_ascii_and_never_nul() -> None:
    """Combining marks, right to left, beyond 16 bits; U+0000 is nothing that a server has to take."""
    found = "".join(cast("list[str]", _good(_object(x={"type": "string"}))))

    assert {"\u0301", "\u05e9", "\u202e", "\U0001d49c", "\u0440", "\u200d"} <= {*found}
    assert "\0" not in found


def test_what_somebody_thought_of_comes_first() -> None:
    """A listed id before an example, an example before the default; one that does not fit is passed over."""
    schema = _object(("x",), x={"type": "string", "maxLength": 6, "examples": ["EX-1"], "default": "D"})

    assert _good(schema, "INV-7", 5, "far too long")[0] == "INV-7"
    assert _good(schema, 5)[0] == "EX-1"
    assert _good(_object(("x",), x={"type": "string", "default": "D"}))[0] == "D"


def test_a_span_of_days_ends_after_it_begins() -> None:
    """A server may refuse a span that its schema takes; the first sample should be none of these."""
    day: JsonObject = {"type": "string", "format": "date"}
    schema = _object(("from_day", "before", "endDate"), from_day=day, before=day, endDate=day)

    value = next(_maker(schema).positives()).value

    assert value["from_day"] < value["before"] == value["endDate"]


def test_optional_members_are_left_out_then_all_there() -> None:
    """The fewest arguments, those with an example, and all of them."""
    schema = _object(("x",), x={"type": "boolean"}, y={"type": "integer", "examples": [7]}, z={"type": "integer"})

    samples = [*islice(_maker(schema).positives(), 3)]

    assert [sample.kind for sample in samples] == ["minimal", "typical", "maximal"]
    assert [sorted(sample.value) for sample in samples] == [["x"], ["x", "y"], ["x", "y", "z"]]


def test_kinds_of_breaking_take_turns() -> None:
    """A check that takes few samples sees many ways of breaking."""
    schema = _object(("x",), x={"type": "integer", "minimum": 1}, y={"type": "string", "pattern": "^[A-Z]{2}$"})

    kinds = {sample.kind for sample in islice(_maker(schema).negatives(), 8)}

    assert {"wrong_type", "null", "missing", "unknown_member", "too_small", "pattern"} <= kinds


def test_members_that_need_each_other_are_there_together_and_apart() -> None:
    """`dependentRequired`, once kept and once broken."""
    schema: JsonObject = {
        **_object(x={"type": "integer"}, y={"type": "integer"}),
        "dependentRequired": {"x": ["y"]},
    }
    maker = _maker(schema)

    assert all("y" in sample.value for sample in maker.positives() if "x" in sample.value)
    assert [sample.value for sample in maker.negatives() if sample.kind == "missing"] == [{"x": 1}]


def test_items_that_must_differ_do_and_then_do_not() -> None:
    """`uniqueItems` over a schema that has only two values."""
    schema = _object(
        ("x",), x={"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "maxItems": 2, "uniqueItems": True}
    )

    assert _good(schema) == [["a", "b"]]
    assert _bad(schema)["not_unique"] == [["a", "a"]]


def test_a_schema_of_itself_comes_to_an_end() -> None:
    """A tree whose branches are optional, and one whose branches are not."""
    tree: JsonObject = {"type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}}}

    found = [*islice(_maker({**_object(x={"$ref": "#/$defs/Tree"}), "$defs": {"Tree": tree}}).positives(), _MOST)]
    with pytest.raises(Unmakeable, match=r"^\$ref") as stopped:
        next(_maker({**tree, "required": ["left"], "$defs": {"Tree": {**tree, "required": ["left"]}}}).positives())

    assert found
    assert stopped.value.keyword == "$ref"


@pytest.mark.parametrize(
    ("keyword", "schema"),
    [
        ("$ref", {"$ref": "https://example.org/schema.json"}),
        ("$ref", {"$ref": "#/$defs/Nothing"}),
        ("pattern", {"type": "string", "pattern": "(?=a)b"}),
        ("maxLength", {"type": "string", "minLength": 3, "maxLength": 2}),
        ("type", {"allOf": [{"type": "string"}, {"type": "integer"}]}),
        ("false", False),
        ("minProperties", {"type": "object", "minProperties": 1, "additionalProperties": False}),
        ("multipleOf", {"type": "integer", "multipleOf": 10, "minimum": 11, "maximum": 19}),
        ("uniqueItems", {"type": "array", "items": {"const": 1}, "minItems": 2, "uniqueItems": True}),
    ],
)
def test_what_cannot_be_made_names_the_keyword(keyword: str, schema: JsonObject) -> None:
    """A schema without samples is listed with what stood in the way."""
    with pytest.raises(Unmakeable) as stopped:
        next(_maker(_object(("x",), x=schema)).positives())

    assert stopped.value.keyword == keyword
    assert stopped.value.pointer == "/x"


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "required": "x"},
        {"type": "any"},
        {"properties": ["x"]},
        {"properties": {"x": {"$ref": "#/x-own"}}, "required": ["x"], "x-own": {"minLength": "three", "enum": 5}},
    ],
)
def test_what_is_no_schema_is_unmakeable_and_no_crash(schema: JsonObject) -> None:
    """Strangers write anything, also where nobody looks."""
    for made in (_maker(schema).positives, _maker(schema).negatives):
        with pytest.raises(Unmakeable):
            _ = [*made()]


def test_a_sample_that_the_judges_disagree_about_is_dropped_and_counted() -> None:
    """Nothing is used that one of the two sees otherwise."""
    misfit = Misfit(pointer="", keyword="type", expected="string")
    sample = Sample(kind="minimal", value={}, pointer="", valid=True)

    def verdict(*, first: tuple[Misfit, ...], second: bool | None) -> str:
        pair = Pair(misfits=lambda _: first, accepts=None if second is None else lambda _: second)
        return Judge(asserting=pair, describing=pair).against(sample)

    assert verdict(first=(), second=True) == ""
    assert verdict(first=(), second=False) == "disagreement"
    assert verdict(first=(misfit,), second=True) == "disagreement"
    assert verdict(first=(misfit,), second=False) == "not_as_claimed"
    assert verdict(first=(), second=None) == ""
    assert judges() == ("jsonschema", "jsonschema-rs")


def test_a_dropped_sample_is_counted() -> None:
    """An arm that fits another one too is no value of `oneOf`."""
    maker = _maker(_object(x={"oneOf": [{"type": "integer"}, {"type": "number"}, {"type": "string"}]}))

    values = [sample.value.get("x") for sample in maker.positives()]

    assert "example" in values
    assert 1 not in values
    assert maker.dropped["not_as_claimed"] > 0


def test_a_catalog_of_ours_refuses_more_than_its_schema() -> None:
    """U+0000, integers that not every reader keeps, more bytes than allowed."""
    schema = _object(x={"type": "string"}, y={"type": "integer"}, z={})

    ours = {sample.kind: sample for sample in _maker(schema, limit=1_000).negatives()}
    others = {sample.kind for sample in _maker(schema).negatives()}

    assert {"nul_character", "unsafe_integer", "too_deep", "oversized"} <= ours.keys()
    assert not {"nul_character", "unsafe_integer", "too_deep", "oversized"} & others
    assert abs(cast("int", ours["unsafe_integer"].value["y"])) > MAX_SAFE_INTEGER
    assert all(len(json.dumps(sample.value)) <= 1_000 for sample in _maker(schema, limit=1_000).positives())


def test_a_tool_of_a_saved_list_has_samples_of_both_kinds() -> None:
    """What checks call with, for a tool that anybody may have written."""
    from fourfold.review.saved import listed

    tool = {"name": "t", "inputSchema": _object(("x",), x={"type": "integer"})}
    view: ToolView = CatalogView(listed([tool], target="saved", facts={})).tools[0]

    good = next(positives(view, dice=seeded(1), known=lambda name: (42,) if name == "x" else ()))
    bad = next(negatives(view, dice=seeded(1), known=lambda _: ()))

    assert (good.kind, good.value, good.valid) == ("minimal", {"x": 42}, True)
    assert bad.valid is False


def test_published_schemas_have_samples_that_are_what_they_claim() -> None:
    """60 schemas of published servers; `scripts/soak samples` draws over all of them."""
    schemas = published_schemas()
    if not schemas:
        pytest.skip(f"no {CATALOGS.relative_to(CATALOGS.parents[2])} beside this checkout")

    drawn = draw(seeded(6).sample(schemas, 60), each=6)

    assert (drawn.wrong, drawn.unmakeable) == ([], [])
    assert min(drawn.accepted, drawn.refused) >= 300
