"""Which arguments name something that is there, and ids that look like real ones and name nothing."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Collection, Iterator

from fourfold.contracts.names import words
from fourfold.review.place import Place
from fourfold.review.view import ToolView

__all__ = ["id_arguments", "is_id", "made_up", "neighbours", "takes_id"]

_ENDS = frozenset(
    {"id", "ids", "uuid", "guid", "reference", "ref", "sku", "slug", "handle", "number", "identifier", "key"}
)
_NO_IDS = frozenset({"idempotency", "page", "line", "phone", "version", "sort", "tax", "vat", "bank", "card", "house"})
_RUN = re.compile(r"[0-9A-Za-z]+")
_HEX = re.compile(r"[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CHANGED = 8
_TRIES = 20
_SHORT = re.compile(r"(?<!\d)\d{1,4}$")
"""A number that counts through few things: one with more digits is nobody's."""

_NUMBERED = 6
_STEPS = (1, -1, 2, -2, 3, 4, 5, 6)


def is_id(name: str) -> bool:
    """Whether a value of that name stands for something that is there: `invoice_reference`, `sku`, `thread_id`."""
    parts = words(name)
    return bool(parts) and parts[-1] in _ENDS and not _NO_IDS & set(parts)


def id_arguments(tool: ToolView) -> Iterator[Place]:
    """The arguments at the top that name something, each once."""
    for place in tool.arguments:
        is_free = {"string", "integer"} & set(place.types) or not place.types
        if len(place.parents) == 1 and is_id(place.name) and is_free and not place.values:
            yield place


def takes_id(tool: ToolView) -> bool:
    """Whether an argument names something, at any depth."""
    return any(is_id(place.name) and not place.values for place in tool.arguments)


def made_up(
    real: object, *, dice: random.Random, taken: Collection[object], fits: Callable[[object], bool] = lambda _: True
) -> object:
    """An id of the same form as `real` that nobody is known to have; `None` if its form leaves no other.

    `fits` is what else it has to be, such as what a schema takes.
    """
    for turn in range(_TRIES):
        made = _number(dice, turn) if isinstance(real, int) else _respelled(str(real), dice)
        if isinstance(made, str) and turn >= _TRIES // 2:
            made = _SHORT.sub(lambda _: str(dice.randrange(10**5, 10**9)), made)
        if made != real and made not in taken and fits(made):
            return made
    return None


def neighbours(real: object) -> list[str]:
    """Ids beside one that ends in a short number: what is numbered through is often there."""
    text = str(real)
    digits = re.search(rf"\d{{1,{_NUMBERED}}}$", text) if isinstance(real, str) else None
    if digits is None:
        return []
    start, number, width = digits.start(), int(digits[0]), len(digits[0])
    beside = [number + step for step in _STEPS if number + step > 0]
    return [f"{text[:start]}{each:0{width}}" for each in beside]


def _number(dice: random.Random, turn: int) -> int:
    """A number of nine digits, or of fewer the more often longer ones would not do."""
    digits = max(4, 9 - turn // 3)
    return dice.randrange(10 ** (digits - 1), 10**digits)


def _respelled(real: str, dice: random.Random) -> str:
    """`real` with other characters of the same kinds at its end, as many as make a clash unlikely."""
    letters = "0123456789abcdef" if _HEX.fullmatch(real) else ""
    runs = [*_RUN.finditer(real)]
    last = next((run for run in reversed(runs) if any(mark.isdigit() for mark in run[0])), runs[-1] if runs else None)
    if last is None:
        return real
    start = max(last.start(), last.end() - _CHANGED)
    # Only digits change where there are some: a letter may be what an id begins with.
    digits_only = not letters and any(mark.isdigit() for mark in real[start : last.end()])
    changed = "".join(_other(mark, letters, digits_only=digits_only, dice=dice) for mark in real[start : last.end()])
    return real[:start] + changed + real[last.end() :]


def _other(mark: str, letters: str, *, digits_only: bool, dice: random.Random) -> str:
    if letters:
        return dice.choice(letters)
    if mark.isdigit():
        return dice.choice(string.digits)
    if digits_only:
        return mark
    return dice.choice(string.ascii_lowercase if mark.islower() else string.ascii_uppercase)
