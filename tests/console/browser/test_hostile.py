"""What callers, agents and authors wrote is text on every page, whatever a browser could take it for."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page

from fourfold.model.cost import Charge
from tests.console.browser import hostile as served
from tests.console.browser.chromium import SMALL, Faults, Watch, save, sideways
from tests.console.browser.hostile import hostile
from tests.console.browser.house import Console, House, console, sign_in, token_of
from tests.console.browser.places import PLACES
from tests.stores.records import run_at

FIELDS = (
    *("tenant", "principal", "caller", "tool", "contract_version", "wire_digest", "lock_digest", "subject", "code"),
    *("operation_id", "transport", "revision", "client", "trace_id", "span_id", "reference", "note"),
)
"""Every text of a run but its outcome and its id, which callers cannot choose."""

CHARGES = (Charge(what=hostile("what"), amount_minor=1, currency="EUR"),)
COUNTED = ((hostile("counted"), hostile("value")),)
FILLED = {hostile("filled"): True}
LINK = "javascript:window.taken='link'"
LONG = "W" * 1_000


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Generator[Console]:
    """A console over a store whose every text is a program, and a catalog that is no better."""
    house = House.furnished(tmp_path_factory.mktemp("hostile"), catalog=Path(served.__file__))
    bare = replace(run_at(0), at_ms=house.now_ms(), outcome="failed")
    texts = {field: hostile(field) for field in FIELDS}
    house.add(
        replace(bare, **texts, charges=CHARGES, counted=COUNTED, filled=FILLED, stage_us={hostile("stage"): 9}),
        replace(bare, run_id="run-1", **{field: f"{LONG}{field}" for field in FIELDS}),
        replace(bare, run_id="run-2", subject=LINK, reference=LINK),
    )
    house.call("note_write", account=hostile("account"), text=hostile("kept"))
    house.call("note_write", account=hostile("account"), nothing=hostile("unknown argument"))
    house.call("room_clear_plan", room=hostile("impact"), expected_version="1")
    house.call("room_clear_plan", room="W" * 900, expected_version="1")
    with console(house) as up:
        yield up


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A small page of somebody who sees everything, and what it asked for."""

    page: Page
    faults: Faults
    here: Console
    asked: list[str]

    def open(self, address: str) -> None:
        """Go there. Not everything that a record names still has a page."""
        answer = self.page.goto(address)
        if answer is not None and answer.status == 404:
            self.faults.expect("404 (Not Found)")

    def is_safe(self) -> None:
        """No text became a program, a picture, a link or a turned line; and the page is no wider for it."""
        assert self.page.evaluate("window.taken") is None
        assert not [address for address in self.asked if "/taken/" in address]
        assert self.page.locator("[href^='javascript:' i], main script").count() == 0
        assert "\u202e" not in self.page.locator("html").inner_text()
        wide = sideways(self.page)
        assert not wide, "\n".join(wide)


@pytest.fixture
def reader(watch: Watch, here: Console) -> Reader:
    """An error on the console fails the test: a program that the policy stopped was one nevertheless."""
    page, faults = watch.page(here.origin, width=SMALL)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(unquote(request.url.partition("?")[0])))
    sign_in(page, here, token_of("root"))
    return Reader(page=page, faults=faults, here=here, asked=asked)


@pytest.mark.parametrize("name", PLACES)
def test_no_page_obeys_what_it_shows(reader: Reader, name: str) -> None:
    """D5: tool, code, account and caller names, notes, and the words of the contracts."""
    reader.open(f"{reader.here.origin}{PLACES[name]}")
    save(reader.page, f"hostile-{name}")

    reader.is_safe()


def test_no_page_of_one_thing_obeys_what_it_shows(reader: Reader) -> None:
    """D5: every link that a page leads to: runs, plans, operations, tools, with all that is kept of them."""
    seen: set[str] = set()
    for path in PLACES.values():
        reader.open(f"{reader.here.origin}{path}")
        seen |= set(reader.page.evaluate("[...document.querySelectorAll('main a[href]')].map(each => each.href)"))
    assert len(seen) > len(PLACES)

    for address in seen:
        reader.open(address)
        reader.is_safe()


def test_what_a_person_writes_is_no_better(reader: Reader) -> None:
    """D5: the reason of a decision, shown to the next one who looks."""
    page = reader.page
    reader.open(f"{reader.here.origin}/approvals")
    page.locator("main a[href^='/approvals/']").first.click()
    page.get_by_label("Reason").fill(hostile("comment"))
    page.get_by_role("button", name="Deny").click()
    page.get_by_text("denied").first.wait_for()

    reader.is_safe()
    assert "/taken/comment" in page.locator("main").inner_text()
