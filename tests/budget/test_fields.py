"""The most expensive fields, and what is cheaper."""

from __future__ import annotations

import pytest

from fourfold.budget.equivalent import cheaper, takes_any_text, values_in
from fourfold.budget.fields import costly_fields, fields_of
from fourfold.budget.tokens import ESTIMATE
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedTool
from tests.budget.listing import REFUND, catalog_of

_AT = "/inputSchema/properties/a/description"


def _tool(**properties: JsonObject) -> JsonObject:
    return {"name": "t", "inputSchema": {"type": "object", "properties": properties}}


def test_fields_are_found_at_any_depth_with_their_pointers() -> None:
    """A10: the report names the place."""
    tool = _tool(a={"type": "array", "items": {"type": "object", "properties": {"b/c": {"description": "deep"}}}})

    assert [(field.pointer, field.text) for field in fields_of(ListedTool(definition=tool), with_output=False)] == [
        ("/inputSchema/properties/a/items/properties/b~1c/description", "deep")
    ]


def test_an_argument_called_description_is_no_description() -> None:
    """A10: below `properties` stand names."""
    tool = _tool(description={"type": "string", "title": "Text"})

    (field,) = fields_of(ListedTool(definition=tool), with_output=False)

    assert field.pointer == "/inputSchema/properties/description/title"


def test_the_output_schema_counts_only_where_it_is_sent() -> None:
    """A10: what no model receives is no cost."""
    tool = {**REFUND, "outputSchema": {"type": "object", "description": "long " * 50}}

    unsent = costly_fields(catalog_of(tool), profile=ESTIMATE, output_is_sent=False, most=1)
    sent = costly_fields(catalog_of(tool), profile=ESTIMATE, output_is_sent=True, most=1)

    assert unsent[0].field.pointer == "/description"
    assert (sent[0].field.pointer, sent[0].tokens) == ("/outputSchema/description", 63)


def test_the_most_expensive_stands_first() -> None:
    """A10: five of them, unless fewer are asked for."""
    tools = [_tool(a={"description": "x" * (4 * size)}) for size in (3, 9, 1, 7, 5, 8)]

    found = costly_fields(catalog_of(*tools), profile=ESTIMATE, output_is_sent=False)

    assert [field.tokens for field in found] == [9, 8, 7, 5, 3]


def test_an_enum_is_cheaper_than_the_sentence() -> None:
    """A10: the article's example: currencies in words, and as values."""
    sentence = "The currency. We support one of EUR, USD, GBP; anything else is refused by the server."

    instead = cheaper(_AT, sentence, schema={"type": "string", "description": sentence}, count=ESTIMATE.count)

    assert instead.advice == "an enum, if these are all: EUR, USD, GBP"
    assert instead.tokens is not None
    assert instead.tokens < ESTIMATE.count(sentence) / 2


def test_a_range_in_words_is_two_keywords() -> None:
    """A10: for a number that has no maximum."""
    sentence, schema = "How many, between 1 and 100.", {"type": "integer"}

    assert cheaper(_AT, sentence, schema=schema, count=len).advice == 'the keywords "minimum":1,"maximum":100'
    assert cheaper(_AT, sentence, schema={**schema, "maximum": 100}, count=len).advice == "short as it is"


def test_a_description_of_a_tool_has_a_length_that_every_client_takes() -> None:
    """A10: 1,024 characters, the shortest cut that is known."""
    instead = cheaper("/description", "word " * 500, schema={}, count=ESTIMATE.count)

    assert instead.tokens == 256
    assert "when to use it and when not" in instead.advice


@pytest.mark.parametrize(
    ("at", "value", "advice"),
    [
        ("/inputSchema/properties/a/title", "A", "leave it out: no model needs it"),
        ("/inputSchema/properties/a/enum", [str(number) for number in range(41)], "a pattern, and a tool that lists"),
        ("/inputSchema/properties/a/enum", ["a", "b"], "short as it is"),
        ("/inputSchema/properties/a/enum", ["a" * 200, "b" * 200], "fewer or shorter values"),
        ("/inputSchema/properties/a/examples", ["x" * 99], "one short example"),
        ("/inputSchema/properties/a/default", "x" * 99, "leave it out, and say in the description"),
        ("/description", "Create a quote.", "short as it is"),
        (_AT, "x " * 200, "one sentence; limits as keywords"),
        (_AT, "The day, as YYYY-MM-DD.", '"format":"date"'),
    ],
)
def test_every_kind_of_field_has_something_cheaper(at: str, value: object, advice: str) -> None:
    """A10: or says that it is short."""
    assert cheaper(at, value, schema={"type": "string"}, count=ESTIMATE.count).advice.startswith(advice)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('"day", "gtc" or "opg".', ("day", "gtc", "opg")),
        ("Text alignment - 'START' (left), 'CENTER', or 'END' (right)", ("START", "CENTER", "END")),
        ("Period: `5minute`, `hour`, `day`", ("5minute", "hour", "day")),
        ("One of NONE, SUPERSCRIPT, SUBSCRIPT", ("NONE", "SUPERSCRIPT", "SUBSCRIPT")),
        ("Valid values: a | b | c", ("a", "b", "c")),
        ("Format, e.g. 'a', 'b', 'c'", ()),
        ("A duration: '2h', '90m' or '2h30m'", ()),
        ("Comma-separated: 'a', 'b', 'c'", ()),
        ('Required for "update", "delete" and "move" actions.', ()),
        ("'a' or 'b'", ()),
        ("Any text.", ()),
    ],
)
def test_values_are_read_only_where_they_are_all(text: str, values: tuple[str, ...]) -> None:
    """A10: examples, forms and the values of other arguments are not."""
    assert values_in(text) == values


@pytest.mark.parametrize(
    ("schema", "answer"),
    [
        ({"type": "string"}, True),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, True),
        ({"type": "string", "enum": ["a"]}, False),
        ({"anyOf": [{"type": "string", "pattern": "^a$"}, {"type": "null"}]}, False),
        ({"type": "integer"}, False),
        ({"anyOf": "nothing"}, False),
        ({}, False),
    ],
)
def test_text_is_free_where_no_keyword_narrows_it(schema: JsonObject, *, answer: bool) -> None:
    """A10: also in one arm of a union."""
    assert takes_any_text(schema) == answer
