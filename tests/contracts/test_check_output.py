"""The output check: what leaves conforms to the published schema, in exact bytes, or does not leave."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Annotated, Any, cast
from uuid import UUID

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AwareDatetime, Field, SecretStr

from fourfold.contracts.base import Output, Page
from fourfold.contracts.check import OutputCheck, OutputViolation
from fourfold.contracts.schema import canonical, published
from tests.contracts.declaring import output_with
from tests.contracts.schema_models import Currency

Text = Annotated[str, Field(max_length=20)]


class Row(Output):
    """An item."""

    name: Text
    note: Text | None = None


class Result(Output):
    """What the handler promises."""

    n: Annotated[int, Field(ge=0, le=2**53 - 1)]
    share: Annotated[float | None, Field(ge=0, le=1)] = None
    rows: Annotated[tuple[Row, ...], Field(max_length=3)] = ()


class Extended(Result):
    """What somebody made of it."""

    internal: Text = "host-17"


def serialize(result: object, model: type[Output] = Result) -> bytes:
    """The bytes that leave."""
    return OutputCheck(model, canonical(model, output=True)).serialize(result)


def refusal(result: object, model: type[Output] = Result) -> str:
    """Why nothing leaves."""
    with pytest.raises(OutputViolation) as caught:
        serialize(result, model)
    return str(caught.value)


def test_a_result_is_compact_json_without_what_has_no_value() -> None:
    """B3: MP-044. The bytes are filled from the typed value; absent fields are absent, never null."""
    result = Result(n=3, rows=(Row(name="é"), Row(name="b", note="")))

    assert serialize(result) == '{"n":3,"rows":[{"name":"é"},{"name":"b","note":""}]}'.encode()


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ({"n": 1}, "the handler returned dict, not Result"),
        (None, "the handler returned NoneType, not Result"),
        (Row(name="a"), "the handler returned Row, not Result"),
        (Page[Row](items=[], returned=0, has_more=False), "the handler returned Page[Row], not Result"),
        (Result.model_construct(n="3"), "the result breaks the output contract at n (int_type)"),
        (Result.model_construct(), "the result breaks the output contract at n (missing)"),
        (Result.model_construct(n=2**53), "the result breaks the output contract at n (less_than_equal)"),
        (Result.model_construct(n=7959093232313131379), "the result breaks the output contract at n (less_than_equal)"),
        (Result.model_construct(n=1, share=math.nan), "the result breaks the output contract at share (finite_number)"),
        (Result.model_construct(n=1, share=math.inf), "the result breaks the output contract at share (finite_number)"),
        (
            Result.model_construct(n=1, rows=[Row(name="a")] * 4),
            "the result breaks the output contract at rows (too_long)",
        ),
        (
            Result.model_construct(n=-1, rows=[Row.model_construct(name=5)]),
            "the result breaks the output contract at n (greater_than_equal), rows.0.name (string_type)",
        ),
        (Result.model_construct(n=1, rows=object()), "the result cannot be serialized: PydanticSerializationError"),
    ],
)
def test_what_breaks_the_contract_does_not_leave(result: object, text: str) -> None:
    """B3: MP-043, MP-121. The text is for the run; it names places and kinds, and no value."""
    assert refusal(result) == text


class Node(Output):
    """A model that holds itself."""

    child: Node | None = None


def test_a_result_that_contains_itself_does_not_leave() -> None:
    """B3: MP-043. It cannot be written, and no traceback tells so."""
    node = Node()
    object.__setattr__(node, "child", node)

    assert refusal(node, Node) == "the result cannot be serialized: ValueError"


def test_a_subclass_shows_only_what_the_contract_has() -> None:
    """B3, A5: fields that somebody added below are not in the schema and do not leave."""
    assert serialize(Extended(n=1)) == b'{"n":1,"rows":[]}'
    grown = Result(n=1)
    object.__setattr__(grown, "__dict__", {**grown.__dict__, "extra": "x"})
    assert serialize(grown) == b'{"n":1,"rows":[]}'


@pytest.mark.parametrize(
    ("returned", "sent"),
    [
        ("ok \ud83d end", "ok \ufffd end"),
        ("pair \U0001f600 ok", "pair \U0001f600 ok"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("pair \ud83d\ude00 ok", "pair \U0001f600 ok"),
    ],
)
def test_text_that_json_cannot_carry_is_made_well_formed(returned: str, sent: str) -> None:
    """B3: MP-127. At any depth; a pair stays a pair."""
    result = Result.model_construct(n=1, rows=[Row.model_construct(name=returned)])

    assert json.loads(serialize(result)) == {"n": 1, "rows": [{"name": sent}]}


def test_what_is_still_wrong_after_that_is_refused() -> None:
    """B3: MP-127. Cleaning text hides no other fault."""
    broken = Result.model_construct(n="3", rows=[Row.model_construct(name="\ud83d")])
    unwritable = Result.model_construct(n=object(), rows=[Row.model_construct(name="\ud83d")])

    assert refusal(broken) == "the result breaks the output contract at n (int_type)"
    assert refusal(unwritable) == "the result cannot be serialized: PydanticSerializationError"


def test_an_instant_reads_back_as_the_same_instant_with_its_offset() -> None:
    """B3: MP-125. Nothing is stripped on the way in and nothing is added on the way out."""
    event = output_with(start=AwareDatetime, time_zone=Text)
    raw = b'{"start":"2026-05-10T09:00:00-04:00","time_zone":"America/New_York"}'
    written = event.model_validate_json(raw)

    assert serialize(written, event) == raw
    read = cast("Any", event.model_validate_json(serialize(written, event))).start
    assert read == datetime(2026, 5, 10, 13, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "value", "sent"),
    [
        (AwareDatetime, datetime(2026, 1, 31, tzinfo=UTC), '"2026-01-31T00:00:00Z"'),
        (time, time(9, 30), '"09:30:00"'),
        (UUID, UUID(int=1), '"00000000-0000-0000-0000-000000000001"'),
        (Annotated[Decimal, Field(max_digits=5, decimal_places=2)], Decimal("1.50"), '"1.50"'),
        (Annotated[frozenset[Currency], Field(max_length=2)], frozenset(Currency), '["EUR","USD"]'),
        (Annotated[SecretStr, Field(max_length=20)], SecretStr("hunter2"), '"**********"'),
    ],
)
def test_every_kind_of_value_has_one_text(kind: Any, value: Any, sent: str) -> None:
    """B3: the text that a client's own validator accepts; a set in one order everywhere, a secret never."""
    model = output_with(value=kind)
    raw = serialize(cast("Any", model)(value=value), model)

    assert raw == b'{"value":' + sent.encode() + b"}"
    assert jsonschema_rs.is_valid(published(canonical(model, output=True)), json.loads(raw))


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (AwareDatetime, datetime(2026, 1, 1)),  # noqa: DTZ001  # the fault that is looked for
        (time, time(9, 30, tzinfo=UTC)),
        (Annotated[Decimal, Field(max_digits=5, decimal_places=2)], Decimal("1E+2")),
        (Annotated[Decimal, Field(max_digits=5, decimal_places=2)], Decimal("NaN")),
    ],
)
def test_a_value_whose_text_no_client_would_accept_is_refused(kind: Any, value: Any) -> None:
    """B3: a missing offset, a time with one, a decimal with an exponent."""
    model = output_with(value=kind)

    assert refusal(model.model_construct(value=value), model).startswith(
        "the result breaks the output contract at value"
    )


def test_a_field_with_an_alias_is_sent_under_it() -> None:
    """B3: the name that the schema publishes."""
    model = output_with(total_pages=(bool, Field(alias="totalPages")))

    assert serialize(cast("Any", model)(totalPages=True), model) == b'{"totalPages":true}'
    surrogate = output_with(text=(Text, Field(alias="theText")))
    assert serialize(surrogate.model_construct(text="\ud83d"), surrogate) == '{"theText":"\ufffd"}'.encode()


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=5,
)


@settings(max_examples=200)
@given(n=JUNK, share=JUNK, rows=JUNK)
def test_whatever_a_handler_builds_only_conforming_bytes_leave(n: Any, share: Any, rows: Any) -> None:
    """B3: MP-043. Built around validation, with anything inside: it conforms, or it is a violation."""
    result = Result.model_construct(n=n, share=share, rows=rows)
    try:
        raw = serialize(result)
    except OutputViolation:
        return
    assert jsonschema_rs.is_valid(published(canonical(Result, output=True)), json.loads(raw))
