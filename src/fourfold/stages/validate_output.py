"""Stage 12, validate_output: the result against the output contract; bounded, masked, its cursor sealed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from fourfold.catalog.tool import BuiltTool
from fourfold.contracts.base import Output, Page
from fourfold.contracts.check import OutputViolation
from fourfold.model.fault import FaultDetail
from fourfold.model.outcome import Done
from fourfold.model.run import UNKNOWN_SUBJECT
from fourfold.stages.flow import Flow, framework_fault
from fourfold.stages.validate_input import cursor_binding, first_at

__all__ = ["ResultTooLarge", "result_by_hand", "validate_output"]

CURSOR_LIFE_MS = 24 * 3_600_000
"""How long a cursor opens."""

_MASK = "[redacted]"
_MAX_TEXT = 300


class ResultTooLarge(Exception):
    """The result is over the tool's bound; `detail` says how to get less."""

    def __init__(self, detail: FaultDetail) -> None:
        self.detail = detail
        super().__init__("the result is too large")


def validate_output(flow: Flow, result: object) -> Done:
    """The result as it goes out.

    Raises:
        OutputViolation: it does not conform, or would not once it is masked; the caller sees `internal`.
        ResultTooLarge: it is over the tool's bytes.
    """
    structured = flow.tool.output.serialize(_with_cursor(flow, result) if flow.tool.page_limit else result)
    limit = flow.tool.contract.limits.result_bytes
    if len(structured) > limit:
        fault = framework_fault("result_too_large", message=f"The result has {len(structured):,} bytes, over {limit:,}")
        raise ResultTooLarge(fault)
    _take_subject(flow, result)
    structured = _masked(flow.tool, structured, scopes=flow.call.caller.scopes)
    needs_value = flow.tool.contract.counted or flow.tool.says
    value: dict[str, object] = json.loads(structured) if needs_value else {}
    flow.counted = tuple(_counted(flow, value))
    flow.filled = flow.tool.output.filled(result)
    return Done(structured=structured, text=_text(flow.tool, value), run_id=flow.draft.run_id)


def result_by_hand(tool: BuiltTool, written: bytes, *, run_id: str) -> tuple[Done, str]:
    """What a person says that a call returned, as it would have gone out, and its Subject. Everything marked is masked.

    Raises:
        OutputViolation: it is not the tool's output; the text names the places.
    """
    result = tool.output.read(written)
    structured = _masked(tool, tool.output.serialize(result), scopes=frozenset())
    subject = first_at(result, tool.output_subject) if tool.output_subject else None
    done = Done(structured=structured, text=_text(tool, json.loads(structured)), run_id=run_id)
    return done, UNKNOWN_SUBJECT if subject is None else str(subject)[:200]


def _with_cursor(flow: Flow, result: object) -> object:
    """The page with its position sealed into `next_cursor`."""
    if not isinstance(result, Page):
        return result
    page = _as_declared(flow, cast("Page[Output]", result))
    limit = flow.page.limit if flow.page else 0
    counted = page.returned == len(page.items) <= limit and page.has_more == (page.position is not None)
    if not counted or page.next_cursor is not None:
        raise OutputViolation("the page was not made by Page.of with the request's limit")
    if page.position is None:
        return page
    ports = flow.ports
    cursor = ports.sealer.seal(
        "cursor",
        json.dumps(page.position).encode(),
        bind=cursor_binding(flow, flow.checked),
        expires_ms=ports.clock.now_ms() + CURSOR_LIFE_MS,
    )
    return page.model_copy(update={"next_cursor": cursor})


def _as_declared(flow: Flow, page: Page[Output]) -> Page[Output]:
    """`page` as the contract's own `Page[…]`, where the handler wrote `Page.of` without naming the item."""
    if type(page) is not Page:
        return page
    declared = cast("type[Page[Output]]", flow.tool.output.model)
    try:
        typed = declared(items=page.items, returned=page.returned, has_more=page.has_more, total=page.total)
    except ValueError:
        raise OutputViolation(f"the items are not those of {declared.__name__}") from None
    return typed.at(page.position)


def _take_subject(flow: Flow, result: object) -> None:
    value = first_at(result, flow.tool.output_subject) if flow.tool.output_subject else None
    if value is not None:
        flow.name_subject(str(value))


def _masked(tool: BuiltTool, structured: bytes, *, scopes: frozenset[str]) -> bytes:
    """`structured` without secrets, and without personal data that may not be seen with these scopes."""
    places = [place for place in tool.masked if not (place.unmask and place.unmask in scopes)]
    if not places:
        return structured
    value = json.loads(structured)
    for place in places:
        value = _without(value, place.steps)
    # A mask where the contract wants four digits would make a result that clients throw away.
    masked = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    try:
        tool.output.adapter.validate_json(masked, strict=True)
    except ValueError:
        raise OutputViolation(f"{_MASK} breaks the output contract: a masked field is text without a shape") from None
    return masked


def _without(value: object, steps: tuple[str, ...]) -> object:
    """`value` with what is at `steps` masked; `*` is each item of a list."""
    if not steps:
        return _MASK
    head, rest = steps[0], steps[1:]
    if head == "*" and isinstance(value, list):
        return [_without(item, rest) for item in cast("list[object]", value)]
    members = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    return {**members, head: _without(members[head], rest)} if head in members else cast("object", value)


def _counted(flow: Flow, value: dict[str, object]) -> Iterator[tuple[str, str]]:
    """The declared output vocabulary that was returned, each value once a field."""
    for name in flow.tool.contract.counted:
        found = value.get(name)
        values = cast("list[object]", found) if isinstance(found, list) else [] if found is None else [found]
        yield from ((name, str(item)) for item in dict.fromkeys(values))


def _text(tool: BuiltTool, value: dict[str, object]) -> str:
    """One short line for clients that read only text."""
    if not tool.says:
        return f"{tool.contract.name}: done"
    text = tool.says.format_map(_Lenient(value))
    return text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}… (shortened; the result has all of it)"


class _Lenient(dict[str, object]):
    """Fields of a result for `says`; one that was left out reads as nothing."""

    def __missing__(self, key: str) -> _Nothing:
        return _Nothing()


class _Nothing:
    """A field that has no value, whatever `says` takes out of it and however it is formatted."""

    def __getitem__(self, key: str) -> _Nothing:
        return self

    def __format__(self, spec: str) -> str:
        return ""
