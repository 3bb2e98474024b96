"""Every page over a store of a busy month, in a real browser, at both widths."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.console.browser.chromium import LARGE, SMALL, Watch
from tests.console.browser.places import DETAILS, PLACES, Signed, is_readable, open_place

MANY = 100_000

pytestmark = pytest.mark.timeout(300)  # the first test makes the store


@pytest.mark.usefixtures("axe_installed")
@pytest.mark.parametrize("width", [SMALL, LARGE])
@pytest.mark.parametrize("name", [*PLACES, *DETAILS])
def test_a_page_is_readable_however_much_there_is(
    watch: Watch, signed: Callable[[int], Signed], name: str, width: int
) -> None:
    """D5: no barrier that axe-core knows, nothing beside the window, and no page without an end."""
    at = signed(MANY)
    page, _ = watch.page(at.here.origin, width=width, cookies=at.cookies)
    open_place(page, at.here, name)

    is_readable(page, f"{name}-{MANY}-{width}-light")
