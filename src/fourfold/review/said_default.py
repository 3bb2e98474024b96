"""The default that the description of an argument states, where it is a plain value that stands still.

"Default: 20" and "defaults to `main`" are plain. "Defaults to the current time", "default 20 for files, 5 for folders"
and "default: 2 hours" are not: the value moves, depends on something else, or is in another unit than the argument.
"""

from __future__ import annotations

import re

from fourfold.review.arguments import alternatives, explained, kinds
from fourfold.review.place import Place
from fourfold.review.values import fits
from fourfold.review.view import ToolView

__all__ = ["Plain", "said_default"]

Plain = str | int | float | bool
"""A value that a sentence can state."""

_SAYS = re.compile(r"\bdefaults?\b", re.IGNORECASE)
_LINK = r"(?:\ ?value)?(?:\ (?:is|are|of)|\ to)?\s{0,2}[:=]?\s{0,2}"
_STATED = re.compile(
    rf"""\bdefaults?{_LINK}
    (?:(?P<quote>["'`])(?P<text>[^"'`\n]{{1,60}})(?P=quote)
      |(?P<number>-?\d[\d,]{{0,12}}(?:\.\d{{1,9}})?)(?![\w%.,-]*\w)
      |(?P<word>[A-Za-z][\w-]{{0,40}}))
    (?P<rest>[^\n]{{0,30}})""",
    re.IGNORECASE | re.VERBOSE,
)
_ENDS = re.compile(r"\s*(?:$|[.;,)\]\n](?!\w))")
_DEPENDS = re.compile(
    r"\W*(?:for|when|if|unless|in|on|with|and|or|otherwise|plus|then|depending|unlimited|→|->)\b", re.IGNORECASE
)
_UNIT = re.compile(
    r"\s*(?:ago\b|ms\b|milli|sec|min(?:ute)?s?\b|hours?\b|hr|days?\b|weeks?\b|months?\b|years?\b|[km]i?b\b|bytes?\b|%)",
    re.IGNORECASE,
)
_MOVES = frozenset({"now", "today", "yesterday", "tomorrow", "current", "auto", "none", "null", "undefined", "unset", ""})


def said_default(tool: ToolView, place: Place) -> Plain | None:
    """The value that the text of an argument states as its default; `None` if it states none that is plain.

    The value is one that the argument takes.
    """
    text = explained(tool, place)
    # Of two defaults, one is the exception to the other.
    if len(_SAYS.findall(text)) != 1:
        return None
    stated = _STATED.search(text)
    if stated is None or _DEPENDS.match(stated["rest"]):
        return None
    value = _value(stated, place)
    return value if value is not None and any(fits(value, each) for each in alternatives(place)) else None


def _value(stated: re.Match[str], place: Place) -> Plain | None:
    taken = kinds(place)
    if stated["number"] is not None:
        return _number(stated) if taken and taken <= {"integer", "number"} else None
    text = stated["text"] if stated["text"] is not None else stated["word"]
    if text.lower() in _MOVES:
        return None
    if taken == {"boolean"}:
        return {"true": True, "false": False}.get(text.lower())
    return text if taken == {"string"} and _is_value(stated, text, place) else None


def _number(stated: re.Match[str]) -> Plain | None:
    if _UNIT.match(stated["rest"]):
        return None
    digits = stated["number"].replace(",", "")
    return float(digits) if "." in digits else int(digits)


def _is_value(stated: re.Match[str], text: str, place: Place) -> bool:
    """Whether text is quoted, listed, or a word that stands alone: `(default: main)`."""
    listed = any(text in each.values for each in alternatives(place))
    return listed or stated["quote"] is not None
