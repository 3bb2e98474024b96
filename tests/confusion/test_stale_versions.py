"""Acting on what was read before somebody changed it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from billing import catalog
from tests.adapters.gateway import Gateway
from tests.confusion.calls import CALLS, EXECUTES, Arguments, Desk, somebody_new
from tests.confusion.over_store import StoreKit

_VERSIONED = [
    name for name, tool in catalog.build().tools.items() if "expected_version" in tool.contract.framework_arguments
]
"""Every tool that takes an `expected_version`, from the contracts themselves."""


def _redrafted(desk: Desk, named: Arguments) -> str:
    """The version of a draft after a change of it."""
    change = {**desk.billed(), "due_on": "2026-12-24", **_version_of(named)}
    return desk.done("invoice_update_draft", change)["version"]


def _credited(desk: Desk, named: Arguments) -> str:
    """The version of an invoice after a credit note."""
    note = {"invoice_reference": named["invoice_reference"], "currency": "EUR", "amount_minor": 5, "reason": "Late"}
    return desk.done("credit_note_create", note)["invoice_version"]


def _refunded(desk: Desk, _: Arguments) -> str:
    """The version of the payment after a refund."""
    return desk.execute("payment_execute_refund", desk.agreed("payment_execute_refund")).structured["version"]


def _version_of(named: Arguments) -> Arguments:
    return {name: named[name] for name in ("invoice_reference", "expected_version")}


_MOVE_ON: Mapping[str, Callable[[Desk, Arguments], str]] = {
    "invoice_finalize": _redrafted,
    "invoice_plan_delete_draft": _redrafted,
    "invoice_plan_send": _credited,
    "invoice_update_draft": _redrafted,
    "payment_plan_refund": _refunded,
}
"""What somebody else does meanwhile; the version that comes of it."""


@pytest.mark.usefixtures("gateway")
@pytest.mark.parametrize("tool", _VERSIONED)
def test_a_version_that_has_passed_is_refused_with_the_current_one(books: StoreKit, tool: str) -> None:
    """C8, C9: nothing is written, and the same key works with the version that was told."""
    desk, key = somebody_new(books), books.key()
    read = CALLS[tool](desk)
    current = _MOVE_ON[tool](desk, read)
    stale = desk.call(tool, read, key=key)

    assert stale.fault is not None
    assert (stale.code, stale.fault.current_version, stale.writes) == ("stale_version", current, 0)
    assert desk.call(tool, {**read, "expected_version": current}, key=key).ok


@pytest.mark.parametrize("version", ["99", "01", "latest"])
@pytest.mark.parametrize("tool", _VERSIONED)
def test_a_version_that_is_guessed_is_refused(books: StoreKit, tool: str, version: str) -> None:
    """C8: there is no word for any version."""
    desk = somebody_new(books)
    guessed = desk.call(tool, {**CALLS[tool](desk), "expected_version": version})

    assert (guessed.code, guessed.writes) == ("stale_version", 0)


@pytest.mark.parametrize("tool", EXECUTES)
def test_a_plan_falls_with_the_version_that_it_was_made_on(books: StoreKit, gateway: Gateway, tool: str) -> None:
    """C7, C8, C9: whoever agreed to it agreed to something else."""
    desk = somebody_new(books)
    read = CALLS[EXECUTES[tool]](desk)
    plan = desk.agreed(tool, **read)
    _MOVE_ON[EXECUTES[tool]](desk, read)
    before = gateway.counts
    answer = desk.execute(tool, plan)

    assert (answer.code, answer.writes, gateway.counts) == ("plan_mismatch", 0, before)
