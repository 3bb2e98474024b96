"""What `import fourfold` gives, and what it doesn't load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import fourfold

_SNAPSHOT = Path(__file__).with_name("exports.txt")
_LOADED = """
import sys
before = {*sys.modules}
import fourfold
loaded = {name.partition(".")[0] for name in {*sys.modules} - before}
print(*sorted(loaded - sys.stdlib_module_names), *sorted(loaded & {"asyncio", "sqlite3", "ssl"}))
"""


def test_the_exported_names_are_the_ones_promised() -> None:
    """A new name is a promise for years: it is added to exports.txt on purpose, with a changelog fragment."""
    assert fourfold.__all__ == _SNAPSHOT.read_text("utf-8").split()


def test_the_exported_names_are_sorted_and_few() -> None:
    """Forty names can be read in one sitting."""
    assert fourfold.__all__ == sorted(fourfold.__all__)
    assert len(fourfold.__all__) <= 40


def test_every_exported_name_exists_and_is_listed() -> None:
    """A lazy name that is misspelled would fail only at its first user."""
    missing = [name for name in fourfold.__all__ if not hasattr(fourfold, name)]

    assert not missing
    assert {*fourfold.__all__} <= {*dir(fourfold)}


def test_importing_the_package_loads_nothing_heavy() -> None:
    """A handler's module imports fourfold: it pays for no SDK, no driver, no validator, no web server."""
    command = [sys.executable, "-c", _LOADED]
    loaded = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()

    assert loaded == ["fourfold"]
