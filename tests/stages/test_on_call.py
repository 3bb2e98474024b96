"""Decisions of people on call, one by one: who may, what of, and what is kept about it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from fourfold.errors import DecisionError
from fourfold.model.audit import AuditEntry
from fourfold.model.operator import Operator, Permission
from fourfold.model.plan import Plan
from fourfold.ports.units import Unit
from fourfold.stages.on_call import OnCall, SeenPlan, Settlement, see_plan
from fourfold.testing import Kit, open_kit
from tests.stages.behind import inside
from tests.stages.vault import vault

T = TypeVar("T")

EVERYTHING = frozenset[Permission]({"claims.settle", "plans.approve", "outbox.retry"})
BOSS = Operator(name="boss", principal="boss@acme", tenants=frozenset({"acme"}), permissions=EVERYTHING)


@pytest.fixture
def kit() -> Generator[Kit]:
    """The vault, where a second person agrees."""
    with open_kit(vault(approval="second_person")) as opened:
        yield opened


def planned(kit: Kit) -> str:
    """Plan a deletion; the plan's id."""
    return kit.call("document_plan_delete", {"document_id": "doc-1", "expected_version": "1"}).structured["plan_id"]


def decide(kit: Kit, work: Callable[[OnCall, Unit], T], *, by: Operator = BOSS) -> T:
    """What `work` decides, in one transaction."""
    ports = kit.service.ports
    person = OnCall(store=kit._store, clock=kit.clock, operator=by, retention=ports.retention)  # pyright: ignore[reportPrivateUsage]  # what a kit hides
    return inside(kit, lambda found: work(person, found.unit))


def seen(kit: Kit, plan_id: str, **changes: Any) -> SeenPlan:
    """The plan as it is shown."""
    ports = kit.service.ports
    plan = inside(kit, lambda found: ports.plans.find(found.unit, plan_id))
    assert plan is not None
    return see_plan(replace(plan, **changes), ports.sealer, now_ms=kit.clock.ms)


def approve(kit: Kit, plan_id: str, *, by: Operator = BOSS) -> Plan:
    """Look at it, and approve it."""
    shown = seen(kit, plan_id)
    return decide(kit, lambda person, unit: person.approve(unit, shown, comment="fine"), by=by)


def audit(kit: Kit) -> list[AuditEntry]:
    """Every entry, the newest first."""
    store = kit._store.audit  # pyright: ignore[reportPrivateUsage]  # what a kit hides
    return list(inside(kit, lambda found: store.list(found.unit, tenant=None, about=None, limit=100)))


def test_what_is_shown_is_what_the_server_found_out(kit: Kit) -> None:
    """C7: the impact and nothing of what a model wrote beside it."""
    assert seen(kit, planned(kit)).impact == "Deletes doc-1 with 3 copies. Reason: not said."


@pytest.mark.parametrize(
    "changes",
    [
        {"principal": "somebody"},
        {"tenant": "globex"},
        {"tool": "document_burn"},
        {"approval": "none"},
        {"expires_ms": 2_000_000_000_000},
        {"versions": "{}"},
        {"versions": "nonsense"},
        {"wire_digest": "0" * 64},
        {"digest": "0" * 64},
    ],
)
def test_a_plan_that_differs_from_its_digest_is_not_shown(kit: Kit, changes: dict[str, Any]) -> None:
    """C7: every fact that an approval stands for is held against it."""
    plan_id = planned(kit)
    with pytest.raises(DecisionError, match="is not what its digest says: it was changed in the store"):
        seen(kit, plan_id, **changes)


@pytest.mark.parametrize("name", ["arguments", "impact"])
def test_a_text_that_was_moved_from_another_plan_does_not_open(kit: Kit, name: str) -> None:
    """B10, C7: it is sealed for its own."""
    first, second = planned(kit), planned(kit)
    other = getattr(seen(kit, second).plan, name)
    with pytest.raises(DecisionError, match="does not open with the keys that are here"):
        seen(kit, first, **{name: other})


def test_a_decision_is_kept_with_who_made_it(kit: Kit) -> None:
    """C7: the decision beside the plan, and the audit in the same transaction."""
    plan_id = planned(kit)
    approve(kit, plan_id)
    ports = kit.service.ports
    (decision,) = inside(kit, lambda found: ports.plans.decisions(found.unit, plan_id))
    (entry,) = audit(kit)

    assert (decision.approver, decision.verdict, decision.channel, decision.comment) == (
        "boss@acme",
        "approved",
        "cli",
        "fine",
    )
    assert decision.digest == seen(kit, plan_id).plan.digest
    assert (entry.actor, entry.action, entry.about, entry.tenant, entry.reason) == (
        "boss@acme",
        "plan_approved",
        plan_id,
        "acme",
        "fine",
    )


def test_a_plan_past_its_time_cannot_be_approved(kit: Kit) -> None:
    """C7: nor denied; it stands no more. It can be taken back, which harms nobody."""
    plan_id = planned(kit)
    kit.clock.advance(900)
    with pytest.raises(DecisionError, match="its time is over"):
        approve(kit, plan_id)
    with pytest.raises(DecisionError, match="its time is over"):
        decide(kit, lambda person, unit: person.deny(unit, plan_id, comment=""))

    assert decide(kit, lambda person, unit: person.revoke(unit, plan_id, comment="")).state == "revoked"


def test_a_plan_that_nobody_has_to_agree_to_is_not_approved() -> None:
    """C7: an approval that means nothing is not recorded."""
    with open_kit(vault()) as kit:
        with pytest.raises(DecisionError, match="nobody has to agree to plan"):
            approve(kit, planned(kit))
        assert audit(kit) == []


@pytest.mark.parametrize(
    ("approval", "principal", "agents", "may"),
    [
        ("second_person", "boss@acme", [], True),
        ("second_person", "tester", [], False),
        ("second_person", "boss@acme", ["tester"], False),
        ("caller", "boss@acme", ["tester"], True),
        ("caller", "tester", [], False),
    ],
)
def test_who_asked_does_not_approve(*, approval: str, principal: str, agents: list[str], may: bool) -> None:
    """C7: themselves never; the person behind an agent only where it is the caller's own consent that is wanted."""
    with open_kit(vault(approval=approval)) as kit:
        person = replace(BOSS, principal=principal, agents=frozenset(agents))
        plan_id = planned(kit)
        if may:
            assert approve(kit, plan_id, by=person).state == "approved"
            return
        with pytest.raises(DecisionError, match="cannot approve plan"):
            approve(kit, plan_id, by=person)


def test_what_was_shown_is_what_is_approved(kit: Kit) -> None:
    """C7: a row that changed between the two is another plan."""
    shown = seen(kit, planned(kit))
    other = replace(shown, plan=replace(shown.plan, expires_ms=shown.plan.expires_ms + 1))
    with pytest.raises(DecisionError, match="is not the one that was shown"):
        decide(kit, lambda person, unit: person.approve(unit, other, comment=""))


def test_a_foreign_thing_is_told_like_one_that_is_not_there(kit: Kit) -> None:
    """B18: an operator of one tenant learns nothing about another's."""
    plan_id = planned(kit)
    stranger = replace(BOSS, tenants=frozenset({"globex"}))
    told: list[str] = []
    for at in (plan_id, "plan_0"):
        with pytest.raises(DecisionError) as refused:
            decide(kit, lambda person, unit, at=at: person.deny(unit, at, comment=""), by=stranger)
        told.append(str(refused.value).replace(at, "PLAN"))

    assert told == ["boss has plans.approve for no plan PLAN"] * 2


def test_a_refused_decision_leaves_nothing(kit: Kit) -> None:
    """C7: neither a decision nor a line in the audit."""
    plan_id = planned(kit)
    with pytest.raises(DecisionError, match="a reason has at most 2000 characters"):
        decide(kit, lambda person, unit: person.deny(unit, plan_id, comment="x" * 2_001))

    assert (seen(kit, plan_id).plan.state, audit(kit)) == ("open", [])


@pytest.mark.parametrize("kind", ["operation", "message"])
def test_what_is_not_there_is_not_decided(kit: Kit, kind: str) -> None:
    """A9: with what was asked for in the text."""

    def work(person: OnCall, unit: Unit) -> object:
        if kind == "message":
            return person.retry(unit, "message_0", comment="")
        return person.settle(unit, Settlement(operation_id="operation_0", happened=True, evidence="seen"))

    with pytest.raises(DecisionError, match=f"for no {kind} {kind}_0"):
        decide(kit, work)
