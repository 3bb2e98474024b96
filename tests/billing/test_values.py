"""Values that servers have lost, rounded or passed on: the right answer to each of them here."""

from __future__ import annotations

from typing import Any, cast

import pytest

from billing import catalog
from fourfold.testing import Kit, call
from tests.billing.books import draft, drafted, invoice_line


def test_no_integer_of_the_catalog_is_beyond_what_json_carries() -> None:
    """A1, B3; MP-121: every number of every schema has bounds within 2^53 - 1, and an id is text."""
    numbers: list[dict[str, Any]] = []

    def gather(node: Any) -> None:
        match node:
            case {"type": "integer" | "number"}:
                numbers.append(node)
            case dict():
                gather([*cast("dict[str, Any]", node).values()])
            case list():
                for child in cast("list[Any]", node):
                    gather(child)
            case _:
                pass

    for tool in catalog.build().tools.values():
        gather([tool.contract.input_schema, tool.contract.output_schema])
    assert len(numbers) > 30
    assert {number["type"] for number in numbers} == {"integer"}
    assert all(-(2**53) < number["minimum"] <= number["maximum"] < 2**53 for number in numbers)


@pytest.mark.parametrize("reference", [1917043659912705296, 42, 42.0])
def test_a_reference_is_text_and_a_number_says_how_to_send_it(reference: float) -> None:
    """A2, C1; MP-122: digits beyond 2^53 are gone before anybody could look them up."""
    answer = call(catalog, "invoice_get", {"invoice_reference": reference})

    assert (answer.kind, answer.paths) == ("invalid", ["invoice_reference"])
    assert answer.problems[0].code == ("unsafe_integer" if reference > 2**53 else "wrong_type")


@pytest.mark.parametrize("amount", [100.75, "100.75", "10075", 10075.0])
def test_an_amount_is_an_integer_in_minor_units(kit: Kit, amount: object) -> None:
    """A1; MP-124: a fraction is refused, not cut; 10075 is what is meant."""
    answer = kit.call("invoice_create", draft(prepaid_minor=amount))

    assert (answer.kind, answer.paths, answer.writes) == ("invalid", ["prepaid_minor"], 0)
    assert kit.call("invoice_create", draft(prepaid_minor=10_075)).structured["amount_minor"] == 48_822


def test_an_instant_keeps_its_offset(kit: Kit) -> None:
    """B3; MP-125: what is read back is the instant that was sent, by the clock that it was sent with."""
    reference = drafted(kit, supplied_at="2026-05-10T09:00:00-04:00")
    read = kit.call("invoice_get", {"invoice_reference": reference}).structured

    assert read["supplied_at"] == "2026-05-10T09:00:00-04:00"


def test_half_an_emoji_is_refused_and_a_whole_one_is_kept(kit: Kit) -> None:
    """A2, B3; MP-127: half of one would break whoever reads the invoice later, and is in no book."""
    half = kit.call("invoice_create", draft(invoice_line(description="ok \ud83d end")))
    reference = drafted(kit, invoice_line(description="pair \U0001f600 ok"))
    read = kit.call("invoice_get", {"invoice_reference": reference}).structured

    assert (half.kind, half.writes) == ("invalid", 0)
    assert half.problems[0].path == "lines.0.description"
    assert read["lines"][0]["description"] == "pair \U0001f600 ok"


def test_an_argument_whose_name_is_no_text_is_unknown(kit: Kit) -> None:
    """A2; MP-128: an answer like any other, and the next call is served."""
    answer = kit.call("invoice_list", {"\ud800": 1})

    assert answer.kind == "invalid"
    assert kit.call("invoice_list").ok
