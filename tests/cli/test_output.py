"""How tables and texts are printed: on a terminal, in a pipe, and when they come from somebody hostile."""

from __future__ import annotations

import fcntl
import json
import os
import struct
import subprocess
import termios
from collections.abc import Callable

import pytest

from fourfold.cli.output import as_json_text, plain, table, when
from tests.cli.commands import FOURFOLD, Result, fourfold

Run = Callable[..., Result]


def test_a_table_in_a_pipe_has_everything(capsys: pytest.CaptureFixture[str]) -> None:
    """A9: nothing is cut, whatever the width of some terminal is."""
    table(("tool", "account"), [("quote_create", "a" * 200)], empty="")

    assert capsys.readouterr().out == f"tool          account\nquote_create  {'a' * 200}\n"


def test_control_characters_of_others_are_shown_and_not_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    """A5: the name of an unknown tool comes from whoever called it."""
    table(("tool",), [("\x1b[2Jgone\nnext\u202e\x9b",)], empty="")

    assert capsys.readouterr().out == "tool\n\\x1b[2Jgone next\\u202e\\x9b\n"
    assert plain("größer\n→ 日本") == "größer\n→ 日本"


@pytest.mark.parametrize("text", ["\x1b[31m", "\x9b", "\u202e", "\ud800", "\U000e0001", "日本 ü", "a\nb"])
def test_json_text_holds_everything_and_sends_a_terminal_nothing(text: str) -> None:
    """A5: escapes mean the same to a parser."""
    written = as_json_text({"text": text})

    assert json.loads(written) == {"text": text}
    assert all(char.isprintable() or char == "\n" for char in written)


def test_a_time_is_in_utc_and_says_so() -> None:
    """A9: people on call sit in several time zones."""
    assert when(1_796_029_200_999) == "2026-11-30 09:00:00Z"


@pytest.mark.parametrize(
    ("columns", "headings"),
    [
        (200, ["at", "run", "tool", "outcome", "account", "principal"]),
        (110, ["at", "run", "tool", "outcome", "account", "principal"]),
        (80, ["at", "run", "tool", "outcome"]),
    ],
)
def test_a_table_fits_the_terminal(run: Run, columns: int, headings: list[str]) -> None:
    """A9: lines do not wrap; times and run ids are whole, because half of one is of no use."""
    run("call", "shop:catalog", "order_create", '{"customer": "C001"}')

    first, second = _on_a_terminal(columns, "runs", "list").replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()

    assert first.split() == headings
    assert max(len(first), len(second)) <= columns
    assert len(second.split()[2]) == len("run_") + 32


def test_there_is_colour_on_a_terminal_only(run: Run) -> None:
    """A9: no escape code in a pipe, and none for those who say NO_COLOR."""
    assert "\x1b[1m" in _on_a_terminal(100, "tools", "shop:catalog")
    assert "\x1b" not in _on_a_terminal(100, "tools", "shop:catalog", NO_COLOR="1")
    assert "\x1b" not in fourfold("tools", "shop:catalog").out
    assert "\x1b" not in fourfold("doctor", "--store", "postgresql://x").out


def _on_a_terminal(columns: int, *words: str, **environment: str) -> str:
    """What a command prints on a terminal of that width."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    inherited = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "NO_COLOR"}}
    with subprocess.Popen([FOURFOLD, *words], stdout=theirs, env={**inherited, **environment}):
        os.close(theirs)
        printed = _read_all(ours)
    return printed.replace("\r\n", "\n")


def _read_all(terminal: int) -> str:
    parts: list[bytes] = []
    with os.fdopen(terminal, "rb", buffering=0) as reader:
        try:
            while part := reader.read(65_536):
                parts.append(part)
        except OSError:  # the other side is closed: the end of a terminal, on Linux
            return b"".join(parts).decode()
    return b"".join(parts).decode()
