"""Stage 3, validate_input: the arguments against the input contract, before anything else happens."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from fourfold.contracts.check import CheckedInput
from fourfold.contracts.framework import KEY_LENGTH
from fourfold.contracts.strict_json import pointer
from fourfold.errors import SealError
from fourfold.model.fault import Problem
from fourfold.model.outcome import Invalid, Outcome, Rejected
from fourfold.model.page import PageRequest
from fourfold.stages.flow import Flow, Proceed, framework_fault

__all__ = ["cursor_binding", "validate_input"]


async def validate_input(flow: Flow, proceed: Proceed) -> Outcome:
    """List every problem with its path and what would be accepted, or go on with the checked input."""
    checked = flow.tool.input.check(flow.call.arguments)
    problems = (*flow.call.wire_problems, *(checked if isinstance(checked, tuple) else _key_problems(flow, checked)))
    if problems or isinstance(checked, tuple):
        _keep_subject(flow, problems)
        return Invalid(fault=framework_fault("invalid_arguments", problems=problems), run_id=flow.draft.run_id)
    flow.checked = checked
    flow.draft.notes.extend(checked.repairs)
    if flow.tool.subject is not None:
        _name_subject(flow, checked.request, flow.tool.subject)
    if flow.tool.page_limit is not None:
        try:
            flow.page = _page(flow, checked)
        except SealError:
            return Rejected(fault=_cursor_invalid(), run_id=flow.draft.run_id)
    return await proceed(flow)


def _key_problems(flow: Flow, checked: CheckedInput[Any]) -> tuple[Problem, ...]:
    """A key may come in the arguments or in `_meta`, but not as two different ones."""
    if not flow.tool.contract.effect.takes_key or flow.call.meta_key is None:
        return ()
    least, most = KEY_LENGTH
    if not least <= len(flow.call.meta_key) <= most:
        expected = f"a key of {least} to {most} characters in _meta"
        return (Problem(pointer="/idempotency_key", code="out_of_bounds", expected=expected),)
    if checked.framework.get("idempotency_key", flow.call.meta_key) != flow.call.meta_key:
        expected = "one key: the same in the argument and in _meta, or only one of the two"
        return (Problem(pointer="/idempotency_key", code="conflicting_arguments", expected=expected),)
    return ()


def _keep_subject(flow: Flow, problems: tuple[Problem, ...]) -> None:
    """Keep the Subject of an invalid call if that field alone is valid, so that its account sees the failure."""
    steps = flow.tool.subject
    if steps is None or "*" in steps or any(problem.pointer.startswith(pointer(*steps)) for problem in problems):
        return
    value: Any = flow.call.arguments
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if isinstance(value, str | int):
        flow.name_subject(str(value))


def _name_subject(flow: Flow, request: Any, steps: tuple[str, ...]) -> None:
    """The Subject from the checked input; the first one of a list."""
    value = request
    for step in steps:
        value = (value[0] if value else None) if step == "*" else getattr(value, step, None)
    if value is not None:
        flow.name_subject(str(value))


def _page(flow: Flow, checked: CheckedInput[Any]) -> PageRequest:
    limit = int(checked.framework["limit"])
    cursor = checked.framework.get("cursor")
    if cursor is None:
        return PageRequest(limit=limit)
    ports = flow.ports
    payload = ports.sealer.open("cursor", cursor, bind=cursor_binding(flow, checked), now_ms=ports.clock.now_ms())
    return PageRequest(limit=limit, after=tuple(json.loads(payload)))


def cursor_binding(flow: Flow, checked: CheckedInput[Any]) -> tuple[str, ...]:
    """What a cursor is good for: this caller, this tool and contract, these filters (requirement B10)."""
    filters = hashlib.sha256(checked.request.model_dump_json().encode()).hexdigest()
    caller, contract = flow.call.caller, flow.tool.contract
    return (caller.tenant, caller.principal, contract.name, contract.wire_digest, filters)


def _cursor_invalid() -> Any:
    expected = "next_cursor of the page before, unchanged and with the same filters; leave it out for the first page"
    problem = Problem(pointer="/cursor", code="cursor_invalid", expected=expected)
    return framework_fault("cursor_invalid", problems=(problem,))
