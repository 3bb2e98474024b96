"""Where the key ring of a store comes from, for those who look after it; a server gets it with its store."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from fourfold.adapters.sealing.keys import KeyRing, key_file, rotate_file
from fourfold.adapters.sqlite.store import sqlite_path
from fourfold.adapters.store_url import is_postgres
from fourfold.bootstrap.service import KEYS_VARIABLE
from fourfold.errors import ConfigError

__all__ = ["FoundRing", "find_ring", "refuse_own_keys", "rotate_ring"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRing:
    """A key ring, and where it stands: the name of the variable, or the path of the file."""

    ring: KeyRing
    where: str


def find_ring(store: str) -> FoundRing:
    """The ring that a server on `store` would use. None is made.

    Raises:
        ConfigError: there is none yet, or it cannot be used.
    """
    text = os.environ.get(KEYS_VARIABLE)
    if text:
        return FoundRing(ring=KeyRing.from_text(text), where=KEYS_VARIABLE)
    path = _file_beside(store)
    if not path.exists():
        raise ConfigError(f"there are no keys in {path} yet; a server makes them when it is first started")
    return FoundRing(ring=key_file(path), where=str(path))


def rotate_ring(store: str) -> FoundRing:
    """Take one step of a rotation with the key file of `store`.

    Raises:
        ConfigError: the ring stands in the environment, which nobody can change from here; or there is none.
    """
    if os.environ.get(KEYS_VARIABLE):
        raise ConfigError(
            f"the keys are in {KEYS_VARIABLE}, so rotate them where it is set: put the output of `fourfold keys new`, "
            "with :opens at its end and a comma, in front; when every server has it, take :opens off"
        )
    path = _file_beside(store)
    return FoundRing(ring=rotate_file(path), where=str(path))


def refuse_own_keys(store: str, *, replicas: int) -> None:
    """Refuse to start one of several servers with keys, or on a store, that the others do not have.

    Raises:
        ConfigError: there is more than one, and no ring in the environment, or a store of one process.
    """
    if replicas > 1 and store == "memory:":
        raise ConfigError(f"{replicas} replicas need the same store, and memory: ends with its process")
    if replicas > 1 and not os.environ.get(KEYS_VARIABLE):
        raise ConfigError(
            f"{replicas} replicas need the same keys, and a key file or a key of one process is not shared: "
            f"set {KEYS_VARIABLE} for all of them; `fourfold keys new` prints a ring"
        )


def _file_beside(store: str) -> Path:
    if is_postgres(store):
        raise ConfigError(f"the keys of a PostgreSQL store stand in {KEYS_VARIABLE}, which is not set")
    return sqlite_path(store).with_suffix(".keys")
