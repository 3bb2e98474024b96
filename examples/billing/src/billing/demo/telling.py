"""How the story is written: numbered steps with what was sent, what came back and why it matters."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping
from typing import TextIO

__all__ = ["Telling", "Unexpected", "expect", "in_short"]

_BOLD, _DIM, _PLAIN = "\033[1m", "\033[2m", "\033[0m"
_WIDTH = 110
_LONG = re.compile(r'"([^"]{8})[^"]{20,}"')


class Unexpected(Exception):
    """An answer was not what it should be; the text says what should have been."""


def expect(holds: bool, what: str) -> None:  # noqa: FBT001  # reads like the sentence it checks
    """Go on only if `what` holds.

    Raises:
        Unexpected: it does not.
    """
    if not holds:
        raise Unexpected(what)


def in_short(value: Mapping[str, object]) -> str:
    """`value` as JSON, with ids, keys and cursors cut after their first characters."""
    return _LONG.sub(r'"\1…"', json.dumps(value, ensure_ascii=False))


class Telling:
    """Writes to `stream`, with colour where that is a terminal which shows it."""

    def __init__(self, stream: TextIO, *, colour: bool) -> None:
        self._stream = stream
        self._colour = colour
        self.steps = 0
        """How many steps were told."""

    def title(self, text: str) -> None:
        """Begin the next step."""
        self.steps += 1
        self._write(f"\n{self._styled(f'{self.steps}. {text}', _BOLD)}")

    def sent(self, text: str) -> None:
        """What the client sent."""
        self._labelled("sent", text)

    def came(self, text: str) -> None:
        """What came back."""
        self._labelled("came", text)

    def why(self, text: str) -> None:
        """Why it matters."""
        self._write(self._styled(f"   why   {text}", _DIM))

    def table(self, text: str) -> None:
        """What a command printed, lines as they are."""
        self._write(textwrap.indent(text, "         "))

    def plain(self, text: str) -> None:
        """Text beside the steps."""
        self._write(text)

    def _labelled(self, label: str, text: str) -> None:
        lines = (
            textwrap.wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False) for line in text.split("\n")
        )
        first, *more = [part for line in lines for part in line]
        self._write(f"   {label}  {first}")
        for line in more:
            self._write(f"         {line}")

    def _styled(self, text: str, style: str) -> str:
        return f"{style}{text}{_PLAIN}" if self._colour else text

    def _write(self, text: str) -> None:
        self._stream.write(f"{text}\n")
        self._stream.flush()
