"""The front-end libraries that are committed: they are the files of the packages that the lock pins, unchanged."""

from __future__ import annotations

import json
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.meta.repository import ROOT

_LOCKED = ROOT / "requirements/front_end"
_PACKAGES = _LOCKED / "node_modules"
_VENDORED = ROOT / "src/fourfold/console/static/vendor"
_RECORD = "VENDORED.toml"


@pytest.fixture(scope="module")
def record() -> dict[str, dict[str, str]]:
    """What scripts/vendor wrote, by name of the file."""
    return tomllib.loads((_VENDORED / _RECORD).read_text("utf-8"))


def test_every_vendored_file_is_recorded_and_unchanged(record: dict[str, dict[str, str]]) -> None:
    """Nobody edits a library in place: the next copy would undo it."""
    found = {path.name: digest(path) for path in _VENDORED.iterdir() if path.name != _RECORD}

    assert found == {name: each["sha256"] for name, each in record.items()}


def test_the_recorded_versions_are_those_of_the_lock(record: dict[str, dict[str, str]]) -> None:
    """Run scripts/vendor after a change to the lock."""
    lock: dict[str, Any] = json.loads((_LOCKED / "package-lock.json").read_text("utf-8"))
    pinned = {path: each["version"] for path, each in lock["packages"].items() if path}

    assert {f"node_modules/{each['package']}": each["version"] for each in record.values()} == pinned


def test_every_package_brings_its_licence(record: dict[str, dict[str, str]]) -> None:
    """A copy without its licence may not be passed on."""
    licensed = {each["package"] for each in record.values() if each["file"] == "LICENSE"}

    assert licensed == {each["package"] for each in record.values()}


@pytest.mark.skipif(not _PACKAGES.exists(), reason="no packages here: scripts/setup-node requirements/front_end")
def test_the_vendored_files_are_those_of_the_packages(record: dict[str, dict[str, str]]) -> None:
    """What npm installs was checked against the digests of the lock."""
    packed = {name: digest(_PACKAGES / each["package"] / each["file"]) for name, each in record.items()}

    assert packed == {name: each["sha256"] for name, each in record.items()}


def digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    return sha256(path.read_bytes()).hexdigest()
