"""A real browser that the tests look through, and the watch over it. Owns no page: the tests say where to go.

Each page is watched from its first byte: an error on the console (a violated Content-Security-Policy is one), an error
that a script did not catch, and a request to anywhere but the pages' own origin are faults, which fail the test.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    StorageState,
    sync_playwright,
)

__all__ = ["LARGE", "SMALL", "Faults", "Scheme", "Watch", "launched", "save", "sideways"]

Scheme = Literal["light", "dark"]

SMALL, LARGE = 360, 1440
"""The two widths, in CSS pixels, that every page has to be readable at."""

SCREENSHOTS = Path(__file__).resolve().parents[3] / "build/screenshots"
"""Kept after a run, so that a person can look at them; not committed."""

_HEIGHT = 800
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_STICKING_OUT = """() => {
  const width = window.innerWidth;
  if (document.scrollingElement.scrollWidth <= width) return [];
  const box = each => each.getBoundingClientRect();
  const right = each => Math.max(box(each).right, box(each).left + each.scrollWidth);
  const out = [...document.body.querySelectorAll('*')].filter(each => right(each) > width + 1);
  const scrolls = each => getComputedStyle(each).overflowX !== 'visible';
  const inScroller = each => { do { each = each.parentElement } while (each && !scrolls(each)); return each !== null; };
  const loose = out.filter(each => !scrolls(each) && !inScroller(each));
  return ['wider than its window', ...loose.map(each => each.outerHTML.slice(0, 160))];
}"""
_NO_NETWORK = ("data", "blob", "about")


@contextmanager
def launched() -> Generator[Browser]:
    """A browser of its own, without a window.

    Raises:
        FileNotFoundError: there is no Chromium here.
    """
    program = shutil.which("chromium")
    if program is None:
        raise FileNotFoundError("no program named chromium: run scripts/setup-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_FLAGS, headless=True)
        yield browser
        browser.close()


@dataclass(kw_only=True)  # no slots: Playwright keeps a note in whatever listens
class Faults:
    """What went wrong in a context. A text that a test expects is taken out by name, never by silence."""

    origin: str
    found: list[str] = field(default_factory=list[str])

    def heard(self, message: ConsoleMessage) -> None:
        """A line on the browser's console."""
        if message.type == "error":
            self.found.append(f"console: {message.text}")

    def thrown(self, error: Error) -> None:
        """An error that no script caught."""
        self.found.append(f"script: {error}")

    def asked(self, request: Request) -> None:
        """A request on its way out."""
        if urlsplit(request.url).scheme not in _NO_NETWORK and not request.url.startswith(self.origin):
            self.found.append(f"request: {request.url}")

    def expect(self, *texts: str) -> None:
        """Take out the faults that hold one of the texts; each text must have been seen."""
        for text in texts:
            assert any(text in fault for fault in self.found), f"expected {text!r}, found {self.found}"
        self.found = [fault for fault in self.found if not any(text in fault for text in texts)]


class Watch:
    """Makes contexts that are watched, and tells at the end what was seen in any of them."""

    def __init__(self, browser: Browser) -> None:
        """No context is open yet."""
        self._browser = browser
        self._open: list[tuple[BrowserContext, Faults]] = []

    def page(
        self,
        origin: str,
        *,
        width: int = LARGE,
        scheme: Scheme = "light",
        scripts: bool = True,
        cookies: StorageState | None = None,
    ) -> tuple[Page, Faults]:
        """A page of a new context, with no cookies but those given. `origin` is all that it may talk to."""
        context = self._browser.new_context(
            viewport={"width": width, "height": _HEIGHT},
            color_scheme=scheme,
            java_script_enabled=scripts,
            reduced_motion="reduce",
            locale="en-GB",
            timezone_id="Pacific/Auckland",
            storage_state=cookies,
        )
        context.set_default_timeout(15_000)
        faults = Faults(origin=origin)
        context.on("console", faults.heard)
        context.on("weberror", lambda error: faults.thrown(error.error))
        context.on("request", faults.asked)
        self._open.append((context, faults))
        return context.new_page(), faults

    def close(self) -> Sequence[str]:
        """Close every context; the faults that no test expected."""
        for context, _ in self._open:
            context.close()
        return [fault for _, faults in self._open for fault in faults.found]


def save(page: Page, name: str, *, whole: bool = True) -> Path:
    """A picture of the whole page, or of what the window shows of it."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    path = SCREENSHOTS / f"{name}.png"
    page.wait_for_load_state()
    page.screenshot(path=path, full_page=whole, animations="disabled", caret="hide")
    return path


def sideways(page: Page) -> Sequence[str]:
    """What makes the page wider than its window, so that a reader would have to scroll to both sides to read it."""
    return page.evaluate(_STICKING_OUT)
