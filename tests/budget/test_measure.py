"""Tokens of a catalog."""

from __future__ import annotations

from fourfold.budget.measure import ToolTokens, measure
from fourfold.budget.rendering import rendering_named
from fourfold.budget.tokens import ESTIMATE, profile_named
from tests.budget.listing import REFUND, catalog_of


def test_each_tool_is_counted_in_parts() -> None:
    """A10: description, input schema, output schema."""
    counted = measure(catalog_of(REFUND), profile=profile_named("o200k"), rendering=rendering_named("json"))

    assert counted.tools == (
        ToolTokens(name="refund_create", total=54, description=4, input_schema=40, output_schema=14),
    )
    assert (counted.total, counted.output_is_sent) == (54, False)


def test_a_catalog_is_the_sum_of_its_tools_and_what_is_around_them() -> None:
    """A10: the frame of a namespace is counted once."""
    rendering = rendering_named("typescript")
    one = measure(catalog_of(REFUND), profile=ESTIMATE, rendering=rendering)
    two = measure(catalog_of(REFUND, REFUND), profile=ESTIMATE, rendering=rendering)

    assert one.frame == two.frame > 0
    assert two.total - one.total == one.tools[0].total


def test_only_the_list_sends_output_schemas() -> None:
    """A10: what isn't sent is counted apart, not in the total."""
    with_output, without = dict(REFUND), {name: value for name, value in REFUND.items() if name != "outputSchema"}

    def total(rendering: str, tool: dict[str, object]) -> int:
        return measure(catalog_of(tool), profile=ESTIMATE, rendering=rendering_named(rendering)).total

    assert total("json", with_output) == total("json", without)
    assert total("list", with_output) > total("list", without)


def test_shares_and_the_mean_are_whole_numbers() -> None:
    """A10: per cent of the total; nothing is divided by nothing."""
    counted = measure(catalog_of(REFUND, REFUND), profile=profile_named("o200k"), rendering=rendering_named("json"))
    nothing = measure(catalog_of(), profile=ESTIMATE, rendering=rendering_named("json"))

    assert (counted.mean, counted.description_percent, counted.input_percent) == (54, 7, 74)
    assert (nothing.total, nothing.mean, nothing.description_percent) == (0, 0, 0)
