"""What people on call do: plans, unknown operations and dead messages, from the command line."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Result
from tests.cli.people import token_of
from tests.cli.snapshots import matches, story

Run = Callable[..., Result]

pytestmark = pytest.mark.usefixtures("house")

_KEY = "transfer-of-monday-1"
_TRANSFER = ["call", "house:catalog", "transfer_make", '{"account": "A1"}', "--key", _KEY]
_LETTER = ["call", "house:catalog", "letter_post", '{"to": "ada"}']
_RELAY = ["outbox", "relay", "house:catalog"]


def planned(run: Run, *, reason: str = "spring", room: str = "attic") -> str:
    """Plan to clear a room; the plan's id."""
    arguments = json.dumps({"room": room, "expected_version": "1", "reason": reason})
    return json.loads(run("call", "house:catalog", "room_clear_plan", arguments, "--json").out)["structured"]["plan_id"]


def execute(run: Run, plan_id: str) -> Result:
    """Execute that plan."""
    digest = json.loads(run("plans", "show", plan_id, "--json").out)["plan"]["digest"]
    return run("call", "house:catalog", "room_clear_execute", json.dumps({"plan_id": plan_id, "digest": digest}))


def unknown(run: Run, house: Path) -> str:
    """A transfer after which the bank hung up; its operation."""
    (house / "bank-hangs-up").touch()
    assert run(*_TRANSFER).code == 1
    (house / "bank-hangs-up").unlink()
    return json.loads(run("claims", "list", "--state", "unknown", "--json").out)["claims"][0]["operation_id"]


def dead(run: Run, house: Path) -> str:
    """A mail that was refused; its message."""
    (house / "mailbox-refuses").touch()
    run(*_LETTER)
    assert run(*_RELAY).code == 1
    (house / "mailbox-refuses").unlink()
    return json.loads(run("outbox", "list", "--state", "dead", "--json").out)["messages"][0]["message_id"]


def by(run: Run, name: str) -> Run:
    """`run` with the token of that person on standard input where it is asked for."""

    def called(*words: str) -> Result:
        deciding = words[1] in ("approve", "deny", "revoke", "settle", "retry")
        return run(*words, "--token-stdin", stdin=f"{token_of(name)}\n") if deciding else run(*words)

    return called


def test_a_plan_is_shown_approved_and_executed_once(run: Run) -> None:
    """C7: by a second person, who saw what the server wrote, with what a terminal would obey made visible."""
    plan = planned(run, reason="spring\u202e \x1b[31mred\nstate  approved")
    told = [
        story(by(run, "ana"), ["plans", "list"], ["plans", "show", plan], ["plans", "approve", plan]),
        story(by(run, "ana"), ["plans", "approve", plan, "--comment", "again"], ["plans", "show", plan]),
    ]

    assert execute(run, plan).out.startswith("room_clear_execute: done")
    assert matches("plans", "\n".join([*told, story(by(run, "ana"), ["plans", "revoke", plan])]))


def test_a_denied_plan_is_not_executed(run: Run) -> None:
    """C7: nor approved after that; the agent is told that a person said no."""
    plan = planned(run)
    told = story(by(run, "ana"), ["plans", "deny", plan, "--comment", "not this room"], ["plans", "approve", plan])
    refused = execute(run, plan)

    assert (refused.code, refused.err.partition(":")[0]) == (1, "approval_denied")
    assert matches("plans-deny", told)


def test_a_revoked_approval_stops_the_plan(run: Run) -> None:
    """C7: between approval and execution."""
    plan = planned(run)
    assert by(run, "ana")("plans", "approve", plan).code == 0
    assert by(run, "ana")("plans", "revoke", plan).code == 0

    assert execute(run, plan).err.startswith("approval_revoked:")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("cleo", "cleo cannot approve plan plan_0: they asked for it"),
        ("boss", "boss cannot approve plan plan_0: their agent asked for it"),
        ("gus", "gus has plans.approve for no plan plan_0"),
        ("mel", "mel has plans.approve for no plan plan_0"),
    ],
)
def test_nobody_approves_what_is_not_theirs_to_approve(run: Run, name: str, told: str) -> None:
    """C7: their own plan, their agent's, another tenant's, or without the permission."""
    plan = planned(run)
    refused = by(run, name)("plans", "approve", plan)

    assert (refused.code, refused.out) == (1, "")
    assert refused.err.splitlines()[-1] == f"fourfold: {told}".replace("plan_0", plan)
    assert json.loads(run("plans", "list", "--json").out)["plans"][0]["state"] == "open"


def test_an_operator_of_every_tenant_may_approve(run: Run) -> None:
    """C7: where the configuration says so."""
    assert by(run, "root")("plans", "approve", planned(run)).code == 0


def test_an_operation_of_which_nobody_knows_is_settled_as_done(run: Run, house: Path) -> None:
    """D1, C4: with the result that the other system showed; a repeat gets it, and nothing is sent again."""
    operation = unknown(run, house)
    (house / "result.json").write_text('{"receipt": "tr-77"}', "utf-8")
    settle = ["claims", "settle", operation, "--happened", "--evidence", "tr-77 in the bank's list"]
    given = ["--result", "result.json", "--target", "house:catalog"]

    told = story(
        by(run, "ana"),
        ["claims", "list"],
        [*settle, *given],
        [*settle, *given],
        ["claims", "show", operation],
        _TRANSFER,
    )

    assert matches("claims", told)
    assert (house / "bank.txt").read_text("utf-8") == "A1\n"


def test_a_result_that_nobody_knows_is_not_made_up(run: Run, house: Path) -> None:
    """D1, A4: a repeat is told that it happened, and to read the resource; it never runs."""
    operation = unknown(run, house)
    by(run, "ana")("claims", "settle", operation, "--happened", "--evidence", "the bank says so")
    again = run(*_TRANSFER)

    assert again.code == 1
    assert again.err.splitlines()[0] == (
        "idempotency_expired: It happened, as a person has confirmed, but its result is not known. "
        "Read the resource to see what happened."
    )
    assert (house / "bank.txt").read_text("utf-8") == "A1\n"


def test_what_did_not_happen_is_done_by_the_next_call(run: Run, house: Path) -> None:
    """D1: with the same key, under the same operation."""
    operation = unknown(run, house)
    settled = by(run, "ana")("claims", "settle", operation, "--did-not-happen", "--evidence", "not in the list")
    again = json.loads(run(*_TRANSFER, "--json").out)

    assert settled.out == f"{operation} is running: the next call with its key does it\n"
    assert (again["structured"], again["replayed"]) == ({"receipt": "tr-1"}, False)
    assert json.loads(run("claims", "show", operation, "--json").out)["claim"]["attempt"] == 2


@pytest.mark.parametrize(
    ("words", "ending"),
    [
        (["--happened", "--evidence", " "], (1, "say how you know: without evidence")),
        (["--happened", "--evidence", "x" * 2_001], (1, "a reason has at most 2000 characters")),
        (["--happened"], (2, "Missing option '--evidence'")),
        (["--evidence", "seen"], (2, "say which it is: --happened or --did-not-happen")),
        (["--happened", "--did-not-happen", "--evidence", "seen"], (2, "say which it is")),
        (
            ["--happened", "--evidence", "seen", "--result", "result.json"],
            (2, "--result goes with --happened and --target"),
        ),
        (["--happened", "--evidence", "seen", "--target", "house:catalog"], (2, "--result goes with --happened and")),
    ],
)
def test_settling_asks_for_evidence_and_a_whole_answer(
    run: Run, house: Path, words: list[str], ending: tuple[int, str]
) -> None:
    """D1: nothing is settled by half."""
    operation = unknown(run, house)
    (house / "result.json").write_text('{"receipt": "tr-77"}', "utf-8")
    refused = by(run, "ana")("claims", "settle", operation, *words)

    assert (refused.code, refused.out) == (ending[0], "")
    assert ending[1] in refused.err
    assert json.loads(run("claims", "show", operation, "--json").out)["claim"]["state"] == "unknown"


@pytest.mark.parametrize("text", ['{"receipt": "four"}', "{", '{"receipt": "tr-1", "more": 1}', "[]"])
def test_a_result_that_the_tool_could_not_return_is_refused(run: Run, house: Path, text: str) -> None:
    """B3, D1: what a repeat is answered with keeps the output contract."""
    operation = unknown(run, house)
    (house / "result.json").write_text(text, "utf-8")
    settle = ["claims", "settle", operation, "--happened", "--evidence", "seen", "--result", "result.json"]
    refused = by(run, "ana")(*settle, "--target", "house:catalog")

    assert refused.code == 2
    assert "fourfold: --result is no result of transfer_make: the result breaks the output contract" in refused.err
    other = by(run, "ana")(*settle, "--target", "shop:catalog")
    assert "catalog 'shop' has no tool 'transfer_make', which the operation was of" in other.err


@pytest.mark.parametrize(("name", "code"), [("ana", 0), ("root", 0), ("gus", 1), ("mel", 1)])
def test_settling_has_a_permission_of_its_own(run: Run, house: Path, name: str, code: int) -> None:
    """D1, B18: in that tenant."""
    operation = unknown(run, house)

    assert by(run, name)("claims", "settle", operation, "--did-not-happen", "--evidence", "seen").code == code


def test_a_dead_message_is_tried_again_with_the_same_key(run: Run, house: Path) -> None:
    """B4: after somebody has put right what was wrong; what it says is shown nowhere."""
    message = dead(run, house)
    told = story(
        by(run, "mel"),
        ["outbox", "list"],
        ["outbox", "show", message],
        ["outbox", "retry", message, "--comment", "the mailbox exists now"],
        ["outbox", "retry", message],
        _RELAY,
        ["outbox", "show", message],
    )

    assert matches("outbox", told)
    (line,) = (house / "sent.txt").read_text("utf-8").splitlines()
    assert line == f"{json.loads(run('outbox', 'show', message, '--json').out)['message']['dedupe_key']} ada"


def test_a_mailbox_that_is_full_is_tried_again_later(run: Run, house: Path) -> None:
    """B4, C4: it waits, and nobody has to do anything."""
    (house / "mailbox-is-full").touch()
    run(*_LETTER)
    relayed = run(*_RELAY)
    (message,) = json.loads(run("outbox", "list", "--json").out)["messages"]

    assert (relayed.code, relayed.out) == (0, "sent 0, waiting 1, dead 0\n")
    assert (message["state"], message["attempts"], message["error"]) == ("waiting", 1, "the mailbox is full")


def test_a_plan_that_was_changed_in_the_store_is_neither_shown_nor_approved(run: Run, house: Path) -> None:
    """C7: whoever edits it makes a digest that is not the plan's; it can still be denied."""
    plan = planned(run)
    other = planned(run, room="cellar")
    _swap_impacts(house, plan, other)
    results = [run("plans", "show", plan), by(run, "ana")("plans", "approve", plan)]
    _lengthen(house, other)
    results.append(run("plans", "show", other))

    assert [result.code for result in results] == [1, 1, 1]
    assert "does not open with the keys that are here" in results[0].err
    assert by(run, "ana")("plans", "deny", plan).code == 0


def test_without_its_keys_a_plan_is_not_shown_and_none_are_made(run: Run, house: Path) -> None:
    """B10: a key file that is made here would not open it, and would be in the server's way."""
    plan = planned(run)
    keys = house / ".fourfold/house.keys"
    keys.rename(house / "elsewhere")
    refused = run("plans", "show", plan)

    assert (refused.code, keys.exists()) == (2, False)
    assert refused.err == "fourfold: the keys of this store are not here: set FOURFOLD_KEYS as its server has it\n"


@pytest.mark.parametrize(
    "words", [["plans", "show", "plan_0"], ["claims", "show", "op_0"], ["outbox", "show", "msg_0"]]
)
def test_what_is_not_there_is_told(run: Run, words: list[str]) -> None:
    """A9: and so is a store that is not."""
    planned(run)

    assert run(*words).err == f"fourfold: no {_KINDS[words[0]]} is '{words[2]}' in this store\n"
    assert run(*words, "--store", "sqlite:///slip.db").code == 2


_KINDS = {"plans": "plan", "claims": "operation", "outbox": "message"}


@pytest.mark.parametrize("kind", ["plans", "claims", "outbox"])
def test_lists_are_restricted_by_state_and_tenant(run: Run, house: Path, kind: str) -> None:
    """A9: and say when there may be more."""
    planned(run)
    planned(run, room="cellar")
    for name in ("ada", "bo"):
        run("call", "house:catalog", "letter_post", json.dumps({"to": name}))

    def rows(*words: str) -> list[Any]:
        (found,) = (
            value for key, value in json.loads(run(kind, "list", "--json", *words).out).items() if key != "schema"
        )
        return found

    assert (len(rows()), len(rows("--tenant", "acme")), len(rows("--tenant", "globex"))) == (2, 2, 0)
    assert len(rows("--state", {"plans": "open", "claims": "done", "outbox": "waiting"}[kind])) == 2
    assert rows("--state", {"plans": "used", "claims": "unknown", "outbox": "dead"}[kind]) == []
    cut = run(kind, "list", "--limit", "1")
    assert (len(cut.out.splitlines()), cut.err) == (2, "1 rows, and there may be more: see --limit\n")


def test_purging_reports_what_went(run: Run) -> None:
    """D1: nothing here is past its time."""
    run(*_LETTER)

    assert run("purge") == Result(0, "claims 0, plans 0, messages 0, handles 0, kept 0\n", "")


@contextmanager
def _database(house: Path) -> Generator[sqlite3.Connection]:
    """The database under our feet, as somebody with the file in hand changes it."""
    with closing(sqlite3.connect(house / ".fourfold/house.db")) as database, database:
        yield database


def _swap_impacts(house: Path, plan: str, other: str) -> None:
    with _database(house) as database:
        (impact,) = database.execute("SELECT impact FROM fourfold_plan WHERE plan_id = ?", (other,)).fetchone()
        database.execute("UPDATE fourfold_plan SET impact = ? WHERE plan_id = ?", (impact, plan))


def _lengthen(house: Path, plan: str) -> None:
    with _database(house) as database:
        database.execute("UPDATE fourfold_plan SET expires_ms = expires_ms + 1 WHERE plan_id = ?", (plan,))
