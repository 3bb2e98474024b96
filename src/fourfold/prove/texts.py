"""Texts that a schema of strings takes, and texts that it refuses."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache

from fourfold.contracts.conform import Misfit, fitting
from fourfold.contracts.names import words
from fourfold.contracts.strict_json import Json
from fourfold.model.contract import JsonObject
from fourfold.prove.matching import text_maker
from fourfold.prove.sample import Unmakeable

__all__ = ["LONG", "a_text", "matches", "other_texts", "wrong_texts"]

LONG = 1_500
"""Characters of a text that is meant to be long where nothing bounds it."""

_LONGEST = 20_000
"""Bounds over this are not tried: the texts would be over what a request may have."""

_FORMATS = {
    "date": ("2026-01-31", "2024-02-29", "1999-12-31"),
    "date-time": ("2026-01-31T09:00:00Z", "2026-01-31T09:00:00.123Z", "2024-02-29T23:59:59+05:30"),
    "time": ("09:00:00Z", "23:59:59+05:30"),
    "duration": ("P1D", "PT15M"),
    "uuid": ("3f2504e0-4f89-41d3-9a0c-0305e82c3301", "00000000-0000-4000-8000-000000000000"),
    "email": ("someone@example.org", "some.one+tag@mail.example.org"),
    "idn-email": ("someone@example.org",),
    "uri": ("https://example.org/", "https://example.org/a%20path?q=1#part"),
    "url": ("https://example.org/", "https://example.org/a%20path?q=1#part"),
    "uri-reference": ("/a/path", "https://example.org/"),
    "iri": ("https://example.org/",),
    "hostname": ("example.org", "a-b.example.org"),
    "ipv4": ("192.0.2.1", "198.51.100.255"),
    "ipv6": ("2001:db8::1", "::1"),
    "regex": ("^a+$",),
    "json-pointer": ("/a/0",),
    "json": ("{}", "[1]"),
    "decimal": ("12.50", "0"),
    "byte": ("ZXhhbXBsZQ==",),
}
_LATER = {"date": "2026-03-31", "date-time": "2026-03-31T18:00:00Z"}
_ENDS = frozenset({"before", "until", "to", "end", "ends", "due", "last", "latest", "max", "through", "expires"})
_UNFORMED = {
    "date": ("2026-02-30", "31/01/2026", "today"),
    "date-time": ("2026-01-31T25:00:00Z", "2026-01-31", "now"),
    "time": ("25:00:00Z", "noon"),
    "uuid": ("3f2504e0-4f89-41d3-9a0c-0305e82c330", "not-a-uuid"),
    "email": ("someone", "example.org"),
    "uri": ("no address at all", "example"),
    "ipv4": ("256.1.1.1", "192.0.2"),
    "ipv6": ("2001:db8::g", "192.0.2.1"),
    "regex": ("(", "[a"),
}
_UNICODE = (
    "e\u0301a\u0308 combining",
    "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "\U0001f469\u200d\U0001f680 \U0001f1f8\U0001f1ea",
    "\U0001d49c\U00020000\U0010fffd",
    "\u0440\u0430\u0443\u0440\u0430l",
    "a\u200bb\u2028c\ufeff",
    "\u202eabc\u202c",
)
"""Combining marks, right to left, emoji of several characters, beyond 16 bits, look-alikes, invisible, turned round."""


def a_text(schema: JsonObject, dice: random.Random, *, name: str = "", long: int = 0) -> str:
    """One text that the schema takes: of as many characters as it may have, up to `long`, or a usual one.

    A date whose `name` says that something ends with it comes after the other dates.

    Raises:
        Unmakeable: none was found.
    """
    low, high = _bounds(schema)
    if high < low:
        raise Unmakeable("maxLength", "")
    later = _LATER.get(str(schema.get("format")))
    if later and not long and "pattern" not in schema and _ENDS & {*words(name)}:
        return later
    if "format" in schema or "pattern" in schema:
        return _shaped(schema, dice, low=low, high=high, long=long)
    if long:
        length = min(high, max(low, long))
        return ("abcdefghij" * (length // 10 + 1))[:length]
    return "example"[:high].ljust(min(low, _LONGEST), "e")


def other_texts(schema: JsonObject, dice: random.Random) -> Iterator[tuple[str, str]]:
    """More texts that the schema takes, each with what it shows: its length's limits, or other characters."""
    for length in _limits(schema):
        yield from (("boundary", each) for each in _of_length(schema, dice, length))
    if "pattern" in schema:
        yield "typical", a_text(schema, dice)
        yield "maximal", a_text(schema, dice, long=LONG)
    elif "format" in schema:
        yield from (("typical", each) for each in _FORMATS.get(str(schema["format"]), ()))
    else:
        low, high = _bounds(schema)
        yield from (("unicode", each[:high].ljust(min(low, _LONGEST), each[0])) for each in _UNICODE)
        yield "maximal", a_text(schema, dice, long=LONG)


def wrong_texts(schema: JsonObject, dice: random.Random) -> Iterator[tuple[str, str]]:
    """Texts that the schema refuses, each with what is wrong with it."""
    low, high = _bounds(schema)
    if 0 < low <= _LONGEST:
        yield "too_short", _cut(schema, dice, low - 1)
    if high < _LONGEST:
        yield "too_long", _cut(schema, dice, high + 1)
    if "pattern" in schema:
        yield from (("pattern", each) for each in _unmatched(schema, dice) if low <= len(each) <= high)
    kind = schema.get("format")
    if isinstance(kind, str):
        yield from (("format", each) for each in _UNFORMED.get(kind, (f"no {kind}",)))


def _bounds(schema: JsonObject) -> tuple[int, int]:
    """The lengths that a text may have."""
    low, high = schema.get("minLength"), schema.get("maxLength")
    return int(low) if isinstance(low, int | float) else 0, int(high) if isinstance(high, int | float) else _LONGEST


def _limits(schema: JsonObject) -> list[int]:
    low, high = _bounds(schema)
    around = [low, low + 1, high - 1, high] if high < _LONGEST else [low, low + 1]
    return [*dict.fromkeys(length for length in around if low <= length <= high)]


def _of_length(schema: JsonObject, dice: random.Random, length: int) -> Iterator[str]:
    try:
        yield a_text({**schema, "minLength": length, "maxLength": length}, dice)
    except Unmakeable:
        return


def _cut(schema: JsonObject, dice: random.Random, length: int) -> str:
    """A text of that length, right in every other way if there is one."""
    right = next(_of_length(schema, dice, length), None)
    return a_text(schema, dice)[:length].ljust(length, "e") if right is None else right


def _shaped(schema: JsonObject, dice: random.Random, *, low: int, high: int, long: int) -> str:
    """A text with a format, a pattern or both."""
    pattern = schema.get("pattern")
    known = _FORMATS.get(str(schema.get("format")), ())
    fit = [each for each in known if low <= len(each) <= high and (pattern is None or matches(pattern, each))]
    if fit:
        # Beside a pattern that cannot be judged, the plainest form is the likeliest to match.
        return max(fit, key=len) if long and pattern is None else fit[0]
    if isinstance(pattern, str):
        return _matched(pattern, dice, low=low, high=high, long=long)
    # A format that nobody lists is a description, and a text of any kind has it.
    if known:
        raise Unmakeable("format", "")
    return "example"[:high].ljust(low, "e")


def _matched(pattern: str, dice: random.Random, *, low: int, high: int, long: int) -> str:
    made = text_maker(pattern)
    found: list[str] = []
    for more in (1, 2, 4, 0, 8, max(0, low - made.least), min(high, long), 64, 300):
        for _ in range(4):
            text = made.text(dice, more)
            # Nothing is said about what follows a match that is not tied to the end.
            padded = text if pattern.endswith("$") else text.ljust(low, "e")
            if low <= len(padded) <= high and matches(pattern, padded):
                found.append(padded)
        if found and not long:
            return found[0]
    if not found:
        raise Unmakeable("pattern", "")
    return max(found, key=len)


def _unmatched(schema: JsonObject, dice: random.Random) -> Iterator[str]:
    """Texts beside the pattern: a right one with one thing changed."""
    right = a_text(schema, dice)
    beside = (right + "!", "!" + right, right[:-1], right[1:], right.swapcase(), right[:-1] + "\u00a7", "")
    yield from (each for each in dict.fromkeys(beside) if not matches(schema["pattern"], each))


def matches(pattern: Json, text: str) -> bool:
    """Whether a text matches, as the first judge sees it: what could take it for ever matches everything."""
    return not isinstance(pattern, str) or not _judge(pattern)(text)


@cache
def _judge(pattern: str) -> Callable[[object], tuple[Misfit, ...]]:
    return fitting({"pattern": pattern})
