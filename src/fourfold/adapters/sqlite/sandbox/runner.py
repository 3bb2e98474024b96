"""`SandboxRunner`: starts a process for each query, and ends it when nobody waits for it (ports.QueryRunner)."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from fourfold.adapters.sqlite.sandbox.job import Answer, Job
from fourfold.errors import DeadlineExceeded, StoreBusy, StoreError
from fourfold.model.sandbox import QueryRefused, QueryTooCostly, SandboxTerms, Table

__all__ = ["SandboxRunner"]

PROCESSES = 4
"""Queries that run at a time in one server; each may take the memory that `process` allows."""

_GRACE_S = 5.0
"""How much longer than its statement a process may live: it has to start, also on a machine that is busy."""

_GLANCE_S = 0.05
"""How often the runner looks whether whoever asked has gone, while a process runs."""

_COMMAND = (sys.executable, "-P", "-s", "-m", "fourfold.adapters.sqlite.sandbox.process")

_KEPT = ("DYLD_LIBRARY_PATH", "LD_LIBRARY_PATH", "PATH")
"""Of the environment, what an interpreter may need to start. The rest may hold secrets."""


class SandboxRunner:
    """Runs queries on the database at `path`, or on the copy that `image` makes of it. Safe from any thread."""

    def __init__(self, *, path: Path | None = None, image: Callable[[], bytes] = bytes) -> None:
        self._path = str(path.absolute()) if path is not None else None
        self._image = image
        self._places = threading.BoundedSemaphore(PROCESSES)

    def query(self, sql: str, terms: SandboxTerms, *, tenant: str, seconds: float, left: Callable[[], bool]) -> Table:
        """Run `sql` in a process of its own, for at most `seconds` and what the terms allow.

        Raises:
            QueryRefused: the parser or the database does not accept it.
            QueryTooCostly: it took more time or memory than it may.
            DeadlineExceeded: whoever asked has gone.
            StoreBusy: too many queries are running, or another program holds the database.
            StoreError: the views are not as the terms say, or the process failed.
        """
        job = Job(
            path=self._path,
            tenant=tenant,
            sql=sql,
            readable=terms.readable,
            max_text=terms.max_text,
            max_rows=terms.max_rows,
            max_bytes=terms.max_bytes,
            seconds=min(terms.timeout_s, seconds),
        )
        if not self._places.acquire(timeout=job.seconds):
            raise StoreBusy("too many queries are running")
        try:
            answer = _answered(job, self._image(), left=left)
        finally:
            self._places.release()
        return _table(answer, terms)


def _answered(job: Job, image: bytes, *, left: Callable[[], bool]) -> Answer:
    end = time.monotonic() + job.seconds + _GRACE_S
    with _started() as process:
        # communicate() forgets what it has not written when it is called again.
        unsaid, process.stdin = process.stdin, None
        threading.Thread(target=_say, args=(unsaid, job.to_bytes() + image), daemon=True).start()
        try:
            out, err = _waited(process, end=end, left=left)
        except subprocess.TimeoutExpired:
            return Answer(ending="costly")
        finally:
            process.kill()
    if process.returncode < 0:  # a signal: its time on the processor is over, or the query broke it
        return Answer(ending="costly")
    if process.returncode > 0:
        raise StoreError(f"the sandbox process failed: {err[-2_000:].decode('utf-8', 'replace')}")
    return Answer.of_bytes(out)


def _started() -> subprocess.Popen[bytes]:
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    pipe = subprocess.PIPE
    try:
        # A session of its own: Ctrl-C at a terminal is for the server, which waits for what it has begun.
        return subprocess.Popen(  # noqa: S603  our own module, and no text of the query in the command
            _COMMAND, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=True
        )
    except OSError as error:
        raise StoreError(f"the sandbox process cannot start: {error}") from error


def _say(pipe: BinaryIO, said: bytes) -> None:
    # A process that ends, or is ended, before it has read everything says so itself.
    with suppress(BrokenPipeError), pipe:
        pipe.write(said)


def _waited(process: subprocess.Popen[bytes], *, end: float, left: Callable[[], bool]) -> tuple[bytes, bytes]:
    """What the process wrote.

    Raises:
        subprocess.TimeoutExpired: it still runs at `end`, in `time.monotonic`.
        DeadlineExceeded: nobody waits for it.
    """
    while not left():
        try:
            return process.communicate(timeout=_GLANCE_S)
        except subprocess.TimeoutExpired:
            if time.monotonic() > end:
                raise
    raise DeadlineExceeded("nobody waits for the query any more")


def _table(answer: Answer, terms: SandboxTerms) -> Table:
    """The table, or what the answer means to the caller."""
    match answer.ending:
        case "refused":
            raise QueryRefused(at=terms.at, expected=answer.text)
        case "costly":
            raise QueryTooCostly(at=terms.at, expected="a query that does less")
        case "busy":
            raise StoreBusy("another program holds the database")
        case "broken":
            raise StoreError(answer.text)
        case "done":
            if answer.table is None:
                raise StoreError("the sandbox process answered without a table")
            return answer.table
