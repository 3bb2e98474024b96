"""Several processes on one SQLite database: one writes at a time, all of them get on."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from tests.stores.breaking import group_no, outside
from tests.stores.domain import quote, quote_names, schema, write

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
EACH = 25
WRITERS = 4


async def write_some(store: SqliteStore, name: str) -> None:
    """Write `EACH` quotes from each of `WRITERS` tasks."""

    async def one(writer: int) -> None:
        for number in range(EACH):
            await write(store.units, quote(f"{name}-{writer}-{number}"))

    async with anyio.create_task_group() as tasks:
        for writer in range(WRITERS):
            tasks.start_soon(one, writer)


async def main(path: str, name: str) -> None:
    """What another process does."""
    store = open_sqlite(Path(path), clock=SystemClock())
    print("ready", flush=True)  # noqa: T201  # the parent waits for it
    sys.stdin.readline()
    await write_some(store, name)
    await store.aclose()


async def test_two_processes_write_at_once_and_neither_starves(sqlite_store: SqliteStore, tmp_path: Path) -> None:
    """D1: flock around each group, in turns."""
    path = tmp_path / "s.db"
    command = [sys.executable, "-m", "tests.stores.test_sqlite_processes", str(path), "theirs"]
    async with await anyio.open_process(command, cwd=ROOT, stderr=None) as child:
        assert child.stdin
        assert child.stdout
        assert await BufferedByteReceiveStream(child.stdout).receive_until(b"\n", 10) == b"ready"
        await child.stdin.send(b"go\n")
        await write_some(sqlite_store, "ours")
        assert await child.wait() == 0

    assert outside(path, "SELECT count(*) FROM quote") == [(2 * EACH * WRITERS,)]
    assert EACH * 2 <= group_no(path) <= 2 * EACH * WRITERS + 1


async def test_what_another_process_commits_is_seen(sqlite_store: SqliteStore, tmp_path: Path) -> None:
    """D1: nothing is cached between transactions."""
    await sqlite_store.units.prepare(schema)
    outside(tmp_path / "s.db", "INSERT INTO quote (name) VALUES ('Q-theirs')")

    assert await quote_names(sqlite_store.units) == ["Q-theirs"]


if __name__ == "__main__":
    anyio.run(main, sys.argv[1], sys.argv[2])
