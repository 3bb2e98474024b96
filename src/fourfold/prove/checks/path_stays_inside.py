"""No path leads out of the folder that a tool is for: not with dots, not from the root, not in another spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import everything, succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.review.place import Place
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_NAMES = frozenset(words("path paths filepath file files filename directory dir folder root cwd"))
_DESCRIBED = re.compile(r"\b(?:path (?:to|of)|file ?name|(?:file|directory|folder) to)\b", re.IGNORECASE)
_UP = "../" * 12
_FILE = "etc/passwd"
_OUTSIDE = (
    f"/{_FILE}",
    f"{_UP}{_FILE}",
    f"x/{_UP}{_FILE}",
    "....//" * 12 + _FILE,
    "%2e%2e%2f" * 12 + "etc%2fpasswd",
    f"file:///{_FILE}",
    f"/{_FILE}\0.txt",
    "/etc",
    f"{_UP}etc",
)
_CONTENT = re.compile(r"root:[^:\s]{0,40}:0:0:")
_LISTED = ("passwd", "hosts", "resolv.conf")
"""What a listing of `/etc` shows on every Unix."""


async def _run(desk: Desk, tool: ToolView) -> None:
    good = next(valid_arguments(desk, tool, check=CHECK.name, most=1)).value
    is_inside_known = succeeded(await desk.call(tool.name, good))
    for place in _paths(tool):
        for arguments in _leading_out(place, good):
            answer = await desk.call(tool.name, arguments)
            if succeeded(answer) and _is_outside(answer):
                raise Broken(f"{place.name} led out of the tool's folder to /etc", desk.sent_as(tool.name, arguments))
    if not is_inside_known:
        raise NotTested("no path is known that the tool takes", next_step="give arguments that work in [prove]")


def _paths(tool: ToolView) -> list[Place]:
    return [place for place in tool.arguments if len(place.parents) == 1 and _is_path(place)]


def _is_path(place: Place) -> bool:
    takes_text = "string" in place.types or ("array" in place.types and "items" in place.resolved)
    last = words(place.name)[-1:]
    return takes_text and (bool(set(last) & _NAMES) or _DESCRIBED.search(place.description) is not None)


def _leading_out(place: Place, good: JsonObject) -> Iterator[JsonObject]:
    for path in _OUTSIDE:
        yield {**good, place.name: [path] if "array" in place.types else path}


def _is_outside(answer: ToolAnswer) -> bool:
    text = everything(answer)
    return _CONTENT.search(text) is not None or all(name in text for name in _LISTED)


def _may_be_tried(tool: ToolView) -> bool:
    """A write is not tried: it might find the way out."""
    return tool.action == "read" and bool(_paths(tool))


CHECK = Check(
    name="path-stays-inside",
    family="paths",
    proves="no path leads out of the folder that the tool is for",
    requires=("D2", "https://cwe.mitre.org/data/definitions/22.html"),
    run=_run,
    applies=_may_be_tried,
)
