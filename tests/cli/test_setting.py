"""Who calls, which store, which configuration: what a command takes when nobody says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Result

Run = Callable[..., Result]

_STOCK = ("call", "shop:catalog", "stock_get", '{"sku": "LOW-0002"}')
_CALLER = '[[caller]]\nname = "{name}"\ntenant = "acme"\nprincipal = "{name}@acme"\n'


def test_the_only_caller_needs_no_choice(run: Run, workspace: Path) -> None:
    """B18: one entry, one caller."""
    (workspace / "fourfold.toml").write_text(_CALLER.format(name="solo"), "utf-8")

    assert run(*_STOCK).code == 0
    assert "solo@acme" in run("runs", "list").out


def test_several_callers_need_a_choice(run: Run, workspace: Path) -> None:
    """B18: the first of them is not taken for granted."""
    (workspace / "fourfold.toml").write_text(_CALLER.format(name="a") + _CALLER.format(name="b"), "utf-8")

    assert run(*_STOCK) == Result(2, "", "fourfold: choose who calls with --caller: a, b\n")
    assert run(*_STOCK, "--caller", "b").code == 0


@pytest.mark.parametrize("command", [_STOCK, ("serve", "shop:catalog")])
def test_without_a_caller_nobody_calls(run: Run, workspace: Path, command: tuple[str, ...]) -> None:
    """B18: an anonymous caller is refused, not guessed, and no store is made."""
    (workspace / "fourfold.toml").unlink()
    if command[0] == "serve":
        command = (*command, "--http", "127.0.0.1:0")

    result = run(*command)

    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("fourfold: no [[caller]] ")
    assert "fourfold.toml" in result.err
    assert not (workspace / ".fourfold").exists()


def test_a_caller_without_the_scope_has_no_such_tool(run: Run) -> None:
    """B11, B18: hidden and made-up tools look alike, and the message says where to look."""
    order = run("call", "shop:catalog", "order_create", "{}", "--caller", "reader")
    nothing = run("call", "shop:catalog", "nothing", "{}", "--caller", "reader")

    assert (order.code, nothing.code) == (2, 2)
    assert order.err == nothing.err.replace("nothing", "order_create")
    assert "check the name, and with fourfold tools which scopes it needs" in order.err


def test_callers_with_one_token_are_refused(run: Run, workspace: Path) -> None:
    """B18: otherwise the order in the file would decide who calls; the digest is not repeated."""
    same = 'token_sha256 = "' + "a" * 64 + '"\n'
    text = _CALLER.format(name="a") + same + _CALLER.format(name="b") + same
    (workspace / "fourfold.toml").write_text(text, "utf-8")

    result = run(*_STOCK)

    assert result.code == 2
    assert "entries with one token_sha256: a and b. Give each its own." in result.err


def test_two_stores_need_a_choice(run: Run, workspace: Path) -> None:
    """A9: the answer of one must not pass for the answer of the other."""
    run(*_STOCK)
    run(*_STOCK, "--store", "sqlite:///.fourfold/second.db")

    result = run("runs", "list")

    assert result == Result(
        2,
        "",
        "fourfold: several stores: choose one with --store: "
        "sqlite:///.fourfold/second.db, sqlite:///.fourfold/shop.db\n",
    )
    assert run("runs", "list", "--store", "sqlite:///.fourfold/second.db").code == 0
    assert run("doctor").out.count("migrations pending") == 2


def test_a_store_that_is_not_there_is_asked_for(run: Run) -> None:
    """A9: before the first server there is nothing to ask."""
    message = "fourfold: there is no store in ./.fourfold; name one with --store sqlite:///path/to/file.db\n"

    assert run("runs", "list") == Result(2, "", message)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://me:hunter2@db/prod", "a store is named sqlite:///path/to/file.db"),
        ("billing.db", "a store is named sqlite:///path/to/file.db"),
        ("sqlite://host/billing.db", "a store is named sqlite:///path/to/file.db"),
    ],
)
@pytest.mark.parametrize("command", [_STOCK, ("runs", "list"), ("migrate",)])
def test_a_store_of_an_unknown_kind_is_refused(run: Run, command: tuple[str, ...], url: str, message: str) -> None:
    """A5: and its URL, which may hold a password, is not repeated."""
    result = run(*command, "--store", url)

    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert "hunter2" not in result.err


def test_a_store_in_memory_can_be_called_but_not_asked(run: Run, workspace: Path) -> None:
    """A9: nothing of it is left when the process has ended."""
    assert run(*_STOCK, "--store", "memory:").code == 0
    assert run("runs", "list", "--store", "memory:").err.startswith("fourfold: memory: keeps nothing after its process")
    assert not (workspace / ".fourfold").exists()


def test_the_configuration_says_who_calls_and_where(run: Run, workspace: Path) -> None:
    """B18: an option wins over the file, which wins over the defaults."""
    text = '[serve]\ncaller = "b"\nstore = "sqlite:///set.db"\n' + _CALLER.format(name="a") + _CALLER.format(name="b")
    (workspace / "fourfold.toml").write_text(text, "utf-8")

    run(*_STOCK)
    run(*_STOCK, "--caller", "a")
    run(*_STOCK, "--store", "sqlite:///given.db")

    principals = [line.split()[-1] for line in run("runs", "list").out.splitlines()[1:]]
    assert principals == ["a@acme", "b@acme"]
    assert len(run("runs", "list", "--store", "sqlite:///given.db").out.splitlines()) == 2


def test_the_project_file_configures_too(run: Run, workspace: Path) -> None:
    """B18: `[tool.fourfold]`, where there is no fourfold.toml; --config wins over both."""
    (workspace / "fourfold.toml").rename(workspace / "other.toml")
    caller = _CALLER.format(name="project").replace("[[caller]]", "[[tool.fourfold.caller]]")
    (workspace / "pyproject.toml").write_text(caller, "utf-8")

    assert "callers: project" in run("doctor").out
    assert "callers: clerk (has a token), reader" in run("doctor", "--config", "other.toml").out


def test_keys_that_others_can_read_are_a_fault(run: Run, workspace: Path) -> None:
    """B10, B18: doctor says so, names the file, and shows no key."""
    run(*_STOCK)
    keys = workspace / ".fourfold/shop.keys"
    secret = keys.read_text("ascii").partition(":")[2].strip()
    keys.chmod(0o644)

    result = run("doctor")

    assert result.code == 1
    assert "wrong  keys" in result.out
    assert secret not in result.out
