"""Fourfold on the lowest versions that pyproject.toml allows, beside the newest that the lock has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.repository import ROOT

_LOWEST = ROOT / ".venv-lowest/bin/python"
_SCHEMAS = Path(__file__).with_name("lowest_schemas.py")


@pytest.fixture(scope="module")
def lowest() -> Path:
    """The interpreter of the lowest environment."""
    if not _LOWEST.exists():
        pytest.skip("no .venv-lowest here: scripts/setup --lowest makes it, and scripts/test calls that")
    return _LOWEST


def test_published_schemas_are_the_same_bytes_on_the_lowest_and_the_newest_pydantic(lowest: Path) -> None:
    """Locks, plans and cursors outlive an upgrade of a dependency. Two hash seeds, so that no set decides an order."""
    old, new = _schemas(lowest, hash_seed="1"), _schemas(Path(sys.executable), hash_seed="2")

    assert len(new) > 90
    assert old == new


def _schemas(python: Path, *, hash_seed: str) -> list[str]:
    environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([python, _SCHEMAS], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
