"""What checks call tools with: made-up arguments, with what the server has shown where an argument names something."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from fourfold.contracts.repair import repair
from fourfold.prove.check import NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.generate import negatives, positives
from fourfold.prove.sample import Sample, Unmakeable
from fourfold.review.view import ToolView

__all__ = ["invalid_arguments", "valid_arguments"]

_EACH = 12
"""Samples that one check takes of one tool."""


def valid_arguments(desk: Desk, tool: ToolView, *, check: str, most: int = _EACH) -> Iterator[Sample]:
    """Arguments that the tool's schema takes; those that are known to work come first.

    Raises:
        NotTested: none can be made.
    """
    made = positives(tool, dice=desk.dice(check, tool.name), known=desk.known)
    return _made(chain(_examples(desk, tool), made), most)


def invalid_arguments(desk: Desk, tool: ToolView, *, check: str, most: int = _EACH) -> Iterator[Sample]:
    """Arguments that the tool refuses, each broken in one place.

    Raises:
        NotTested: none can be made.
    """
    made = negatives(tool, dice=desk.dice(check, tool.name), known=desk.known)
    return _made((sample for sample in made if not _is_understood(tool, sample)), most)


def _is_understood(tool: ToolView, sample: Sample) -> bool:
    """Whether a server of ours reads the arguments as what they can only mean, such as null as absent."""
    contract = tool.tool.contract
    return contract is not None and bool(repair(dict(sample.value), dict(contract.input_schema)).notes)


def _examples(desk: Desk, tool: ToolView) -> Iterator[Sample]:
    learned = desk.learned.get(tool.name)
    for value in (*desk.examples.get(tool.name, ()), *([] if learned is None else [learned])):
        yield Sample(kind="typical", value=value, pointer="", valid=True)


def _made(samples: Iterator[Sample], most: int) -> Iterator[Sample]:
    count = 0
    try:
        for sample in islice(samples, most):
            count += 1
            yield sample
    except Unmakeable as unmakeable:
        if count:
            return
        reason = f"no arguments can be made up: {unmakeable}"
        raise NotTested(reason, next_step="give an example of them in the schema, or in [prove]") from None
    if not count:
        raise NotTested("no arguments can be made up", next_step="give an example of them in the schema, or in [prove]")
