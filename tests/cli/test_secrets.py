"""The bearer token comes from the environment, and is printed and stored nowhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from fourfold.cli.main import cli
from tests.cli.commands import FOURFOLD, TOKEN, Result, fourfold, serving
from tests.cli.walk import commands

Run = Callable[..., Result]


def test_the_token_is_in_no_output_and_in_no_file(workspace: Path) -> None:
    """A5, B18: with every command that takes a target, good calls and bad ones, at both ends."""
    with serving("--http", "127.0.0.1:0") as server:
        results = [
            fourfold("tools", server.url, token=TOKEN),
            fourfold("tools", server.url, "--json", token=TOKEN),
            fourfold("call", server.url, "order_create", "{}", token=TOKEN),
            fourfold("call", server.url, "report_make", "--json", token=TOKEN),
            fourfold("call", server.url, "nothing", token=TOKEN),
            fourfold("tools", f"{server.url}s", token=TOKEN),
            fourfold("tools", "http://127.0.0.1:9/mcp", token=TOKEN),
            fourfold("tools", "--", FOURFOLD, "serve", "shop:catalog", token=TOKEN),
            fourfold("doctor", token=TOKEN),
        ]
        _, log = server.end(2)

    assert [result.code for result in results] == [0, 0, 1, 1, 2, 2, 2, 0, 0]
    assert TOKEN not in f"{results}{log}"
    files = [path for path in workspace.rglob("*") if path.is_file()]
    assert not [path.name for path in files if TOKEN.encode() in path.read_bytes()]


@pytest.mark.parametrize("token", ["two words", "tok\n-secret", "tök-secret", "tok\x7f-secret"])
def test_a_token_that_cannot_be_one_is_refused_unseen(run: Run, monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    """B18: it would break the header, and the library's message would quote it."""
    monkeypatch.setenv("FOURFOLD_TOKEN", token)

    result = run("tools", "http://127.0.0.1:9/mcp")

    message = "fourfold: FOURFOLD_TOKEN holds a space or a character that no bearer token has\n"
    assert result == Result(2, "", message)


def test_white_space_around_a_token_is_no_part_of_it(workspace: Path) -> None:
    """B18: as from a file that ends with a line break."""
    with serving("--http", "127.0.0.1:0") as server:
        assert fourfold("tools", server.url, token=f" {TOKEN}\n").code == 0


def test_no_option_takes_a_token() -> None:
    """B18: the arguments of a process can be read by other users of the machine; a flag or a number carries nothing."""
    options = [option for _, command in commands(cli) for option in command.params]
    carrying = [
        name
        for option in options
        if not getattr(option, "is_flag", False) and not isinstance(option.type, click.IntRange)
        for name in option.opts
    ]

    assert not [name for name in carrying if "token" in name or "password" in name or "secret" in name]
    assert "FOURFOLD_TOKEN" not in os.environ
