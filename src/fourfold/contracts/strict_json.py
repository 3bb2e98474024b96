"""Strict JSON: one reader for every transport, so that HTTP and stdio accept the same bytes.

It refuses what parsers disagree about (RFC 8259, section 9; RFC 7493, "I-JSON"): duplicate names, NaN and
infinities, integers beyond ±(2^53-1), lone surrogates, a byte order mark, and nesting over 64.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from fourfold.errors import FourfoldError
from fourfold.model.fault import Problem

__all__ = ["MAX_DEPTH", "MAX_SAFE_INTEGER", "Json", "Parsed", "StrictJsonError", "parse", "pointer", "well_formed"]

Json = Any
"""A JSON value, as parsed. Modules that take one import this name, so that `Any` means nothing else there."""

MAX_DEPTH = 64
"""Deepest nesting of arrays and objects that is read."""

MAX_SAFE_INTEGER = 2**53 - 1
"""Largest magnitude that every JSON parser keeps (RFC 7493, section 2.2)."""

_EXPECTED = {
    "duplicate_key": "each name once in an object",
    "not_finite": "a finite number",
    "unsafe_integer": "an integer within ±9007199254740991; send a longer number as a quoted string",
    "lone_surrogate": "well-formed Unicode text",
}

_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]")
_ODD_NUMBER = re.compile(r"\d{16}|[eE][+]?\d{2}|NaN|Infinity")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class StrictJsonError(FourfoldError):
    """The bytes are not JSON that we read; `code` says why and the message repeats none of them."""

    def __init__(self, code: Literal["not_utf8", "byte_order_mark", "syntax", "too_deep"]) -> None:
        self.code = code
        super().__init__(f"not acceptable JSON: {code}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A JSON value and what is wrong inside it.

    `value` is safe to serialize: what was faulty is `None` or has U+FFFD in it. It may be used only if no fault
    lies in the part that is used. Pointers in `faults` start at the document root.
    """

    value: Json
    faults: tuple[Problem, ...] = ()


def pointer(*steps: str | int) -> str:
    """A JSON Pointer (RFC 6901) of `steps`; "" for none."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def parse(raw: bytes, *, depth: int = MAX_DEPTH) -> Parsed:
    """Read one JSON document, nested `depth` deep at most.

    Raises:
        StrictJsonError: it is not UTF-8, starts with a byte order mark, is not JSON, or is nested too deep.
    """
    text = _decode(raw)
    if _is_deeper(text, depth):
        raise StrictJsonError("too_deep")
    marks = _Marks()
    odd = _ODD_NUMBER.search(text) is not None
    try:
        value = json.loads(
            text,
            object_pairs_hook=marks.object,
            parse_constant=marks.constant,
            parse_int=marks.integer if odd else None,
            parse_float=marks.float if odd else None,
        )
    except (ValueError, RecursionError):
        raise StrictJsonError("syntax") from None
    if not marks.any and not _SURROGATE.search(text):
        return Parsed(value=value)
    sweep = _Sweep()
    return Parsed(value=sweep.clean(value, ()), faults=tuple(sweep.faults))


def _decode(raw: bytes) -> str:
    if raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise StrictJsonError("byte_order_mark")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise StrictJsonError("not_utf8") from None


def _is_deeper(text: str, limit: int) -> bool:
    """Whether arrays and objects are nested over `limit` deep."""
    if text.count("[") + text.count("{") <= limit:
        return False
    depth = deepest = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest > limit


@dataclass(frozen=True, slots=True)
class _Bad:
    """Stands in the parsed value where something is wrong; `rest` is what may be read on, if anything."""

    code: str
    rest: Json = None
    names: tuple[str, ...] = ()


@dataclass(slots=True)
class _Marks:
    """The hooks of `json.loads`; `any` tells whether one of them found something."""

    any: bool = False

    def object(self, pairs: list[tuple[str, Json]]) -> Json:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        counted = Counter(name for name, _ in pairs)
        self.any = True
        return _Bad("duplicate_key", found, tuple(name for name, times in counted.items() if times > 1))

    def integer(self, digits: str) -> Json:
        if len(digits) <= 17 and abs(int(digits)) <= MAX_SAFE_INTEGER:
            return int(digits)
        return self._bad("unsafe_integer")

    def float(self, digits: str) -> Json:
        number = float(digits)
        return number if abs(number) != float("inf") else self._bad("not_finite")

    def constant(self, _name: str) -> Json:
        return self._bad("not_finite")

    def _bad(self, code: str) -> _Bad:
        self.any = True
        return _Bad(code)


@dataclass(slots=True)
class _Sweep:
    """Walks a parsed value once, collects faults with their pointers, and leaves a value without them."""

    faults: list[Problem] = field(default_factory=list[Problem])

    def clean(self, value: Json, steps: tuple[str | int, ...]) -> Json:
        if isinstance(value, _Bad):
            for place in [(*steps, name) for name in value.names] or [steps]:
                self._fault(value.code, place)
            return self.clean(value.rest, steps)
        if isinstance(value, str):
            return self._text(value, steps)
        if isinstance(value, dict):
            members = cast("dict[str, Json]", value)
            return {
                self._text(name, (*steps, name)): self.clean(item, (*steps, name)) for name, item in members.items()
            }
        if isinstance(value, list):
            return [self.clean(item, (*steps, index)) for index, item in enumerate(cast("list[Json]", value))]
        return value

    def _text(self, text: str, steps: tuple[str | int, ...]) -> str:
        cleaned = well_formed(text)
        if cleaned != text:
            self._fault("lone_surrogate", steps)
        return cleaned

    def _fault(self, code: str, steps: tuple[str | int, ...]) -> None:
        self.faults.append(Problem(pointer=well_formed(pointer(*steps)), code=code, expected=_EXPECTED[code]))


def well_formed(text: str) -> str:
    """`text` with each lone surrogate replaced by U+FFFD, and two that are a pair as their one character."""
    if text.isascii() or not _SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


_SURROGATES = re.compile("[\ud800-\udfff]")
