"""What only should hold: `fourfold prove` warns of it, in every form, and fails only where somebody says so."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.cli.commands import fourfold
from tests.meta.repository import ROOT

SERVER = ["--", sys.executable, "-m", "tests.prove.small_server_main", "stdio", "no_mirror"]
"""Its results stand in no text block (2026-07-28, "Structured Content": should)."""

WORDS = ["prove", "--only", "protocol-text-mirror", "--only", "protocol-content"]


@pytest.fixture(autouse=True)
def sources(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tests of this repository, where the server is, on the path of what is started."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return workspace


def test_a_broken_should_is_warned_of_and_fails_nothing() -> None:
    """B13: it stands beside what failed and what passed, with what should hold."""
    result = fourfold(*WORDS, *SERVER)

    assert result.code == 0, result.err
    assert "warned protocol-text-mirror\n  should hold: " in result.out
    assert "passed  failed  warned  not tested\n" in result.out
    assert "\n1 passed, 0 failed, 1 warned, 0 not tested; " in result.out


def test_whoever_says_so_fails_on_warnings(workspace: Path) -> None:
    """B13: with an option, or in fourfold.toml."""
    by_option = fourfold(*WORDS, "--fail-on", "warning", *SERVER)
    (workspace / "fourfold.toml").write_text('[prove]\nfail_on = "warning"\n', "utf-8")
    by_file = fourfold(*WORDS, *SERVER)
    back = fourfold(*WORDS, "--fail-on", "failure", *SERVER)

    assert [by_option.code, by_file.code, back.code] == [1, 1, 0]


def test_programs_are_told_the_weight() -> None:
    """B13: JSON says it of the check and of the verdict; SARIF has the level warning."""
    proof = json.loads(fourfold(*WORDS, "--json", *SERVER).out)
    sarif = json.loads(fourfold(*WORDS, "--format", "sarif", *SERVER).out)

    assert {check["name"]: check["weight"] for check in proof["checks"]} == {
        "protocol-content": "must",
        "protocol-text-mirror": "should",
    }
    assert (proof["summary"]["warned"], proof["summary"]["against"], proof["fail_on"]) == (1, 0, "failure")
    assert [(result["kind"], result["level"]) for result in sarif["runs"][0]["results"]] == [("fail", "warning")]


def test_people_are_shown_it() -> None:
    """B13: JUnit has no word for it but skipped; the page has a part of its own."""
    junit = ET.fromstring(fourfold(*WORDS, "--format", "junit", *SERVER).out)  # noqa: S314  # our own output
    counted = ET.fromstring(fourfold(*WORDS, "--fail-on", "warning", "--format", "junit", *SERVER).out)  # noqa: S314
    page = fourfold(*WORDS, "--format", "html", *SERVER).out

    assert [each.get("message", "")[:7] for each in junit.iter("skipped")] == ["warned:"]
    assert (junit.get("failures"), counted.get("failures")) == ("0", "1")
    assert "<h2>Warnings</h2>" in page
