"""How a person proves who they are; and that nobody beside the server can pass for one."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fourfold.bootstrap.sections import OperatorEntry
from tests.cli.commands import FOURFOLD, TOKEN, Result, fourfold, serving
from tests.cli.people import token_of

Run = Callable[..., Result]

pytestmark = pytest.mark.usefixtures("house")

_ROOM = '{"room": "attic", "expected_version": "1"}'


@pytest.fixture
def plan(run: Run) -> str:
    """A plan of the clerk, which a second person has to approve."""
    made = json.loads(run("call", "house:catalog", "room_clear_plan", _ROOM, "--json").out)
    return made["structured"]["plan_id"]


def state_of(run: Run, plan: str) -> str:
    """Whether it was approved."""
    return json.loads(run("plans", "show", plan, "--json").out)["plan"]["state"]


def test_a_token_is_read_from_standard_input(run: Run, plan: str) -> None:
    """C7: the first line, whatever white space is around it."""
    assert run("plans", "approve", plan, "--token-stdin", stdin=f"  {token_of('ana')} \nmore\n").code == 0


def test_a_token_is_asked_for_on_a_terminal_and_not_shown(plan: str, run: Run) -> None:
    """C7, B18: after what the plan will do; what is typed is not echoed."""
    printed = on_a_terminal(["plans", "approve", plan], answer=token_of("ana"))

    assert printed.index("Throws 12 things of the attic away.") < printed.index("Your operator token:")
    assert f"{plan} is approved" in printed
    assert token_of("ana") not in printed
    assert state_of(run, plan) == "approved"


def test_without_a_terminal_nobody_is_asked(run: Run, plan: str) -> None:
    """C7: a process without one has to say that it brings a token."""
    refused = run("plans", "approve", plan, stdin=f"{token_of('ana')}\n")

    assert (refused.code, refused.out) == (2, "")
    assert "give --token-stdin and pipe it in" in refused.err


@pytest.mark.parametrize("stdin", ["", "\n", f"{TOKEN}\n", f"{token_of('nobody')}\n", "x" * 100_000])
def test_what_is_nobodys_token_decides_nothing(run: Run, plan: str, stdin: str) -> None:
    """C7: the caller's own among them."""
    refused = run("plans", "approve", plan, "--token-stdin", stdin=stdin)

    assert refused.code == 2
    assert state_of(run, plan) == "open"


def test_a_process_beside_the_server_cannot_approve_its_own_plan(run: Run, house: Path) -> None:
    """C7: with the caller's token, the store, the keys and the server's environment, by any flag or variable."""
    with serving("--http", "127.0.0.1:0", target="house:catalog") as server:
        made = fourfold("call", server.url, "room_clear_plan", _ROOM, "--json", token=TOKEN)
        structured = json.loads(made.out)["structured"]
        plan, digest = structured["plan_id"], structured["digest"]
        approve = ["plans", "approve", plan, "--store", f"sqlite:///{house}/.fourfold/house.db"]
        theirs: dict[str, Any] = {
            name: token_of("ana") for name in ("FOURFOLD_OPERATOR_TOKEN", "FOURFOLD_APPROVER", "FOURFOLD_KEYS_")
        }
        tries = [
            fourfold(*approve, "--token-stdin", stdin=f"{TOKEN}\n".encode(), token=TOKEN),
            fourfold(*approve, token=token_of("ana"), **theirs),
            fourfold(*approve, "--token-stdin", token=token_of("ana"), **theirs),
            fourfold(*approve, "--token-stdin", stdin=f"{token_of('cleo')}\n".encode()),
            *(
                fourfold(*approve, option, "ana")
                for option in ("--operator", "--principal", "--approver", "--token", "--as")
            ),
        ]
        arguments = json.dumps({"plan_id": plan, "digest": digest})
        executed = fourfold("call", server.url, "room_clear_execute", arguments, token=TOKEN)
        consenting = json.dumps({"plan_id": plan, "digest": digest, "approved": True})
        lied = fourfold("call", server.url, "room_clear_execute", consenting, token=TOKEN)

    assert [result.code for result in tries] == [2, 2, 2, 1, 2, 2, 2, 2, 2]
    assert executed.err.startswith("approval_required:")
    assert lied.err.startswith("invalid_arguments:")
    assert state_of(run, plan) == "open"


def test_an_edited_configuration_of_the_group_is_refused(run: Run, house: Path, plan: str) -> None:
    """C7: who can write the file could have made themselves an operator."""
    (house / "fourfold.toml").chmod(0o660)
    refused = run("plans", "approve", plan, "--token-stdin", stdin=f"{token_of('ana')}\n")

    assert refused.code == 2
    assert "fourfold.toml can be written by others, who could make themselves operators" in refused.err


def test_an_operator_with_a_callers_token_stops_every_command(run: Run, house: Path) -> None:
    """C7: the server too, so that it is seen before anybody relies on it."""
    path = house / "fourfold.toml"
    lines = path.read_text("utf-8").splitlines()
    tokens = [line for line in lines if line.startswith("token_sha256")]
    path.write_text("\n".join(tokens[0] if line == tokens[1] else line for line in lines), "utf-8")

    for words in (["serve", "house:catalog"], ["plans", "list"], ["call", "house:catalog", "letter_post"]):
        refused = run(*words)
        assert (refused.code, "entries with one token_sha256: clerk and ana" in refused.err) == (2, True)


def test_a_new_operator_has_an_entry_and_a_token(run: Run, house: Path) -> None:
    """B18: the entry on standard output, to be appended; the token once, on the other."""
    made = run("operators", "new", "bo", "--principal", "bo@acme", "--tenant", "acme", "--tenant", "globex")
    (entry,) = tomllib.loads(made.out)["operator"]

    assert OperatorEntry.model_validate(entry).tenants == ["acme", "globex"]
    assert entry["permissions"] == ["claims.settle", "plans.approve", "outbox.retry"]
    said, token = made.err.splitlines()
    assert said == "The token of bo, shown this once:"
    assert token not in made.out
    with (house / "fourfold.toml").open("a", encoding="utf-8") as file:
        file.write(made.out)
    run("call", "house:catalog", "room_clear_plan", _ROOM)
    plan = json.loads(run("plans", "list", "--json").out)["plans"][0]["plan_id"]
    assert run("plans", "approve", plan, "--token-stdin", stdin=token).code == 0


def test_two_new_operators_have_different_tokens(run: Run) -> None:
    """B18: and as much as is granted, no more."""
    first, second = (run("operators", "new", "bo", "--tenant", "*", "--permission", "outbox.retry") for _ in range(2))

    assert first.err != second.err
    assert 'tenants = "*"\npermissions = ["outbox.retry"]\n' in first.out
    assert 'principal = "bo"' in first.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["bo"], "Missing option '--tenant'"),
        (["not a name", "--tenant", "acme"], "a name is up to 64 letters"),
        (["bo", "--tenant", ""], "a principal and a tenant are not empty"),
        (["bo", "--tenant", "acme", "--permission", "all"], "'all' is not one of"),
    ],
)
def test_an_entry_that_would_not_be_read_is_not_written(run: Run, words: list[str], told: str) -> None:
    """B18: nothing comes out that the next command refuses."""
    refused = run("operators", "new", *words)

    assert (refused.code, refused.out) == (2, "")
    assert told in refused.err


def on_a_terminal(words: list[str], *, answer: str) -> str:
    """Run a command on a terminal of its own, type `answer` when it asks, and return what was printed."""
    ours, its = pty.openpty()
    with subprocess.Popen([FOURFOLD, *words], stdin=its, stdout=its, stderr=its, start_new_session=True) as process:
        os.close(its)
        printed = _until(ours, "Your operator token:")
        os.write(ours, f"{answer}\n".encode())
        printed += _until(ours, None)
        assert process.wait(timeout=60) == 0
    os.close(ours)
    return printed


def _until(terminal: int, text: str | None) -> str:
    """What the terminal shows up to `text`, or to its end, which Linux tells as an error."""
    printed = ""
    while text is None or text not in printed:
        try:
            chunk = os.read(terminal, 4_096)
        except OSError:
            break
        printed += chunk.decode()
    return printed
