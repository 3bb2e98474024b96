"""What a tool answers, as far as its name, its description and its arguments say.

It owns the kinds of answer that have no shape to declare: a picture, prose, that something is done, and whatever the
command says that was sent.
"""

from __future__ import annotations

import re

from fourfold.contracts.names import words
from fourfold.review.place import property_names
from fourfold.review.verbs import verb_of
from fourfold.review.view import ToolView

__all__ = ["is_router", "only_confirms", "shows_or_tells"]

_GESTURES = frozenset(
    words("click hover drag drop fill type press navigate scroll resize select hold swipe tap focus blur upload go")
)
"""Verbs for what is done to a page or a screen, which answers with how it looks now."""

_SCREENS = frozenset(words("browser mouse keyboard page screen element"))
_PICTURE_OR_PROSE = re.compile(
    r"\b(?:screenshots?|base64|embedded resources?|(?:clean|plain|formatted) (?:text|markdown)|text content|prose)\b"
    r"|\b(?:returns?|as|to|into|in) (?:\w+ ){0,2}?(?:markdown|html|pdf|prose)\b",
    re.IGNORECASE,
)
_SELECTORS = frozenset(words("command action operation method tool function"))
_FREE = frozenset(words("parameters params args arguments payload input inputs"))


def only_confirms(tool: ToolView) -> bool:
    """Whether it has nothing to say but that it is done: it removes something, or moves a finger on a screen."""
    verb = verb_of(tool.name)
    is_on_screen = verb in _GESTURES and (bool(_SCREENS & set(tool.words)) or len(tool.words) == 1)
    return tool.named_action == "destroy" or is_on_screen


def shows_or_tells(tool: ToolView) -> bool:
    """Whether it answers with a picture, or with prose, by what its description says."""
    return _PICTURE_OR_PROSE.search(tool.description) is not None


def is_router(tool: ToolView) -> bool:
    """Whether it passes on any command with whatever arguments, so that each answer has another shape."""
    top = [place for place in tool.arguments if len(place.parents) == 1]
    selects = any(_SELECTORS & set(words(place.name)[-1:]) for place in top)
    return selects and any(
        _FREE & set(words(place.name)[-1:]) and "object" in place.types and not property_names(place.resolved)
        for place in top
    )
