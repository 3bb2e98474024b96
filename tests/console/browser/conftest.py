"""The browser of a module of tests, and a watch over the pages of one test."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack
from functools import cache

import pytest
from playwright.sync_api import Browser

from tests.console.browser import axe
from tests.console.browser.chromium import Watch, launched
from tests.console.browser.house import House, console, sign_in, token_of
from tests.console.browser.places import Signed


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    """One Chromium for the tests of a module. Not for the session: while it runs, its thread can run no other loop."""
    with launched() as browser:
        yield browser


@pytest.fixture
def watch(browser: Browser) -> Generator[Watch]:
    """Opens pages; whatever went wrong in one that the test did not expect fails it."""
    watch = Watch(browser)
    yield watch
    faults = watch.close()
    assert not faults, "\n".join(faults)


@pytest.fixture(scope="session")
def axe_installed() -> None:
    """Skips where the rules are missing, so that everything else can run without npm."""
    if not axe.PROGRAM.exists():
        pytest.skip("axe-core is missing: scripts/setup-node tests/console/browser")


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Generator[Callable[[int], Signed]]:
    """A console over a store of so many runs, started when it is first asked for. Where there are many, some wait."""
    with ExitStack() as stack:

        @cache
        def of_size(size: int) -> Signed:
            house = House.furnished(tmp_path_factory.mktemp(f"of-{size}"), made=size)
            if size > 1:
                house.happen()
            here = stack.enter_context(console(house))
            context = browser.new_context()
            sign_in(context.new_page(), here, token_of("root"))
            cookies = context.storage_state()
            context.close()
            return Signed(here=here, cookies=cookies)

        yield of_size
