"""What a person does on the pages: filter, watch, settle, revoke, look at one tenant; and the pages beside a server."""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest
from playwright.sync_api import Page, expect

from tests.cli.commands import FOURFOLD
from tests.console.browser.chromium import Watch
from tests.console.browser.house import Console, House, announced, caller_token, console, sign_in, token_of
from tests.console.browser.places import PLACES, open_place
from tests.stores.records import run_at

RUNS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A house, and a page of its console for somebody who decides about everything."""

    house: House
    here: Console
    page: Page


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[House, Console]]:
    """A house with runs of several tenants, a plan that waits and an operation that is unknown, both of acme."""
    house = House.furnished(tmp_path_factory.mktemp("house"), made=RUNS)
    house.happen()
    with console(house) as here:
        yield house, here


@pytest.fixture
def desk(watch: Watch, lived_in: tuple[House, Console]) -> Desk:
    """As root, who may do everything everywhere."""
    house, here = lived_in
    page, _ = watch.page(here.origin)
    sign_in(page, here, token_of("root"))
    return Desk(house=house, here=here, page=page)


def rows(page: Page) -> list[str]:
    """The text of each row of the page's first table."""
    return page.locator("main table tbody").first.locator("tr").all_inner_texts()


def test_filters_are_used_from_the_keyboard_and_stand_in_the_address(desk: Desk) -> None:
    """D5: so that a colleague can be sent what one sees."""
    page = desk.page
    open_place(page, desk.here, "runs")
    page.get_by_label("Tool").fill("transfer_make")
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs?*tool=transfer_make*")

    assert ["transfer_make" in row for row in rows(page)] == [True]
    assert page.get_by_label("Tool").input_value() == "transfer_make"


def test_pages_of_runs_lead_on_and_back_without_a_gap(desk: Desk) -> None:
    """D5: no run is on two of them."""
    page = desk.page
    open_place(page, desk.here, "runs")
    first = rows(page)
    page.get_by_role("link", name="Older").click()
    page.wait_for_url("**/runs?*before=*")
    second = rows(page)
    page.get_by_role("link", name="Newest").click()
    page.wait_for_url("**/runs")

    assert not {*first} & {*second}
    assert rows(page) == first


def test_new_runs_come_by_themselves_while_somebody_watches(desk: Desk) -> None:
    """D5: and the page says so to whoever cannot see it move."""
    page = desk.page
    open_place(page, desk.here, "runs")
    page.get_by_role("button", name="Watch live").click()
    page.get_by_role("button", name="Pause").wait_for()
    desk.house.add(replace(run_at(1), at_ms=desk.house.now_ms(), subject="acct-just-now"))

    expect(page.locator("main tbody tr").first).to_contain_text("acct-just-now", timeout=15_000)
    expect(page.get_by_role("status")).to_contain_text("1 new")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Watch live").wait_for()


def test_one_tenant_is_looked_at_alone(desk: Desk) -> None:
    """D5: and it goes along from page to page."""
    page = desk.page
    open_place(page, desk.here, "runs")
    page.get_by_label("Tenant").fill("globex")
    page.get_by_role("button", name="Show").first.click()
    page.wait_for_url("**tenant=globex**")
    page.get_by_role("link", name="Cost", exact=True).click()
    page.wait_for_url("**/cost?tenant=globex")
    page.get_by_role("link", name="Runs", exact=True).click()

    assert rows(page)
    assert not [row for row in rows(page) if "globex" not in row]


def test_an_unknown_operation_is_settled_with_evidence(desk: Desk) -> None:
    """D5: without it the browser sends nothing; with it the audit has it."""
    page = desk.page
    open_place(page, desk.here, "claim")
    page.get_by_role("button", name="It happened").click()
    is_asked_for = page.get_by_label("How you know").evaluate("each => each.matches(':invalid')")
    page.get_by_label("How you know").fill("The bank's statement of Monday has it")
    page.get_by_role("button", name="It did not; the next call does it").click()
    page.get_by_text("The bank's statement of Monday has it").wait_for()

    assert is_asked_for
    assert page.get_by_role("button", name="It happened").count() == 0


def test_an_approval_is_revoked_with_a_reason(desk: Desk) -> None:
    """D5, C7: denied or revoked without one, the page says what is missing and nothing has changed."""
    page = desk.page
    open_place(page, desk.here, "approval")
    page.get_by_role("button", name="Approve").click()
    page.get_by_text("approved").first.wait_for()
    page.get_by_label("Reason").fill("It was the wrong room")
    page.get_by_role("button", name="Revoke").click()
    page.get_by_text("It was the wrong room").wait_for()

    assert page.get_by_role("heading", level=1).inner_text().split() == ["room_clear", "revoked"]
    assert page.get_by_role("button", name="Approve").count() == 0


@pytest.mark.parametrize("token", [caller_token("clerk@globex"), token_of("gus")], ids=["caller", "operator"])
def test_another_tenant_is_nowhere(desk: Desk, watch: Watch, token: str) -> None:
    """D5, B18: not on a page, and not behind the address of anything that acme has."""
    links = hrefs_of(desk, tenant="acme")
    page, faults = watch.page(desk.here.origin)
    sign_in(page, desk.here, token)
    seen = {name: (open_place(page, desk.here, name), page.locator("main").inner_text())[1] for name in PLACES}
    statuses = {path: status_of(page, f"{desk.here.origin}{path}") for path in links}

    assert not [name for name, text in seen.items() if "@acme" in text or "attic" in text]
    assert {path.split("/")[1] for path in links} == {"runs", "approvals", "claims"}
    assert {*statuses.values()} == {404}
    faults.expect("404 (Not Found)")


def hrefs_of(desk: Desk, *, tenant: str) -> set[str]:
    """The addresses of some runs, plans and operations of a tenant."""
    found: set[str] = set()
    for path in ("/runs", "/approvals?state=all", "/claims?state=all"):
        desk.page.goto(f"{desk.here.origin}{path}{'&' if '?' in path else '?'}tenant={tenant}")
        links = desk.page.locator("main td a[href]").all()[:5]
        found |= {(link.get_attribute("href") or "").partition("?")[0] for link in links}
    return found


def status_of(page: Page, address: str) -> int:
    """The HTTP status of a page."""
    answer = page.goto(address)
    assert answer is not None
    return answer.status


@contextmanager
def served(house: House) -> Generator[Console]:
    """`fourfold serve --console` over the house's store."""
    command = [FOURFOLD, "serve", house.target, "--http", "127.0.0.1:0", "--store", house.url, "--console"]
    with subprocess.Popen(command, cwd=house.folder, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            yield announced(process.stderr)
        finally:
            process.terminate()


def test_every_page_works_beside_a_server(lived_in: tuple[House, Console], watch: Watch) -> None:
    """D5: under /console, with everything that a page loads under it, too."""
    house, _ = lived_in
    with served(house) as here:
        page, _ = watch.page(here.origin)
        page.goto(here.link)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"{here.origin}/")
        for name in PLACES:
            open_place(page, here, name)
            hrefs: list[str] = page.evaluate(
                "[...document.querySelectorAll('a[href^=\"/\"]')].map(each => each.pathname)"
            )
            assert not [href for href in hrefs if not href.startswith("/console/")]
