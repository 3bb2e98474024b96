"""A line of a report, of which the beginning may stand out. How it looks is the terminal's; owns no words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

__all__ = ["Line", "heading", "shown"]


@dataclass(frozen=True, slots=True)
class Line:
    """`head` in the way of a word of reports (`error`, `warning`, `pass`, `heading`), and `text` behind it."""

    word: str
    head: str
    text: str = ""


def heading(text: str) -> Line:
    """A line that stands out as a whole."""
    return Line("heading", text)


def shown(
    lines: Iterable[Line | str], *, style: Callable[[str, str], str], plain: Callable[[str], str]
) -> Iterator[str]:
    """The lines as a terminal gets them: what is foreign is made `plain` before `style` adds what it obeys."""
    for line in lines:
        if isinstance(line, str):
            yield plain(line)
        else:
            yield f"{style(line.word, plain(line.head))}{plain(line.text)}"
