"""The pages of the console, how each is reached, and what a page has to be. Owns no console: `house` starts one."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page, StorageState

from tests.console.browser.axe import barriers
from tests.console.browser.chromium import save, sideways
from tests.console.browser.house import Console

__all__ = ["DETAILS", "PLACES", "Signed", "is_readable", "open_place"]

PLACES = {
    "now": "/",
    "runs": "/runs",
    "failures": "/failures",
    "cost": "/cost",
    "tools": "/tools",
    "approvals": "/approvals",
    "claims": "/claims",
    "selection": "/selection",
    "diff": "/diff",
}
"""The pages that the head of every page leads to."""

DETAILS = {
    "run": ("/runs", "/runs/run_"),
    "tool": ("/tools", "/tool?"),
    "approval": ("/approvals", "/approvals/"),
    "claim": ("/claims", "/claims/"),
}
"""Pages of one thing: the page that leads to it, and how its address begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """A console over some store, and the cookies of somebody in it who sees everything."""

    here: Console
    cookies: StorageState


def open_place(page: Page, here: Console, name: str) -> None:
    """A page by its address; the page of one thing by the first link that leads to one, as a reader comes there."""
    path, prefix = DETAILS.get(name, (PLACES.get(name, ""), ""))
    page.goto(f"{here.origin}{path}")
    if prefix:
        page.locator(f"main a[href^='{prefix}']").first.click()
        page.wait_for_url(lambda url: url.startswith(f"{here.origin}{prefix}"))


def is_readable(page: Page, picture: str) -> None:
    """Keep a picture, then judge: one that fails is the one to look at."""
    save(page, picture)
    found = barriers(page)
    assert not found, "\n".join(found)
    wide = sideways(page)
    assert not wide, "\n".join(wide)
