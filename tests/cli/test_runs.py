"""Questions to the run records: what they are restricted by, and which store they ask."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest

from fourfold.cli.filters import OUTCOMES
from fourfold.model.outcome import Outcome
from tests.cli.commands import Result

Run = Callable[..., Result]


@pytest.fixture
def store(run: Run) -> str:
    """A store with four runs: two orders, an unknown article and a broken report."""
    for customer in ("C001", "C002"):
        run("call", "shop:catalog", "order_create", json.dumps({"customer": customer, "sku": "ABC-1234", "pieces": 1}))
    run("call", "shop:catalog", "stock_get", '{"sku": "XYZ-0000"}', "--caller", "reader")
    run("call", "shop:catalog", "report_make")
    return "sqlite:///.fourfold/shop.db"


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ([], 4),
        (["--account", "C001"], 1),
        (["--account", "unknown"], 2),
        (["--tenant", "acme"], 4),
        (["--tenant", "globex"], 0),
        (["--principal", "reader@acme"], 1),
        (["--tool", "order_create"], 2),
        (["--code", "internal"], 1),
        (["--outcome", "done"], 2),
        (["--failed"], 2),
        (["--limit", "3"], 3),
        (["--since", "1m"], 4),
        (["--since", "2w", "--until", "2000-01-01"], 0),
        (["--since", "2000-01-01T00:00:00+02:00"], 4),
        (["--since", "2999-01-01"], 0),
        (["--until", "9999-12-31"], 4),
    ],
)
def test_a_question_is_restricted_by_each_option(store: str, run: Run, words: list[str], count: int) -> None:
    """A9: account (`unknown` for those without one), tenant, principal, tool, code, outcome and time."""
    result = run("runs", "list", "--json", *words)

    assert (result.code, result.err) == (0, "")
    assert len(json.loads(result.out)["runs"]) == count


def test_a_reference_finds_its_run(store: str, run: Run) -> None:
    """A9, A5: what the caller was told leads the operator to the text, redacted."""
    reference = _listed(run, "--failed", "--code", "internal")[0]["reference"]

    result = run("runs", "show", reference)

    assert result.code == 0
    assert f"reference{' ' * 20}{reference}\n" in result.out
    assert "RuntimeError: no answer from postgresql://[redacted]@db.internal/prod" in result.out
    assert "hunter2" not in result.out


def test_a_run_that_is_not_there_is_not_a_usage_error(store: str, run: Run) -> None:
    """A9: one line, exit code 2."""
    message = "fourfold: no run and no reference is 'run_0' in this store\n"

    assert run("runs", "show", "run_0") == Result(2, "", message)


def test_an_empty_answer_prints_nothing_on_standard_output(store: str, run: Run) -> None:
    """A9: that there are none is said on standard error."""
    assert run("runs", "list", "--tool", "nothing") == Result(0, "", "No runs.\n")
    assert run("runs", "failures", "--account", "C001") == Result(0, "", "No runs.\n")


def test_a_full_table_says_that_there_may_be_more(store: str, run: Run) -> None:
    """A9: fifty rows do not look like all of them."""
    result = run("runs", "list", "--limit", "2")

    assert len(result.out.splitlines()) == 3
    assert result.err == "2 rows, and there may be more: see --limit\n"


@pytest.mark.parametrize("question", ["list", "failures", "counts", "show"])
def test_reading_never_makes_a_store(run: Run, workspace: Path, question: str) -> None:
    """A9: a slip in the name must not look like an empty store."""
    words = ["run_0"] if question == "show" else []

    result = run("runs", question, *words, "--store", "sqlite:///slip.db")

    assert result.code == 2
    assert result.err.startswith("fourfold: there is no store at sqlite:///slip.db")
    assert not [*workspace.glob("slip*")]


def test_reading_never_adds_tables_to_another_database(run: Run, workspace: Path) -> None:
    """A9: a database of something else is left as it is."""
    with closing(sqlite3.connect(workspace / "other.db")) as other:
        other.execute("CREATE TABLE mine (a)")

    result = run("runs", "list", "--store", "sqlite:///other.db")

    with closing(sqlite3.connect(workspace / "other.db")) as other:
        tables = other.execute("SELECT name FROM sqlite_master").fetchall()
    assert (result.code, tables) == (2, [("mine",)])
    assert "is it the right file?" in result.err


def test_a_newer_store_is_refused_and_left_alone(store: str, run: Run, workspace: Path) -> None:
    """D1: what a later version wrote is not guessed at."""
    path = workspace / ".fourfold/shop.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO fourfold_migration VALUES (9999, 'later', 'x', '2030-01-01')")

    results = [run("runs", "list"), run("migrate"), run("call", "shop:catalog", "stock_get", '{"sku": "LOW-0002"}')]

    assert [result.code for result in results] == [3, 3, 3]
    assert all("use the newer Fourfold" in result.err for result in results)


def test_every_outcome_can_be_asked_for() -> None:
    """A9: the words of the option are those that runs are stored under."""
    kinds = {re.sub(r"\B(?=[A-Z])", "_", kind.__name__).lower() for kind in get_args(Outcome)}

    assert {*OUTCOMES} == kinds | {"cancelled"}


def _listed(run: Run, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("runs", "list", "--json", *words).out)["runs"]
    return found
