"""The process in which one query is refused or runs: bounded by the system, and without the server's secrets.

A process, because no parser can be stopped from outside, SQLite before 3.41 cannot be stopped while it prepares a
statement, a function such as `replace` cannot be stopped at all, and the memory that they need is their caller's.
"""

from __future__ import annotations

import math
import resource
import sqlite3
import sys
from contextlib import suppress

from fourfold.adapters.query_check import refusal
from fourfold.adapters.sqlite.sandbox.guard import Refused, admit_text, close_in
from fourfold.adapters.sqlite.sandbox.job import Answer, Job
from fourfold.adapters.sqlite.sandbox.rows import read_table
from fourfold.adapters.sqlite.sandbox.views import Broken, Opened, open_views
from fourfold.model.sandbox import Table

__all__ = ["answer", "confine", "main", "read"]

MEMORY_BYTES = 256 * 2**20
"""Address space of the process, of which Python and SQLite take about 40 MB before the query."""

FILE_BYTES = 2**20
"""Bytes of a file that the process may write: SQLite makes the index of a log (`-shm`) when nobody else has."""

_REFUSALS = (sqlite3.ProgrammingError, sqlite3.Warning, ValueError)
"""What the driver itself refuses: several statements, parameters, a NUL. Not all of it has one root."""

_BROKEN = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOTADB}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def main() -> None:
    """Answer the one job on standard input."""
    job = Job.read(sys.stdin.buffer)
    image = sys.stdin.buffer.read()
    confine(seconds=job.seconds)
    ending = read(job) or answer(job, image)
    sys.stdout.buffer.write(ending.to_bytes())


def read(job: Job) -> Answer | None:
    """How the query of `job` ends before a database sees it, if the parser refuses it."""
    refused = refusal(job.sql, readable=job.readable, max_text=job.max_text)
    return Answer(ending="refused", text=refused) if refused else None


def answer(job: Job, image: bytes = b"") -> Answer:
    """Run the query of `job` on a connection of its own, whatever the parser said."""
    try:
        opened = open_views(job, image)
    except (Broken, sqlite3.Error) as error:
        return Answer(ending="broken", text=str(error))
    try:
        return Answer(ending="done", table=_run(opened, job))
    except Refused as refused:
        return Answer(ending="refused", text=str(refused))
    except MemoryError:
        return Answer(ending="costly")
    except _REFUSALS:
        return _refused(opened)
    except sqlite3.Error as error:
        return _failed(opened, error)
    finally:
        opened.connection.close()


def _run(opened: Opened, job: Job) -> Table:
    admit_text(job.sql)
    close_in(opened, seconds=job.seconds)
    return read_table(opened.connection.execute(job.sql), max_rows=job.max_rows, max_bytes=job.max_bytes)


def _refused(opened: Opened) -> Answer:
    """What can be read. SQLite's own text is not passed on: it repeats the query, and names what the views hide."""
    views = ", ".join(f"{view} ({', '.join(columns)})" for view, columns in opened.columns.items())
    return Answer(ending="refused", text=f"one SELECT of SQLite over {views}")


def _failed(opened: Opened, error: sqlite3.Error) -> Answer:
    """How SQLite's error ends the query; the low byte of its code is the primary one."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in {sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_NOMEM}:
        return Answer(ending="costly")
    if code == sqlite3.SQLITE_TOOBIG:
        return Answer(ending="refused", text="shorter values and a shorter query: 65,536 bytes each at most")
    if code in _BUSY:
        return Answer(ending="busy")
    return Answer(ending="broken", text=str(error)) if code in _BROKEN else _refused(opened)


def confine(*, seconds: float) -> None:
    """Take from this process what the query does not need. A limit that the system does not have is left out."""
    for limit, value in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, math.ceil(seconds) + 1),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
    ):
        with suppress(OSError, ValueError):
            resource.setrlimit(limit, (value, value))


if __name__ == "__main__":
    main()
