r"""Regular expressions of contracts: one meaning in every engine, and in words.

JSON Schema reads `pattern` as ECMA-262, where `\d` and `\w` are ASCII; the validator's engine takes them as
Unicode, and each engine reads `\s` in its own way. Contracts use the ASCII meaning on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise

__all__ = ["ascii_classes", "in_words", "is_finite", "is_portable"]

_SHORTHAND = {"d": "0-9", "w": "A-Za-z0-9_", "s": r" \t\n\r\f\v"}
_ATOM = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|.", re.DOTALL)
_SET_NAMES = {
    "[0-9]": "digit",
    "[1-9]": "digit from 1 to 9",
    "[A-Z]": "capital letter",
    "[a-z]": "small letter",
    "[A-Za-z]": "letter",
    "[a-zA-Z]": "letter",
    "[A-Z0-9]": "capital letter or digit",
    "[a-z0-9]": "small letter or digit",
    "[A-Za-z0-9]": "letter or digit",
    "[a-zA-Z0-9]": "letter or digit",
    "[0-9a-f]": "hexadecimal digit",
    "[a-f0-9]": "hexadecimal digit",
    ".": "character",
}


def ascii_classes(pattern: str) -> str:
    r"""`pattern` with `\d`, `\w`, `\s` and their opposites written out as ASCII classes."""
    return "".join(_ascii_atom(atom) for atom in _ATOM.findall(pattern))


def _ascii_atom(atom: str) -> str:
    if atom[0] == "\\" and atom[1:].lower() in _SHORTHAND:
        return f"[{'^' if atom[1:].isupper() else ''}{_SHORTHAND[atom[1:].lower()]}]"
    if atom[0] == "[":
        return re.sub(r"\\(.)", lambda found: _SHORTHAND.get(found[1], found[0]), atom)
    return atom


_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
"""Characters that every engine lets a backslash stand before."""

_CLASS_ESCAPE = re.compile(r"\\[\^$\\.*+?()\[\]{}|/\-nrtfv]")
_CLASS_OPERATOR = re.compile(r"[\[\]\\]|&&|--|~~")


def is_portable(pattern: str) -> bool:
    """Whether the engines of ECMA-262 (with its flag u), of Python and of the validator read `pattern` alike."""
    atoms = _ATOM.findall(ascii_classes(pattern))
    triples = zip(atoms, atoms[1:], [*atoms[2:], ""], strict=False)
    if any(first == "(" and second == "?" and third != ":" for first, second, third in triples):
        return False
    repeats_twice = any(_repeats(atom) and _repeats(after) and after != "?" for atom, after in pairwise(atoms))
    return not repeats_twice and all(_is_portable_atom(atom) for atom in atoms)


def _repeats(atom: str) -> bool:
    return atom in ("*", "+", "?") or (atom[0] == "{" and len(atom) > 1)


def _is_portable_atom(atom: str) -> bool:
    if len(atom) == 1:
        return atom not in "[]{}\\"
    if atom[0] == "\\":
        return atom[1] in _SYNTAX or atom[1] in "nrtfv"
    if atom[0] == "{":
        return True
    members = atom[1:-1].removeprefix("^")
    return bool(members) and not _CLASS_OPERATOR.search(_CLASS_ESCAPE.sub("", members))


def is_finite(pattern: str) -> bool:
    """Whether `pattern` is anchored at both ends and has no open repetition, so that it bounds the length."""
    atoms = _ATOM.findall(pattern)
    if not atoms or atoms[0] != "^" or atoms[-1] != "$":
        return False
    if "|" in atoms and not _alternatives_in_group(atoms):
        return False
    return not any(atom in "*+" or (atom[0] == "{" and atom.endswith(",}")) for atom in atoms)


def _alternatives_in_group(atoms: list[str]) -> bool:
    """Whether each `|` stands inside a group, so that the anchors hold for all alternatives."""
    depth = 0
    for atom in atoms:
        depth += {"(": 1, ")": -1}.get(atom, 0)
        if atom == "|" and depth == 0:
            return False
    return True


@dataclass(frozen=True, slots=True)
class _Piece:
    """One atom of a pattern with its repetition; `literal` is the text that it stands for, if it is no set."""

    atom: str
    repeat: str

    @property
    def literal(self) -> str | None:
        if self.atom in _SET_NAMES:
            return None
        return self.atom[1:] if len(self.atom) == 2 and self.atom[0] == "\\" else self.atom


def in_words(pattern: str) -> str | None:
    """`^[A-Z]{3}-[0-9]{4}$` as "3 capital letters, '-', 4 digits"; `None` where words would not be clearer."""
    atoms = _ATOM.findall(ascii_classes(pattern))
    if atoms[:1] != ["^"] or atoms[-1:] != ["$"] or not is_portable(pattern):
        return None
    pieces = _pieces(atoms[1:-1])
    if pieces is None or not pieces or len(pieces) > 8:
        return None
    return ", ".join(_phrases(pieces))


def _phrases(pieces: list[_Piece]) -> Iterator[str]:
    """A phrase for each piece; a run of plain literals is one, so that INV- is one word and not four."""
    for is_plain, run in groupby(pieces, key=lambda piece: piece.literal is not None and not piece.repeat):
        if is_plain:
            yield "'" + "".join(piece.literal or "" for piece in run) + "'"
        else:
            yield from (_say(piece) for piece in run)


def _pieces(atoms: list[str]) -> list[_Piece] | None:
    """The atoms in order, or `None` if the pattern has groups, alternatives or sets without a name."""
    pieces: list[_Piece] = []
    for atom in atoms:
        if atom[0] == "{" or atom in "*+?":
            if not pieces or pieces[-1].repeat:
                return None
            pieces[-1] = _Piece(pieces[-1].atom, atom)
        elif atom in "()|^$" or (atom[0] == "[" and atom not in _SET_NAMES) or _is_control(atom):
            return None
        else:
            pieces.append(_Piece(atom, ""))
    return pieces


def _is_control(atom: str) -> bool:
    """Whether `atom` is an escape that stands for another character than the one behind the backslash."""
    return len(atom) == 2 and atom[0] == "\\" and atom[1] not in _SYNTAX


def _say(piece: _Piece) -> str:
    name = _SET_NAMES.get(piece.atom, f"'{piece.literal}'")
    if piece.repeat in ("", "{1}"):
        return f"1 {name}"
    if piece.repeat == "?":
        return f"perhaps 1 {name}"
    return f"{_times(piece.repeat)} {name if piece.literal else _plural(name)}"


def _plural(name: str) -> str:
    return name.replace("digit", "digits").replace("letter", "letters").replace("character", "characters")


def _times(repeat: str) -> str:
    if repeat == "*":
        return "any number of"
    if repeat == "+":
        return "1 or more"
    low, _, high = repeat[1:-1].partition(",")
    if "," not in repeat:
        return low
    return f"{low} to {high}" if high else f"{low} or more"
