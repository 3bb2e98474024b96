r"""Regular expressions of contracts: one meaning in every engine, and in words.

JSON Schema reads `pattern` as ECMA-262, where `\d` and `\w` are ASCII; the validator's engine takes them as
Unicode. Contracts use the ASCII meaning on both sides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["ascii_classes", "in_words", "is_finite"]

_SHORTHAND = {"d": "0-9", "w": "A-Za-z0-9_"}
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
    r"""`pattern` with `\d` and `\w` written out as ASCII classes."""
    return "".join(_ascii_atom(atom) for atom in _ATOM.findall(pattern))


def _ascii_atom(atom: str) -> str:
    if atom[0] == "\\" and atom[1:] in _SHORTHAND:
        return f"[{_SHORTHAND[atom[1:]]}]"
    if atom[0] == "[":
        return re.sub(r"\\(.)", lambda found: _SHORTHAND.get(found[1], found[0]), atom)
    return atom


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
    """One atom of a pattern with its repetition."""

    atom: str
    repeat: str


def in_words(pattern: str) -> str | None:
    """`^[A-Z]{3}-[0-9]{4}$` as "3 capital letters, '-', 4 digits"; `None` where words would not be clearer."""
    body = ascii_classes(pattern)
    if not (body.startswith("^") and body.endswith("$")):
        return None
    pieces = _pieces(_ATOM.findall(body[1:-1]))
    if pieces is None or not pieces or len(pieces) > 8:
        return None
    return ", ".join(_say(piece) for piece in _with_literals_joined(pieces))


def _with_literals_joined(pieces: list[_Piece]) -> list[_Piece]:
    """`pieces` with runs of plain literals as one, so that INV- is one word and not four."""
    joined: list[_Piece] = []
    for piece in pieces:
        literal = piece.atom not in _SET_NAMES and not piece.repeat
        if literal and joined and joined[-1].atom not in _SET_NAMES and not joined[-1].repeat:
            joined[-1] = _Piece(joined[-1].atom + _unescaped(piece.atom), "")
        else:
            joined.append(_Piece(_unescaped(piece.atom), piece.repeat) if literal else piece)
    return joined


def _unescaped(atom: str) -> str:
    return atom[1:] if len(atom) == 2 and atom[0] == "\\" else atom


def _pieces(atoms: list[str]) -> list[_Piece] | None:
    """The atoms in order, or `None` if the pattern has groups, alternatives or sets without a name."""
    pieces: list[_Piece] = []
    for atom in atoms:
        if atom[0] == "{" or atom in "*+?":
            if not pieces or pieces[-1].repeat:
                return None
            pieces[-1] = _Piece(pieces[-1].atom, atom)
        elif atom in "()|^$" or (atom[0] == "[" and atom not in _SET_NAMES):
            return None
        else:
            pieces.append(_Piece(atom, ""))
    return pieces


def _say(piece: _Piece) -> str:
    name = _SET_NAMES.get(piece.atom)
    if name is None:
        return f"'{piece.atom}'" if not piece.repeat else f"'{_unescaped(piece.atom)}' {_times(piece.repeat)}"
    if piece.repeat in ("", "{1}"):
        return f"1 {name}"
    if piece.repeat == "?":
        return f"perhaps 1 {name}"
    return f"{_times(piece.repeat)} {_plural(name)}"


def _plural(name: str) -> str:
    return name.replace("digit", "digits").replace("letter", "letters").replace("character", "characters")


def _times(repeat: str) -> str:
    if repeat == "*":
        return "any number of"
    if repeat == "+":
        return "1 or more"
    if repeat == "?":
        return "(optional)"
    low, _, high = repeat[1:-1].partition(",")
    if "," not in repeat:
        return low
    return f"{low} to {high}" if high else f"{low} or more"
