"""The demo is a test: its answers are checked, and what the README shows of it is what it prints."""

from __future__ import annotations

import doctest
import io
import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from billing.demo.server import ServerFailed, serving
from billing.demo.story import tell
from billing.demo.telling import Telling

from tests.docs.pages import blocks_in

_README = Path(__file__).resolve().parents[2] / "README.md"


@pytest.fixture(scope="module")
def told() -> str:
    """What one whole run prints."""
    command = [sys.executable, "-m", "billing.demo", "--once"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)

    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_demo_tells_at_least_eight_steps_that_are_as_they_should_be(told: str) -> None:
    """B9, A9: a real client over HTTP; listing, calls, faults, repeats, tenants and run records."""
    assert "\n8. " in told
    assert told.endswith("steps were answered as they should be.\n")


def test_the_demo_writes_plain_text_when_nobody_looks(told: str) -> None:
    """Colour is for terminals."""
    assert "\033" not in told


def test_what_the_readme_shows_is_what_the_demo_prints(told: str) -> None:
    """A9, B9: `...` in the excerpt stands for what differs between two runs."""
    (excerpt,) = [block.text for block in blocks_in(_README.read_text("utf-8")) if block.text.startswith("4. ")]

    assert doctest.OutputChecker().check_output(f"...\n{excerpt}...", told, doctest.ELLIPSIS)


def test_an_answer_that_is_not_as_it_should_be_ends_the_story() -> None:
    """A9: told twice on one store, there are more records than calls."""
    with serving() as server:
        first = anyio.run(tell, server, Telling(io.StringIO(), colour=True))
        second = anyio.run(tell, server, Telling(io.StringIO(), colour=True))

    assert first is None
    assert second == "each of 15 calls left one record; there are 35"


def test_a_server_that_does_not_start_is_shown_with_what_it_wrote(monkeypatch: pytest.MonkeyPatch) -> None:
    """B9: here its key ring is no key ring."""
    monkeypatch.setitem(os.environ, "FOURFOLD_KEYS", "not-a-ring")

    with (
        pytest.raises(ServerFailed, match="the server ended; it wrote:\nfourfold: an entry of the key ring"),
        serving(),
    ):
        pass
