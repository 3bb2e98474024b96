"""Imports run one way. The contracts in .importlinter hold, and they bite when one is broken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.repository import ROOT

_PLANTED = {
    "a lower layer imports a higher one": ("model/call.py", "import fourfold.ports.clock", "Imports run one way"),
    "a package outside the layers": ("utils.py", "", "Imports run one way"),
    "an adapter imports the edge": ("adapters/store.py", "import fourfold.edge.server", "Imports run one way"),
    "siblings import each other": ("model/caller.py", "import fourfold.model.call", "No two siblings"),
    "a stage imports the SDK": ("stages/invoke.py", "import mcp_types", "Only edge knows the MCP SDK"),
    "the edge imports a driver": ("edge/server.py", "import sqlite3", "Only the SQLite and memory adapters"),
    "a stage imports pydantic": ("stages/admit.py", "from pydantic import BaseModel", "Only contracts knows pydantic"),
    "the edge imports the cipher": ("edge/gate.py", "import cryptography.fernet", "Only the sealing adapter"),
    "a use case imports click": ("runs/questions.py", "import click", "Only cli knows click"),
    "an adapter imports another's driver": ("adapters/store.py", "import psycopg", "Only the PostgreSQL adapter"),
}
_LAYERS = ("adapters", "edge", "model", "ports", "runs", "stages")


def test_the_package_keeps_its_layers() -> None:
    """Every contract is kept by what is committed."""
    result = _lint(ROOT / "src")

    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("planted", _PLANTED)
def test_a_planted_import_breaks_its_contract(planted: str, tmp_path: Path) -> None:
    """A small package with one wrong import is refused by the contract that is meant for it."""
    name, line, contract = _PLANTED[planted]
    package = _package(tmp_path)
    assert _lint(tmp_path).returncode == 0

    (package / name).write_text(line, "utf-8")
    result = _lint(tmp_path)

    broken = [each for each in result.stdout.splitlines() if each.endswith("BROKEN")]
    assert result.returncode == 1
    assert [each for each in broken if each.startswith(contract)], result.stdout


def _package(folder: Path) -> Path:
    """A package of the same name with a few layers and one import that is allowed."""
    package = folder / "fourfold"
    for layer in _LAYERS:
        (package / layer).mkdir(parents=True)
        (package / layer / "__init__.py").touch()
    for module in ("__init__.py", "errors.py", "model/call.py", "model/caller.py", "ports/clock.py", "edge/server.py"):
        (package / module).touch()
    (package / "model/call.py").write_text("import fourfold.model.caller", "utf-8")
    return package


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs import-linter on the package in `folder`: the folder it runs in comes first on its path."""
    command = [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache", ROOT / ".importlinter"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
