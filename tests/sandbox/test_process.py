"""The process around a query: what it may take, what it is given, and what becomes of one that does not answer."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path

import pytest

from fourfold.errors import DeadlineExceeded, StoreBusy, StoreError
from fourfold.sandbox import QueryRefused, QueryTooCostly, Table
from tests.sandbox.attacks import PARSER_BOMBS, REFUSED_BY_THE_PARSER
from tests.sandbox.shop import TERMS, Stocked

Plant = Callable[[str], Path]


@pytest.fixture
def plant(tmp_path: Path) -> Generator[Plant]:
    """Makes every new Python process run some code as it starts; the folder that it may leave things in."""

    def plant(code: str) -> Path:
        (tmp_path / "sitecustomize.py").write_text(f"import os\nfolder = {str(tmp_path)!r}\n{code}\n", "utf-8")
        sys.path.insert(0, str(tmp_path))
        return tmp_path

    before = [*sys.path]
    yield plant
    sys.path[:] = before


def run(stocked: Stocked, *, seconds: float = 2.0) -> Table:
    """The table of a query that is fine."""
    return stocked.run("SELECT 1 AS one", seconds=seconds)


def test_the_process_has_bounds_of_its_own() -> None:
    """A13, B19: memory, time on the processor, files, and no core dump with somebody's rows in it."""
    script = (
        "import resource as r; from fourfold.adapters.sqlite.sandbox.process import confine; confine(seconds=1.5);"
        "print(*[r.getrlimit(x)[1] for x in (r.RLIMIT_AS, r.RLIMIT_CPU, r.RLIMIT_FSIZE, r.RLIMIT_CORE)])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["268435456", "3", "1048576", "0"]


def test_the_process_knows_no_secret_of_the_server(
    stocked: Stocked, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A13: the key ring, tokens and whatever else stands in the environment stay where they are."""
    monkeypatch.setitem(os.environ, "FOURFOLD_KEYS", "secret")
    folder = plant("open(folder + '/environment', 'w').write(' '.join(os.environ))")
    run(stocked)

    names = set((folder / "environment").read_text("utf-8").split())
    assert names <= {"PYTHONPATH", "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LC_CTYPE"}


def test_a_process_that_is_killed_is_a_query_that_was_too_much(stocked: Stocked, plant: Plant) -> None:
    """A13, B19: by the system, for its memory or its time; or by itself, if a query ever breaks SQLite."""
    plant("os.kill(os.getpid(), 9)")

    with pytest.raises(QueryTooCostly):
        run(stocked)


def test_a_process_that_does_not_end_is_ended(stocked: Stocked, plant: Plant) -> None:
    """A13, B19: nobody waits for one that SQLite cannot stop."""
    plant("while True: pass")

    with pytest.raises(QueryTooCostly):
        run(stocked, seconds=0.1)


def test_a_process_that_fails_is_the_servers_fault(stocked: Stocked, plant: Plant) -> None:
    """A13, A5: the caller is told nothing of it; the run has the text."""
    plant("os.write(2, b'out of luck'); os._exit(3)")

    with pytest.raises(StoreError, match="out of luck"):
        run(stocked)


def test_a_process_is_ended_when_nobody_waits_for_it(stocked: Stocked, plant: Plant) -> None:
    """A13, B19: within a glance of it, and it is waited for: no orphan, no zombie."""
    folder = plant(
        "open(folder + '/pid.part', 'w').write(str(os.getpid()))\n"
        "os.rename(folder + '/pid.part', folder + '/pid')\nwhile True: pass"
    )

    with pytest.raises(DeadlineExceeded, match="nobody waits"):
        stocked.run("SELECT 1 AS one", left=(folder / "pid").exists)
    with pytest.raises(ProcessLookupError):
        os.kill(int((folder / "pid").read_text("utf-8")), 0)


def test_nothing_is_started_for_somebody_who_has_gone(stocked: Stocked) -> None:
    """A13, B19: gone while the query waited for its turn."""
    with pytest.raises(DeadlineExceeded):
        stocked.run("SELECT 1 AS one", left=lambda: True)


@pytest.mark.parametrize("sql", PARSER_BOMBS)
def test_a_text_that_keeps_the_parser_busy_harms_nobody(stocked: Stocked, sql: str) -> None:
    """A13, B19: the server has no parser; where it runs, its nodes and its seconds on the processor are counted."""
    with pytest.raises((QueryRefused, QueryTooCostly)):
        stocked.run(sql, seconds=0.1)
    assert stocked.run("SELECT 1 AS one").rows == ((1,),)


@pytest.mark.parametrize("sql", REFUSED_BY_THE_PARSER)
def test_a_process_asks_the_parser_first(stocked: Stocked, sql: str) -> None:
    """A13: the database alone would answer these."""
    with pytest.raises(QueryRefused):
        stocked.run(sql)


def test_only_a_few_queries_run_at_a_time(stocked: Stocked, plant: Plant) -> None:
    """A13, B19: a fifth waits, for no longer than it may take; then it is told to come again."""
    folder = plant(
        "import time\nopen(f'{folder}/started-{os.getpid()}', 'w').close()\n"
        "while not os.path.exists(folder + '/go'): time.sleep(0.01)"
    )
    threads = [threading.Thread(target=run, args=(stocked,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    while len(list(folder.glob("started-*"))) < 4:
        threads[0].join(0.01)

    with pytest.raises(StoreBusy, match="too many queries"):
        run(stocked, seconds=0.05)
    (folder / "go").touch()
    for thread in threads:
        thread.join()
    assert run(stocked).rows == ((1,),)


@pytest.mark.parametrize(
    ("readable", "message"),
    [
        (("nothing",), "nothing: no such table: nothing"),
        (('odd " name',), "it needs a column tenant"),
        (("fourfold_writer",), "it needs a column tenant"),
    ],
)
def test_a_view_that_is_not_as_declared_is_the_servers_fault(
    stocked: Stocked, readable: tuple[str, ...], message: str
) -> None:
    """A13: missing, or without a column that says whose a row is."""
    with pytest.raises(StoreError, match=message):
        stocked.store.queries.query(
            "SELECT 1", replace(TERMS, readable=readable), tenant="acme", seconds=2.0, left=lambda: False
        )


def test_a_store_that_is_closed_answers_no_query(stocked: Stocked, tmp_path: Path) -> None:
    """A13: a file that is not there is an error and not an empty database."""
    assert stocked.ask("SELECT 1", path=str(tmp_path / "gone.db")).ending == "broken"
    assert not (tmp_path / "gone.db").exists()
