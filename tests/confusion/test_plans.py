"""Plans and approvals: used once, by whoever made them, as they were agreed to and while that stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from billing.drafts import deletion_of
from billing.refunds import refund_of, who_agrees
from billing.sending import sending_of

from billing import catalog
from fourfold import Destroy, Update
from fourfold.catalog.build import BuiltCatalog
from fourfold.effects import PlanTerms
from fourfold.model.effect import Effect
from fourfold.model.outcome import Done
from tests.adapters.gateway import Gateway
from tests.billing.books import agreed
from tests.confusion.calls import CALLS, EXECUTES, Arguments, Desk, changed, executed, somebody_new, stranger_to
from tests.confusion.over_store import StoreKit

_LARGE: Arguments = {"amount_minor": 50_001}
"""More than one person may pay back alone."""

_AGREED_TO = [
    pytest.param("invoice_execute_send", {}, id="send"),
    pytest.param("payment_execute_refund", {}, id="refund"),
    pytest.param("payment_execute_refund", _LARGE, id="large-refund"),
]
"""Plans that need a person's yes: one at the caller, and for the last a second one."""

_NEXT: dict[str, tuple[str, Effect]] = {
    "invoice_execute_delete_draft": (
        "invoice_delete_draft",
        Destroy(plan=PlanTerms(impact=deletion_of, lifetime_s=901)),
    ),
    "invoice_execute_send": (
        "invoice_send",
        Update(plan=PlanTerms(impact=sending_of, approval="second_person")),
    ),
    "payment_execute_refund": (
        "payment_refund",
        Update(reach="outside", plan=PlanTerms(impact=refund_of, approval=who_agrees, lifetime_s=60)),
    ),
}
"""The declaration behind an execute tool, and another effect contract for it."""


@pytest.fixture
def desk(books: StoreKit) -> Desk:
    """Somebody who has planned nothing yet."""
    return somebody_new(books)


@pytest.mark.parametrize("tool", EXECUTES)
def test_a_plan_that_is_executed_again_replays_its_outcome(desk: Desk, gateway: Gateway, tool: str) -> None:
    """C7, D1, C9: to the byte, with the id of the run that did it; an approval is used up once."""
    plan = desk.agreed(tool)
    first, again = desk.execute(tool, plan), desk.execute(tool, plan)

    assert isinstance(first.outcome, Done)
    assert (again.outcome, again.writes) == (replace(first.outcome, replayed=True), 0)
    assert gateway.counts in {(0, 0, 0), (1, 1, 1)}


@pytest.mark.parametrize("tenant", ["acme", "globex"])
@pytest.mark.parametrize("tool", EXECUTES)
def test_an_agreed_plan_is_nobody_elses(desk: Desk, gateway: Gateway, tool: str, tenant: str) -> None:
    """C7, B18, C9: neither while it waits nor after it was used, when its owner still gets the answer."""
    plan = desk.agreed(tool)
    other = stranger_to(desk, tenant)
    before = other.execute(tool, plan)
    done = desk.execute(tool, plan)
    counted = gateway.counts
    after = other.execute(tool, plan)

    assert [(answer.code, answer.writes) for answer in (before, after)] == [("plan_mismatch", 0)] * 2
    assert (done.ok, gateway.counts, desk.execute(tool, plan).replayed) == (True, counted, True)


@pytest.mark.parametrize("tool", EXECUTES)
def test_an_agreed_plan_is_of_its_tool(desk: Desk, gateway: Gateway, tool: str) -> None:
    """C7, C9: the other execute tools do not know it, and it is as good as before after they were asked."""
    plan = desk.agreed(tool)
    crossed = [desk.execute(other, plan) for other in EXECUTES if other != tool]

    assert [(answer.code, answer.writes) for answer in crossed] == [("plan_mismatch", 0)] * 2
    assert (gateway.counts, desk.execute(tool, plan).ok) == ((0, 0, 0), True)


@pytest.mark.parametrize(("tool", "changes"), _AGREED_TO)
def test_an_approval_is_of_one_plan(desk: Desk, gateway: Gateway, tool: str, changes: Arguments) -> None:
    """C7, C9: another plan of the very same is not approved by it, nor are the halves of the two together."""
    named = CALLS[EXECUTES[tool]](desk) | changes
    approved, alike = desk.agreed(tool, **named), desk.plan(tool, **named)
    waiting = desk.execute(tool, alike)
    crossed = [
        desk.execute(tool, approved, digest=alike.structured["digest"]),
        desk.execute(tool, alike, digest=approved.structured["digest"]),
    ]

    assert waiting.kind == "needs_input" or waiting.code == "approval_required"
    assert [answer.code for answer in crossed] == ["plan_mismatch"] * 2
    assert (waiting.writes, gateway.counts) == (0, (0, 0, 0))
    assert desk.execute(tool, approved).ok


@pytest.mark.parametrize(
    ("verdicts", "code"), [(["approved", "revoked"], "approval_revoked"), (["denied"], "approval_denied")]
)
@pytest.mark.parametrize(("tool", "changes"), _AGREED_TO)
def test_a_no_between_plan_and_execute_is_final(
    desk: Desk, gateway: Gateway, tool: str, changes: Arguments, *, verdicts: list[Any], code: str
) -> None:
    """C7, C9: taken back or denied, it does not happen, however often it is tried."""
    plan = desk.plan(tool, **changes)
    for verdict in verdicts:
        agreed(desk.kit, plan, verdict)
    tries = [desk.execute(tool, plan) for _ in range(2)]

    assert [(answer.code, answer.writes) for answer in tries] == [(code, 0)] * 2
    assert gateway.counts == (0, 0, 0)


@pytest.mark.parametrize("tool", EXECUTES)
def test_an_execute_takes_no_argument_of_its_plan(desk: Desk, gateway: Gateway, tool: str) -> None:
    """C7, A2, C9: what was agreed to cannot be said anew, not even in the same words; each is named as unknown."""
    named = CALLS[EXECUTES[tool]](desk)
    plan = desk.agreed(tool, **named)
    answer = desk.call(tool, named | executed(plan))

    assert (answer.code, sorted(answer.paths), answer.writes) == ("invalid_arguments", sorted(named), 0)
    assert gateway.counts == (0, 0, 0)


def _other_major(tool: str) -> BuiltCatalog:
    """Billing with a new major version of that pair, which says that it breaks something and not what."""
    return changed(_NEXT[tool][0], version="2.0")


def _other_effect(tool: str) -> BuiltCatalog:
    """Billing with another effect contract of that pair."""
    declared, effect = _NEXT[tool]
    assert effect.plan is not None
    plan = replace(effect.plan, pair=(EXECUTES[tool], tool))
    return changed(declared, effect=replace(effect, plan=plan))


@pytest.mark.parametrize("tool", EXECUTES)
def test_a_plan_falls_with_the_contract_that_it_was_made_under(desk: Desk, gateway: Gateway, tool: str) -> None:
    """C7, C9: the next release agrees to something else; a server of the old one still executes it."""
    plan = desk.agreed(tool)
    upgraded = Desk(desk.kit.replica(_other_effect(tool)), desk.by).execute(tool, plan)

    assert (upgraded.code, upgraded.writes, gateway.counts) == ("plan_mismatch", 0, (0, 0, 0))
    assert desk.execute(tool, plan).ok


@pytest.mark.parametrize("tool", EXECUTES)
def test_a_plan_stands_in_a_release_that_only_reads_better(desk: Desk, gateway: Gateway, tool: str) -> None:
    """C7: a typo that is mended undoes no approval, and a replay is one on either server."""
    plan = desk.agreed(tool)
    reworded = changed(_NEXT[tool][0], does="Do what it says", version="1.1")
    first = Desk(desk.kit.replica(reworded), desk.by).execute(tool, plan)
    again = desk.execute(tool, plan)

    assert (first.ok, again.replayed, again.structured) == (True, True, first.structured)
    assert gateway.counts in {(0, 0, 0), (1, 1, 1)}


@pytest.mark.parametrize("changes", [_other_effect, _other_major], ids=["effect", "version"])
@pytest.mark.parametrize("tool", EXECUTES)
def test_a_used_plan_is_known_as_used_in_the_next_release(
    desk: Desk, gateway: Gateway, tool: str, changes: Callable[[str], BuiltCatalog]
) -> None:
    """D1, C7, C9: the reply was lost and the server upgraded; the answer says that it happened, and names it."""
    plan = desk.agreed(tool)
    done = desk.execute(tool, plan)
    counted = gateway.counts
    upgraded = Desk(desk.kit.replica(changes(tool)), desk.by)
    again = upgraded.execute(tool, plan)
    asked = upgraded.call("operation_status", {"operation_id": again.operation_id})

    assert (again.code, again.operation_id, again.writes) == ("plan_used", done.operation_id, 0)
    assert (asked.structured["state"], gateway.counts) == ("done", counted)


@pytest.mark.parametrize(("version", "code"), [("1.1", ""), ("2.0", "idempotency_conflict")])
@pytest.mark.parametrize("tool", ["quote_create", "invoice_create", "invoice_finalize"])
def test_a_retry_after_an_upgrade_is_a_replay_or_a_conflict(desk: Desk, tool: str, version: str, code: str) -> None:
    """D1, C9: a new minor step is the same intent, a new major one is not known to be; neither does it twice."""
    arguments, key = CALLS[tool](desk), desk.kit.key()
    first = desk.call(tool, arguments, key=key)
    upgraded = Desk(desk.kit.replica(changed(tool, version=version)), desk.by)
    retried = upgraded.call(tool, arguments, key=key)

    assert (first.ok, retried.code, retried.writes) == (True, code, 0)
    assert (retried.replayed, retried.operation_id) == (code == "", first.operation_id)


def test_the_pairs_above_are_all_that_there_are() -> None:
    """C7: a new one has to be put into these tests."""
    takes_plan = [name for name, tool in catalog.build().tools.items() if tool.role == "execute"]

    assert takes_plan == sorted(EXECUTES) == sorted(_NEXT)
