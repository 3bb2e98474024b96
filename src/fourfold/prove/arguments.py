"""What checks call tools with: made-up arguments, with what the server has shown where an argument names something."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from fourfold.prove.check import NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.generate import negatives, positives
from fourfold.prove.sample import Sample, Unmakeable
from fourfold.review.view import ToolView

__all__ = ["invalid_arguments", "valid_arguments"]

_EACH = 12
"""Samples that one check takes of one tool."""


def valid_arguments(desk: Desk, tool: ToolView, *, check: str, most: int = _EACH) -> Iterator[Sample]:
    """Arguments that the tool's schema takes.

    Raises:
        NotTested: none can be made.
    """
    return _made(positives(tool, dice=desk.dice(check, tool.name), known=desk.known), most)


def invalid_arguments(desk: Desk, tool: ToolView, *, check: str, most: int = _EACH) -> Iterator[Sample]:
    """Arguments that the tool's schema refuses, each broken in one place.

    Raises:
        NotTested: none can be made.
    """
    return _made(negatives(tool, dice=desk.dice(check, tool.name), known=desk.known), most)


def _made(samples: Iterator[Sample], most: int) -> Iterator[Sample]:
    count = 0
    try:
        for sample in islice(samples, most):
            count += 1
            yield sample
    except Unmakeable as unmakeable:
        reason = f"no arguments can be made up: {unmakeable}"
        raise NotTested(reason, next_step="give an example of them in the schema, or in [prove]") from None
    if not count:
        raise NotTested("no arguments can be made up", next_step="give an example of them in the schema, or in [prove]")
