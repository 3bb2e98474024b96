"""Foreign text as a person may be shown it."""

from __future__ import annotations

__all__ = ["plain"]


def plain(text: str) -> str:
    """`text` with what a terminal or a browser would obey, or not show, written as an escape; lines stay lines."""
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)
