"""The pages of approvals: what is shown, who decides, and what becomes of it."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from fourfold.adapters.sql.unit import own
from fourfold.model.operator import Operator
from fourfold.testing import caller
from tests.console.desk import Browser, Desk, open_desk, operator
from tests.stages.behind import inside
from tests.stages.vault import vault

IMPACT = "Deletes doc-1 with 3 copies. Reason: not said."


@pytest.fixture
def desk() -> Generator[Desk]:
    """The console of the vault, where a second person agrees."""
    with open_desk(vault(approval="second_person")) as opened:
        yield opened


def planned(desk: Desk, **arguments: str) -> str:
    """Plan a deletion; the plan's id."""
    given = {"document_id": "doc-1", "expected_version": "1", **arguments}
    return desk.kit.call("document_plan_delete", given).structured["plan_id"]


def execute(desk: Desk, plan_id: str) -> str:
    """Execute a plan; its code, or "" for a success."""
    digest = desk.deciding().get(f"/approvals/{plan_id}").text.split('name="digest" value="')[1].split('"')[0]
    return desk.kit.call("document_execute_delete", {"plan_id": plan_id, "digest": digest}).code or ""


def submit(browser: Browser, plan_id: str, **fields: str) -> tuple[int, str]:
    """Send the form of a plan's page; the status, and what the page says."""
    page = browser.get(f"/approvals/{plan_id}")
    given = {"digest": page.field("digest"), **fields}
    seen = browser.post(f"/approvals/{plan_id}", csrf=page.field("csrf"), **given)
    return seen.status, seen.words


def test_a_plan_that_waits_is_shown_as_the_server_wrote_it(desk: Desk) -> None:
    """D5, C7: the impact, who asked, and what it is about."""
    plan_id = planned(desk)
    browser = desk.deciding()
    assert plan_id in browser.get("/approvals").words
    words = browser.get(f"/approvals/{plan_id}").words
    assert f"What it will do {IMPACT}" in words
    assert "Asked by tester" in words
    assert "About document/doc-1 at version 1" in words
    assert "Nobody has said anything yet." in words


def test_a_second_person_approves_and_the_agent_executes(desk: Desk) -> None:
    """D5, B6: who it was is recorded, and that it was here."""
    plan_id = planned(desk)
    browser = desk.deciding(operator("ana@acme"))
    assert submit(browser, plan_id, verdict="approve", comment="agreed with Nordic")[0] == 303

    words = browser.get(f"/approvals/{plan_id}").words
    assert "2026-11-01 00:00:00 approved by ana@acme (console): agreed with Nordic" in words
    assert "Nothing waits for anybody." in browser.get("/approvals").words
    executed = desk.kit.call("document_execute_delete", {"plan_id": plan_id, "digest": digest_of(desk, plan_id)})
    assert executed.structured == {"document_id": "doc-1", "copies": 3}
    audit = inside(desk.kit, lambda at: desk.console.store.audit.list(at.unit, tenant="acme", about=plan_id, limit=9))
    assert [(entry.action, entry.actor, entry.reason) for entry in audit] == [
        ("plan_approved", "ana@acme", "agreed with Nordic")
    ]


def digest_of(desk: Desk, plan_id: str) -> str:
    """The digest of a plan."""
    found = inside(desk.kit, lambda at: desk.console.store.plans.find(at.unit, plan_id))
    assert found is not None
    return found.digest


@pytest.mark.parametrize(
    ("by", "why"),
    [
        (operator("tester"), "tester cannot approve plan {plan}: they asked for it"),
        (operator("ana@acme", agents=frozenset({"tester"})), "their agent asked for it"),
        (operator("ana@acme", permissions=frozenset()), "ana@acme has plans.approve for no plan {plan}"),
    ],
)
def test_nobody_approves_what_is_not_theirs_to_approve(desk: Desk, by: Operator, why: str) -> None:
    """D5, B6: their own, their agent's, or without the permission; whatever the form says."""
    plan_id = planned(desk)
    page = desk.deciding(operator()).get(f"/approvals/{plan_id}")
    browser = desk.deciding(by)
    csrf = browser.get("/approvals").field("csrf")
    seen = browser.post(f"/approvals/{plan_id}", csrf=csrf, digest=page.field("digest"), verdict="approve", comment="")
    assert seen.status == 409
    assert why.format(plan=plan_id) in seen.words
    assert execute(desk, plan_id) == "approval_required"


def test_somebody_who_only_looks_has_no_form_and_cannot_send_one(desk: Desk) -> None:
    """D5: the one-time link alone decides nothing."""
    plan_id = planned(desk)
    browser = desk.signed_in()
    page = browser.get(f"/approvals/{plan_id}")
    assert "You see this plan and do not decide about it." in page.words
    assert 'name="verdict"' not in page.text
    seen = browser.post(
        f"/approvals/{plan_id}", csrf=page.field("csrf"), digest=digest_of(desk, plan_id), verdict="approve"
    )
    assert seen.status == 403
    assert "only an operator decides; sign in with an operator's token" in seen.words


def test_a_caller_sees_that_a_plan_waits_and_not_what_it_will_do(desk: Desk) -> None:
    """D5, B18: a tool might deny them what the impact tells."""
    plan_id = planned(desk)
    words = desk.tenant("acme").get(f"/approvals/{plan_id}").words
    assert "what plans will do is for operators" in words
    assert IMPACT not in words


def test_an_operator_who_is_taken_out_of_the_file_decides_nothing_more(desk: Desk) -> None:
    """D5, B18: though their session lasts."""
    plan_id, by = planned(desk), operator()
    browser = desk.deciding(by)
    desk.people.gone.add(by)
    assert submit(browser, plan_id, verdict="approve")[0] == 403
    assert execute(desk, plan_id) == "approval_required"


def test_what_is_approved_is_what_was_shown(desk: Desk) -> None:
    """D5, C7: a form with another plan's digest approves nothing."""
    first, second = planned(desk), planned(desk, document_id="doc-2")
    status, words = submit(desk.deciding(), first, verdict="approve", digest=digest_of(desk, second))
    assert (status, "the plan is not the one that was shown" in words) == (409, True)


def test_a_plan_that_was_changed_in_the_store_is_not_shown_and_not_approved(desk: Desk) -> None:
    """D5, C7: what the digest does not cover, nobody agrees to."""
    plan_id = planned(desk)

    inside(desk.kit, lambda at: own(at.unit).execute("UPDATE fourfold_plan SET principal = 'mallory'"))
    page = desk.deciding().get(f"/approvals/{plan_id}")
    assert f"It cannot be shown: plan {plan_id} is not what its digest says" in page.words
    assert 'value="approve"' not in page.text


@pytest.mark.parametrize("verdict", ["deny", "revoke"])
def test_no_is_said_with_a_reason(desk: Desk, verdict: str) -> None:
    """D5, B6: without one nothing is decided; with one the agent is told."""
    plan_id = planned(desk)
    browser = desk.deciding()
    status, words = submit(browser, plan_id, verdict=verdict, comment=" ")
    assert (status, "say why: the agent's people will ask" in words) == (409, True)
    assert submit(browser, plan_id, verdict=verdict, comment="wrong customer")[0] == 303
    assert "wrong customer" in browser.get(f"/approvals/{plan_id}").words
    assert 'name="verdict"' not in browser.get(f"/approvals/{plan_id}").text


def test_a_second_click_changes_nothing_and_says_so(desk: Desk) -> None:
    """D5: a page that is older than the decision."""
    plan_id = planned(desk)
    browser = desk.deciding()
    page = browser.get(f"/approvals/{plan_id}")
    fields = {"csrf": page.field("csrf"), "digest": page.field("digest"), "verdict": "approve"}
    assert browser.post(f"/approvals/{plan_id}", **fields).status == 303
    seen = browser.post(f"/approvals/{plan_id}", **fields)
    assert (seen.status, f"plan {plan_id} cannot be approved: it is approved already" in seen.words) == (409, True)


def test_a_plan_past_its_time_waits_for_nobody(desk: Desk) -> None:
    """D5: it is among the open ones, called expired, and cannot be approved."""
    plan_id = planned(desk)
    desk.kit.clock.advance(901)
    browser = desk.deciding()
    assert "Nothing waits for anybody." in browser.get("/approvals").words
    assert "expired" in browser.get("/approvals", state="open").words
    assert 'name="verdict"' not in browser.get(f"/approvals/{plan_id}").text


def test_a_plan_of_another_tenant_is_not_there(desk: Desk) -> None:
    """D5, B18: neither in the list, nor by its id, nor to be decided."""
    answer = desk.kit.call(
        "document_plan_delete", {"document_id": "doc-9", "expected_version": "1"}, by=caller(tenant="globex")
    )
    plan_id = answer.structured["plan_id"]
    browser = desk.deciding(operator("ana@acme"))
    csrf = browser.get("/approvals").field("csrf")
    assert plan_id not in browser.get("/approvals", state="all").text
    assert browser.get(f"/approvals/{plan_id}").status == 404
    seen = browser.post(f"/approvals/{plan_id}", csrf=csrf, verdict="deny", comment="mine now")
    assert (seen.status, browser.get("/approvals/plan_made_up").status) == (404, 404)


def test_hostile_text_is_shown_as_it_is_written(desk: Desk) -> None:
    """D5: markup, and a character that would turn the line around."""
    reason = "<script>alert(1)</script>\u202egnp"
    plan_id = planned(desk, reason=reason)
    page = desk.deciding().get(f"/approvals/{plan_id}")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text
    assert "<script>alert" not in page.text
    assert "\u202e" not in page.text


def test_a_reason_that_is_too_long_is_refused_whole(desk: Desk) -> None:
    """D5: 2,000 characters; nothing is decided with half of one."""
    plan_id = planned(desk)
    status, words = submit(desk.deciding(), plan_id, verdict="deny", comment="x" * 2_001)
    assert (status, "a reason has at most 2000 characters" in words) == (409, True)
    assert execute(desk, plan_id) == "approval_required"
