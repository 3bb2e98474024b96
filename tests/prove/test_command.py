"""The line that makes a call again."""

from __future__ import annotations

import json
import shlex

import pytest

from fourfold.model.proof import SentCall
from fourfold.prove.command import as_command

CALL = SentCall(tool="note_get", arguments={"n": 1}, caller="first")


@pytest.mark.parametrize(
    ("target", "line"),
    [
        ("shop:catalog", "fourfold call shop:catalog note_get '{\"n\": 1}'"),
        ("http://127.0.0.1:8765/mcp", "fourfold call http://127.0.0.1:8765/mcp note_get '{\"n\": 1}'"),
        (["python", "my server.py"], "fourfold call note_get '{\"n\": 1}' -- python 'my server.py'"),
    ],
)
def test_the_line_is_for_the_target(target: str | list[str], line: str) -> None:
    """B12: every kind of target takes it."""
    assert as_command(CALL, target=target) == line


def test_it_says_when_another_caller_has_to_make_the_call() -> None:
    """B12: as a comment, which a shell leaves out."""
    line = as_command(SentCall(tool="note_get", arguments={}, caller="second"), target="shop:catalog")

    assert line == "fourfold call shop:catalog note_get '{}'  # as the second caller"


@pytest.mark.parametrize("text", ["it's", "\x00", "\x7f", "\u202eabc", "\U000e0001", "\ud800", "é😀", "a\nb"])
def test_no_argument_is_lost_and_none_is_obeyed(text: str) -> None:
    """B12: quotes, control characters, what reverses a line, half a surrogate pair."""
    line = as_command(SentCall(tool="note_get", arguments={"text": text}), target="shop:catalog")

    assert line.isprintable()
    assert json.loads(shlex.split(line)[-1]) == {"text": text}
