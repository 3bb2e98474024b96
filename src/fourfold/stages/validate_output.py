"""Stage 9, validate_output: the result against the output contract; bounded, masked, its cursor sealed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from fourfold.catalog.build import Masked
from fourfold.contracts.base import Page
from fourfold.contracts.check import OutputViolation
from fourfold.model.fault import FaultDetail
from fourfold.model.outcome import Done
from fourfold.stages.flow import Flow, framework_fault
from fourfold.stages.validate_input import cursor_binding

__all__ = ["ResultTooLarge", "validate_output"]

CURSOR_LIFE_MS = 24 * 3_600_000
"""How long a cursor opens."""

_MASK = "[redacted]"
_MAX_TEXT = 300


class ResultTooLarge(Exception):
    """The result is over the tool's bound; `detail` says how to get less."""

    def __init__(self, detail: FaultDetail) -> None:
        self.detail = detail
        super().__init__("the result is too large")


def validate_output(flow: Flow, result: Any) -> Done:
    """The result as it goes out.

    Raises:
        OutputViolation: it does not conform; the caller sees `internal`.
        ResultTooLarge: it is over the tool's bytes.
    """
    structured = flow.tool.output.serialize(_with_cursor(flow, result) if flow.tool.page_limit else result)
    limit = flow.tool.contract.limits.result_bytes
    if len(structured) > limit:
        fault = framework_fault("result_too_large", message=f"The result has {len(structured):,} bytes, over {limit:,}")
        raise ResultTooLarge(fault)
    _take_subject(flow, result)
    structured = _masked(flow, structured)
    flow.counted = tuple(_counted(flow, structured)) if flow.tool.contract.counted else ()
    return Done(structured=structured, text=_text(flow, structured), run_id=flow.draft.run_id)


def _with_cursor(flow: Flow, result: Any) -> Any:
    """The page with its position sealed into `next_cursor`."""
    if not isinstance(result, Page):
        return result
    page = cast("Page[Any]", result)
    limit = flow.page.limit if flow.page else 0
    if len(page.items) > limit or page.returned != len(page.items) or page.has_more != (page.position is not None):
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


def _take_subject(flow: Flow, result: Any) -> None:
    value = result
    for step in flow.tool.output_subject or ():
        value = (value[0] if value else None) if step == "*" else getattr(value, step, None)
    if flow.tool.output_subject and value is not None:
        flow.name_subject(str(value))


def _masked(flow: Flow, structured: bytes) -> bytes:
    """`structured` without secrets, and without personal data that this caller may not see."""
    places = [place for place in flow.tool.masked if not _may_see(flow, place)]
    if not places:
        return structured
    value = json.loads(structured)
    for place in places:
        _mask(value, place.steps)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _may_see(flow: Flow, place: Masked) -> bool:
    return bool(place.unmask) and place.unmask in flow.call.caller.scopes


def _mask(value: Any, steps: tuple[str, ...]) -> None:
    """Replace the text at `steps` in place; `*` is each item of a list."""
    if not steps:
        return
    head, rest = steps[0], steps[1:]
    if head == "*" and isinstance(value, list):
        for item in cast("list[Any]", value):
            _mask(item, rest)
    elif isinstance(value, dict) and head in value:
        if rest:
            _mask(value[head], rest)
        else:
            value[head] = _MASK


def _counted(flow: Flow, structured: bytes) -> Iterator[tuple[str, str]]:
    """The declared output vocabulary that was returned, each value once a field."""
    value = cast("dict[str, Any]", json.loads(structured))
    for name in flow.tool.contract.counted:
        found = value.get(name)
        values = cast("list[Any]", found) if isinstance(found, list) else [] if found is None else [found]
        yield from ((name, str(item)) for item in dict.fromkeys(values))


def _text(flow: Flow, structured: bytes) -> str:
    """One short line for clients that read only text."""
    contract = flow.tool.contract
    says = flow.tool.declaration.says
    if not says:
        return f"{contract.name}: done"
    return says.format_map(_Lenient(json.loads(structured)))[:_MAX_TEXT]


class _Lenient(dict[str, Any]):
    """Fields of a result for `says`; one that was left out reads as nothing."""

    def __missing__(self, key: str) -> str:
        return ""
