"""Help: every command and option has one, and stands in docs/cli.md."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version

import click
import pytest

from fourfold.cli.main import cli
from tests.cli.commands import Result
from tests.cli.walk import commands
from tests.meta.repository import ROOT

Run = Callable[..., Result]

_COMMANDS = [pytest.param(words, command, id=" ".join(words) or "fourfold") for words, command in commands(cli)]


@pytest.mark.parametrize(("words", "command"), _COMMANDS)
def test_every_command_and_option_is_documented(words: tuple[str, ...], command: click.Command) -> None:
    """B9: in its own help and on the page of the command line."""
    page = (ROOT / "docs/cli.md").read_text("utf-8")
    _, _, part = page.partition(f"\n## {' '.join(['fourfold', *words])}\n")
    part = part.partition("\n## ")[0]
    options = [option for option in command.params if isinstance(option, click.Option)]

    assert command.help
    assert not [option.name for option in options if not option.help]
    assert not [name for option in options for name in option.opts if name not in part]


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize(("words", "command"), _COMMANDS)
def test_help_is_printed_on_standard_output(
    run: Run, words: tuple[str, ...], command: click.Command, option: str
) -> None:
    """B9: asking for help is no error, with any command and before any other fault."""
    result = run(*words, option)

    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"Usage: {' '.join(['fourfold', *words])} ")


def test_without_a_command_the_help_is_the_answer(run: Run) -> None:
    """B9: on standard error, since nothing was asked for; with the forms of a target and examples."""
    result = run()

    assert (result.code, result.out) == (2, "")
    assert "-- python server.py        a server to start, spoken to over stdio" in result.err
    assert "fourfold runs failures --since 24h" in result.err


def test_help_loads_no_server_and_no_store() -> None:
    """B9: it is there in the time of a key stroke, which an import of everything is not."""
    program = "import sys; from fourfold.cli.main import main\ntry: main(['--help'])\nfinally: print(*sys.modules)"

    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert not {"mcp", "pydantic", "sqlite3", "uvicorn", "fourfold.bootstrap"} & {*printed.split()}


def test_the_version_is_that_of_the_package(run: Run) -> None:
    """B9: one line."""
    assert run("--version") == Result(0, f"fourfold {version('fourfold')}\n", "")


def test_every_example_of_the_help_names_a_command_that_exists() -> None:
    """B9: an example that cannot be typed is worse than none."""
    names = {words for words, _ in commands(cli)}
    examples = [
        tuple(line.split()[1:])
        for _, command in commands(cli)
        for line in f"{command.help}\n{command.epilog or ''}".splitlines()
        if line.strip().startswith("fourfold ")
    ]

    assert len(examples) >= 15
    assert not [words for words in examples if words[:2] not in names and words[:1] not in names]
