"""The lock file of a project, and the refusal to serve a catalog that breaks it under the same major version."""

from __future__ import annotations

from pathlib import Path

from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.targets import of_catalog
from fourfold.contracts.diff import diff
from fourfold.contracts.lock import lock_of, read_lock
from fourfold.errors import BuildProblem, ConfigError, ContractError
from fourfold.model.lock import CatalogLock, Change

__all__ = ["LOCK_FILE", "read_lock_file", "refuse_unversioned"]

LOCK_FILE = Path("fourfold.lock.json")
"""Where the lock stands, beside the project's other files."""


def read_lock_file(path: Path) -> CatalogLock:
    """The lock in a file.

    Raises:
        ConfigError: it cannot be read, is none, or was edited by hand.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}; write it with fourfold lock TARGET") from None
    return read_lock(raw, name=str(path))


def refuse_unversioned(loaded: LoadedCatalog, *, target: str, path: Path = LOCK_FILE) -> None:
    """Check the versions of a catalog against the lock, if there is one of this target.

    Raises:
        ContractError: a contract breaks what was locked, and its version took no major step.
        ConfigError: the lock cannot be read.
    """
    if not path.exists():
        return
    locked = read_lock_file(path)
    if locked.target != target:
        return
    changes = diff(locked, lock_of(of_catalog(loaded, target=target)))
    problems = [_problem(change, path) for change in changes if change.impact == "breaking" and change.same_version]
    if problems:
        raise ContractError(loaded.built.name, problems)


def _problem(change: Change, path: Path) -> BuildProblem:
    return BuildProblem(
        rule="unversioned_break",
        where=f"{change.tool}: {change.pointer}" if change.pointer else change.tool,
        what=f"{change.reason}, and the version took no major step since {path} was written",
        why="whoever calls the tool as it was locked fails, and nothing has told them",
        fix=f"step the version's first number and run fourfold lock, or take the change back ({change.kind})",
    )
