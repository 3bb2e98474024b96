"""The commands of the repository: they can be run, they parse, and contributors are told of each."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.meta.repository import ROOT

_SCRIPTS = [*sorted(path for path in (ROOT / "scripts").iterdir() if not path.suffix), ROOT / ".ci/run"]
_PARAMETERS = [pytest.param(path, id=path.name) for path in _SCRIPTS]


@pytest.mark.parametrize("script", _PARAMETERS)
def test_a_script_runs_from_anywhere_and_stops_at_its_first_failure(script: Path) -> None:
    """Executable, strict, and at home in the repository whatever folder it is called from."""
    text = script.read_text("utf-8")

    assert os.access(script, os.X_OK)
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in text
    assert "BASH_SOURCE[0]" in text
    subprocess.run(["bash", "-n", script], check=True)


def test_contributors_are_told_of_every_script() -> None:
    """A command that nobody knows is written again."""
    told = (ROOT / "CONTRIBUTING.md").read_text("utf-8")

    assert not [path.name for path in _SCRIPTS if f"{path.relative_to(ROOT)}" not in told]
