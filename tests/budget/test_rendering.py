"""Renderings: what a model receives of a tool."""

from __future__ import annotations

import pytest

from fourfold.budget.rendering import RENDERINGS, rendering_named
from fourfold.errors import ConfigError
from fourfold.model.listed import ListedTool
from tests.budget.listing import REFUND


def test_json_sends_name_description_and_input_schema() -> None:
    """A10: neither annotations nor the output schema reach such a model."""
    rendered = rendering_named("json").render(ListedTool(definition=REFUND))

    assert rendered.whole == (
        '{"name":"refund_create","description":"Refund an invoice.","input_schema":{"type":"object","properties":'
        '{"invoice":{"type":"string","description":"Its number."},"currency":{"type":"string","enum":'
        '["EUR","USD","GBP"]}},"required":["invoice"]}}'
    )
    assert rendered.output_schema == ""


def test_typescript_is_a_type_in_a_namespace() -> None:
    """A10: as OpenAI's published prompt format has it."""
    rendered = rendering_named("typescript").render(ListedTool(definition=REFUND))

    assert rendered.whole == (
        "// Refund an invoice.\n"
        "type refund_create = (_: {\n"
        "// Its number.\n"
        "invoice: string,\n"
        'currency?: "EUR" | "USD" | "GBP",\n'
        "}) => any;\n\n"
    )
    assert rendering_named("typescript").frame.endswith("} // namespace functions")


def test_the_list_sends_every_field() -> None:
    """A10: output schema and annotations too."""
    rendered = rendering_named("list").render(ListedTool(definition=REFUND))

    assert '"annotations":{"readOnlyHint":false}' in rendered.whole
    assert rendered.output_schema == '{"type":"object","properties":{"refund":{"type":"string"}}}'


@pytest.mark.parametrize("name", RENDERINGS)
@pytest.mark.parametrize(
    "definition",
    [
        {},
        {"name": 7, "description": None, "inputSchema": [], "outputSchema": "x"},
        {"name": "a", "inputSchema": {"type": "object", "properties": {"b": True, "c": {"type": ["string", 7]}}}},
        {"name": "a", "inputSchema": {"type": "object", "properties": [], "required": None}},
    ],
)
def test_a_definition_of_any_shape_is_rendered(name: str, definition: dict[str, object]) -> None:
    """Foreign servers list anything."""
    assert rendering_named(name).render(ListedTool(definition=definition)).whole


def test_an_unknown_rendering_names_those_that_there_are() -> None:
    """The fix is in the message."""
    with pytest.raises(ConfigError, match="there are json, typescript, list"):
        rendering_named("yaml")
