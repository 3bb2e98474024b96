"""`fourfold prove --official`: the official tools, where npm has put them, and what is said where it has not."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import FOURFOLD, TOKEN, fourfold, serving
from tests.meta.repository import ROOT

SUITE = ["--official", str(ROOT / "tests/conformance")]
INSPECTOR = ["--official", str(ROOT / "tests/clients/inspector")]
WORDS = ["--only", "list-is-stable", "--json"]


def official(out: str) -> dict[str, Any]:
    """The verdicts of the official tools, by check."""
    return {each["check"]: each for each in json.loads(out)["verdicts"] if each["check"].startswith("official")}


@pytest.fixture
def fixture_url() -> Generator[str]:
    """A server with all that the suite looks for."""
    command = [sys.executable, "-m", "tests.conformance.fixture_server", "http"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
            server.wait(timeout=30)


@pytest.mark.usefixtures("workspace")
def test_a_catalog_is_asked_the_scenarios_that_are_about_what_it_has() -> None:
    """B13: each is a verdict beside ours; how many there were is said, since the others prove nothing."""
    result = fourfold("prove", "shop:catalog", *WORDS, *SUITE, *INSPECTOR)

    found = official(result.out)
    statuses = {name: each["status"] for name, each in found.items()}
    assert statuses["official-2026-07-28-tools-list"] == "passed"
    assert statuses["official-2026-07-28-server-stateless"] == "passed"
    assert statuses["official-2025-11-25-server-initialize"] == "passed"
    assert statuses["official-inspector"] == "passed"
    assert "failed" not in statuses.values()
    assert "6 of 37 scenarios of 2026-07-28" in found["official-conformance"]["detail"]
    assert not [name for name in statuses if "tools-call" in name]
    assert result.code == 0


@pytest.mark.usefixtures("workspace")
def test_a_server_with_the_fixtures_is_asked_every_scenario(fixture_url: str) -> None:
    """B13: those of the older revision that need a session fail, as tests/conformance explains them."""
    found = official(fourfold("prove", fixture_url, *WORDS, *SUITE).out)

    modern = {name: each["status"] for name, each in found.items() if "-2026-07-28-" in name}
    failed = {name for name, each in found.items() if each["status"] == "failed"}
    assert (len(modern), {*modern.values()}) == (37, {"passed"})
    assert failed == {
        f"official-2025-11-25-{scenario}"
        for scenario in (
            "tools-call-sampling",
            "tools-call-elicitation",
            "elicitation-sep1034-defaults",
            "elicitation-sep1330-enums",
        )
    }


def test_where_they_are_not_installed_nothing_is_tested_and_it_says_what_to_do(workspace: Path) -> None:
    """B13: nothing is downloaded; for a catalog it counts, unless somebody allows it by name."""
    words = ["prove", "shop:catalog", "--only", "list-is-stable", "--official", str(workspace)]

    against = fourfold(*words)
    allowed = fourfold(*words, "--allow-untested", "official-conformance", "--allow-untested", "official-inspector")

    assert (against.code, allowed.code) == (1, 0)
    assert "install @modelcontextprotocol/conformance with npm" in against.out
    assert "official-inspector (allowed)" in allowed.out


@pytest.mark.usefixtures("workspace")
def test_what_they_cannot_reach_is_not_tested() -> None:
    """B18, B13: a command has no URL, and no token is put among the words of a command."""
    started = official(fourfold("prove", *WORDS, *SUITE, "--", FOURFOLD, "serve", "shop:catalog").out)
    with serving("--http", "127.0.0.1:0") as server:
        running = official(fourfold("prove", server.url, *WORDS, *SUITE, token=TOKEN).out)

    assert started["official-conformance"]["detail"] == "it speaks HTTP only"
    assert {each["detail"] for each in running.values()} == {"it can be given no token without showing it"}
