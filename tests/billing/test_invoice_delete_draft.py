"""`invoice_plan_delete_draft` and `invoice_execute_delete_draft`: a draft is gone, once, and only as planned."""

from __future__ import annotations

from fourfold.testing import Answer, Kit, caller
from tests.billing.books import GLOBEX, arrange, draft, drafted, executed, finalized, read


def _plan(kit: Kit, reference: str, *, version: str = "1") -> Answer:
    return kit.call("invoice_plan_delete_draft", {"invoice_reference": reference, "expected_version": version})


def _execute(kit: Kit, plan: Answer) -> Answer:
    return executed(kit, "invoice_execute_delete_draft", plan)


def test_a_plan_says_what_would_be_gone_and_leaves_it(kit: Kit) -> None:
    """C7, C3: nobody has to agree, since a draft obliges nobody."""
    reference = drafted(kit)
    plan = _plan(kit, reference)

    assert plan.structured["impact"] == (
        "Deletes draft DRAFT-000161 for customer C-000006, 588.97 EUR payable on 2026-12-01. "
        "Nothing brings it back; it has no number, so that none is lost."
    )
    assert (plan.structured["approval"], plan.structured["versions"]) == (
        "none",
        [{"resource": "invoice/DRAFT-000161", "version": "1"}],
    )
    assert read(kit, reference)["state"] == "draft"


def test_executing_the_plan_deletes_the_draft_and_gives_its_reference_to_nobody(kit: Kit) -> None:
    """C7, C3: the next draft has the next reference."""
    reference = drafted(kit)
    done = _execute(kit, _plan(kit, reference))
    gone = kit.call("invoice_get", {"invoice_reference": reference})

    assert done.structured == {"invoice_reference": "DRAFT-000161", "customer_reference": "C-000006"}
    assert (gone.code, drafted(kit)) == ("unknown_invoice", "DRAFT-000162")


def test_a_plan_that_is_executed_twice_answers_the_same(kit: Kit) -> None:
    """C7, D1: the plan is the key; a copy of the draft that was made meanwhile stays."""
    plan = _plan(kit, drafted(kit))
    first, again = _execute(kit, plan), _execute(kit, plan)

    assert (again.structured, again.replayed, again.writes) == (first.structured, True, 0)


def test_an_issued_invoice_is_not_deleted(kit: Kit) -> None:
    """C5: it is refused when it is planned, and the message says what is for drafts."""
    answer = _plan(kit, finalized(kit), version="2")

    assert answer.code == "wrong_state"
    assert answer.fault is not None
    assert answer.fault.message.startswith("The invoice is final: draft an invoice before deleting a draft")


def test_a_draft_that_is_issued_after_the_plan_stays(kit: Kit) -> None:
    """C7, C5: state is looked at again in the transaction of the effect."""
    reference = drafted(kit)
    plan = _plan(kit, reference)
    kit.call("invoice_finalize", {"invoice_reference": reference, "expected_version": "1"})

    assert _execute(kit, plan).code in {"wrong_state", "plan_mismatch"}
    assert read(kit, reference)["state"] == "final"


def test_a_draft_that_is_changed_after_the_plan_stays(kit: Kit) -> None:
    """C7, C8: what was agreed to go is not what would go."""
    reference = drafted(kit)
    plan = _plan(kit, reference)
    changed = {**draft(currency="USD"), "invoice_reference": reference, "expected_version": "1"}
    assert kit.call("invoice_update_draft", changed).ok

    assert _execute(kit, plan).code == "plan_mismatch"
    assert (_plan(kit, reference).code, _plan(kit, reference, version="2").ok) == ("stale_version", True)


def test_another_tenants_draft_is_unknown_and_so_is_its_plan(kit: Kit) -> None:
    """B18, C7: a plan is good for who made it."""
    reference = drafted(kit)
    arguments = {"invoice_reference": reference, "expected_version": "1"}
    theirs = kit.call("invoice_plan_delete_draft", arguments, by=GLOBEX)
    nobodys = kit.call("invoice_plan_delete_draft", {**arguments, "invoice_reference": "DRAFT-000999"}, by=GLOBEX)
    stolen = executed(kit, "invoice_execute_delete_draft", _plan(kit, reference), by=GLOBEX)

    assert (theirs.code, theirs.fault) == ("unknown_invoice", nobodys.fault)
    assert (stolen.code, read(kit, reference)["state"]) == ("plan_mismatch", "draft")


def test_deleting_needs_the_scope_of_a_writer(kit: Kit) -> None:
    """B18: to a reader, neither half is there."""
    reader = caller("reader@acme", scopes=["invoices:read"])
    plan = _plan(kit, drafted(kit))

    assert executed(kit, "invoice_execute_delete_draft", plan, by=reader).code == "unknown_tool"


def test_a_draft_that_is_gone_by_hand_is_unknown_to_its_plan(kit: Kit) -> None:
    """C7: the object of the plan is looked for again."""
    plan = _plan(kit, drafted(kit))
    arrange(kit, "DELETE FROM invoice WHERE draft_reference = 'DRAFT-000161'")

    assert _execute(kit, plan).code == "unknown_invoice"
