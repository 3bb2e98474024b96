"""A run's page: what happened, what it means, where the time went, what is kept; and the case that is made of it."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import re
from collections.abc import Generator
from functools import partial
from typing import Any

import pytest

from fourfold.adapters.sql.unit import own
from fourfold.console.viewer import Viewer
from fourfold.model.cost import Charge
from fourfold.model.run import Closing
from fourfold.runs.sealing import seal_all
from fourfold.testing import caller
from tests.cli.catalogs.doors import catalog as doors
from tests.console.desk import Desk, open_desk, operator
from tests.console.records import put, put_closing, recent
from tests.console.test_runs import ESCAPED, HOSTILE
from tests.stages.bank import PAYMENT, Bank, catalog_of
from tests.stages.behind import inside
from tests.stages.vault import vault

ALONE: dict[str, Any] = {"operation_id": "", "trace_id": "", "replayed": False, "counted": (), "filled": {}}


@pytest.fixture
def desk() -> Generator[Desk]:
    """The console of the vault, where a second person agrees."""
    with open_desk(vault(approval="second_person"), target="archive.vault:catalog") as opened:
        yield opened


def newest(desk: Desk) -> str:
    """The id of the newest run."""
    return desk.kit.runs()[0].run_id


def page_of(desk: Desk, **changes: Any) -> str:
    """What the page of one run says, from its headline on."""
    put(desk, recent(desk, 1, **changes))
    return desk.signed_in().get("/runs/run_0001").words.split("Sign out Runs ")[1]


def test_who_called_what_and_how_it_ended_stands_first(desk: Desk) -> None:
    """A9: account, tenant, caller, client, transport, trace; a replay says that nothing ran."""
    words = page_of(desk)

    assert words.startswith(
        "quote_create done Call Run run_0001 Arrived 2026-10-31 23:59:59 Account acct-1 Tenant acme"
    )
    assert "Caller clerk (clerk@acme) Client inspector 1.2 Came over http, protocol 2026-07-28" in words
    assert (
        f"Replayed yes: nothing ran, and an earlier answer was given again Trace {'t' * 32}, span {'s' * 16}" in words
    )
    assert f"Version 1.0 Wire digest {'w' * 64} Lock digest {'l' * 64} Arguments digest {'a' * 64}" in words
    assert "flags below_floor flags credit_hold flags below_floor Filled flags" in words


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"outcome": "invalid", "code": "invalid_arguments", "retry": "after_fix"},
            (
                "What to do: Correct the listed arguments and call again once. The caller may call again once the "
                "arguments are corrected. These are the words of Fourfold, for every tool."
            ),
        ),
        (
            {"outcome": "rejected", "code": "unknown_document", "retry": "never", "tool": "document_plan_delete"},
            (
                "No document with that id is visible to you. What to do: Ask the user which document they mean. "
                "A repeat does not help. These are the words of the contract of document_plan_delete, version 1.0."
            ),
        ),
        (
            {
                "outcome": "rejected",
                "code": "unknown_document",
                "tool": "document_plan_delete",
                "contract_version": "0.9",
            },
            "version 1.0. This call was under version 0.9.",
        ),
        (
            {"outcome": "refused", "code": "unknown_tool", "retry": ""},
            (
                "No tool of this name is listed for this caller. What to do: The caller lists the tools again. "
                "These are the words of the protocol."
            ),
        ),
        (
            {"outcome": "rejected", "code": "credit_limit", "retry": "never"},
            "What credit_limit means stands in the contract of the tool, which this console was not given",
        ),
    ],
)
def test_a_code_says_what_it_means_and_what_to_do(desk: Desk, changes: dict[str, Any], said: str) -> None:
    """A9: in the words that the caller had, and whose they are."""
    assert said in page_of(desk, **changes)


def test_the_time_of_each_stage_stands_in_the_order_of_the_pipeline(desk: Desk) -> None:
    """A9: with what a write took after its record was written, and all of it."""
    stages = {"invoke": 3_400, "run": 40, "validate_output": 60, "admit": 500, "claim": 1_000}
    put(desk, recent(desk, 1, stage_us=stages))
    put_closing(desk, Closing(run_id="run_0001", total_us=7_500, delivered=False))

    seen = desk.signed_in().get("/runs/run_0001")

    assert (
        "Stage Time Share run 40 µs admit 500 µs claim 1.00 ms invoke 3.40 ms validate_output 60 µs "
        "commit and answer 2.50 ms Total 7.50 ms" in seen.words
    )
    assert "Delivered no: the caller had left" in seen.words
    bars = re.findall(r'<rect x="([\d.]+)" width="([\d.]+)"', seen.text)
    assert bars == [
        ("0.0", "5.3"),
        ("5.3", "66.7"),
        ("72.0", "133.3"),
        ("205.3", "453.3"),
        ("658.7", "8.0"),
        ("666.7", "333.3"),
    ]


def test_a_run_without_times_says_so(desk: Desk) -> None:
    """A9."""
    assert "No time was recorded for this call." in page_of(desk, stage_us={})


def test_what_a_call_cost_is_estimated_and_says_so(desk: Desk) -> None:
    """A9: tokens, and what other systems charged."""
    fees = (Charge(what="gateway fee", amount_minor=1_025, currency="EUR"),)

    words = page_of(desk, charges=fees)

    assert "Arguments 30 tokens (120 bytes) Answer 60 tokens (240 bytes) Definition 110 tokens" in words
    assert "Charged 1,025 EUR minor: gateway fee" in words
    assert "Tokens are estimated from bytes, four to a token; no provider counted them." in words


def test_attempts_at_one_operation_lead_to_each_other(desk: Desk) -> None:
    """A9, A14: and whether that they belong together is known or a guess."""
    invalid = {**ALONE, "outcome": "invalid", "code": "invalid_arguments", "retry": "after_fix"}
    put(desk, recent(desk, 20, **invalid), recent(desk, 10, **ALONE, retry=""))
    put(desk, recent(desk, 8, retry=""), recent(desk, 4, retry=""))
    browser = desk.signed_in()

    guessed = browser.get("/runs/run_0010")
    known = browser.get("/runs/run_0008")

    assert "that they belong together is a guess by time." in guessed.words
    assert (
        "2026-10-31 23:59:40 invalid invalid_arguments 1.0 352 µs 2026-10-31 23:59:50 (this one) done 1.0 352 µs"
        in guessed.words
    )
    assert '<a href="/runs/run_0020">' in guessed.text
    assert "These calls have the same operation." in known.words


def test_a_run_by_itself_has_no_attempts_beside_it(desk: Desk) -> None:
    """A9."""
    assert "This is the only attempt so far." in page_of(desk, **ALONE)


def test_an_executed_plan_is_shown_with_who_agreed(desk: Desk) -> None:
    """D5, C7: what it would do, as the server wrote it; the claim without its key."""
    planned = desk.kit.call("document_plan_delete", {"document_id": "doc-1", "expected_version": "1"}).structured
    desk.deciding().submit(
        f"/approvals/{planned['plan_id']}", verdict="approve", comment="agreed", digest=planned["digest"]
    )
    desk.kit.call("document_execute_delete", {"plan_id": planned["plan_id"], "digest": planned["digest"]})

    seen = desk.signed_in().get(f"/runs/{newest(desk)}")

    assert "Claim done Kind in the store: it happened exactly if the claim is settled" in seen.words
    assert "Started 1 time, fence 1" in seen.words
    assert f"Plan {planned['plan_id']} used Needed a second person" in seen.words
    assert "Approved by boss@acme, 2026-11-01 00:00:00, by console: agreed" in seen.words
    assert "Deletes doc-1 with 3 copies. Reason: not said." in seen.words
    assert "Deletes doc-1" not in desk.tenant("acme").get(f"/runs/{newest(desk)}").words


def test_without_the_keys_a_plan_stays_closed() -> None:
    """D5, B10."""
    with open_desk(vault(), sealer=None) as desk:
        planned = desk.kit.call("document_plan_delete", {"document_id": "doc-1", "expected_version": "1"}).structured
        desk.kit.call("document_execute_delete", {"plan_id": planned["plan_id"], "digest": planned["digest"]})

        words = desk.signed_in().get(f"/runs/{newest(desk)}").words

    assert "What it would do cannot be opened here: the keys are not here, or it was changed." in words
    assert "Deletes doc-1" not in words


def test_an_unknown_operation_leads_to_its_claim() -> None:
    """D5, D2: the key of the caller is not shown."""
    with open_desk(catalog_of(Bank(mood="loses answers"), kind="blind")) as desk:
        desk.kit.call("refund_create", {"payment_id": PAYMENT}, key="key-of-the-caller")
        seen = desk.signed_in().get(f"/runs/{newest(desk)}")

    assert re.search(r'<a href="/claims/op_\w+"><code>op_\w+</code></a>', seen.text)
    assert "Claim unknown, had come to started Kind outside, never sent twice" in seen.words
    assert "key-of-the-caller" not in seen.text


def test_an_operation_whose_claim_is_gone_says_so(desk: Desk) -> None:
    """A9."""
    assert "Operation op-1 Its claim is no longer kept, or never was." in page_of(desk)


def test_what_the_contract_keeps_is_shown_without_secrets_and_names() -> None:
    """A9, D5: as it was stored."""
    with open_desk(doors) as desk:
        desk.kit.call("door_open", {"door": "<attic>", "code": "1234"})
        seen = desk.signed_in().get(f"/runs/{newest(desk)}")

    assert "Kept until 2026-12-01 00:00:00, as the contract says. The caller held *." in seen.words
    assert 'Arguments { "door": "<attic>", "code": "[redacted]" } Never kept: /code.' in seen.words
    assert 'Result { "owner": "[redacted]", "room": "<attic>" } Never kept: /owner.' in seen.words
    assert "&lt;attic&gt;" in seen.text


def test_what_is_kept_stays_closed_without_its_keys() -> None:
    """B10, D5."""
    with open_desk(doors, sealer=None) as desk:
        desk.kit.call("door_open", {"door": "attic"})
        words = desk.signed_in().get(f"/runs/{newest(desk)}").words

    assert "Not shown: it is kept sealed, and the keys are not here. Kept until 2026-12-01 00:00:00." in words
    assert '"door"' not in words


def test_a_caller_sees_that_a_call_was_made_and_not_what_was_in_it() -> None:
    """D5, B18: a tool may deny them the same; nor do they see notes, contracts, or a case with arguments in it."""
    with open_desk(doors, target="doors:catalog") as desk:
        desk.kit.call("door_open", {"door": "attic", "code": "wrong"})
        put(desk, recent(desk, 1, note="KeyError: attic"))
        run_id = max(desk.kit.runs(), key=lambda run: run.tool == "door_open").run_id
        clerk = desk.signed_in(Viewer.of_caller(caller(tenant="acme")))
        seen, noted = clerk.get(f"/runs/{run_id}"), clerk.get("/runs/run_0001")
        case = clerk.get(f"/runs/{run_id}/case.py").status

    assert "door_open rejected door_locked What door_locked means stands in the contract of the tool" in seen.words
    assert "which operators see." in seen.words
    assert "Operators see them, where they are kept." in seen.words
    assert "attic" not in seen.text + noted.text
    assert ("regression case" in seen.words, case) == (False, 404)


def test_a_note_keeps_its_lines(desk: Desk) -> None:
    """A9: an exception is read as it was."""
    put(desk, recent(desk, 1, note="Traceback:\n  File 'a.py'\nKeyError: <b>"))

    text = desk.signed_in().get("/runs/run_0001").text

    assert "Traceback:\n  File &#39;a.py&#39;\nKeyError: &lt;b&gt;</pre>" in text


def test_the_record_is_held_against_its_seal() -> None:
    """D6: waiting, sealed, and changed afterwards."""
    with open_desk(vault()) as plain:
        signer = plain.kit.service.ports.sealer.signer
    with open_desk(vault(), verifier=signer.verifier) as desk:
        put(desk, recent(desk, 1))
        browser = desk.signed_in()
        waiting = browser.get("/runs/run_0001").words
        ports = desk.kit.service.ports
        desk.kit._portal.call(partial(seal_all, desk.kit._store, clock=desk.kit.clock, signer=ports.sealer.signer))
        sealed = browser.get("/runs/run_0001").words
        inside(desk.kit, lambda found: own(found.unit).execute("UPDATE fourfold_run SET subject = 'acct-2'"))
        changed = browser.get("/runs/run_0001").words

    assert "Proof Not sealed yet." in waiting
    assert "As it was sealed at 2026-11-01 00:00:00, in entry 1 of the chain, and the signature holds." in sealed
    assert "This record is not as it was sealed, or its seal is not as it was signed" in changed


def test_another_tenants_run_looks_like_one_that_is_not_there(desk: Desk) -> None:
    """D5, B18: by its id, by its reference, and each page below it."""
    put(desk, recent(desk, 1, tenant="globex", reference="ref_0042", outcome="failed", code="internal"))
    browser = desk.tenant("acme")

    nowhere = browser.get("/runs/run_9999")
    assert nowhere.status == 404
    for path in ("run_0001", "ref_0042", "run_0001/case", "run_0001/case.py"):
        seen = browser.get(f"/runs/{path}")
        assert (seen.status, seen.text) == (404, nowhere.text)
    assert desk.tenant("globex").get("/runs/ref_0042").status == 200


@pytest.mark.parametrize(
    "name",
    ["tool", "code", "subject", "tenant", "principal", "caller", "client", "note", "reference", "trace_id", "revision"],
)
def test_what_was_recorded_is_never_markup(desk: Desk, name: str) -> None:
    """D5, B17: nor do characters that a browser would obey come through."""
    put(desk, recent(desk, 1, **{name: HOSTILE}))

    seen = desk.signed_in().get("/runs/run_0001")

    assert ESCAPED in seen.text
    assert "<script>alert" not in seen.text


def test_hostile_values_in_what_was_counted_and_charged_are_never_markup(desk: Desk) -> None:
    """D5, B17."""
    fees = (Charge(what=HOSTILE, amount_minor=1, currency="EUR"),)
    put(desk, recent(desk, 1, counted=((HOSTILE, HOSTILE),), filled={HOSTILE: True}, charges=fees))
    put(desk, recent(desk, 2, stage_us={HOSTILE: 5}))
    browser = desk.signed_in()

    assert browser.get("/runs/run_0001").text.count(ESCAPED) == 4
    assert browser.get("/runs/run_0002").text.count(ESCAPED) == 1


def test_a_failure_becomes_a_regression_case() -> None:
    """D7: shown, and to be taken along; with what was kept it runs as it is."""
    with open_desk(doors, target="doors:catalog") as desk:
        desk.kit.call("door_open", {"door": "attic", "window": 1})
        run_id, browser = newest(desk), desk.signed_in()
        assert "Turn into a regression case" in browser.get(f"/runs/{run_id}").words
        page, file = browser.get(f"/runs/{run_id}/case"), browser.get(f"/runs/{run_id}/case.py")

    assert "A test for pytest. It runs as it is, on a store that is thrown away." in page.words
    assert "Download test_door_open_invalid_arguments.py" in page.words
    assert file.headers["content-disposition"] == 'attachment; filename="test_door_open_invalid_arguments.py"'
    assert file.headers["content-type"] == "text/plain; charset=utf-8"
    assert "ARGUMENTS: dict[str, Any] = {'door': 'attic', 'window': 0}" in file.text
    assert 'assert (answer.kind, answer.code) == ("invalid", "invalid_arguments")' in file.text


def test_a_case_without_its_catalog_says_what_is_missing(desk: Desk) -> None:
    """D7: a tool that nobody has may be named anything, and its name is not put into a file that is run."""
    put(desk, recent(desk, 1, tool='x"""\nimport os', outcome="refused", code="unknown_tool"))
    browser = desk.signed_in()

    page = browser.get("/runs/run_0001/case")

    assert "No case can be made here: a case needs the contract of the tool" in page.words
    assert browser.get("/runs/run_0001/case.py").status == 404


def test_a_success_makes_no_case(desk: Desk) -> None:
    """D7."""
    put(desk, recent(desk, 1))
    browser = desk.signed_in()

    assert "regression case" not in browser.get("/runs/run_0001").words
    assert browser.get("/runs/run_0001/case").status == 404


def test_an_operators_page_is_the_same_and_its_links_work(desk: Desk) -> None:
    """D5: every link of the page leads to a page."""
    put(desk, recent(desk, 1, **ALONE, outcome="failed", code="internal", subject="a&b=c d"))
    browser = desk.deciding(operator("boss@acme"))

    text = browser.get("/runs/run_0001").text

    inner = text.split('<main id="main"')[1]
    links = [found.replace("&amp;", "&") for found in re.findall(r'href="([^"]+)"', inner)]
    assert links == [
        "/runs",
        "/runs?account=a%26b%3Dc+d",
        "/runs?principal=clerk%40acme",
        "/runs/run_0001/case",
    ]
    assert [browser.get(each).status for each in links] == [200, 200, 200, 200]
