"""`fourfold claims settle --for-good`: what an operation had set aside is there again, from the command line."""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.commands import Result
from tests.cli.people import token_of
from tests.postgres.cluster import Cluster

Run = Callable[..., Result]

pytestmark = pytest.mark.usefixtures("house")

_DECISION = ["--did-not-happen", "--evidence", "not in the list of the box office"]
_FOR_GOOD = [*_DECISION, "--for-good", "--target", "hall:catalog"]


@pytest.fixture
def execute(run: Run, house: Path) -> list[str]:
    """An executed plan after which the box office hung up; the command that executes it again."""
    made = json.loads(run("call", "hall:catalog", "seat_book_plan", '{"guest": "ada"}', "--json").out)["structured"]
    plan = json.dumps({"plan_id": made["plan_id"], "digest": made["digest"]})
    again = ["call", "hall:catalog", "seat_book_execute", plan]
    (house / "office-hangs-up").touch()
    assert run(*again).err.startswith("outcome_unknown:")
    (house / "office-hangs-up").unlink()
    return again


def settle(run: Run, *words: str, name: str = "ana") -> Result:
    """Settle the only operation."""
    return run("claims", "settle", operation(run), *words, *_STORE, "--token-stdin", stdin=f"{token_of(name)}\n")


_STORE = ["--store", "sqlite:///.fourfold/hall.db"]


def operation(run: Run) -> str:
    """The only operation of the store."""
    (claim,) = json.loads(run("claims", "list", "--json", *_STORE).out)["claims"]
    return claim["operation_id"]


def test_a_seat_on_postgresql_is_given_back_too(
    run: Run, house: Path, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D1, B18: in a transaction that sees the rows of the operation's tenant."""
    monkeypatch.setenv("FOURFOLD_KEYS", f"k1:{base64.b64encode(b'k' * 32).decode()}")
    store = postgres.store()
    at = ["--store", store]
    made = json.loads(run("call", "hall:catalog", "seat_book_plan", '{"guest": "ada"}', "--json", *at).out)
    plan = {name: made["structured"][name] for name in ("plan_id", "digest")}
    (house / "office-hangs-up").touch()
    assert run("call", "hall:catalog", "seat_book_execute", json.dumps(plan), *at).code == 1
    before = postgres.execute("SELECT guest FROM seat", url=store)
    (claim,) = json.loads(run("claims", "list", "--json", *at).out)["claims"]
    words = ["claims", "settle", claim["operation_id"], *_FOR_GOOD, *at, "--token-stdin"]

    assert run(*words, stdin=f"{token_of('gus')}\n").code == 1
    assert run(*words, stdin=f"{token_of('ana')}\n").code == 0
    assert (before, postgres.execute("SELECT guest FROM seat", url=store)) == ([("ada",)], [])


def guests(house: Path) -> list[str]:
    """Whose seats are taken."""
    with closing(sqlite3.connect(house / ".fourfold" / "hall.db")) as store:
        return [name for (name,) in store.execute("SELECT guest FROM seat")]


def test_what_never_will_happen_is_given_back_once(run: Run, house: Path, execute: list[str]) -> None:
    """D1, C4: with the arguments of its plan; the key answers, and a second decision is refused."""
    before = guests(house)
    settled, again = settle(run, *_FOR_GOOD), settle(run, *_FOR_GOOD)
    repeated = run(*execute)

    assert (before, guests(house)) == (["ada"], [])
    told = "a repeat is told that it did not happen; what was set aside for it is there again"
    assert (settled.code, settled.out) == (0, f"{operation(run)} is failed: {told}\n")
    assert (again.code, "is failed; only an unknown one is settled by hand" in again.err) == (1, True)
    assert repeated.err.splitlines()[1] == (
        "upstream_rejected: It did not happen and will not, as a person has confirmed. "
        "Tell the user; to do it after all is a new operation."
    )
    shown = json.loads(run("claims", "show", operation(run), "--json", *_STORE).out)
    assert [entry["reason"] for entry in shown["audit"]] == [
        "did not happen, for good: not in the list of the box office"
    ]


def test_what_may_be_done_by_the_next_call_stays_set_aside(run: Run, house: Path, execute: list[str]) -> None:
    """D1: which does it with the seat that it has."""
    assert settle(run, *_DECISION).code == 0
    assert guests(house) == ["ada"]

    assert run(*execute).code == 0
    assert guests(house) == ["ada"]


@pytest.mark.usefixtures("execute")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([*_DECISION, "--for-good"], "--for-good goes with --did-not-happen and --target"),
        (["--happened", *_FOR_GOOD[1:]], "--for-good goes with --did-not-happen and --target"),
        ([*_DECISION, "--for-good", "--target", "shop:catalog"], "catalog 'shop' has no tool 'seat_book_execute'"),
    ],
)
def test_nothing_is_given_back_by_half(run: Run, house: Path, words: list[str], told: str) -> None:
    """D1: the catalog knows how, and only for what did not happen."""
    refused = settle(run, *words)

    assert (refused.code, refused.out, told in refused.err) == (2, "", True)
    assert guests(house) == ["ada"]


@pytest.mark.usefixtures("execute")
@pytest.mark.parametrize("name", ["gus", "mel"])
def test_giving_back_takes_the_permission(run: Run, house: Path, name: str) -> None:
    """D1, B18: of settling, in that tenant."""
    assert settle(run, *_FOR_GOOD, name=name).code == 1
    assert guests(house) == ["ada"]
