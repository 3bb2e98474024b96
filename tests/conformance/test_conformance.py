"""The official conformance suite against our edge: both required sets, every scenario counted."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from mcp import Client

from tests.conformance.fixture_tools import SCHEMAS

HERE = Path(__file__).parent
SUITE = HERE / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"

SCORED = {"2026-07-28": 37, "2025-11-25": 30}
"""How many server scenarios each required set has; the sets are frozen."""

_FOLDER = re.compile(r"server-(?P<scenario>.+)-\d{4}-\d\d-\d\dT[\d-]+Z")


@pytest.fixture
def anyio_backend() -> str:
    """The loop that the SDK's client runs on here."""
    return "asyncio"


@pytest.mark.anyio
async def test_every_fixture_is_listed_before_the_suite_runs(fixture_url: str) -> None:
    """B9, B13: a suite that finds no fixture passes much of itself, so the fixtures are counted first."""
    async with Client(fixture_url, mode="2026-07-28") as client:
        listed = await client.list_tools()
    assert {tool.name for tool in listed.tools} == set(SCHEMAS)
    assert len(listed.tools) == 24


@pytest.mark.parametrize(("revision", "passing"), [("2026-07-28", 37), ("2025-11-25", 25)])
def test_the_required_set_passes_except_for_what_the_baseline_explains(
    *, node: str, fixture_url: str, tmp_path: Path, revision: str, passing: int
) -> None:
    """B9, B13: 37 of 37 at 2026-07-28; 25 of 30 at 2025-11-25, where the five others need a session."""
    baseline = HERE / f"baseline-{revision}.yml"
    suite = [node, str(SUITE), "server", "--url", fixture_url, "--requirements", revision]
    run = subprocess.run(
        [*suite, "--expected-failures", str(baseline), "-o", str(tmp_path)],
        capture_output=True, text=True, timeout=110, check=False,
    )  # fmt: skip
    scored = _scored(node, revision)
    statuses = _statuses(tmp_path)
    not_passing = {name for name in scored if statuses[name] & {"FAILURE", "WARNING"} or not statuses[name]}
    assert run.returncode == 0, run.stdout[-2000:]
    assert len(scored) == SCORED[revision]
    assert not_passing == set(re.findall(r"^  - (.+)$", baseline.read_text(), re.MULTILINE))
    assert len(scored) - len(not_passing) == passing


@pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25"])
def test_every_exception_in_the_baseline_has_its_reason(revision: str) -> None:
    """B13: each expected failure stands under a comment that says why."""
    lines = (HERE / f"baseline-{revision}.yml").read_text().splitlines()
    unexplained = [line for before, line in pairwise(lines) if _entry(line) and "#" not in before]
    assert unexplained == []


def test_the_lock_file_names_no_registry() -> None:
    """B13: the tools install from whatever registry npm is told to use."""
    lock = (HERE / "package-lock.json").read_text()
    assert '"integrity"' in lock
    assert '"resolved"' not in lock


def _entry(line: str) -> bool:
    return line.startswith("  - ")


def _scored(node: str, revision: str) -> set[str]:
    """The names of the scored server scenarios, as the suite lists them."""
    command = [node, str(SUITE), "list", "--server", "--requirements", revision]
    listing = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    required = listing.split("Server scenarios")[1].split("Client scenarios")[0]
    return set(re.findall(r"^  - (\S+)", required, re.MULTILINE))


def _statuses(folder: Path) -> Mapping[str, set[str]]:
    """The statuses of the checks that ran, by scenario."""
    found: dict[str, set[str]] = {}
    for checks in folder.glob("*/checks.json"):
        named = _FOLDER.fullmatch(checks.parent.name)
        assert named is not None
        found[named["scenario"]] = {check["status"] for check in json.loads(checks.read_text())}
    return found
