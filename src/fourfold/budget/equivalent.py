"""The cheaper way to say what a field says: a keyword instead of a sentence. Owns the proposals, not the choice."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from fourfold.budget.rendering import compact
from fourfold.model.contract import JsonObject

__all__ = ["Equivalent", "cheaper", "takes_any_text", "values_in"]

_ASIDE = r"(?:\s*\([^()]{0,80}\))?"
_BETWEEN = r"\s*(?:,\s*(?:or\s+|and\s+)?|\||/|\s(?:or|and)\s+)\s*"
_VALUE = r"[A-Za-z][\w-]{0,40}"
_QUOTED = r"[\"'`]([A-Za-z0-9][\w-]{0,40})[\"'`]"
_QUOTED_RUN = re.compile(rf"(?:{_QUOTED}{_ASIDE}{_BETWEEN}){{2,60}}{_QUOTED}")
_BARE_RUN = re.compile(
    r"(?:one of|options|(?:allowed|valid|possible|supported) (?:values?|options?)(?: are)?)\s*[:=]?\s*"
    rf"((?:{_VALUE}{_ASIDE}{_BETWEEN}){{2,60}}{_VALUE})",
    re.IGNORECASE,
)
_QUOTED_VALUE, _WORD, _DIGIT = re.compile(_QUOTED), re.compile(_VALUE), re.compile(r"\d")
_ASIDES = re.compile(r"\([^()]{0,80}\)")
_LOOSE = re.compile(
    r"\be\.?g\.|\bexamples?\b|\bsuch as\b|\blike\b|\bcommon\b|comma|\bJSON\b|\blist of\b|\betc\b|\bthrough\b"
    r"|\bunits?\b|yyyy|\brequired for\b|\bpath\b",
    re.IGNORECASE,
)
"""What says that the values are examples, parts of a value, or values of another argument."""

_RANGE = re.compile(r"\b(?:between|from)\s+(\d{1,9})\s+(?:and|to)\s+(\d{1,9})\b|\((\d{1,9})\s*[-–]\s*(\d{1,9})\)")
_DAY = re.compile(r"\byyyy-mm-dd\b(?!.*\b(?:relative|or)\b)", re.IGNORECASE)
_CLIENT_CUT = 1_024
"""Characters after which the shortest known client cuts a tool's description."""

_MANY = 40
"""Values after which a list in the schema costs more than a look-up."""

_SHORT = 60
_SHORT_TOOL = 100
"""Tokens within which the description of an argument, and of a tool, says what it must."""

_ONE_THING = 240
"""Characters of a description that is about one form; a longer one may name a day in passing."""

_NARROWED = ("enum", "const", "format", "pattern")
_SCHEMA_TOP = 2
"""Steps of the pointer of a field that is the tool's own, not an argument's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalent:
    """A cheaper way to say the same; `tokens` is what it costs, `None` where that depends on the words."""

    advice: str
    tokens: int | None = None


def values_in(text: str) -> tuple[str, ...]:
    """The three or more values that a sentence says are all: a run of quoted words, or a list after `one of`."""
    if _LOOSE.search(text):
        return ()
    quoted, bare = _QUOTED_RUN.search(text), _BARE_RUN.search(text)
    if quoted:
        found = _QUOTED_VALUE.findall(_ASIDES.sub("", quoted[0]))
    else:
        found = [word for word in _WORD.findall(_ASIDES.sub("", bare[1] if bare else "")) if word not in ("or", "and")]
    # Values that all hold digits (2h, 90m) show a form.
    return () if all(_DIGIT.search(value) for value in found) else tuple(dict.fromkeys(found))


def cheaper(at: str, value: object, *, schema: JsonObject, count: Callable[[str], int]) -> Equivalent:
    """What to write instead of the field at `at`, the pointer into the tool's definition."""
    name = at.rpartition("/")[2]
    if name == "description" and isinstance(value, str):
        return _of_tool(value, count) if at.count("/") < _SCHEMA_TOP else _of_argument(value, schema, count)
    if name == "enum" and _is_long_list(value):
        return Equivalent(advice="a pattern, and a tool that lists the values: this list is read at every turn")
    if name in ("title", "$comment"):
        return Equivalent(advice="leave it out: no model needs it", tokens=0)
    if name in ("examples", "example"):
        return Equivalent(advice="one short example, or a pattern that every example fits")
    if name == "default":
        return Equivalent(advice="leave it out, and say in the description what happens without the argument")
    return Equivalent(advice="short as it is" if count(compact(value)) <= _SHORT else "fewer or shorter values")


def _of_tool(text: str, count: Callable[[str], int]) -> Equivalent:
    if count(text) <= _SHORT_TOOL:
        return Equivalent(advice="short as it is")
    advice = "what it does, when to use it and when not, and what it returns; what is about one argument belongs there"
    return Equivalent(advice=advice, tokens=count(text[:_CLIENT_CUT]) if len(text) > _CLIENT_CUT else None)


def _of_argument(text: str, schema: JsonObject, count: Callable[[str], int]) -> Equivalent:
    """The keyword that the schema lacks and the sentence stands for."""
    values = values_in(text)
    if values and takes_any_text(schema):
        keyword = compact({"enum": list(values)})
        return Equivalent(advice=f"an enum, if these are all: {_shown(values)}", tokens=count(keyword))
    bounds = _RANGE.search(text)
    if bounds and schema.get("type") in ("integer", "number") and "maximum" not in schema:
        low, high = (group for group in bounds.groups() if group)
        keyword = f'"minimum":{low},"maximum":{high}'
        return Equivalent(advice=f"the keywords {keyword}", tokens=count(keyword))
    if len(text) <= _ONE_THING and _DAY.search(text) and takes_any_text(schema):
        return Equivalent(
            advice='"format":"date", or "date-time" where there is a time', tokens=count('"format":"date"')
        )
    if count(text) <= _SHORT:
        return Equivalent(advice="short as it is")
    return Equivalent(advice="one sentence; limits as keywords (enum, maxLength, pattern, minimum)")


def takes_any_text(schema: JsonObject) -> bool:
    """Whether text is allowed and nothing but its description says which."""
    arms: object = schema.get("anyOf", [schema])
    listed = cast("list[object]", arms) if isinstance(arms, list) else []
    texts = [cast("JsonObject", arm) for arm in listed if isinstance(arm, Mapping)]
    texts = [arm for arm in texts if arm.get("type") == "string"]
    return bool(texts) and not any(keyword in arm for arm in (schema, *texts) for keyword in _NARROWED)


def _is_long_list(value: object) -> bool:
    return isinstance(value, list) and len(cast("list[object]", value)) > _MANY


def _shown(values: tuple[str, ...]) -> str:
    return ", ".join(values[:4]) + (f" and {len(values) - 4} more" if len(values) > 4 else "")
