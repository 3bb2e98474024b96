"""What was set aside for an operation of which nobody knew, once a person says that it never will happen."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from fourfold import Input, Unit
from fourfold.effects import CannotTell
from fourfold.errors import DecisionError
from fourfold.model.audit import AuditEntry
from fourfold.model.claim import Claim
from fourfold.model.operator import Operator
from fourfold.model.outcome import Rejected
from fourfold.stages.on_call import OnCall, Settlement
from fourfold.stages.replay import not_happened, sealed_result
from fourfold.stages.reservation import Reservation
from fourfold.testing import Answer, Kit, open_kit
from tests.stages.bank import Bank
from tests.stages.behind import inside
from tests.stages.test_reserve import KEY, SEATS, Booking, SoldOut, house

ANA = Operator(name="ana", principal="ana@acme", tenants=frozenset({"acme"}), permissions=frozenset({"claims.settle"}))


async def nobody_knows() -> CannotTell:
    """The other system says so."""
    return CannotTell()


@contextmanager
def unknown(bank: Bank, **declared: Any) -> Generator[tuple[Kit, str]]:
    """The house, with one seat set aside for a booking of which nobody knows, and its operation."""
    with open_kit(house(bank, reconcile=nobody_knows, **declared)) as kit:
        bank.mood = "loses answers"
        lost, asked = book(kit), book(kit)
        assert (lost.code, asked.code, seats(kit)) == ("upstream_unavailable", "outcome_unknown", SEATS - 1)
        assert asked.operation_id
        yield kit, asked.operation_id


def book(kit: Kit) -> Answer:
    """Book a seat."""
    return kit.call("seat_book", {"guest": "Ada", "expected_version": "1"}, key=KEY)


def seats(kit: Kit) -> int:
    """How many are left."""
    return kit.call("seat_count").structured["left"]


def abandon(kit: Kit, operation: str, *, request: Input | None = None, by: Operator = ANA) -> Claim:
    """Say, as a person on call, that it did not happen and never will."""
    ports = kit.service.ports
    person = OnCall(store=kit._store, clock=kit.clock, operator=by, retention=ports.retention)  # pyright: ignore[reportPrivateUsage]  # what a kit hides
    refusal = Rejected(fault=not_happened(operation), run_id="run-1")
    outcome = sealed_result(ports.sealer, refusal, operation_id=operation, subject="unknown")
    settlement = Settlement(operation_id=operation, happened=False, evidence="no seat is sold", outcome=outcome)
    reservation = Reservation(tool=ports.catalog.tools["seat_book"], request=request)
    return inside(kit, lambda at: person.abandon(at, settlement, reservation=reservation))


def audit(kit: Kit) -> Sequence[AuditEntry]:
    """Every entry."""
    store = kit._store.audit  # pyright: ignore[reportPrivateUsage]  # what a kit hides
    return inside(kit, lambda at: store.list(at.unit, tenant=None, about=None, limit=10))


def test_what_never_will_happen_is_given_back_once() -> None:
    """D1: in the transaction of the decision, which is audited; a repeat is told, and a second decision refused."""
    bank = Bank()
    with unknown(bank) as (kit, operation):
        settled = abandon(kit, operation)
        with pytest.raises(DecisionError, match="is failed; only an unknown one is settled by hand"):
            abandon(kit, operation)
        again = book(kit)

        assert (settled.state, seats(kit)) == ("failed", SEATS)
        assert (again.code, again.replayed, bank.requests) == ("upstream_rejected", True, 1)
        assert [(entry.action, entry.actor, entry.reason) for entry in audit(kit)] == [
            ("claim_settled", "ana@acme", "did not happen, for good: no seat is sold")
        ]


def test_what_may_be_tried_again_stays_set_aside() -> None:
    """D1: the next call with its key does it, with the seat that it has."""
    bank = Bank()
    with unknown(bank) as (kit, operation):
        person = OnCall(store=kit._store, clock=kit.clock, operator=ANA, retention=kit.service.ports.retention)  # pyright: ignore[reportPrivateUsage]  # what a kit hides
        settlement = Settlement(operation_id=operation, happened=False, evidence="no seat is sold")
        settled = inside(kit, lambda at: person.settle(at.unit, settlement))

        assert (settled.state, seats(kit)) == ("running", SEATS - 1)


def test_arguments_that_are_not_kept_leave_it_unknown() -> None:
    """D1: nothing is settled by half; only a plan keeps the arguments of a call."""

    def by_the_guest(request: Booking, unit: Unit) -> None:
        unit.execute("DELETE FROM seat WHERE guest = ?", (request.guest,))
        unit.execute("UPDATE house SET free = free + 1")

    with unknown(Bank(), give_back=by_the_guest) as (kit, operation):
        with pytest.raises(DecisionError, match="give_back= of seat_book takes request of the call, which is not kept"):
            abandon(kit, operation)
        assert (book(kit).code, audit(kit)) == ("outcome_unknown", [])

        assert abandon(kit, operation, request=Booking(guest="Ada")).state == "failed"
        assert seats(kit) == SEATS


def test_a_refusal_to_give_back_leaves_it_unknown() -> None:
    """D1: whatever the author's code had done by then is undone with the decision."""

    def refuses(unit: Unit) -> None:
        unit.execute("UPDATE house SET free = free + 1")
        raise SoldOut

    with unknown(Bank(), give_back=refuses) as (kit, operation):
        with pytest.raises(DecisionError, match=r"give_back= of seat_book refused: There is no seat left"):
            abandon(kit, operation)

        assert (book(kit).code, seats(kit)) == ("outcome_unknown", SEATS - 1)


def test_another_tenants_operator_gives_nothing_back() -> None:
    """D1, B18: as if there were no such operation."""
    other = Operator(
        name="gus", principal="gus@globex", tenants=frozenset({"globex"}), permissions=frozenset({"claims.settle"})
    )
    with unknown(Bank()) as (kit, operation):
        with pytest.raises(DecisionError, match=r"gus has claims\.settle for no operation"):
            abandon(kit, operation, by=other)

        assert seats(kit) == SEATS - 1
