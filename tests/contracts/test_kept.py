"""What may be kept of arguments and results: by the schema, place by place."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, SecretStr

from fourfold import Input, Personal, Secret
from fourfold.contracts.kept import MAX_KEPT_BYTES, kept_part, with_secret
from fourfold.contracts.markers import MARKS
from fourfold.contracts.schema import canonical

CANARY = "canary-7f3a"


class Card(Input):
    """Paid by card."""

    kind: Literal["card"]
    number: Annotated[str, Field(max_length=19), Secret()]
    label: Annotated[str, Field(max_length=80)] = ""


class Transfer(Input):
    """Paid by transfer."""

    kind: Literal["transfer"]
    number: Annotated[str, Field(max_length=34)]


class Line(Input):
    """One line, with lines in it."""

    sku: Annotated[str, Field(max_length=8)]
    pieces: Annotated[int, Field(ge=1, le=99)]
    note: Annotated[str, Field(max_length=40), Personal()] = ""
    parts: Annotated[list[Line], Field(max_length=5)] = Field(default_factory=list["Line"])


class Order(Input):
    """An order with everything that there is."""

    customer: Annotated[str, Field(max_length=80)]
    paid_by: Annotated[Card | Transfer, Field(discriminator="kind")]
    lines: Annotated[list[Line], Field(max_length=10_000)] = Field(default_factory=list[Line])
    password: SecretStr = SecretStr("")
    contact: Annotated[list[str], Field(max_length=3), Personal()] = Field(default_factory=list[str])
    api_key: Annotated[str, Field(max_length=50)] = ""
    amount: Annotated[float, Field(ge=0, le=9)] = 0
    flag: bool = False
    mixed: Literal["all", 7] = "all"


ORDER = canonical(Order)
SENT: dict[str, Any] = {"customer": "C001", "paid_by": {"kind": "card", "number": CANARY}}


def test_what_is_declared_is_kept_as_it_came() -> None:
    """D7: numbers, texts, flags, members of lists; a value of a vocabulary without a type."""
    sent = {
        "customer": "C001",
        "paid_by": {"kind": "transfer", "number": ""},
        "lines": [{"sku": "A-1", "pieces": 2}],
        "amount": 2.5,
        "flag": True,
        "mixed": 7,
    }

    kept = kept_part(sent, ORDER)

    assert kept.value == {**sent, "paid_by": {"kind": "transfer", "number": "[redacted]"}}
    assert (kept.redacted, kept.left_out, kept.cut) == (("/paid_by/number",), (), ())


@pytest.mark.parametrize(
    ("sent", "place"),
    [
        ({"paid_by": {"kind": "card", "number": CANARY}}, "/paid_by/number"),
        ({"paid_by": {"kind": "nonsense", "number": CANARY}}, "/paid_by/number"),
        ({"lines": [{"note": CANARY}]}, "/lines/0/note"),
        ({"lines": [{"parts": [{"parts": [{"note": {"in": [CANARY]}}]}]}]}, "/lines/0/parts/0/parts/0/note"),
        ({"password": CANARY}, "/password"),
        ({"password": [{"is": CANARY}]}, "/password"),
        ({"contact": [CANARY]}, "/contact"),
        ({"api_key": CANARY}, "/api_key"),
        ({"customer": f"Authorization: Bearer {CANARY}"}, "/customer"),
    ],
)
def test_a_marked_value_is_never_kept(sent: dict[str, Any], place: str) -> None:
    """D7, B16: of whatever type, in whichever arm of a union, at any depth; a name that says so counts as well."""
    kept = kept_part(sent, ORDER)

    assert CANARY not in json.dumps(kept.value)
    assert kept.redacted == (place,)


UNDECLARED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"pasword": CANARY}, {"pasword": "[left out]"}, "/pasword"),
    ({"pasword": {"a": CANARY}}, {"pasword": {}}, "/pasword"),
    ({"lines": [{"extra": [CANARY]}]}, {"lines": [{"extra": []}]}, "/lines/0/extra"),
    ({"customer": {"name": CANARY}}, {"customer": {}}, "/customer"),
    ({"customer": 4711}, {"customer": 0}, "/customer"),
    ({"flag": CANARY}, {"flag": "[left out]"}, "/flag"),
    ({"lines": [{"pieces": CANARY}]}, {"lines": [{"pieces": "[left out]"}]}, "/lines/0/pieces"),
    ({"lines": [{"pieces": 1.25}]}, {"lines": [{"pieces": 0.5}]}, "/lines/0/pieces"),
    ({"lines": {"0": CANARY}}, {"lines": {}}, "/lines"),
    ({"mixed": True}, {"mixed": False}, "/mixed"),
]


@pytest.mark.parametrize(("sent", "kept_as", "place"), UNDECLARED)
def test_what_nobody_declared_leaves_its_name_and_its_type(
    sent: dict[str, Any], kept_as: dict[str, Any], place: str
) -> None:
    """D7: a value of an unknown argument, or of another type; the stand-in is refused for the same reason."""
    kept = kept_part(sent, ORDER)

    assert (kept.value, kept.left_out, kept.redacted) == (kept_as, (place,), ())


def test_a_made_up_name_that_looks_like_a_credential_is_masked() -> None:
    """D7: and a long one is cut."""
    kept = kept_part({"sk-abcdefghijklmnop1234": 1, "x" * 100: 2}, ORDER)

    assert list(kept.value) == ["[redacted]", "x" * 64]


def test_null_is_kept_where_it_stands() -> None:
    """D7: it says that nothing was sent."""
    assert kept_part({"password": None, "customer": None}, ORDER).value == {"password": None, "customer": None}


def test_properties_can_be_made_secret() -> None:
    """D7: those of the framework, which are marked nowhere."""
    kept = kept_part({"customer": CANARY, "amount": 1.0}, with_secret(ORDER, frozenset({"customer", "nothing"})))

    assert kept.value == {"customer": "[redacted]", "amount": 1.0}


def test_what_is_too_large_is_cut_and_says_so() -> None:
    """D7: a list loses its end, and so does a text."""
    lines = [{"sku": "AAAA-111", "pieces": 1}] * 5_000

    kept = kept_part({"lines": lines}, ORDER)

    assert kept.cut[-1] == "/lines"
    assert 300 < len(kept.value["lines"]) < 600
    assert len(json.dumps(kept.value, separators=(",", ":"))) <= MAX_KEPT_BYTES
    long = kept_part({"customer": "x" * 9_000}, ORDER)
    assert (long.cut, len(long.value["customer"])) == (("/customer",), 8_000)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(0, 9) | st.text('ab😀/~\\"', max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=3),
    max_leaves=8,
)
"""Any value, as a client may send it."""


@st.composite
def places(draw: st.DrawFn, *, depth: int = 0) -> tuple[dict[str, Any], Any]:
    """A schema with at least one marked place in it, and a value with the canary there."""
    step = (
        draw(st.sampled_from(["marked", "object", "list", "map", "pattern", "union", "ref"])) if depth < 5 else "marked"
    )
    if step == "marked":
        mark = draw(st.sampled_from([{"mark": "secret"}, {"mark": "personal", "unmask": ""}]))
        inside = [CANARY, [CANARY], {"a": CANARY}, {CANARY: 1}, [[{"a": [CANARY]}]]]
        return {"type": draw(st.sampled_from(["string", "object"])), MARKS: [mark]}, draw(st.sampled_from(inside))
    schema, value = draw(places(depth=depth + 1))
    other = {"type": "object", "properties": {"x": {"type": "string"}, "q": {"type": "integer"}}}
    beside = draw(st.dictionaries(st.sampled_from(["p", "q", "r"]), JSON, max_size=2))
    if step == "object":
        return {"type": "object", "properties": {"x": schema, "q": {"type": "string"}}}, {**beside, "x": value}
    if step == "list":
        return {"type": "array", "items": schema}, [*beside.values(), value]
    if step == "map":
        return {"type": "object", "properties": {}, "additionalProperties": schema}, {**beside, "some": value}
    if step == "pattern":
        return {"type": "object", "properties": {}, "patternProperties": {"^s": schema}}, {**beside, "some": value}
    if step == "ref":
        return {"allOf": [schema]}, value
    return {"anyOf": draw(st.permutations([schema, other, {"type": "string"}]))}, value


@settings(max_examples=300, deadline=None)
@given(found=places(), beside=st.dictionaries(st.text("xyz", max_size=2), JSON, max_size=3))
def test_no_marked_value_is_kept_whatever_the_schema(found: tuple[dict[str, Any], Any], beside: dict[str, Any]) -> None:
    """D7, B16: in lists, maps, unions and what is made of several; with anything sent beside it."""
    schema, value = found
    root = {"type": "object", "properties": {"at": schema, "": {"$ref": "#/$defs/Again"}}, "$defs": {"Again": schema}}

    kept = kept_part({**beside, "at": value, "": value}, root)

    assert CANARY not in f"{json.dumps(kept.value)}{kept.redacted}{kept.left_out}{kept.cut}"
    assert kept.redacted or kept.left_out


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(["customer", "paid_by", "lines", "flag", "amount", "password", "x"]), JSON))
def test_every_place_that_is_named_is_there(sent: dict[str, Any]) -> None:
    """D7: pointers lead to what they are about, and the kept value is JSON within the bound."""
    kept = kept_part(sent, ORDER)

    assert len(json.dumps(kept.value, separators=(",", ":"))) <= MAX_KEPT_BYTES
    for place in (*kept.redacted, *kept.left_out, *kept.cut):
        found: Any = kept.value
        for step in [part.replace("~1", "/").replace("~0", "~") for part in place.split("/")[1:]]:
            found = found[int(step) if step.isdigit() else step]
