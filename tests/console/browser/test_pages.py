"""Every page, in a real browser, at both widths, over stores with nothing and little in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from itertools import product

import pytest
from playwright.sync_api import Page

from tests.console.browser.chromium import LARGE, SMALL, Watch
from tests.console.browser.places import DETAILS, PLACES, Signed, is_readable, open_place

FEW = (0, 1)
SOME = 50
"""A store in which every page has something to show."""

_CONTROLS = """() => [...document.querySelectorAll(
    'main :is(a[href], button, input, select, textarea, summary, [tabindex="0"])')]
  .filter(each => each.type !== 'hidden' && each.checkVisibility())
  .map(each => each.outerHTML.slice(0, 120))"""
"""What a pointer can use in the page's main part, in its order."""

_FOCUSED = """() => {
  const at = document.activeElement;
  if (!at.closest('main')) return null;
  const style = getComputedStyle(at);
  return [at.outerHTML.slice(0, 120), style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2];
}"""
"""The control that has the focus, and whether one sees it; null once the focus has left the main part."""

_TIME = re.compile(r"\d\d:\d\d:\d\d\W?")

Consoles = Callable[[int], Signed]


def test_the_head_leads_to_every_page(watch: Watch, signed: Consoles) -> None:
    """D5: and each of them is looked at here."""
    at = signed(SOME)
    page, _ = watch.page(at.here.origin, cookies=at.cookies)
    page.goto(at.here.origin)
    links = page.get_by_role("navigation", name="Pages").get_by_role("link").all()

    assert [link.get_attribute("href") for link in links] == [*PLACES.values()]


@pytest.mark.usefixtures("axe_installed")
@pytest.mark.parametrize("case", [*product(FEW, [SMALL, LARGE])], ids=str)
@pytest.mark.parametrize("name", PLACES)
def test_an_empty_page_is_readable_by_everybody(
    watch: Watch, signed: Consoles, name: str, case: tuple[int, int]
) -> None:
    """D5: it says that there is nothing, or shows the one thing; no barrier that axe-core knows, nothing beside it."""
    size, width = case
    at = signed(size)
    page, _ = watch.page(at.here.origin, width=width, cookies=at.cookies)
    open_place(page, at.here, name)

    is_readable(page, f"{name}-{size}-{width}-light")


@pytest.mark.usefixtures("axe_installed")
@pytest.mark.parametrize("width", [SMALL, LARGE])
@pytest.mark.parametrize("name", [*PLACES, *DETAILS])
def test_a_page_is_readable_by_everybody(watch: Watch, signed: Consoles, name: str, width: int) -> None:
    """D5: no barrier that axe-core knows, and nothing beside the window."""
    at = signed(SOME)
    page, _ = watch.page(at.here.origin, width=width, cookies=at.cookies)
    open_place(page, at.here, name)

    is_readable(page, f"{name}-{SOME}-{width}-light")


@pytest.mark.usefixtures("axe_installed")
@pytest.mark.parametrize("name", [*PLACES, *DETAILS])
def test_a_page_has_a_dark_side(watch: Watch, signed: Consoles, name: str) -> None:
    """D5: with enough contrast there, too."""
    at = signed(SOME)
    page, _ = watch.page(at.here.origin, scheme="dark", cookies=at.cookies)
    open_place(page, at.here, name)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")

    is_readable(page, f"{name}-{SOME}-{LARGE}-dark")
    assert paper == "rgb(18, 23, 30)"


@pytest.mark.usefixtures("axe_installed")
@pytest.mark.parametrize("width", [SMALL, LARGE])
@pytest.mark.parametrize("path", ["/sign-in", "/sign-in?link=x"])
def test_the_pages_before_sign_in_are_readable_by_everybody(
    watch: Watch, signed: Consoles, path: str, width: int
) -> None:
    """D5: the form for a token, and the button of a link."""
    at = signed(SOME)
    page, _ = watch.page(at.here.origin, width=width)
    page.goto(f"{at.here.origin}{path}")

    is_readable(page, f"sign-in{'-link' if 'link' in path else ''}-{width}-light")


@pytest.mark.usefixtures("axe_installed")
@pytest.mark.parametrize("width", [SMALL, LARGE])
def test_the_page_of_what_is_not_there_is_readable_by_everybody(watch: Watch, signed: Consoles, width: int) -> None:
    """D5: with a way back."""
    at = signed(SOME)
    page, faults = watch.page(at.here.origin, width=width, cookies=at.cookies)
    page.goto(f"{at.here.origin}/runs/nobody")

    is_readable(page, f"error-{width}-light")
    page.get_by_role("link", name="To the first page").click()
    page.wait_for_url(f"{at.here.origin}/")
    faults.expect("404 (Not Found)")


@pytest.mark.parametrize("name", [*PLACES, *DETAILS])
def test_a_page_can_be_read_without_scripts(watch: Watch, signed: Consoles, name: str) -> None:
    """D5: every word that is there with scripts is there without."""
    at = signed(SOME)
    with_scripts, _ = watch.page(at.here.origin, cookies=at.cookies)
    without, _ = watch.page(at.here.origin, cookies=at.cookies, scripts=False)
    open_place(with_scripts, at.here, name)
    without.goto(with_scripts.url)

    assert words(with_scripts) <= words(without)


@pytest.mark.parametrize("name", PLACES)
def test_the_keyboard_reaches_what_a_pointer_does(watch: Watch, signed: Consoles, name: str) -> None:
    """D5: first a way past the head, then every control in the order of the page, and one sees where one is."""
    at = signed(SOME)
    page, _ = watch.page(at.here.origin, cookies=at.cookies)
    open_place(page, at.here, name)
    page.keyboard.press("Tab")
    first = page.locator(":focus").inner_text()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    reached = list(walk(page))

    assert first == "Skip to content"
    assert reached == page.evaluate(_CONTROLS)


def walk(page: Page) -> Generator[str]:
    """Every control that the Tab key comes to before it leaves the main part; each shows that it has the focus."""
    while (at := page.evaluate(_FOCUSED)) is not None:
        control, is_seen = at
        assert is_seen, control
        yield control
        page.keyboard.press("Tab")


def words(page: Page) -> set[str]:
    """What can be read in the page's main part: what it offers to do is no reading, and the time goes on."""
    offered = " ".join(page.locator("main button").all_inner_texts()).split()
    said = set(page.locator("main").inner_text().split()) - {*offered}
    return {word for word in said if not _TIME.fullmatch(word)}
