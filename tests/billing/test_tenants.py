"""Another tenant's ids and made-up ids: the same bytes, by the same way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fourfold.model.outcome import Rejected
from fourfold.testing import Kit
from tests.billing.books import GLOBEX, MADE_UP_ACCOUNT, draft, order

_MERIDIAN = "1679091c-5a88-4faf-afb5-e6087eb1b2dc"

_ONE_CENT = {"currency": "EUR", "amount_minor": 1, "reason": "A cent too many"}

_TWINS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("invoice_get", {"invoice_reference": "INV-2026-0001"}, {"invoice_reference": "INV-2026-0000"}),
    ("invoice_get", {"invoice_reference": "INV-2026-0160"}, {"invoice_reference": "INV-1999-0160"}),
    ("invoice_get", {"invoice_reference": "DRAFT-000001"}, {"invoice_reference": "DRAFT-000000"}),
    (
        "invoice_finalize",
        {"invoice_reference": "DRAFT-000001", "expected_version": "2"},
        {"invoice_reference": "DRAFT-000000", "expected_version": "2"},
    ),
    (
        "invoice_plan_delete_draft",
        {"invoice_reference": "DRAFT-000001", "expected_version": "2"},
        {"invoice_reference": "DRAFT-000000", "expected_version": "2"},
    ),
    (
        "invoice_plan_send",
        {"invoice_reference": "INV-2026-0001", "expected_version": "2"},
        {"invoice_reference": "INV-2026-0000", "expected_version": "2"},
    ),
    (
        "invoice_update_draft",
        {**draft(customer="C-000001"), "invoice_reference": "DRAFT-000001", "expected_version": "2"},
        {**draft(customer="C-000001"), "invoice_reference": "DRAFT-000000", "expected_version": "2"},
    ),
    (
        "credit_note_create",
        {**_ONE_CENT, "invoice_reference": "INV-2026-0002"},
        {**_ONE_CENT, "invoice_reference": "INV-2026-0000"},
    ),
    ("payment_list", {"invoice_reference": "INV-2026-0001"}, {"invoice_reference": "INV-2026-0000"}),
    (
        "payment_plan_refund",
        {**_ONE_CENT, "payment_id": "PAY-000002", "expected_version": "1"},
        {**_ONE_CENT, "payment_id": "PAY-000000", "expected_version": "1"},
    ),
    ("quote_preview", order(account="8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"), order(account=MADE_UP_ACCOUNT)),
    ("quote_create", order(account="8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"), order(account=MADE_UP_ACCOUNT)),
]
"""Tool, what acme has, and what nobody has; asked for by globex."""


@pytest.mark.parametrize(("tool", "theirs", "nobodys"), _TWINS)
def test_a_foreign_id_and_a_made_up_one_get_the_same_answer(
    kit: Kit, tool: str, theirs: dict[str, Any], nobodys: dict[str, Any]
) -> None:
    """B18, A5: outcome, fault and stages of both runs are equal; only the run's own id differs."""
    outcomes = [kit.call(tool, arguments, by=GLOBEX).outcome for arguments in (theirs, nobodys)]

    assert isinstance(outcomes[0], Rejected)
    assert isinstance(outcomes[1], Rejected)
    assert replace(outcomes[0], run_id="") == replace(outcomes[1], run_id="")
    made_up, foreign = kit.runs()
    assert list(foreign.stage_us) == list(made_up.stage_us)
    assert (foreign.outcome, foreign.code, foreign.note) == (made_up.outcome, made_up.code, made_up.note)
    assert kit.writes == 0


@pytest.mark.parametrize(("tool", "theirs", "nobodys"), _TWINS)
def test_what_looks_absent_is_there_for_its_own_tenant(
    kit: Kit, tool: str, theirs: dict[str, Any], nobodys: dict[str, Any]
) -> None:
    """B18: the comparison above is between a real id and a made-up one; what is final is found and stays final."""
    found, absent = kit.call(tool, theirs), kit.call(tool, nobodys)

    assert found.code in {"", "wrong_state"}
    assert absent.code in {"unknown_account", "unknown_invoice", "unknown_payment"}


def test_a_price_of_another_tenant_is_not_quoted(kit: Kit) -> None:
    """B18: ABC-1234 lists at 3,900 in globex, so 3,000 is more than 2,000 basis points under it."""
    answer = kit.call("quote_preview", order(account=_MERIDIAN), by=GLOBEX)

    assert answer.code == "price_below_hard_floor"
