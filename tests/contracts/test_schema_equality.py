"""The accepted set: what is published, what was there before canonicalisation, and what the server takes."""

from __future__ import annotations

import json
from datetime import date
from typing import Annotated, Any, cast
from uuid import UUID

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import UUID4, AwareDatetime, Field, HttpUrl, PastDate, ValidationError

from fourfold.contracts.base import Input
from fourfold.contracts.check import CheckedInput, InputCheck
from fourfold.contracts.emit import Emitter
from fourfold.contracts.schema import canonical, published
from tests.contracts.declaring import input_with
from tests.contracts.schema_models import Drawn, documents, models

_EMITTED_DIFFERENTLY = ("uniqueItems", "{1,2}(")
"""Parts of a schema that our emitter writes and pydantic's does not: sets, decimals."""


def accepts(schema: dict[str, Any], document: Any) -> bool:
    """Whether a plain validator of Draft 2020-12, formats on, accepts `document`."""
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True).is_valid(document)


def takes(model: type[Input], document: Any) -> bool:
    """Whether the server's own check accepts `document`."""
    try:
        model.model_validate_json(json.dumps(document), strict=True)
    except ValidationError:
        return False
    return True


@settings(max_examples=120, deadline=None)
@given(drawn=models(), data=st.data())
def test_the_server_takes_exactly_what_it_publishes(drawn: Drawn, data: st.DataObject) -> None:
    """B2, C1: no document passes one and fails the other; the exceptions are the tables below."""
    schema = published(canonical(drawn.model))

    for _ in range(4):
        document = data.draw(documents(drawn.values))
        assert accepts(schema, document) is takes(drawn.model, document), schema


@settings(max_examples=120, deadline=None)
@given(drawn=models(), data=st.data())
def test_canonicalising_keeps_the_accepted_set(drawn: Drawn, data: st.DataObject) -> None:
    """B2: MP-019. Inlining, merging and dropping null arms change no answer about a document without null."""
    emitted = drawn.model.model_json_schema(schema_generator=Emitter)
    own = drawn.model.model_json_schema()
    schema = published(canonical(drawn.model))
    is_plain = not any(part in json.dumps(schema) for part in _EMITTED_DIFFERENTLY)

    for _ in range(4):
        document = data.draw(documents(drawn.values))
        if "null" in json.dumps(document):
            continue
        assert accepts(schema, document) is accepts(emitted, document)
        assert not is_plain or accepts(schema, document) is accepts(own, document)


@settings(max_examples=80, deadline=None)
@given(drawn=models(), data=st.data())
def test_a_valid_document_with_nulls_for_what_is_absent_is_the_same_document(drawn: Drawn, data: st.DataObject) -> None:
    """A2: MP-034. The schema knows no null there; the server reads it as absent and says so."""
    schema = published(canonical(drawn.model))
    check = InputCheck(drawn.model, None, schema)
    document = data.draw(drawn.values)
    absent = [
        name
        for name in schema["properties"]
        if name not in document and name not in schema["required"] and not accepts(schema, {**document, name: None})
    ]
    plain = check.check(document)
    padded = check.check({**document, **dict.fromkeys(absent)})

    assert isinstance(plain, CheckedInput)
    assert isinstance(padded, CheckedInput)
    assert padded.request == plain.request
    assert padded.repairs == tuple(f"null as absent at /{name}" for name in absent)


@pytest.mark.parametrize(
    ("kind", "value", "reason"),
    [
        (Annotated[int, Field(ge=0, le=9)], 3.0, "a fraction is a slip, and JSON Schema counts 3.0 as an integer"),
        (date, "0000-01-01", "Python has no year 0"),
        (AwareDatetime, "2026-12-31T23:59:60Z", "Python has no leap second"),
        (HttpUrl, "urn:isbn:0451450523", "the format stands in the description"),
        (UUID4, str(UUID(int=0)), "JSON Schema has one format for all versions"),
        (PastDate, "9999-01-01", "JSON Schema has no clock"),
    ],
)
def test_the_only_places_where_the_server_takes_less_than_it_publishes(kind: Any, value: Any, reason: str) -> None:
    """A2: each of them is answered with its path and what is accepted. Values here are the whole list of kinds."""
    model = input_with(value=kind)
    check = InputCheck(model, None, published(canonical(model)))

    assert accepts(check.schema, {"value": value}), reason
    (problem,) = cast("tuple[Any, ...]", check.check({"value": value}))
    assert problem.pointer == "/value"


@pytest.mark.parametrize(
    "value",
    [
        "urn:uuid:8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60",
        "{8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60}",
        "8f14e45fceea467a9a2f1b2c3d4e5f60",
    ],
)
def test_the_other_spellings_of_a_uuid_are_refused(value: str) -> None:
    """B2: one value has one spelling; pydantic alone would take these."""
    assert not takes(input_with(value=UUID), {"value": value})


@pytest.mark.parametrize(
    "value",
    [
        "1700000000",
        "20260131",
        "2026-01-31",
        "2026-01-31T00:00:00",
        "2026-01-31 00:00:00Z",
        "2026-01-31T00:00Z",
        "2026-01-31T00:00:00+0100",
        1700000000,
    ],
)
def test_a_date_time_without_its_offset_or_its_form_is_refused(value: Any) -> None:
    """B3: MP-125. A number in quotes is no instant, and a missing offset is never guessed."""
    assert not takes(input_with(value=AwareDatetime), {"value": value})
