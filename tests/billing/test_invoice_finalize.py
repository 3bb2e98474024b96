"""`invoice_finalize`: a draft becomes an invoice, once, under the next number of its year."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio

from billing import catalog
from fourfold.bootstrap.service import open_service
from fourfold.model.call import Call
from fourfold.testing import Answer, Kit, caller
from tests.billing.books import GLOBEX, arrange, draft, drafted, finalized, invoice_line

_KEY = "finalize-the-november-one"
_NEW_YEAR_IN_MADRID = 1_798_759_800_000
"""2027-01-01T00:30 in Madrid, where acme is; in the Canary Islands, where globex is, it is 23:30 of 31 December."""


def _finalize(kit: Kit, reference: str, *, version: str = "1", key: str | None = None) -> Answer:
    return kit.call("invoice_finalize", {"invoice_reference": reference, "expected_version": version}, key=key)


def test_a_draft_gets_the_next_number_and_todays_date(kit: Kit) -> None:
    """C3, C8: the version goes up, and from now on other things may be done with it."""
    answer = _finalize(kit, drafted(kit))

    assert answer.structured["invoice_reference"] == "INV-2026-0161"
    assert answer.structured["issued_on"] == "2026-11-01"
    assert (answer.structured["state"], answer.structured["status"]) == ("final", "open")
    assert answer.structured["version"] == "2"
    assert answer.structured["allowed_actions"] == ["invoice_plan_send", "credit_note_create"]
    assert answer.writes == 2


def test_finalizing_leaves_every_figure_as_it_was(kit: Kit) -> None:
    """C3, A15: what the user approved is what is issued."""
    reference = drafted(kit, irpf_rate="15")
    before = kit.call("invoice_get", {"invoice_reference": reference}).structured
    _finalize(kit, reference)
    after = kit.call("invoice_get", {"invoice_reference": reference}).structured

    for name in ("lines", "taxes", "totals", "amount_minor", "currency", "due_on", "irpf_rate"):
        assert after[name] == before[name]


def test_drafts_that_are_finalized_at_once_get_consecutive_numbers(kit: Kit) -> None:
    """C3, B9: ten of them, and none is skipped or given twice."""
    references = [drafted(kit) for _ in range(10)]
    answers = kit.together(
        [("invoice_finalize", {"invoice_reference": each, "expected_version": "1"}) for each in references]
    )
    numbers = sorted(answer.structured["invoice_reference"] for answer in answers)

    assert numbers == [f"INV-2026-{number:04}" for number in range(161, 171)]


def test_one_draft_that_is_finalized_by_many_at_once_gets_one_number(kit: Kit) -> None:
    """C3, B9: the others are told that the version is old, or that the same call is running."""
    reference = drafted(kit)
    call = ("invoice_finalize", {"invoice_reference": reference, "expected_version": "1"})
    answers = [
        *kit.together([call] * 4),
        *(kit.call(*call, key=f"another-way-to-ask-{number}") for number in range(4)),
    ]
    numbers = {answer.structured["invoice_reference"] for answer in answers if answer.ok}

    assert numbers == {"INV-2026-0161"}
    assert {answer.code for answer in answers if not answer.ok} <= {
        "stale_version",
        "in_progress",
        "possible_duplicate",
    }
    assert finalized(kit) == "INV-2026-0162"


def test_a_finalizing_that_fails_late_leaves_no_gap(kit: Kit) -> None:
    """C3, B16: here the answer breaks its contract after the number was taken; all of it is undone."""
    reference, other = drafted(kit), drafted(kit, customer="C-000001")
    arrange(kit, "UPDATE customer SET name = ? WHERE customer_reference = 'C-000006'", ("x" * 121,))
    failed = _finalize(kit, reference)
    following = _finalize(kit, other)

    assert (failed.code, failed.writes) == ("internal", 0)
    assert following.structured["invoice_reference"] == "INV-2026-0161"


def test_an_old_version_is_refused_with_the_current_one(kit: Kit) -> None:
    """C8: what the user has read is not what would be issued."""
    reference = drafted(kit)
    arrange(kit, "UPDATE invoice SET version = 2 WHERE draft_reference = ?", (reference,))
    answer = _finalize(kit, reference)

    assert (answer.code, answer.writes) == ("stale_version", 0)
    assert answer.fault is not None
    assert answer.fault.current_version == "2"
    assert _finalize(kit, reference, version="2").ok


def test_a_second_finalizing_says_what_comes_first(kit: Kit) -> None:
    """C3, A4: by either reference, and no number is taken."""
    number = finalized(kit)
    for reference in (number, "DRAFT-000161"):
        answer = _finalize(kit, reference, version="2")
        assert (answer.code, answer.writes) == ("wrong_state", 0)
        assert answer.fault is not None
        assert answer.fault.message == (
            "The invoice is final: draft an invoice before finalizing it (invoice_create comes first)"
        )
    assert finalized(kit) == "INV-2026-0162"


def test_a_repeat_with_its_key_gets_the_first_answer(kit: Kit) -> None:
    """B9: after a lost answer, the same number again."""
    reference = drafted(kit)
    first, again = (_finalize(kit, reference, key=_KEY) for _ in range(2))

    assert (again.structured, again.replayed, again.writes) == (first.structured, True, 0)


def test_a_draft_that_would_be_overdue_at_once_is_not_issued(kit: Kit) -> None:
    """A4: due yesterday is too late, due today is not; the draft stays one."""
    late, today = drafted(kit, due_on="2026-10-31"), drafted(kit, due_on="2026-11-01")

    assert (_finalize(kit, late).code, kit.call("invoice_get", {"invoice_reference": late}).structured["version"]) == (
        "due_date_passed",
        "1",
    )
    assert _finalize(kit, today).structured["status"] == "open"


def test_the_year_of_a_number_begins_at_the_companys_midnight(kit: Kit) -> None:
    """C3: a series for each year and tenant, by the date that the invoice bears."""
    kit.clock.ms = _NEW_YEAR_IN_MADRID
    acmes = drafted(kit, due_on="2027-02-01")
    globexs = drafted(kit, by=GLOBEX, customer="C-000002", due_on="2027-02-01")
    mine = _finalize(kit, acmes).structured
    theirs = kit.call("invoice_finalize", {"invoice_reference": globexs, "expected_version": "1"}, by=GLOBEX).structured

    assert (mine["invoice_reference"], mine["issued_on"]) == ("INV-2027-0001", "2027-01-01")
    assert (theirs["invoice_reference"], theirs["issued_on"]) == ("INV-2026-0145", "2026-12-31")
    assert finalized(kit, due_on="2027-02-01") == "INV-2027-0002"


def test_an_invoice_with_nothing_left_to_pay_is_paid(kit: Kit) -> None:
    """B17: nobody would ever pay zero, and so it would be overdue for ever."""
    number = finalized(kit, prepaid_minor=58_897)

    assert kit.call("invoice_get", {"invoice_reference": number}).structured["status"] == "paid"


def test_finalizing_needs_its_scope_and_a_version(kit: Kit) -> None:
    """B11, C8: who may only read is not shown the tool; who may is asked what was read."""
    reference = drafted(kit)
    reader = caller("reader@acme", scopes=["invoices:read"])

    assert kit.call("invoice_finalize", {"invoice_reference": reference}, by=reader).kind == "refused"
    assert kit.call("invoice_finalize", {"invoice_reference": reference}).paths == ["expected_version"]


def test_another_tenants_draft_is_unknown(kit: Kit) -> None:
    """B18: with the right version too, and nothing happens to it."""
    reference = drafted(kit)
    answer = kit.call("invoice_finalize", {"invoice_reference": reference, "expected_version": "1"}, by=GLOBEX)

    assert (answer.code, answer.writes) == ("unknown_invoice", 0)
    assert _finalize(kit, reference).ok


async def _issued(store: str, *, line: Mapping[str, Any]) -> str:
    """Draft and finalize in a process of its own, as far as the store can tell."""
    clerk = caller("clerk@acme", scopes=["invoices:write"])
    async with open_service(catalog.build(), store) as service:
        order = draft(dict(line), due_on="2099-12-31")
        saved = Answer(await service.call(Call(tool="invoice_create", arguments=order, caller=clerk)))
        key = {"invoice_reference": saved.structured["invoice_reference"], "expected_version": "1"}
        issued = Answer(await service.call(Call(tool="invoice_finalize", arguments=key, caller=clerk)))
        return issued.structured["invoice_reference"]


def test_numbers_go_on_after_a_restart(tmp_path: Path) -> None:
    """C3, B17: the counter is in the books, on a SQLite file here."""
    store = f"sqlite:///{tmp_path / 'billing.db'}"
    first, second = (anyio.run(lambda n=n: _issued(store, line=invoice_line(str(n)))) for n in (1, 2))

    assert int(second[-4:]) == int(first[-4:]) + 1
