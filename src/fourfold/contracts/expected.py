"""What a schema accepts, in words: the `expected` of a problem. Never a rejected value, never a library's text."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import cast

from fourfold.contracts.exact import TIME_PATTERN
from fourfold.contracts.patterns import in_words
from fourfold.contracts.strict_json import Json
from fourfold.contracts.walk import Schema

__all__ = ["in_short", "one_of", "unknown_name"]

_FORMATS = {
    "uuid": "a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    "date": "a date as YYYY-MM-DD",
    "date-time": "a date and time with an offset, such as 2026-11-30T09:00:00+01:00",
}
_DECIMAL = re.compile(r"\^(?P<sign>-\?)?\[0-9\]\{1,(?P<before>\d+)\}(?:\(\\\.\[0-9\]\{1,(?P<after>\d+)\}\)\?)?\$")
"""The pattern that a `Decimal` is published with."""

_SHOWN = 25
"""Names listed before the rest is only counted."""


def in_short(schema: Schema) -> str:
    """`schema` in a few words, such as "an integer from 1 to 10,000"."""
    if "enum" in schema:
        return one_of(schema["enum"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(in_short(arm) for arm in schema["anyOf"]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return f"{in_short({**schema, 'type': cast('list[str]', kind)[0]})} or null"
    return _BY_TYPE.get(str(kind), _anything)(schema)


def one_of(values: list[Json]) -> str:
    """A closed list: "one of EUR, USD"; a long one is cut and counted."""
    shown = ", ".join(_literal(value) for value in values[:_SHOWN])
    more = f" and {len(values) - _SHOWN} more" if len(values) > _SHOWN else ""
    return f"{'exactly ' if len(values) == 1 else 'one of '}{shown}{more}"


def _literal(value: Json) -> str:
    return value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)


def unknown_name(name: str, known: list[str]) -> str:
    """What to send instead of an unknown argument: the nearest name if one is near, and all that are accepted."""
    if not known:
        return "no arguments here"
    by_folded = {_folded(candidate): candidate for candidate in known}
    near = get_close_matches(_folded(name), by_folded, n=1, cutoff=0.6)
    hint = f"perhaps {by_folded[near[0]]}; " if near else ""
    return f"{hint}the accepted names are {', '.join(known[:_SHOWN])}"


def _folded(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()[:100]


def _number(schema: Schema) -> str:
    noun = "an integer" if schema.get("type") == "integer" else "a number"
    low, high = schema.get("minimum"), schema.get("maximum")
    parts = {
        (True, True): f" from {_amount(low)} to {_amount(high)}",
        (True, False): f" of at least {_amount(low)}",
        (False, True): f" of at most {_amount(high)}",
    }.get((low is not None, high is not None), "")
    above = f" above {_amount(schema['exclusiveMinimum'])}" if "exclusiveMinimum" in schema else ""
    below = f" below {_amount(schema['exclusiveMaximum'])}" if "exclusiveMaximum" in schema else ""
    steps = f", a multiple of {_amount(schema['multipleOf'])}" if "multipleOf" in schema else ""
    plain = "" if noun == "a number" else ", without quotes or decimals"
    return f"{noun}{parts}{above}{below}{steps}{plain}"


def _amount(bound: float | None) -> str:
    return "" if bound is None else f"{bound:,}"


def _string(schema: Schema) -> str:
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]
    if "pattern" in schema:
        return _shape(schema["pattern"]) + _example(schema)
    return f"a string in quotes{_range(schema, 'minLength', 'maxLength', unit='character')}" + _example(schema)


def _shape(pattern: str) -> str:
    """What a pattern asks for: in words where they are clearer, else as it is."""
    if pattern == TIME_PATTERN:
        return "a time as HH:MM:SS"
    decimal = _DECIMAL.fullmatch(pattern)
    if decimal is not None:
        after = f" and at most {decimal['after']} after the point" if decimal["after"] else ""
        return f"a decimal in quotes, with at most {_plural(int(decimal['before']), 'digit')} before{after}"
    words = in_words(pattern)
    return f"text of {words}" if words else f"text that matches {pattern}"


def _example(schema: Schema) -> str:
    examples = cast("list[Json]", schema.get("examples") or [])
    return f", for example {examples[0]}" if examples else ""


def _array(schema: Schema) -> str:
    once = ", each once" if schema.get("uniqueItems") else ""
    return f"a list{_range(schema, 'minItems', 'maxItems', unit='item')}{once}"


def _range(schema: Schema, low: str, high: str, *, unit: str) -> str:
    """The length bounds of a string or list, as " of 1 to 200 items"."""
    least, most = schema.get(low), schema.get(high)
    if least and most is not None:
        return f" of {_plural(most, unit)}" if least == most else f" of {least:,} to {_plural(most, unit)}"
    if most is not None:
        return f" of at most {_plural(most, unit)}"
    return f" of at least {_plural(least, unit)}" if least else ""


def _plural(count: int, unit: str) -> str:
    return f"{count:,} {unit}{'' if count == 1 else 's'}"


def _object(schema: Schema) -> str:
    names = list(schema.get("properties", {}))
    if names:
        return f"an object with {', '.join(names[:_SHOWN])}"
    is_closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
    return (
        "an object without members" if is_closed else f"an object{_range(schema, '', 'maxProperties', unit='member')}"
    )


def _fixed(words: str) -> Callable[[Schema], str]:
    return lambda _schema: words


_anything = _fixed("a value that the schema accepts")

_BY_TYPE: dict[str, Callable[[Schema], str]] = {
    "integer": _number,
    "number": _number,
    "string": _string,
    "array": _array,
    "object": _object,
    "boolean": _fixed("true or false, without quotes"),
    "null": _fixed("null"),
}
