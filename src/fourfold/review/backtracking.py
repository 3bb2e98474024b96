r"""Patterns on which a backtracking engine can take exponential time: a repetition of a repetition.

It sees what can be seen without trying: a group that is repeated without bound, and can itself be filled by one
unbounded repetition with nothing fixed beside it. Alternatives that overlap, such as `(a|aa)+`, it does not see.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["can_explode"]

_ATOM = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|\(\?[:=!]|\(\?<[=!]|.", re.DOTALL)
_LONGEST = 2_000
"""Characters of a pattern that are read."""


@dataclass(slots=True)
class _Group:
    """A group while it is read, one alternative after the other.

    An alternative is loose if one unbounded repetition can fill it: it has one, and nothing in it is fixed.
    """

    has_fixed: bool = False
    has_repeat: bool = False
    atom: str = ""
    atom_is_loose: bool = False
    is_loose: bool = False

    def begin(self, atom: str, *, is_loose: bool = False) -> None:
        """Starts an atom, which a repetition may follow."""
        self.count("")
        self.atom, self.atom_is_loose = atom, is_loose

    def count(self, repeat: str) -> None:
        """Counts the atom before, with what repeats it."""
        if not self.atom:
            return
        if _is_unbounded(repeat) or self.atom_is_loose:
            self.has_repeat = True
        elif not (repeat == "?" or repeat.startswith(("{0,", "{0}"))):
            self.has_fixed = True
        self.atom = ""

    def end_alternative(self) -> None:
        """Ends an alternative, and starts the next one."""
        self.count("")
        self.is_loose = self.is_loose or (self.has_repeat and not self.has_fixed)
        self.has_fixed = self.has_repeat = False


def can_explode(pattern: str) -> bool:
    """Whether `pattern` repeats a repetition with nothing fixed in between."""
    stack = [_Group()]
    for atom in _ATOM.findall(pattern[:_LONGEST]):
        group = stack[-1]
        if _is_repeat(atom):
            if group.atom and group.atom_is_loose and _is_unbounded(atom):
                return True
            group.count(atom)
        elif atom == ")" and len(stack) > 1:
            group.end_alternative()
            stack.pop()
            stack[-1].begin(atom, is_loose=group.is_loose)
        elif atom.startswith("("):
            stack.append(_Group())
        elif atom == "|":
            group.end_alternative()
        elif atom not in ("^", "$"):
            group.begin(atom)
    return False


def _is_repeat(atom: str) -> bool:
    return atom in ("*", "+", "?") or (atom[0] == "{" and len(atom) > 1)


def _is_unbounded(atom: str) -> bool:
    return atom in ("*", "+") or (atom.startswith("{") and atom.endswith(",}"))
