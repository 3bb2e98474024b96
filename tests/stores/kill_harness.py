"""Kills a writing process between every pair of its statements, again and again.

A *worker* is a function that writes keys through a store and acknowledges each when it was answered. It opens its
store with `connect=Killer(kill_at).connect`, which ends the process with SIGKILL before statement number `kill_at` of
the writer, counted from 1; the return of COMMIT counts as one more. 0 never kills. Workers run in children that are
forked from one small server, so a kill costs milliseconds.

```python
with KillServer("tests.stores.test_kill:write_keys", database) as server:
    for round_ in rounds(server, kills=300):
        ...
```
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

import psycopg

from fourfold.adapters.postgres.connect import Connection
from fourfold.adapters.postgres.store import PostgresStore, open_postgres
from fourfold.adapters.sqlite.connect import connect
from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite, sqlite_path
from fourfold.adapters.store_url import is_postgres
from fourfold.ports.clock import Clock

__all__ = [
    "PATIENCE_S",
    "Acknowledge",
    "Attempt",
    "KillServer",
    "Killer",
    "Round",
    "Worker",
    "kills_wanted",
    "open_killed",
    "rounds",
]

ROOT = Path(__file__).parents[2]


def kills_wanted(few: int) -> int:
    """How many kills a test makes: `few`, unless FOURFOLD_KILLS says otherwise, as `scripts/soak kills` does."""
    return int(os.environ.get("FOURFOLD_KILLS", few))


PATIENCE_S = 300 + 2 * kills_wanted(300)
"""What a kill test may take: a kill and what follows it need a third of a second where nothing else runs."""

Acknowledge = Callable[[str], None]
"""Told each key once its caller has been answered; survives the kill that follows."""

Worker = Callable[[Path, int, Sequence[str], Acknowledge], None]
"""Writes the keys into the database, with a `Killer` of that statement number.

A database that is no file is named by one that holds its URL.
"""


class Killer:
    """Ends this process with SIGKILL before statement number `kill_at` of the writing connection."""

    def __init__(self, kill_at: int) -> None:
        self._left = kill_at

    def connect(self, path: Path, *, read_only: bool) -> sqlite3.Connection:
        """Open connections as a store does; the seam that stores have for it."""
        killer = self

        class Killed(sqlite3.Connection):
            def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
                cursor = super().execute(sql, parameters)
                if sql == "COMMIT":
                    killer.step()
                return cursor

        connection = connect(path, read_only=read_only, factory=Killed)
        if not read_only:
            connection.set_trace_callback(self.step)
        return connection

    @property
    def connection_class(self) -> type[Connection]:
        """What a PostgreSQL store makes its connections of; the seam that it has for it."""
        killer = self

        class Killed(psycopg.Connection[dict[str, Any]]):
            def execute(self, query: Any, *arguments: Any, **more: Any) -> Any:
                killer.step()
                cursor = super().execute(query, *arguments, **more)
                if query == "COMMIT":
                    killer.step()
                return cursor

        return Killed

    def step(self, _: str = "") -> None:
        """Come to the next statement, and perhaps not beyond it."""
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def open_killed(url: str, killer: Killer, *, clock: Clock) -> SqliteStore | PostgresStore:
    """The store at `url`, in a process that `killer` ends at one of its statements."""
    if is_postgres(url):
        return open_postgres(url, clock=clock, connection_class=killer.connection_class)
    return open_sqlite(sqlite_path(url), clock=clock, connect=killer.connect)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run of the worker: which keys were answered, and whether it was killed."""

    acknowledged: frozenset[str]
    killed: bool


class KillServer:
    """Runs a worker, named `module:function`, in child after child on one database."""

    def __init__(self, worker: str, database: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.stores.kill_harness", worker, str(database)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        )

    def run(self, keys: Sequence[str], *, kill_at: int = 0) -> Attempt:
        """Let the worker write `keys`, and kill it before statement `kill_at` unless that is 0."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"keys": list(keys), "kill_at": kill_at}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert answer["status"] in (0, signal.SIGKILL), "the worker failed by itself; see standard error"
        return Attempt(frozenset(answer["acknowledged"]), killed=answer["status"] == signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()


@dataclass(frozen=True, slots=True)
class Round:
    """One kill: what was acknowledged before it."""

    keys: tuple[str, ...]
    kill_at: int
    attempt: Attempt


def rounds(server: KillServer, *, kills: int, keys_each: int = 3, stride: int = 1) -> Iterator[Round]:
    """Kill before statement 1, 2, 3 … and from 1 again after the last, `kills` times in all.

    With a `stride` it goes through the whole write in that many passes, each one statement further on, so that few
    kills reach its end as well.
    Each round has new keys. When the caller has looked at it and comes back for the next, its keys are written again
    until all are acknowledged: by one process that is killed two statements further on, then by one that is not.
    """
    kill_at, first, done = 1, 1, 0
    for number in range(10 * kills):
        keys = tuple(f"key-{number}-{each}" for each in range(keys_each))
        attempt = server.run(keys, kill_at=kill_at)
        yield Round(keys, kill_at, attempt)
        server.run(keys, kill_at=kill_at + 2)
        assert server.run(keys).acknowledged == frozenset(keys)
        done += attempt.killed
        first = first if attempt.killed else first % stride + 1
        kill_at = kill_at + stride if attempt.killed else first
        if done == kills:
            return
    raise AssertionError(f"only {done} of {kills} kills took place")


def _main(worker: str, database: str) -> None:
    module, _, function = worker.partition(":")
    target: Worker = getattr(import_module(module), function)
    for line in sys.stdin:
        order = json.loads(line)
        answer = _attempt(partial(target, Path(database), order["kill_at"], order["keys"]))
        print(json.dumps(answer), flush=True)  # noqa: T201  # the answer to the parent


def _attempt(work: Callable[[Acknowledge], None]) -> dict[str, Any]:
    """`work` in a forked child; what it acknowledged, and 0 or the signal that ended it."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        _in_child(work, write_end)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        acknowledged = pipe.read().splitlines()
    _, status = os.waitpid(child, 0)
    return {"acknowledged": acknowledged, "status": os.WTERMSIG(status) if os.WIFSIGNALED(status) else status}


def _in_child(work: Callable[[Acknowledge], None], pipe: int) -> NoReturn:
    try:
        work(lambda key: _tell(pipe, key))
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _tell(pipe: int, key: str) -> None:
    os.write(pipe, f"{key}\n".encode())


if __name__ == "__main__":
    _main(*sys.argv[1:])
