"""`WriterLock`: one writer process at a time, by `flock` on files beside the database.

Two files: `<database>.lock` is held while a group is written, `<database>.turn` while waiting for it. A process
that has just written has to take the turn again, so a busy one cannot starve another.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from fourfold.errors import StoreBusy, StoreError

__all__ = ["WriterLock"]

WAIT_S = 5.0
"""How long a writer waits for its turn, and then again for the lock."""

_FIRST_PAUSE_S = 0.000_5
_LONGEST_PAUSE_S = 0.01


class WriterLock:
    """The right to write to one database, among processes and among stores of one process."""

    def __init__(self, database: Path, *, wait_s: float = WAIT_S) -> None:
        self._database = database
        self._wait_s = wait_s
        self._turn = _open(database.with_name(f"{database.name}.turn"))
        self._lock = _open(database.with_name(f"{database.name}.lock"))

    # The kernel releases both when the process ends, however it ends.
    @contextmanager
    def held(self) -> Generator[None]:
        """Hold the lock for the block.

        Raises:
            StoreBusy: another process held it all the time.
        """
        self._acquire(self._turn)
        try:
            self._acquire(self._lock)
        finally:
            fcntl.flock(self._turn, fcntl.LOCK_UN)
        try:
            yield
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the files; they stay beside the database."""
        os.close(self._lock)
        os.close(self._turn)

    def _acquire(self, descriptor: int) -> None:
        """Poll, because a blocking `flock` cannot be bounded."""
        waited, pause = 0.0, _FIRST_PAUSE_S
        while not _try(descriptor):
            if waited >= self._wait_s:
                raise StoreBusy(f"another process is writing to {self._database}; it held the lock for {waited:.0f} s")
            time.sleep(pause)
            waited, pause = waited + pause, min(pause * 2, _LONGEST_PAUSE_S)


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StoreError(f"cannot open the lock file {path}: {error.strerror}") from error


def _try(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
