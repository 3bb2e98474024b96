"""What `fourfold.agent` gives, and what importing it does not load."""

from __future__ import annotations

import subprocess
import sys

import fourfold.agent

_LOADED = """
import sys
before = {*sys.modules}
import fourfold.agent
loaded = {name.partition(".")[0] for name in {*sys.modules} - before}
print(*sorted(loaded - sys.stdlib_module_names))
"""


def test_every_name_is_there_and_sorted() -> None:
    """A lazy name that is misspelled would fail only at its first user."""
    assert not [name for name in fourfold.agent.__all__ if not hasattr(fourfold.agent, name)]
    assert fourfold.agent.__all__ == sorted(fourfold.agent.__all__)
    assert {*fourfold.agent.__all__} <= {*dir(fourfold.agent)}


def test_importing_it_loads_nothing_heavy() -> None:
    """No SDK, no validator, and none of the packages that it has adapters for."""
    command = [sys.executable, "-c", _LOADED]
    loaded = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()

    assert loaded == ["fourfold"]
