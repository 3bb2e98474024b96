"""How far a command is, for the person at the terminal, once it has taken a while."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from types import TracebackType

import click

from fourfold.cli.output import plain

__all__ = ["Progress"]

_PATIENCE_S = 2.0
_CLEARED = "\r\x1b[K"


@dataclass(slots=True)
class Progress:
    """One line on standard error that is written over, and gone at the end of the block; a pipe gets nothing."""

    total: int
    doing: str
    done: int = 0
    begun: float = field(default_factory=time.monotonic)
    shown: bool = False

    def tell(self, what: str) -> None:
        """Count one thing that is begun."""
        self.done += 1
        if time.monotonic() - self.begun > _PATIENCE_S and sys.stderr.isatty():
            self.shown = True
            _show(f"{_CLEARED}{self.doing} {self.done} of {self.total}: {plain(what)}")

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # What is printed next begins where a line begins.
        if self.shown:
            _show(_CLEARED)


def _show(text: str) -> None:
    # Clearing a line is no colour: without colours click would take it out, and rests of longer lines would stay.
    click.echo(text, nl=False, err=True, color=True)
