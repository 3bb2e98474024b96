"""The default that the description of an argument states, where it is a plain value that stands still.

"Default: 20" and "defaults to `main`" are plain. "Defaults to the current time", "default 20; 5 for folders" and
"default: 2 hours" are not: the value moves, depends on something else, or may be in another unit than the argument.
"""

from __future__ import annotations

import re

from fourfold.review.arguments import alternatives, explained, kinds, siblings
from fourfold.review.place import Place
from fourfold.review.values import fits
from fourfold.review.view import ToolView

__all__ = ["Plain", "said_default"]

Plain = str | int | float | bool
"""A value that a sentence can state."""

_BOOLEAN, _TEXT = frozenset({"boolean"}), frozenset({"string"})
_SAYS = re.compile(r"\bdefaults?\b", re.IGNORECASE)
_STATED = re.compile(
    r"""(?<!["'`=\w])defaults?(?:\ ?value)?(?:\ (?:is|of)|\ to)?\s{0,2}[:=]?\s{0,2}
    (?:(?P<quote>["'`])(?P<text>\w[^"'`\n<{]{0,60})(?P=quote)
      |(?P<number>-?\d[\d,]{0,12}(?:\.\d{1,9})?)(?![\w%.,-]*\w)
      |(?P<word>[A-Za-z][\w-]{0,40}))
    (?P<rest>[^\n]{0,30})""",
    re.IGNORECASE | re.VERBOSE,
)
_DEPENDS = re.compile(
    r"\W*(?:\d|(?:for|when|if|unless|in|on|with|and|or|otherwise|plus|then|depending|unlimited)\b)|\s*\(\w+:",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"\s*(?:ago\b|ms\b|milli|sec|min(?:ute)?s?\b|hours?\b|hr|days?\b|weeks?\b|months?\b|years?\b|[km]i?b\b|bytes?\b|%)",
    re.IGNORECASE,
)
_MOVED_BY = re.compile(
    r"\bauto\b|\benv(?:ironment)?\b|\bonly (?:available|valid|supported|allowed|used|applies|for|when|with)\b",
    re.IGNORECASE,
)
"""Where a default is not what a call gets that leaves the argument out, or must not be sent with every call."""

_MOVES = frozenset({"now", "today", "yesterday", "tomorrow", "current", "auto", "none", "null", "undefined", "unset"})


def said_default(tool: ToolView, place: Place) -> Plain | None:
    """The value that the text of an argument states as its default, if it is plain and one that the argument takes."""
    text = explained(tool, place)
    if _MOVED_BY.search(text):
        return None
    # Of two defaults, one is the exception to the other.
    stated = _STATED.search(text) if len(_SAYS.findall(text)) == 1 else None
    if stated is None or _DEPENDS.match(stated["rest"]):
        return None
    value = _value(stated, place)
    return value if value is not None and any(fits(value, each) for each in alternatives(place)) else None


def _value(stated: re.Match[str], place: Place) -> Plain | None:
    taken = kinds(place)
    if stated["number"] is not None:
        return _number(stated) if taken and taken <= {"integer", "number"} else None
    text = stated["text"] or stated["word"]
    if taken == _BOOLEAN:
        return {"true": True, "false": False}.get(text.lower())
    # A word without quotes is a value only where it is listed as one: "defaults to everything".
    is_value = stated["quote"] is not None or any(text in each.values for each in alternatives(place))
    return text if taken == _TEXT and is_value and text.lower() not in _MOVES and text not in siblings(place) else None


def _number(stated: re.Match[str]) -> int | float | None:
    if _UNIT.match(stated["rest"]):
        return None
    digits = stated["number"].replace(",", "")
    return float(digits) if "." in digits else int(digits)
