"""Plan and execute: what a plan is bound to, who has to agree, and that it happens once."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import pytest

from fourfold import Caller, Unit
from fourfold.model.outcome import Done
from fourfold.model.plan import Decision, Impact, Plan
from fourfold.testing import Answer, Kit, caller, open_kit
from tests.stages.behind import inside, with_ports
from tests.stages.vault import Delete, Deleted, Documents, deletion, vault

DOC: dict[str, Any] = {"document_id": "doc-1", "expected_version": "1"}


@pytest.fixture
def kit() -> Generator[Kit]:
    """The vault, where nobody has to agree."""
    with open_kit(vault()) as opened:
        yield opened


def planned(kit: Kit, arguments: dict[str, Any] | None = None, *, by: Caller | None = None) -> Answer:
    """Plan a deletion."""
    return kit.call("document_plan_delete", arguments or DOC, by=by)


def execute(kit: Kit, plan: Answer, *, by: Caller | None = None, **changes: Any) -> Answer:
    """Execute `plan`, with `changes` to what it returned."""
    made = {name: plan.structured[name] for name in ("plan_id", "digest")}
    return kit.call("document_execute_delete", {**made, **changes}, by=by)


def copies(kit: Kit) -> int | None:
    """The copies of the first document; `None` when it is gone."""
    return kit.call("document_get", {"document_id": "doc-1"}).structured.get("copies")


def stored(kit: Kit, plan: Answer) -> Plan:
    """The plan as it is stored."""
    ports = kit.service.ports
    found = inside(kit, lambda transaction: ports.plans.find(transaction.unit, plan.structured["plan_id"]))
    assert found is not None
    return found


def said(kit: Kit, plan: Answer, verdict: Any, *, by: str = "boss") -> bool:
    """Record what somebody said to `plan`."""
    ports, digest = kit.service.ports, plan.structured["digest"]
    decision = Decision(
        plan_id=plan.structured["plan_id"],
        approver=by,
        verdict=verdict,
        digest=digest,
        channel="cli",
        comment="",
        at_ms=kit.clock.ms,
    )
    return inside(kit, lambda transaction: ports.plans.decide(transaction.unit, decision, tenant="acme"))


def test_a_plan_says_what_it_will_do_and_does_nothing(kit: Kit) -> None:
    """C7: digest, impact, approval, expiry and versions; the document is still there."""
    plan = planned(kit)
    told = {name: plan.structured[name] for name in ("impact", "approval", "expires_at", "versions")}

    assert told == {
        "impact": "Deletes doc-1 with 3 copies. Reason: not said.",
        "approval": "none",
        "expires_at": "2026-11-01T00:15:00Z",
        "versions": [{"resource": "document/doc-1", "version": "1"}],
    }
    assert (len(plan.structured["digest"]), copies(kit), kit.writes) == (64, 3, 0)


def test_a_plan_is_executed_once_and_then_replayed(kit: Kit) -> None:
    """C7, D1: the plan id is the key, so a retry after a lost answer gets the same answer."""
    plan = planned(kit)
    first, again = execute(kit, plan), execute(kit, plan)

    assert first.structured == {"document_id": "doc-1", "copies": 3}
    assert (again.structured, again.replayed, again.operation_id) == (first.structured, True, first.operation_id)
    assert (copies(kit), kit.writes) == (None, 1)
    assert stored(kit, plan).used_by == first.operation_id


def test_two_hundred_executes_of_one_plan_make_one_effect(kit: Kit) -> None:
    """C7, D1: whoever comes first uses it up; the others get what that one got."""
    plan = planned(kit)
    made = {name: plan.structured[name] for name in ("plan_id", "digest")}
    answers = [
        answer for _ in range(4) for answer in kit.together([("document_execute_delete", made)] * 50, by=caller())
    ]

    assert {str(answer.structured) for answer in answers} == {"{'document_id': 'doc-1', 'copies': 3}"}
    assert (sum(not answer.replayed for answer in answers), kit.writes) == (1, 1)


def test_the_published_pair_takes_what_it_should() -> None:
    """C7, B4: the plan takes the arguments and the version; the execute a plan and a digest, and no consent."""
    tools = vault().build().tools

    assert list(tools) == [
        "document_execute_delete",
        "document_get",
        "document_plan_delete",
        "operation_status",
    ]
    plan, execute_ = tools["document_plan_delete"].contract, tools["document_execute_delete"].contract
    assert list(plan.input_schema["properties"]) == ["document_id", "reason", "expected_version"]
    assert list(execute_.input_schema["properties"]) == ["plan_id", "digest"]
    assert (plan.effect.hints.read_only, execute_.effect.hints.destructive) == (True, True)
    assert plan.description == (
        "Plan, without doing it yet: deletes a document for ever. Use when the user wants a document gone. Not for "
        "looking at it (document_get). Returns plan_id, digest, impact, approval and expires_at for "
        "document_execute_delete. Plans only; nothing happens until it is executed."
    )
    assert execute_.description.startswith("Execute a plan of document_plan_delete: deletes a document for ever.")


@pytest.mark.parametrize(
    ("by", "changes"),
    [
        (caller("somebody else"), {}),
        (caller(tenant="globex"), {}),
        (None, {"digest": "0" * 64}),
        (None, {"plan_id": "plan_made_up_by_a_model"}),
    ],
)
def test_a_plan_of_somebody_else_is_no_plan(kit: Kit, by: Caller | None, changes: dict[str, str]) -> None:
    """C7, B18: a foreign, a made-up and a changed plan are answered alike."""
    answer = execute(kit, planned(kit), by=by, **changes)

    assert (answer.code, copies(kit)) == ("plan_mismatch", 3)


def test_a_plan_stands_until_its_time_and_not_a_moment_longer(kit: Kit) -> None:
    """C7: and a used one is replayed for as long as its outcome is kept."""
    used, unused = planned(kit), planned(kit, {"document_id": "doc-2", "expected_version": "1"})
    kit.clock.advance(899.999)
    assert execute(kit, used).ok
    kit.clock.advance(0.001)

    assert (execute(kit, unused).code, execute(kit, used).replayed) == ("plan_expired", True)


def test_a_document_that_changed_meanwhile_is_not_deleted(kit: Kit) -> None:
    """C7, C8: version and impact are compared again, in the transaction of the effect."""
    plan = planned(kit)
    kit.arrange(lambda unit: ignore(unit.execute("UPDATE document SET version = 2 WHERE id = 'doc-1'")))

    assert (execute(kit, plan).code, copies(kit)) == ("plan_mismatch", 3)


def ignore(_: object) -> None:
    """Return nothing."""


def test_an_impact_that_changed_meanwhile_is_another_decision(kit: Kit) -> None:
    """C7: what somebody agreed to is what happens, or nothing is."""
    plan = planned(kit)
    kit.arrange(lambda unit: ignore(unit.execute("UPDATE document SET copies = 4 WHERE id = 'doc-1'")))
    answer = execute(kit, plan)

    assert (answer.code, copies(kit)) == ("plan_mismatch", 4)
    assert answer.fault is not None
    assert answer.fault.message == "What the plan would do has changed since it was made"


def test_planning_looks_at_version_object_and_scope_first(kit: Kit) -> None:
    """C7, C8, A2: what cannot be executed is not planned."""
    stale = planned(kit, {**DOC, "expected_version": "7"})
    absent = planned(kit, {**DOC, "document_id": "doc-7"})
    foreign = planned(kit, {**DOC, "document_id": "doc-9"})
    powerless = planned(kit, by=caller(scopes=[]))

    assert [answer.code for answer in (stale, absent, foreign)] == [
        "stale_version",
        "unknown_document",
        "unknown_document",
    ]
    assert powerless.code == "unknown_tool"


def test_a_right_that_was_taken_away_stops_the_execution(kit: Kit) -> None:
    """C7: an approved plan is necessary, not sufficient."""
    assert execute(kit, planned(kit), by=caller(scopes=[])).code == "unknown_tool"


def test_a_plan_that_a_second_person_must_agree_to_waits_for_it() -> None:
    """C7: it says who and where; nothing is claimed while a person thinks."""
    with open_kit(vault(approval="second_person")) as kit:
        plan = planned(kit)
        waiting = execute(kit, plan)
        agreed = said(kit, plan, "approved")
        done = execute(kit, plan)

        assert (waiting.code, agreed, done.ok) == ("approval_required", True, True)
        assert waiting.fault is not None
        assert plan.structured["plan_id"] in waiting.fault.next_step


def test_a_limit_decides_who_has_to_agree() -> None:
    """C7: the function's answer is fixed in the digest."""

    def above_four(request: Delete, impact: Impact) -> Any:
        return "second_person" if "5 copies" in impact.summary else "none"

    with open_kit(vault(approval=above_four)) as kit:
        small, large = planned(kit), planned(kit, {"document_id": "doc-2", "expected_version": "1"})

        assert (small.structured["approval"], large.structured["approval"]) == ("none", "second_person")
        assert (execute(kit, small).ok, execute(kit, large).code) == (True, "approval_required")


@pytest.mark.parametrize(
    ("said_so", "code"),
    [
        (["denied"], "approval_denied"),
        (["approved", "revoked"], "approval_revoked"),
        (["revoked"], "approval_revoked"),
        (["denied", "approved"], "approval_denied"),
    ],
)
def test_a_plan_that_somebody_refused_is_over(said_so: list[str], code: str) -> None:
    """C7: a no is final, and a yes can be taken back until it is used."""
    with open_kit(vault(approval="second_person")) as kit:
        plan = planned(kit)
        for verdict in said_so:
            said(kit, plan, verdict)

        assert (execute(kit, plan).code, copies(kit)) == (code, 3)


def test_what_was_used_can_be_neither_revoked_nor_denied() -> None:
    """C7: it has happened."""
    with open_kit(vault(approval="second_person")) as kit:
        plan = planned(kit)
        said(kit, plan, "approved")
        execute(kit, plan)

        assert (said(kit, plan, "revoked"), said(kit, plan, "denied")) == (False, False)
        assert execute(kit, plan).replayed


def test_a_yes_to_another_digest_or_after_the_time_is_no_yes() -> None:
    """C7: an approval is bound to what the approver was shown."""
    with open_kit(vault(approval="second_person")) as kit:
        plan, late = planned(kit), planned(kit)
        other = Answer(_with_digest(plan, "f" * 64))
        assert said(kit, other, "approved") is False
        kit.clock.advance(900)
        assert said(kit, late, "approved") is False

        assert execute(kit, plan).code == "plan_expired"


def _with_digest(plan: Answer, digest: str) -> Done:
    assert isinstance(plan.outcome, Done)
    shown = plan.structured["digest"].encode()
    return replace(plan.outcome, structured=plan.outcome.structured.replace(shown, digest.encode()))


def test_an_approval_that_is_taken_back_at_the_last_moment_stops_it() -> None:
    """C7: consumed in the transaction of the claim, so that nobody is between."""
    with open_kit(vault(approval="second_person")) as kit:
        plan = planned(kit)
        said(kit, plan, "approved")
        ports = kit.service.ports
        racing = with_ports(kit, plans=Revoking(ports.plans, lambda: said_in(kit, plan)))
        answer = execute(racing, plan)

        assert (answer.code, copies(kit)) == ("approval_revoked", 3)


class Revoking:
    """Plans of which one is revoked just before it is used."""

    def __init__(self, real: Any, revoke: Any) -> None:
        self._real, self._revoke = real, revoke
        self.find = real.find

    def use(self, unit: Unit, plan: Plan, **more: Any) -> bool:
        """Revoked in between."""
        self._real.decide(unit, self._revoke(), tenant="acme")
        return self._real.use(unit, plan, **more)


def said_in(kit: Kit, plan: Answer) -> Decision:
    """A revocation of `plan`."""
    return Decision(
        plan_id=plan.structured["plan_id"],
        approver="boss",
        verdict="revoked",
        digest=plan.structured["digest"],
        channel="cli",
        comment="",
        at_ms=kit.clock.ms,
    )


def test_a_handler_that_fails_leaves_the_plan_unused() -> None:
    """C7, D1: what was rolled back can be executed again with the same plan."""
    failing = [True]

    def sometimes(request: Delete, documents: Documents) -> Deleted:
        if failing:
            raise RuntimeError("disk")
        return deletion(request, documents)

    with open_kit(vault(sometimes)) as kit:
        plan = planned(kit)
        broken = execute(kit, plan)
        failing.clear()

        assert (broken.code, execute(kit, plan).ok) == ("internal", True)


def test_arguments_and_impact_are_stored_sealed(kit: Kit) -> None:
    """B10, A4: whoever reads the table learns neither what was asked nor what it would do."""
    plan = planned(kit, {**DOC, "reason": "confidential merger"})
    found = stored(kit, plan)

    assert "merger" not in f"{found}"
    assert execute(kit, plan).ok


def test_a_plan_of_another_contract_no_longer_stands(kit: Kit) -> None:
    """C7: what the tool does has changed, so that the approval was for something else."""
    plan = planned(kit)
    other = vault(lifetime_s=901).build()
    answer = execute(with_ports(kit, catalog=other), plan)

    assert (answer.code, copies(kit)) == ("plan_mismatch", 3)


def test_a_plan_leaves_runs_that_name_the_document(kit: Kit) -> None:
    """A9: both halves are found under their subject."""
    execute(kit, planned(kit))

    assert [(run.tool, run.subject, run.outcome) for run in kit.runs()] == [
        ("document_execute_delete", "doc-1", "done"),
        ("document_plan_delete", "doc-1", "done"),
    ]


def writing(request: Delete, documents: Documents) -> Impact:
    """An impact that does it already."""
    documents.delete(request.document_id)
    return Impact(summary="Deletes it.")


def silent(request: Delete) -> Impact:
    """An impact that says nothing."""
    return Impact(summary=" ")


@pytest.mark.parametrize("impact", [writing, silent])
def test_an_impact_that_writes_or_says_nothing_is_our_bug(impact: Any) -> None:
    """C7: a plan changes nothing, and a person has to know what they agree to."""
    with open_kit(vault(impact=impact)) as kit:
        assert (planned(kit).code, copies(kit)) == ("internal", 3)
