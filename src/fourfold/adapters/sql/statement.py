"""`?` and `:name`, as handlers write them, made into what a driver for PostgreSQL takes.

Owns how PostgreSQL splits a statement into words: literals in every quoting, comments, names, `::` casts, `%`. Knows
no driver and no rights. Where PostgreSQL's own placeholders or a spelling that hides names are used, it refuses.

Two things cannot be written: operators with a question mark (`jsonb ? 'key'`; write `jsonb_exists(...)`), and a slice
that ends in a bare name (`a[1:n]`; write `a[1 : n]`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fourfold.errors import StoreError
from fourfold.ports.units import Parameters

__all__ = ["Statement", "read_statement"]

# To PostgreSQL every character beyond ASCII is a letter.
_TOKEN = re.compile(
    r"""
    (?P<escaped> [eE]'(?:[^'\\]|''|\\.)*' )
    | (?P<literal> '(?:[^']|'')*' | \$(?P<tag>(?:[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*)?)\$.*?\$(?P=tag)\$ )
    | (?P<hidden> [uU]&" | \$[0-9]+ )
    | (?P<quoted> "(?:[^"]|"")*" )
    | (?P<line> --[^\n\r]* )
    | (?P<block> /\* )
    | (?P<word> [A-Za-z_\x80-\U0010ffff][\w$\x80-\U0010ffff]* )
    | (?P<number> [0-9][\w.]* )
    | (?P<colons> :: | := )
    | (?P<place> \? | :(?P<name>[A-Za-z_]\w*) )
    | (?P<space> \s+ )
    | (?P<other> . )
    """,
    re.DOTALL | re.VERBOSE,
)

_COMMENT_EDGE = re.compile(r"/\*|\*/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One statement, taken apart at its placeholders.

    Attributes:
        pieces: the text around the placeholders, one more than there are of them.
        order: which value each placeholder takes.
        names: the name of each value; "" for one that is given by position.
        words: keywords and names in their order, in lower case, quoted ones without their quotes.
        single: whether nothing follows the first semicolon.
    """

    pieces: tuple[str, ...]
    order: tuple[int, ...]
    names: tuple[str, ...]
    words: tuple[str, ...]
    single: bool

    @property
    def numbered(self) -> str:
        """The statement with `$1`, `$2` and so on."""
        places = [f"${index + 1}{piece}" for index, piece in zip(self.order, self.pieces[1:], strict=True)]
        return self.pieces[0] + "".join(places)

    @property
    def formatted(self) -> str:
        """The statement with a `%s` for each placeholder."""
        return "%s".join(piece.replace("%", "%%") for piece in self.pieces)

    def values(self, parameters: Parameters) -> Sequence[Any]:
        """The values in the order of `names`.

        Raises:
            StoreError: there are too few or too many of them, or a name is missing.
        """
        if isinstance(parameters, Mapping):
            return self._named(parameters)
        if any(self.names):
            raise StoreError("the statement has :name placeholders, so its values need a mapping")
        if len(parameters) != len(self.names):
            raise StoreError(f"the statement has {len(self.names)} placeholders, and {len(parameters)} values came")
        return parameters

    def _named(self, parameters: Mapping[str, Any]) -> Sequence[Any]:
        missing = [name or "?" for name in self.names if name not in parameters]
        if missing:
            raise StoreError(f"the statement has placeholders without a value: {', '.join(missing)}")
        return [parameters[name] for name in self.names]


@lru_cache(maxsize=1_024)
def read_statement(sql: str) -> Statement:
    """Take `sql` apart.

    Raises:
        StoreError: it uses PostgreSQL's own placeholders, spells names in `U&"..."`, or continues an `E'...'`.
    """
    reader = _Reader()
    for kind, text in _tokens(sql):
        reader.take(kind, text)
    return reader.statement()


class _Reader:
    """Gathers what a statement consists of, token by token."""

    def __init__(self) -> None:
        self._pieces = [""]
        self._order: list[int] = []
        self._names: list[str] = []
        self._words: list[str] = []
        self._before = ""
        self._ended = False
        self._single = True

    def take(self, kind: str, text: str) -> None:
        """Take one token."""
        if kind == "hidden":
            raise StoreError('write placeholders as ? or :name, and names without U&"..."')
        if kind == "place":
            self._place(text[1:])
        else:
            self._pieces[-1] += text
        if kind in ("space", "line", "block"):
            return
        self._note(kind, text)

    def statement(self) -> Statement:
        """What was gathered."""
        return Statement(
            pieces=tuple(self._pieces),
            order=tuple(self._order),
            names=tuple(self._names),
            words=tuple(self._words),
            single=self._single,
        )

    def _place(self, name: str) -> None:
        if not name or name not in self._names:
            self._names.append(name)
        self._order.append(self._names.index(name) if name else len(self._names) - 1)
        self._pieces.append("")

    def _note(self, kind: str, text: str) -> None:
        if self._before == "escaped" and kind == "literal":
            # PostgreSQL reads the second part of E'a' 'b' with backslashes as well, so its end is elsewhere.
            raise StoreError("write an E'...' string in one piece")
        self._single = self._single and not (self._ended and text != ";")
        self._ended = self._ended or text == ";"
        self._before = kind
        if kind == "word":
            self._words.append(text.lower())
        elif kind == "quoted":
            self._words.append(text[1:-1].replace('""', '"').lower())


def _tokens(sql: str) -> Iterator[tuple[str, str]]:
    position = 0
    while found := _TOKEN.match(sql, position):
        kind = str(found.lastgroup)
        position = _end_of_comment(sql, found.end()) if kind == "block" else found.end()
        yield kind, sql[found.start() : position]


def _end_of_comment(sql: str, position: int) -> int:
    """Where the comment ends whose beginning was just passed; in PostgreSQL they nest."""
    depth = 1
    for edge in _COMMENT_EDGE.finditer(sql, position):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    return len(sql)
