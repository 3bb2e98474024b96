"""Arguments that are paths, calls with one of them that would lead out of a folder, and how to see that one did."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fourfold.contracts.names import words
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import everything, succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, NotTested
from fourfold.prove.desk import Desk
from fourfold.review.place import Place
from fourfold.review.view import ToolView

__all__ = ["paths_of", "require_inside"]

_NAMES = frozenset(words("path paths filepath file files filename directory dir folder root cwd"))
_DESCRIBED = re.compile(r"\b(?:path (?:to|of)|file ?name|(?:file|directory|folder) to)\b", re.IGNORECASE)
_CONTENT = re.compile(r"root:[^:\s]{0,40}:0:0:")
_LISTED = ("passwd", "hosts", "resolv.conf")
"""What a listing of `/etc` shows on every Unix."""


def paths_of(tool: ToolView) -> list[Place]:
    """The arguments at the top that are paths."""
    return [place for place in tool.arguments if len(place.parents) == 1 and _is_path(place)]


async def require_inside(desk: Desk, tool: ToolView, *, outside: Sequence[str], check: str) -> None:
    """Call a tool with paths to `/etc` and to the list of its users.

    Raises:
        Broken: one of them led there.
        NotTested: it takes no path at all that is known.
    """
    good = next(valid_arguments(desk, tool, check=check, most=1)).value
    is_inside_known = succeeded(await desk.call(tool.name, good))
    for place in paths_of(tool):
        for path in outside:
            arguments = {**good, place.name: [path] if "array" in place.types else path}
            answer = await desk.call(tool.name, arguments)
            if succeeded(answer) and _is_outside(answer):
                raise Broken(f"{place.name} led out of the tool's folder to /etc", desk.sent_as(tool.name, arguments))
    if not is_inside_known:
        raise NotTested("no path is known that the tool takes", next_step="give arguments that work in [prove]")


def _is_path(place: Place) -> bool:
    takes_text = "string" in place.types or ("array" in place.types and "items" in place.resolved)
    last = words(place.name)[-1:]
    return takes_text and (bool(set(last) & _NAMES) or _DESCRIBED.search(place.description) is not None)


def _is_outside(answer: ToolAnswer) -> bool:
    text = everything(answer)
    return _CONTENT.search(text) is not None or all(name in text for name in _LISTED)
