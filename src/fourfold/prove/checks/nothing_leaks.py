"""No failure shows a stack trace, SQL, a path, a host or a credential of the server, and no answer its environment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from fourfold.contracts.conform import misfits
from fourfold.model.contract import JsonObject
from fourfold.prove.answered import everything, succeeded
from fourfold.prove.arguments import invalid_arguments, valid_arguments
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.review.engine import review_answer
from fourfold.review.settings import ReviewSettings
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_RULES = ReviewSettings(select=("FF357", "FF358", "FF359"))
_HOSTILE = ("'", '"; --', "%s%n{0}", "../x", "${jndi:x}", "x" * 1_000)
"""Texts over which careless code stumbles: quotes, formats, paths, and what is longer than a file's name can be."""


async def _run(desk: Desk, tool: ToolView) -> None:
    failures = 0
    for arguments in _arguments(desk, tool):
        answer = replace(await desk.call(tool.name, arguments), told=desk.catalog.target)
        if desk.canary and desk.canary in everything(answer):
            detail = "the answer holds a secret of the environment that the server was started in"
            raise Broken(detail, desk.sent_as(tool.name, arguments))
        if succeeded(answer):
            continue
        failures += 1
        found = [f"{each.message} ({each.id})" for each in review_answer(tool, answer, settings=_RULES)]
        if found:
            raise Broken("; ".join(dict.fromkeys(found)), desk.sent_as(tool.name, arguments))
    if not failures:
        raise NotTested("no call failed", next_step="refuse arguments that break the schema")


def _arguments(desk: Desk, tool: ToolView) -> Iterator[JsonObject]:
    good = [sample.value for sample in valid_arguments(desk, tool, check=CHECK.name, most=6)]
    bad = (sample.value for sample in invalid_arguments(desk, tool, check=CHECK.name))
    return chain(good, bad, _hostile(tool, good[0]), [{}])


def _hostile(tool: ToolView, good: JsonObject) -> Iterator[JsonObject]:
    texts = [place.name for place in tool.arguments if len(place.parents) == 1 and "string" in place.types]
    for name in texts[:4]:
        changed = ({**good, name: text} for text in _HOSTILE)
        yield from (each for each in changed if not misfits(each, tool.tool.input_schema))


CHECK = Check(
    name="nothing-leaks",
    family="contract",
    proves="no failure shows how the server works inside, and no answer a secret of its environment",
    requires=("A5",),
    run=_run,
)
