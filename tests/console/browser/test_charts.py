"""The charts of a tool's card in a real browser: drawn, told under the pointer, resized, and done without."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page

from fourfold.adapters.clock import SystemClock
from fourfold.console.render import day
from tests.console.browser.chromium import LARGE, SMALL, Scheme, Watch, save, sideways
from tests.console.browser.house import House, console, sign_in, token_of
from tests.console.browser.places import Signed
from tests.console.past import failed, past_run

_DAY_MS = 86_400_000
_CARD = "/tool?name=quote_create"

_COLOURS = """canvas => {
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const seen = new Set();
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) seen.add(data.slice(at, at + 3).join());
  return [...seen];
}"""
"""Every colour that is drawn in full on a canvas."""


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Generator[Signed]:
    """A console whose store has five days of one tool, the last two of them under a new version."""
    house = House.furnished(tmp_path_factory.mktemp("charts"))
    days = [house.now_ms() - ago * _DAY_MS for ago in (4, 3, 2, 1, 0)]
    good = [replace(past_run(n), at_ms=at, contract_version="1.0" if n < 3 else "2.0") for n, at in enumerate(days)]
    house.add(*good, replace(failed(9, "sold_out"), at_ms=days[0]))
    with console(house) as here:
        context = browser.new_context()
        sign_in(context.new_page(), here, token_of("root"))
        cookies = context.storage_state()
        context.close()
        yield Signed(here=here, cookies=cookies)


def card(watch: Watch, signed: Signed, *, width: int = LARGE, scheme: Scheme = "light", scripts: bool = True) -> Page:
    """The tool's card."""
    page, _ = watch.page(signed.here.origin, width=width, scheme=scheme, scripts=scripts, cookies=signed.cookies)
    page.goto(f"{signed.here.origin}{_CARD}")
    return page


@pytest.mark.parametrize("width", [SMALL, LARGE])
def test_charts_are_drawn_as_wide_as_there_is_room(watch: Watch, signed: Signed, width: int) -> None:
    """A14, D5: both of them, under the strict policy, with nothing beside the window."""
    page = card(watch, signed, width=width)
    figures = page.locator("figure.chart")
    save(page, f"charts-{width}-light")
    assert page.locator("figure.chart canvas").count() == 2
    assert figures.evaluate_all("all => all.every(each => each.checkVisibility())")
    assert figures.evaluate_all(
        "all => all.every(each => each.querySelector('canvas').clientWidth <= each.clientWidth)"
    )
    assert sideways(page) == []


def test_the_day_under_the_pointer_is_told_in_words(watch: Watch, signed: Signed) -> None:
    """A14, D5: its date in UTC, whatever the reader's clock says, with both values."""
    page = card(watch, signed)
    plot = page.locator("figure.chart .u-over").first
    box = plot.bounding_box()
    assert box is not None
    plot.hover(position={"x": 2, "y": box["height"] / 2})
    told = page.locator("figure.chart .u-legend").first.locator(".u-value").all_inner_texts()
    assert told == [day(SystemClock().now_ms() - 4 * _DAY_MS), "50 %", "0 %"]


def test_charts_take_the_colours_of_the_dark_page(watch: Watch, signed: Signed) -> None:
    """D5: the line of successes is in the accent of each, and follows when the reader changes over."""
    page = card(watch, signed)
    canvas = page.locator("figure.chart canvas").first
    assert "37,99,196" in canvas.evaluate(_COLOURS)
    page.emulate_media(color_scheme="dark")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert "138,180,245" in canvas.evaluate(_COLOURS)
    save(page, f"charts-{LARGE}-dark")


def test_without_scripts_the_table_has_the_same_days(watch: Watch, signed: Signed) -> None:
    """D5: no empty frame stands where nothing draws."""
    page = card(watch, signed, scripts=False)
    assert page.locator("figure.chart:visible").count() == 0
    page.locator("summary", has_text="Day by day").click()
    assert page.locator("details table tbody tr:visible").count() == 5
