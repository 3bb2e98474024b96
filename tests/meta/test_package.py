"""What is installed: the wheel's files, the lock, the lowest versions."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.meta.repository import ROOT

_PIN = re.compile(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==(\S+)", re.MULTILINE)
_LOCK = ROOT / "requirements/dev.txt"
_LOWEST = ROOT / "requirements/lowest.txt"


def test_the_lock_satisfies_every_requirement() -> None:
    """Run scripts/lock after a change to pyproject.toml. The build tool is in it: setup builds from the lock alone."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    build: list[str] = declared["build-system"]["requires"]
    extras: dict[str, list[str]] = declared["project"]["optional-dependencies"]
    groups: dict[str, list[str]] = declared["dependency-groups"]
    apart = {name: lock for name in extras if (lock := ROOT / f"requirements/client-{name}.txt").exists()}
    here = [names for name, names in extras.items() if name not in apart]
    asked = [*_core(), *build, *(each for names in (*here, *groups.values()) for each in names)]

    assert {*apart} == {"openai-agents", "pydantic-ai"}
    assert not _missing(asked, _LOCK)
    assert not [each for name, lock in apart.items() for each in _missing(extras[name], lock)]


def _missing(asked: list[str], lock: Path) -> list[str]:
    pins = _pins(lock)
    return [each for each in asked if not _satisfied(Requirement(each), pins)]


def test_the_lowest_versions_are_those_that_are_promised() -> None:
    """Each lower bound in pyproject.toml is the version that the lowest environment really has."""
    pins = _pins(_LOWEST)
    bounds = {each.name: str(each.specifier) for each in map(Requirement, _core())}

    assert not [name for name, bound in bounds.items() if f">={pins[name]}" not in bound.split(",")]


@pytest.mark.parametrize("lock", [_LOCK, _LOWEST], ids=lambda path: path.name)
def test_a_lock_has_hashes_and_names_no_place(lock: Path) -> None:
    """What was locked is what is installed, from wherever the reader's pip is told to look."""
    text = lock.read_text("utf-8")
    entries = re.split(r"^(?=[a-z0-9-]+(?:\[[a-z,]+\])?==)", text, flags=re.MULTILINE)[1:]

    assert not [entry.split(" ")[0] for entry in entries if "--hash=sha256:" not in entry]
    assert "://" not in text
    assert "--index-url" not in text


def test_the_wheel_holds_the_package_and_nothing_else(tmp_path: Path) -> None:
    """Types and SQL travel with the code; tests and examples stay here."""
    names = _wheel(tmp_path)
    package = {f"fourfold/{path.relative_to(ROOT / 'src/fourfold')}" for path in _package_files()}

    assert {name for name in names if ".dist-info/" not in name} == package
    assert "fourfold/py.typed" in names
    assert [name for name in names if name.endswith("/licenses/LICENSE")]


def _wheel(folder: Path) -> list[str]:
    """Names of the files in a wheel built from the checkout."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def _package_files() -> list[Path]:
    found = (path for path in (ROOT / "src/fourfold").rglob("*") if path.is_file())
    return [path for path in found if path.suffix not in {".pyc", ".pyo"}]


def _core() -> list[str]:
    core: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    return core


def _pins(lock: Path) -> dict[str, str]:
    return dict(_PIN.findall(lock.read_text("utf-8")))


def _satisfied(requirement: Requirement, pins: dict[str, str]) -> bool:
    version = pins.get(requirement.name.lower().replace("_", "-"))
    return version is not None and requirement.specifier.contains(version, prereleases=True)
