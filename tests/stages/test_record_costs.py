"""What a run says of cost, of repeats, and of which output fields held anything."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import Field

from fourfold import Create, Output, Unit
from fourfold.effects import Costs
from fourfold.model.cost import Charge
from fourfold.testing import open_kit
from tests.stages.desk import FileLocked, Said, SaidOnce, one_tool


class Filed(Output):
    """What was filed, and what is known of it."""

    number: Annotated[int, Field(ge=0, le=9)]
    urgent: bool
    flags: Annotated[list[Literal["late", "large"]], Field(max_length=2)]
    remark: Annotated[str, Field(max_length=20)] | None = None


def priced(request: SaidOnce, costs: Costs, unit: Unit) -> Said:
    """Says it, and what it cost elsewhere."""
    costs.add("lookup", 3, currency="EUR")
    return Said(text="done")


def locked(request: SaidOnce, costs: Costs) -> Said:
    """Asks elsewhere, and then cannot do it."""
    costs.add("lookup", 3, currency="EUR")
    raise FileLocked(retry_after_ms=1_000)


def filing(request: SaidOnce) -> Filed:
    """Files it without a remark."""
    return Filed(number=0, urgent=False, flags=[])


def test_a_write_keeps_what_it_cost_with_its_run_and_a_replay_costs_nothing() -> None:
    """A9: the charge is stored in the transaction of the effect."""
    with open_kit(one_tool(priced, Create())) as kit:
        kit.call("note_add", {"word": "x"}, key="a-key-of-16-chars")
        kit.call("note_add", {"word": "x"}, key="a-key-of-16-chars")
        replay, first = kit.runs()

    assert first.charges == (Charge(what="lookup", amount_minor=3, currency="EUR"),)
    assert (replay.replayed, replay.charges) == (True, ())


def test_a_call_that_fails_has_cost_what_it_cost() -> None:
    """A9: what the last failing call cost, and whether a repeat may help."""
    with open_kit(one_tool(locked, faults=[FileLocked])) as kit:
        kit.call("note_add", {"word": "x"})
        (run,) = kit.runs()

    assert (run.code, run.retry) == ("file_locked", "after")
    assert run.charges == (Charge(what="lookup", amount_minor=3, currency="EUR"),)


def test_a_run_says_which_output_fields_held_anything() -> None:
    """A17: zero and false are values; nothing, an empty list and an empty text are none."""
    with open_kit(one_tool(filing)) as kit:
        kit.call("note_add", {"word": "x"})
        (run,) = kit.runs()

    assert run.filled == {"number": True, "urgent": True, "flags": False, "remark": False}


@pytest.mark.parametrize("arguments", [{"word": "x"}, {"no": "such"}])
def test_a_run_carries_the_weight_of_its_tools_definition(arguments: dict[str, str]) -> None:
    """A9, B11: the share of the definition, estimated as the budget does, whatever became of the call."""
    with open_kit(one_tool(filing)) as kit:
        kit.call("note_add", arguments)
        (run,) = kit.runs()

    assert 20 < run.tokens_definition < 200


def test_an_unknown_tool_weighs_nothing_and_has_no_fields() -> None:
    """A9: there is no definition, no fault and no result."""
    with open_kit(one_tool(filing)) as kit:
        kit.call("no_such_tool")
        (run,) = kit.runs()

    assert (run.tokens_definition, run.retry, run.charges, run.filled) == (0, "", (), {})
