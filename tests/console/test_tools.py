"""The list of tools and a tool's card: what the contracts say, and what the runs know."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from dataclasses import replace
from datetime import date
from html import unescape
from typing import Any

import pytest

from fourfold import Catalog
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.targets import of_catalog
from fourfold.console.known import KnownCatalog
from fourfold.model.contract import Waiver
from fourfold.model.finding import Finding, WaivedFinding
from fourfold.review.settings import ReviewSettings
from tests.console.desk import Desk, Seen, open_desk
from tests.console.past import HOSTILE, escaped, failed, past_run
from tests.console.records import put
from tests.stages.shop import shop
from tests.stages.vault import vault

FINDING = Finding(
    id="FF101",
    symbol="vague-name",
    severity="warning",
    tool="order_place",
    pointer="/name",
    message="the name says little",
    fix="Name what it does",
    evidence="judgement",
)


def known(catalog: Catalog) -> KnownCatalog:
    """What the console knows of a catalog when it opens."""
    listed = of_catalog(LoadedCatalog(catalog.build(), None), target="shop:catalog")
    return KnownCatalog.of(listed, today=date(2026, 11, 1), settings=ReviewSettings())


@pytest.fixture
def desk() -> Generator[Desk]:
    """The console of a shop whose catalog it knows."""
    with open_desk(shop(), known=known(shop())) as opened:
        yield opened


def charts(seen: Seen) -> list[Any]:
    """What the script of a card is given to draw."""
    return [json.loads(unescape(found)) for found in re.findall(r'data-chart="([^"]*)"', seen.text)]


def test_the_list_joins_contracts_with_runs(desk: Desk) -> None:
    """D5: each tool of the catalog, called or not, with what its definition costs and how often it succeeded."""
    put(desk, past_run(1, tool="order_place"), failed(2, "sold_out", tool="order_place"))
    seen = desk.signed_in().get("/tools")
    assert "order_count 1.0 read Counts orders none 63 – – –" in seen.words
    assert "order_place 1.0 create Places an order none 156 2 50.0 % 2026-10-31 23:00:00" in seen.words
    assert '<a href="/tool?name=order_place">' in seen.text


def test_what_was_called_and_is_no_tool_stands_apart(desk: Desk) -> None:
    """D5: a name that callers made up is not one of the catalog."""
    put(desk, failed(1, "unknown_tool", tool="order_cancel"))
    assert "Called, and not in this catalog Tool Calls Success Last order_cancel 1 0.0 %" in (
        desk.signed_in().get("/tools").words
    )


def test_findings_of_the_review_are_counted_and_told() -> None:
    """D5: the catalog with its findings, and what was set aside with the reason."""
    shown = known(shop())
    waived = WaivedFinding(finding=replace(FINDING, pointer="/title"), reason="the users call it that")
    contracts = {
        **shown.contracts,
        "order_place": replace(
            shown.contracts["order_place"], waivers=(Waiver(rule="no_bound", where="/sku", reason="a short list"),)
        ),
    }
    reviewed = replace(shown.reviewed, findings=(FINDING,), waived=(waived,))
    with open_desk(shop(), known=replace(shown, contracts=contracts, reviewed=reviewed)) as desk:
        browser = desk.signed_in()
        assert "order_place 1.0 create Places an order 1 warning" in browser.get("/tools").words
        words = browser.get("/tool", name="order_place").words
    assert "warning FF101 vague-name at /name the name says little. Fix: Name what it does." in words
    assert "Set aside no_bound at /sku: a short list FF101 vague-name at /title: the users call it that" in words


def test_a_card_has_the_four_contracts(desk: Desk) -> None:
    """B1, D5: selection, input, output and effect, as they were declared."""
    words = desk.signed_in().get("/tool", name="order_place").words
    for part in (
        "Does Places an order Use when the user wants to have something Not for counting orders (order_count)",
        "pieces integer an integer from 1 to 100, without quotes or decimals yes",
        "delivered boolean true or false, without quotes; false when it is left out no",
        "idempotency_key string a string in quotes of 16 to 128 characters no",
        "(added by Fourfold)",
        "A person may be asked for: card, day, fewer.",
        "Does to the world Commits: adds a record. Reaches the store Idempotency key taken Expected version none",
        "If it is cut off it happened exactly if its claim is settled",
        "sold_out never There is nothing left of it. Tell the user",
        "The review finds nothing in it.",
    ):
        assert part in words


def test_a_card_says_who_agrees_to_a_plan_and_which_scopes_it_takes() -> None:
    """B1, D5: what cannot be undone, and what stands before it."""
    with open_desk(vault(approval="second_person"), known=known(vault(approval="second_person"))) as desk:
        words = desk.signed_in().get("/tool", name="document_execute_delete").words
    assert "Does to the world Commits: cannot be undone." in words
    assert "Plan stands 900 s; a second person has to agree Scopes documents:delete" in words
    assert "Absent or denied unknown_document" in words


def test_a_card_shows_each_version_and_marks_its_first_day(desk: Desk) -> None:
    """A14, D5: success and retries before and after a new version, with the day that it came."""
    put(
        desk,
        failed(1, "sold_out", tool="order_place", hours_ago=49),
        past_run(2, tool="order_place", hours_ago=48),
        past_run(3, tool="order_place", hours_ago=2, contract_version="2.0"),
    )
    seen = desk.signed_in().get("/tool", name="order_place")
    assert "1.0 2026-10-29 2026-10-30 2 50.0 % 0.0 %" in seen.words
    assert "2.0 2026-10-31 2026-10-31 1 100.0 % 0.0 %" in seen.words
    assert "All versions 3 66.7 % 0.0 %" in seen.words
    success, times = charts(seen)
    assert success["times"] == [1793232000, 1793318400, 1793404800]
    assert success["marks"] == [{"at": 1793404800, "label": "2.0"}]
    assert [(line["label"], line["values"]) for line in success["series"]] == [
        ("success", [0.0, 100.0, 100.0]),
        ("retried", [0.0, 0.0, 0.0]),
    ]
    assert [line["label"] for line in times["series"]] == ["p50", "p99"]


def test_a_retried_operation_counts_on_the_day_that_it_began(desk: Desk) -> None:
    """A14: one operation of two attempts, the same key."""
    first = failed(1, "stale_version", tool="order_place", retry="refresh", hours_ago=3)
    put(desk, first, past_run(2, tool="order_place", hours_ago=2, operation_id="op-1"))
    words = desk.signed_in().get("/tool", name="order_place").words
    assert "1.0 2026-10-31 2026-10-31 2 50.0 % 100.0 %" in words


def test_a_day_without_calls_is_a_gap(desk: Desk) -> None:
    """D5: nothing is drawn where nothing is known."""
    put(desk, past_run(1, tool="order_place", hours_ago=50), past_run(2, tool="order_place", hours_ago=2))
    success, _ = charts(desk.signed_in().get("/tool", name="order_place"))
    assert success["series"][0]["values"] == [100.0, None, 100.0]


def test_the_library_for_charts_is_loaded_on_a_card_with_charts_alone(desk: Desk) -> None:
    """D5: every other page does without it."""
    put(desk, past_run(1, tool="order_place"))
    browser = desk.signed_in()
    assert "/static/vendor/uPlot.iife.min.js" in browser.get("/tool", name="order_place").text
    assert "uPlot" not in browser.get("/tool", name="order_count").text
    assert "uPlot" not in browser.get("/tools").text


def test_a_tenant_sees_no_contract_and_its_own_calls_alone(desk: Desk) -> None:
    """D5: a caller may list some of the tools, and no page tells of the others."""
    put(desk, past_run(1, tool="order_place"), past_run(2, tool="order_place", tenant="umbra"))
    put(desk, past_run(3, tool="umbra_only", tenant="umbra"))
    browser = desk.tenant("acme")
    words = browser.get("/tools").words
    assert "order_place 1 100.0 %" in words
    assert "order_count" not in words
    assert "umbra" not in words
    assert "Selection Does" not in browser.get("/tool", name="order_place").words
    assert browser.get("/tool", name="umbra_only").status == 404
    assert browser.get("/tool", name="order_count").status == 404


def test_an_operator_of_one_tenant_sees_contracts(desk: Desk) -> None:
    """D5: whoever decides has to know about what."""
    assert "Selection Does Places an order" in desk.deciding().get("/tool", name="order_place").words


@pytest.mark.parametrize("name", ["", "no_such_tool", HOSTILE, "../runs", "\0"])
def test_a_name_that_is_no_tool_is_not_found(desk: Desk, name: str) -> None:
    """D5: neither in the catalog nor ever called."""
    assert desk.signed_in().get("/tool", name=name).status == 404


@pytest.mark.parametrize("field", ["tool", "contract_version"])
def test_hostile_text_stays_text(desk: Desk, field: str) -> None:
    """D5: what was recorded as a name or a version is shown, and never obeyed."""
    put(desk, past_run(1, hours_ago=30, **{"tool": "order_place", field: HOSTILE}))
    put(desk, past_run(2, hours_ago=2, **{"tool": "order_place", field: HOSTILE}))
    browser = desk.signed_in()
    assert escaped(browser.get("/tool", name=HOSTILE if field == "tool" else "order_place").text)
    assert field != "tool" or escaped(browser.get("/tools").text)


def test_an_empty_store_shows_the_catalog() -> None:
    """D5: contracts without runs; and without a catalog, what to do."""
    with open_desk(shop(), known=known(shop())) as desk:
        assert "order_count 1.0 read" in desk.signed_in().get("/tools").words
        assert "It was not called in the last 30 days." in desk.signed_in().get("/tool", name="order_count").words
    with open_desk(shop()) as desk:
        words = desk.signed_in().get("/tools").words
    assert "No tool was called in the last 30 days." in words
    assert "fourfold console module:catalog shows them" in words
