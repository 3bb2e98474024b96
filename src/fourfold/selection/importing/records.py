"""The records of a file: JSON Lines, or one JSON document. One line is held at a time, of a bounded length."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO

from fourfold.contracts.strict_json import Parsed, StrictJsonError, parse, pointer
from fourfold.model.contract import JsonObject
from fourfold.model.fault import Problem
from fourfold.selection.importing.decision import Place
from fourfold.selection.wire.values import is_object, list_of, object_of

__all__ = ["MOST_BYTES", "BadRecord", "Record", "bounded_lines", "records_in"]

MOST_BYTES = 32 * 1024 * 1024
"""Of one line, and of a document that is spread over lines."""

_DEPTH = 200
_BOM = b"\xef\xbb\xbf"
_SAID = {
    "not_utf8": "is not UTF-8",
    "byte_order_mark": "begins with a byte order mark",
    "syntax": "is no JSON; it may have been cut off",
    "too_deep": f"is nested more than {_DEPTH} deep",
    "duplicate_key": "is there twice",
    "not_finite": "is no finite number",
    "unsafe_integer": "is an integer beyond 2^53, which readers round",
}
_TIME = re.compile(r"(?i)(?:time|nano|stamp|(?:^|_)ts)[^/]*$")
"""Names of moments in nanoseconds, which are long integers in some exports; no decision hangs on them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One object of the file."""

    place: Place
    value: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRecord:
    """Something that cannot be read: where, and what is wrong with it."""

    place: Place
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


def bounded_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file. Of one that is too long only its beginning is given, one byte more than is read."""
    while line := file.readline(MOST_BYTES + 1):
        rest = line
        while len(rest) > MOST_BYTES and not rest.endswith(b"\n"):
            rest = file.readline(MOST_BYTES + 1)
        yield line


def records_in(lines: Iterable[bytes]) -> Iterator[Record | BadRecord]:
    """What a file holds, in its order. Arrays give their members; empty lines give nothing."""
    numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    first = next(numbered, None)
    if first is None:
        return
    number, line = first
    line = line.removeprefix(_BOM)
    if _is_whole(line):
        yield from _of_lines(chain([(number, line)], numbered))
    else:
        yield from _of_document(chain([(number, line)], numbered))


def _is_whole(line: bytes) -> bool:
    """Whether a first line is a value by itself, or cannot be the beginning of a longer document."""
    begins = line.lstrip()[:1]
    return begins not in (b"{", b"[") or len(line) > MOST_BYTES or not isinstance(_parsed(line), str)


def _of_lines(numbered: Iterable[tuple[int, bytes]]) -> Iterator[Record | BadRecord]:
    for number, line in numbered:
        yield from _of_value(line, number)


def _of_document(numbered: Iterator[tuple[int, bytes]]) -> Iterator[Record | BadRecord]:
    """One value over several lines, if it is one; else lines of which the first is bad."""
    held: list[tuple[int, bytes]] = []
    size = 0
    for number, line in numbered:
        held.append((number, line))
        size += len(line)
        # Everything held so far is read once more, line by line.
        if size > MOST_BYTES or (len(held) > 1 and _stands_alone(held, line)):
            yield from _of_lines(chain(held, numbered))
            return
    whole = b"".join(line for _, line in held)
    if isinstance(_parsed(whole), str):
        yield from _of_lines(held)
    else:
        yield from _of_value(whole, held[0][0])


def _stands_alone(held: list[tuple[int, bytes]], line: bytes) -> bool:
    """Whether the second line is an object though the first is no array that it could be the only member of."""
    if len(held) != 2 or held[0][1].strip() == b"[":
        return False
    parsed = _parsed(line)
    return not isinstance(parsed, str) and is_object(parsed.value)


def _of_value(raw: bytes, line: int) -> Iterator[Record | BadRecord]:
    if len(raw) > MOST_BYTES:
        yield BadRecord(place=Place(line=line), what=f"has more than {MOST_BYTES // 2**20} MiB")
        return
    parsed = _parsed(raw)
    if isinstance(parsed, str):
        yield BadRecord(place=Place(line=line), what=_SAID[parsed])
        return
    many = isinstance(parsed.value, list)
    faults = _faults(parsed.faults, many=many)
    values: list[object] = list_of(parsed.value) if many else [parsed.value]
    for index, value in enumerate(values):
        at = pointer(index) if many else ""
        if at in faults:
            fault = faults[at]
            yield BadRecord(place=Place(line=line, pointer=fault.pointer), what=_SAID[fault.code])
        elif is_object(value):
            yield Record(place=Place(line=line, pointer=at), value=object_of(value))
        else:
            yield BadRecord(place=Place(line=line, pointer=at), what="is no object")


def _faults(faults: Iterable[Problem], *, many: bool) -> dict[str, Problem]:
    """The first fault that could change a decision, by the member of the array that it lies in."""
    found: dict[str, Problem] = {}
    for fault in filter(_matters, faults):
        found.setdefault(pointer(fault.pointer.split("/")[1]) if many else "", fault)
    return found


def _matters(fault: Problem) -> bool:
    is_time = fault.code == "unsafe_integer" and _TIME.search(fault.pointer.rpartition("/")[2]) is not None
    return fault.code != "lone_surrogate" and not is_time


def _parsed(raw: bytes) -> Parsed | str:
    """The value, or why there is none."""
    try:
        return parse(raw, depth=_DEPTH)
    except StrictJsonError as error:
        return error.code
