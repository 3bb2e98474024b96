"""An argument that nothing explains.

## What it does

Finds arguments with a name for anything (`data`, `options`, `target`, `mode`) and no description, tools of three or
more arguments none of which is described, and required free text that nothing describes in tools of one or two. What
the tool's own description mentions, and what has listed values, a pattern or a format, counts as explained.

## Why it hurts

The model guesses: whether `target` is a name, an address or an id, whether `options` wants text or an object. It
guesses well in a demo and differently elsewhere.

## Example

```json
{
  "name": "mail_send",
  "description": "Send a mail.",
  "inputSchema": {
    "type": "object",
    "properties": {"target": {"type": "string", "maxLength": 120}, "body": {"type": "string", "maxLength": 2000}},
    "required": ["target"],
    "additionalProperties": false
  }
}
```

## Use instead

One sentence: what it is, in which form, and where to get it.

```json
{
  "name": "mail_send",
  "description": "Send a mail.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "target": {
        "type": "string",
        "maxLength": 120,
        "description": "The reference of a contact, as contact_search returns it."
      },
      "body": {"type": "string", "maxLength": 2000}
    },
    "required": ["target"],
    "additionalProperties": false
  }
}
```

## When to ignore

A name that cannot be misread, in a catalog that is short of tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import explained, kinds, narrowed, top_level
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_WORD = re.compile(r"[A-Za-z_][\w.\-]*")
_FOR_ANYTHING = frozenset(
    words(
        """
        data value values input inputs params parameters args arguments options option config configuration settings
        payload filter filters type kind mode key target source object item items context info information details
        meta metadata properties attributes extra spec definition entity resource element
        """
    )
)
_PLAIN = frozenset(words("query message title text content description body subject question prompt email url"))
"""Names that say by themselves what is wanted."""

_FORMS = frozenset(words("id key name slug url uri arn number code identifier old new source target"))
"""Words for the form of a name: a `project_id` is explained by a description that speaks of projects."""

_SEVERAL = 3
"""Arguments from which a tool that describes none of them leaves too much to guess."""

_COUNTS = frozenset(words("count limit max min size length page offset"))
_OF_WHAT = re.compile(r"\b(?:of|from|to|in) (?:a|an|the) \w", re.IGNORECASE)
"""A description that says whose name is meant: "Get the length of a list"."""

_TEXT = frozenset({"string"})
_DESCRIBE = "in a sentence: what it is, in which form, where to get it"


def _check(tool: ToolView) -> Iterator[Hit]:
    mentioned = set(_WORD.findall(tool.description))
    own = top_level(tool)
    silent = [place for place in own if place.name not in mentioned and not _is_explained(place, tool)]
    if len(silent) == len(own) >= _SEVERAL and not all(_is_hinted(place, tool) for place in own):
        yield Hit(
            pointer="/inputSchema/properties",
            message=f"none of the {len(own)} arguments is described",
            fix=f"describe each {_DESCRIBE}",
        )
        return
    vague = [place for place in silent if place.name.lower() in _FOR_ANYTHING]
    for place in vague:
        yield Hit(
            pointer=place.pointer,
            message=f"{place.name} may mean anything, and nothing says what it is",
            fix=f"describe it {_DESCRIBE}",
        )
    if len(own) < _SEVERAL and not vague:
        yield from _free_text(tool, silent)


def _free_text(tool: ToolView, silent: Iterable[Place]) -> Iterator[Hit]:
    """The required text of a small tool that its name and description do not speak of either."""
    found = [place for place in silent if place.required and kinds(place) == _TEXT and not _is_told(place, tool)]
    if found:
        yield Hit(
            pointer=found[0].pointer,
            message=f"{' and '.join(place.name for place in found)}: required free text, and nothing describes it",
            fix=f"describe it {_DESCRIBE}",
        )


def _is_hinted(place: Place, tool: ToolView) -> bool:
    """Whether the tool speaks of what the name means, or the name is a plain one."""
    return bool(_singular(place.name) & (_singular(tool.description) | _singular(tool.name) | _PLAIN | _COUNTS))


def _is_told(place: Place, tool: ToolView) -> bool:
    told = _singular(tool.description) | _singular(tool.name) | _PLAIN
    if words(place.name)[-1:] == ("email",) or (place.name == "name" and _OF_WHAT.search(tool.description)):
        return True
    thing = _singular(place.name) - _FORMS
    # A bare name or id is told by "by title", and needs no telling where the caller makes it up.
    return thing <= told if thing else bool((_singular(place.name) | {"by", "create", "add", "new"}) & told)


def _singular(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in words(text))


def _is_explained(place: Place, tool: ToolView) -> bool:
    schema = place.resolved
    has_form = bool(place.values) or narrowed(schema) or "boolean" in place.types
    # Its arms or its items may carry the description.
    return has_form or bool(explained(tool, place)) or "'description'" in str(schema)


RULE = ToolRule(
    id="FF227",
    symbol="argument-without-description",
    severity="advice",
    question="wrong_argument",
    evidence="report",
    sources=("https://github.com/RamaAditya49/titen/issues/98",),
    page=Page.read(__doc__),
    check=_check,
)
