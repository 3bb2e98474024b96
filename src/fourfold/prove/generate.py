"""Arguments made up from a schema: good ones that show its limits, and bad ones that break it in one place."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from fourfold.model.contract import JsonObject
from fourfold.prove.sample import Sample
from fourfold.review.samples import minimal
from fourfold.review.view import ToolView

__all__ = ["Known", "negatives", "positives"]

Known = Callable[[str], tuple[object, ...]]
"""Values that are known for an argument of that name: ids that were listed, examples of the team."""


def positives(tool: ToolView, *, dice: random.Random, known: Known) -> Iterator[Sample]:
    """Arguments that the tool's input schema takes, the fewest first.

    Raises:
        Unmakeable: there are none to be made.
    """
    value = minimal(tool)
    if value is not None:
        yield Sample(kind="minimal", value=_with_known(value, known, dice), pointer="", valid=True)


def negatives(tool: ToolView, *, dice: random.Random, known: Known) -> Iterator[Sample]:
    """Arguments that the schema refuses, each broken in one place.

    Raises:
        Unmakeable: there are no good ones to break.
    """
    for sample in positives(tool, dice=dice, known=known):
        yield Sample(
            kind="unknown_member", value={**sample.value, "unknown_member": 1}, pointer="/unknown_member", valid=False
        )


def _with_known(value: JsonObject, known: Known, dice: random.Random) -> JsonObject:
    return {name: dice.choice(known(name)) if known(name) else each for name, each in value.items()}
