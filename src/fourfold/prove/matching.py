r"""Texts that match a regular expression, made from the part of ECMA-262 that schemas use.

Libraries for this either take no seed of ours or no bound on what repeats of repeats grow to. Look-arounds, back
references and Unicode properties are `Unmakeable`.
"""

from __future__ import annotations

import random
import string
from dataclasses import dataclass
from typing import Protocol

from fourfold.prove.sample import Unmakeable

__all__ = ["TextMaker", "text_maker"]

_MOST = 20_000
"""Characters that the shortest match of a pattern may have."""

_DIGITS, _WORD, _SPACE = string.digits, string.ascii_letters + string.digits + "_", " "
_ANY = string.ascii_letters + string.digits + string.punctuation + " "
_CLASSES = {"d": _DIGITS, "w": _WORD, "s": _SPACE}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}
_SYNTAX = "^$\\.*+?()[]{}|/-"


class TextMaker(Protocol):
    """Makes texts that match."""

    @property
    def least(self) -> int:
        """Characters of the shortest text."""
        ...

    def text(self, dice: random.Random, more: int) -> str:
        """One text; what may repeat does so up to `more` times above what it has to."""
        ...


@dataclass(frozen=True, slots=True)
class _OneOf:
    characters: str
    least: int = 1

    def text(self, dice: random.Random, more: int) -> str:  # noqa: ARG002  # a character does not repeat
        return dice.choice(self.characters)


@dataclass(frozen=True, slots=True)
class _Row:
    parts: tuple[TextMaker, ...]
    least: int

    def text(self, dice: random.Random, more: int) -> str:
        return "".join(part.text(dice, more) for part in self.parts)


@dataclass(frozen=True, slots=True)
class _Choice:
    arms: tuple[TextMaker, ...]
    least: int

    def text(self, dice: random.Random, more: int) -> str:
        return dice.choice(self.arms).text(dice, more)


@dataclass(frozen=True, slots=True)
class _Repeat:
    part: TextMaker
    low: int
    high: int
    least: int

    def text(self, dice: random.Random, more: int) -> str:
        times = self.low + dice.randint(0, min(more, self.high - self.low))
        # The parts share what is left to grow, so that repeats of repeats stay about as long as `more` says.
        return "".join(self.part.text(dice, more // (times or 1)) for _ in range(times))


def text_maker(pattern: str) -> TextMaker:
    """What makes texts that match `pattern`. An anchor in the middle is read as if it were not there.

    Raises:
        Unmakeable: the pattern is no regular expression, uses what is left out here, or matches only huge texts.
    """
    reader = _Reader(pattern)
    try:
        made = reader.choice()
    except RecursionError:
        raise Unmakeable("pattern", "") from None
    if reader.at < len(pattern):
        raise Unmakeable("pattern", "")
    return made


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

    def choice(self) -> TextMaker:
        """Alternatives, up to a closing bracket or the end."""
        arms = [self._row()]
        while self._next() == "|":
            self.at += 1
            arms.append(self._row())
        return arms[0] if len(arms) == 1 else _Choice(tuple(arms), min(arm.least for arm in arms))

    def _row(self) -> TextMaker:
        parts: list[TextMaker] = []
        while self._next() not in ("", "|", ")"):
            atom = self._atom()
            parts.append(self._repeated(atom))
        return _Row(tuple(parts), _bounded(sum(part.least for part in parts)))

    def _next(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def _take(self) -> str:
        taken = self._next()
        if not taken:
            raise Unmakeable("pattern", "")
        self.at += 1
        return taken

    def _atom(self) -> TextMaker:
        match self._take():
            case "(":
                return self._group()
            case "[":
                return self._set()
            case ".":
                return _OneOf(_ANY)
            case "^" | "$":
                return _Row((), 0)
            case "\\":
                return _OneOf(self._escaped())
            case "*" | "+" | "?":
                raise Unmakeable("pattern", "")
            case other:
                return _OneOf(other)

    def _group(self) -> TextMaker:
        if self._next() == "?":
            self._group_kind()
        inside = self.choice()
        if self._take() != ")":
            raise Unmakeable("pattern", "")
        return inside

    def _group_kind(self) -> None:
        head = self.pattern[self.at : self.at + 3]
        if head.startswith("?:"):
            self.at += 2
            return
        # A named group says `?<name>`, a look-behind `?<=` or `?<!`.
        end = self.pattern.find(">", self.at)
        if not head.startswith("?<") or head in ("?<=", "?<!") or end < 0:
            raise Unmakeable("pattern", "")
        self.at = end + 1

    def _escaped(self) -> str:
        """The characters that an escape stands for, the backslash already taken."""
        letter = self._take()
        if letter.lower() in _CLASSES:
            inside = _CLASSES[letter.lower()]
            return inside if letter.islower() else "".join(each for each in _ANY if each not in inside)
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter in "xu":
            return self._numbered(2 if letter == "x" else 4)
        if letter not in _SYNTAX and (letter.isalnum() or not letter.isascii()):
            raise Unmakeable("pattern", "")
        return letter

    def _numbered(self, digits: int) -> str:
        code = self.pattern[self.at : self.at + digits]
        self.at += digits
        if len(code) < digits or not all(each in string.hexdigits for each in code):
            raise Unmakeable("pattern", "")
        return chr(int(code, 16))

    def _set(self) -> TextMaker:
        negative = self._next() == "^"
        self.at += negative
        found = ""
        while self._next() != "]":
            found += self._member()
        self.at += 1
        left = "".join(each for each in _ANY if each not in found) if negative else found
        if not left:
            raise Unmakeable("pattern", "")
        return _OneOf(left)

    def _member(self) -> str:
        """One character of a set, or the range or class that begins there."""
        first = self._single()
        if len(first) > 1 or self._next() != "-" or self.pattern[self.at + 1 : self.at + 2] in ("]", ""):
            return first
        self.at += 1
        last = self._single()
        if len(last) > 1 or last < first:
            raise Unmakeable("pattern", "")
        # A range over half of Unicode needs no more of it than this.
        return "".join(chr(code) for code in range(ord(first), min(ord(last), ord(first) + 500) + 1))

    def _single(self) -> str:
        taken = self._take()
        return self._escaped() if taken == "\\" else taken

    def _repeated(self, atom: TextMaker) -> TextMaker:
        bounds = self._bounds()
        if bounds is None:
            return atom
        low, high = bounds
        if self._next() == "?":
            self.at += 1
        return _Repeat(atom, low, high, _bounded(atom.least * low))

    def _bounds(self) -> tuple[int, int] | None:
        match self._next():
            case "*" | "+" | "?":
                return {"*": (0, _MOST), "+": (1, _MOST), "?": (0, 1)}[self._take()]
            case "{":
                return self._braces()
            case _:
                return None

    def _braces(self) -> tuple[int, int]:
        inside, closed, _ = self.pattern[self.at + 1 :].partition("}")
        low, comma, high = inside.partition(",")
        if not closed or not low.isdecimal() or (high and not high.isdecimal()):
            raise Unmakeable("pattern", "")
        self.at += len(inside) + 2
        most = int(high) if high else _MOST if comma else int(low)
        if most < int(low):
            raise Unmakeable("pattern", "")
        return int(low), most


def _bounded(least: int) -> int:
    if least > _MOST:
        raise Unmakeable("pattern", "")
    return least
