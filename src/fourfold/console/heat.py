"""How strongly a count is drawn in a table: five steps, so that one style sheet has them all."""

from __future__ import annotations

from math import ceil, log1p

__all__ = ["LEVELS", "level"]

LEVELS = 5


def level(count: int, most: int) -> int:
    """A step from 1 to `LEVELS` for a count of at most `most`; 0 for none.

    By the logarithm: where one account fails ten thousand times, those that fail ten times still differ from none.
    """
    return 0 if count <= 0 else max(1, ceil(LEVELS * log1p(count) / log1p(max(most, count))))
