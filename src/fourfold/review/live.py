"""The review of a running server: a few calls of its reads, and what the answers give away.

Only tools that are annotated, or declared by a contract, as reads are called, and of those none that is named for a
write. Each gets at most six calls, one after the other: the fewest arguments, an unknown one, one of a wrong type,
a required one left out, a made-up cursor, and the next page.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import date

import anyio

from fourfold.contracts.names import words
from fourfold.errors import TargetError
from fourfold.model.contract import JsonObject
from fourfold.model.finding import Finding
from fourfold.model.listed import ListedCatalog, ToolAnswer
from fourfold.ports.target import Target
from fourfold.review.answers import as_json, is_error, leaves, said, structured
from fourfold.review.engine import review, review_answer
from fourfold.review.listing import MADE_UP_CURSOR, is_cursor
from fourfold.review.registry import rule_named
from fourfold.review.samples import minimal, mistyped
from fourfold.review.settings import ReviewSettings
from fourfold.review.view import CatalogView, ToolView
from fourfold.review.writes import sure_verb

__all__ = ["is_called", "review_live"]

_EVERYTHING = ReviewSettings()
_UNKNOWN = "fourfold_unknown"
_SHOWN = 160


@dataclass(frozen=True, slots=True)
class _Probe:
    """One call of a tool, and the answer that its own answer continues."""

    arguments: JsonObject
    before: ToolAnswer | None = None


async def review_live(
    target: Target,
    catalog: ListedCatalog,
    *,
    settings: ReviewSettings = _EVERYTHING,
    progress: Callable[[str], None] = lambda _: None,
    limit_s: float = 120.0,
) -> list[Finding]:
    """Call the reads of a server and return what their answers show, for `review(…, more=…)`.

    Args:
        target: the connected server.
        catalog: what it listed; a second list is compared with it.
        settings: which rules look.
        progress: called with each tool's name before it is called.
        limit_s: seconds for everything together. What is left then is not called, and `progress` is told.

    Raises:
        TargetError: the server ended or did not answer; the message names the tool that it happened at.
    """
    found: list[Finding] = []
    waiting = [tool for tool in CatalogView(catalog).tools if is_called(tool)]
    with anyio.move_on_after(limit_s):
        found += await _of_list(target, catalog, settings)
        while waiting:
            progress(waiting[0].name)
            found += await _of_tool(target, waiting[0], settings, told=catalog.target)
            waiting.pop(0)
    # What was found in time is returned all the same.
    if waiting:
        progress(f"time is up: {len(waiting)} reads were not called")
    return found


def is_called(tool: ToolView) -> bool:
    """Whether a live review calls it: it says that it reads, and its name doesn't say otherwise."""
    contract = tool.tool.contract
    if contract is not None:
        return contract.effect.hints.read_only
    # A hint may be wrong, and a call cannot be taken back.
    is_named_write = tool.named_action in ("write", "destroy") and sure_verb(tool) is not None
    return tool.hint("readOnlyHint") is True and not is_named_write


async def _of_list(target: Target, catalog: ListedCatalog, settings: ReviewSettings) -> tuple[Finding, ...]:
    rule = rule_named("list-unstable")
    if rule is None or not settings.looks_for(rule):
        return ()
    facts = {**catalog.facts, "listed_again": [*await target.tools()]}
    only = ReviewSettings(select=(rule.id,))
    return review(replace(catalog, facts=facts), today=date.min, settings=only).findings


async def _of_tool(target: Target, tool: ToolView, settings: ReviewSettings, *, told: str) -> list[Finding]:
    """The first finding of each rule over all answers of one tool."""
    found: dict[str, Finding] = {}
    async with aclosing(_answers(target, tool)) as answers:
        async for answer in answers:
            for finding in review_answer(tool, replace(answer, told=told), settings=settings):
                found.setdefault(finding.id, _with_call(finding, answer))
    return [*found.values()]


def _with_call(finding: Finding, answer: ToolAnswer) -> Finding:
    call = json.dumps(answer.arguments, default=str)[:_SHOWN]
    return replace(finding, evidence=f"{finding.evidence}; called with {call}")


async def _answers(target: Target, tool: ToolView) -> AsyncGenerator[ToolAnswer]:
    arguments = minimal(tool)
    if arguments is None:
        return
    first = await _call(target, tool, _Probe(arguments))
    yield first
    for probe in _probes(tool, arguments, first):
        answer = await _call(target, tool, probe)
        # A tool that fails anyway fails so for its own reason, whatever is wrong about the arguments.
        if not is_error(answer) or said(answer) != said(first):
            yield answer


async def _call(target: Target, tool: ToolView, probe: _Probe) -> ToolAnswer:
    try:
        answer = await target.raw_call(tool.name, probe.arguments)
    except TargetError as error:
        raise TargetError(f"{error}; it was asked for {tool.name}, with {json.dumps(probe.arguments)}") from error
    return replace(answer, before=probe.before.result) if probe.before is not None else answer


def _probes(tool: ToolView, arguments: JsonObject, first: ToolAnswer) -> Iterator[_Probe]:
    wrong = mistyped(tool, arguments)
    if wrong is not None:
        yield _Probe(wrong)
    if arguments:
        left_out = next(iter(arguments))
        yield _Probe({name: value for name, value in arguments.items() if name != left_out})
    if is_error(first):
        # Nothing can be told from what is refused anyway.
        return
    yield _Probe({**arguments, _UNKNOWN: "x"})
    cursor = next((place.name for place in tool.arguments if len(place.parents) == 1 and is_cursor(place.name)), None)
    if cursor is not None:
        yield _Probe({**arguments, cursor: MADE_UP_CURSOR})
    following = _next_page(tool, cursor, first)
    if following is not None:
        yield _Probe({**arguments, **following}, before=first)


def _next_page(tool: ToolView, cursor: str | None, first: ToolAnswer) -> JsonObject | None:
    """The argument that asks for the page after `first`."""
    if cursor is not None:
        issued = _issued(first)
        return {cursor: issued} if issued else None
    page = next((place for place in tool.arguments if words(place.name) in (("page",), ("page", "number"))), None)
    return {page.name: 2} if page is not None and "integer" in page.types and len(page.parents) == 1 else None


def _issued(answer: ToolAnswer) -> object:
    # Servers without an output schema send their JSON as text.
    value = structured(answer)
    for pointer, leaf in leaves(value if value is not None else as_json(said(answer))):
        if leaf and is_cursor(pointer.rsplit("/", 1)[-1]):
            return leaf
    return None
