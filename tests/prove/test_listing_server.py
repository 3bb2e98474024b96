"""The listing server of article B: it stops at its limit, and its empty cursor says that there is no more."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path

import pytest

from fourfold.bootstrap.proving import Address, Terms, proving_server
from fourfold.bootstrap.targets import of_server
from fourfold.edge.target import connect
from fourfold.prove.engine import Selection, prove
from fourfold.review.engine import review
from fourfold.review.live import review_live

SERVER = str(Path(__file__).with_name("listing_server.py"))
ONLY = ("cut-list-says-so", "pages-end", "limit-honoured", "invalid-names-the-path")


async def proved(*flags: str) -> dict[str, tuple[str, str]]:
    """By check, what it says of the one tool; nobody gives an example of arguments that work."""
    terms = Terms(seed=1, max_calls=1_000, writes=False)
    async with proving_server([Address(target=[sys.executable, SERVER, *flags])], terms) as desk:
        found = await prove(desk, revision="2026-07-28", selection=Selection(only=ONLY))
    return {verdict.check: (verdict.status, verdict.detail) for verdict in found.verdicts}


async def reviewed(*flags: str) -> set[tuple[str, str]]:
    """Rule and place of each finding."""
    async with connect([sys.executable, SERVER, *flags]) as target:
        catalog = await of_server(target)
        live = await review_live(target, catalog)
    return {(each.symbol, each.pointer) for each in review(catalog, today=date(2026, 11, 30), more=live).findings}


@pytest.mark.anyio
async def test_prove_finds_that_the_list_is_cut_and_says_that_it_is_whole() -> None:
    """B3, B12: without any example, and nothing else is found on the way."""
    assert await proved() == {
        "cut-list-says-so": (
            "failed",
            "a list of 14 or more was cut after 1, and next_cursor '' says that there is no more",
        ),
        "limit-honoured": ("passed", ""),
        "invalid-names-the-path": ("passed", ""),
    }


@pytest.mark.anyio
async def test_the_mended_server_passes() -> None:
    """B3, B12: its pages are walked to the end, though its schema wants a limit in each call."""
    assert await proved("--mended") == dict.fromkeys(
        ("pages-end", "limit-honoured", "invalid-names-the-path"), ("passed", "")
    )


@pytest.mark.anyio
async def test_review_finds_the_cursor_that_no_argument_takes() -> None:
    """B3, D2: and not on the mended server."""
    found = ("truncated-without-continuation", "/outputSchema/properties/next_cursor")

    assert found in await reviewed()
    assert found not in await reviewed("--mended")
