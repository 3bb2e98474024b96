"""Stage 3, validate_input: the arguments against the input contract, before anything else happens."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import cast

from fourfold.contracts.framework import KEY_LENGTH
from fourfold.contracts.nul import NUL_CODE, NUL_EXPECTED
from fourfold.contracts.problems import MAX_PROBLEMS
from fourfold.contracts.strict_json import pointer
from fourfold.errors import SealError
from fourfold.model.fault import FaultDetail, Problem
from fourfold.model.outcome import Invalid, Outcome, Rejected
from fourfold.model.page import PageRequest
from fourfold.stages.flow import Checked, Flow, Proceed, framework_fault

__all__ = ["cursor_binding", "first_at", "validate_input"]


async def validate_input(flow: Flow, proceed: Proceed) -> Outcome:
    """List every problem with its path and what would be accepted, or go on with the checked input."""
    checked = flow.tool.input.check(flow.call.arguments)
    problems = _merged(flow.call.wire_problems, checked if isinstance(checked, tuple) else _key_problems(flow, checked))
    if problems or isinstance(checked, tuple):
        _keep_subject(flow, problems)
        return Invalid(fault=framework_fault("invalid_arguments", problems=problems), run_id=flow.draft.run_id)
    flow.checked = checked
    flow.draft.notes.extend(checked.repairs)
    if flow.tool.subject is not None:
        subject = first_at(checked.request, flow.tool.subject)
        if subject is not None:
            flow.name_subject(str(subject))
    if flow.tool.page_limit is not None:
        try:
            flow.page = _page(flow, checked)
        except SealError:
            return Rejected(fault=_cursor_invalid(), run_id=flow.draft.run_id)
    return await proceed(flow)


def _merged(wire: tuple[Problem, ...], contract: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Each place once: what the reader took out of the arguments is not also of the wrong type."""
    # Except for a name that the contract does not know: that it is unknown says more than that it is ill-formed.
    unknown = {problem.pointer for problem in contract if problem.code == "unknown_argument"}
    kept = tuple(problem for problem in wire if problem.pointer not in unknown)
    places = {problem.pointer for problem in kept}
    return (*kept, *(problem for problem in contract if problem.pointer not in places))


def _key_problems(flow: Flow, checked: Checked) -> tuple[Problem, ...]:
    """A key may come in the arguments or in `_meta`, but not as two different ones."""
    if not flow.tool.contract.effect.takes_key or flow.call.meta_key is None:
        return ()
    least, most = KEY_LENGTH
    if not least <= len(flow.call.meta_key) <= most:
        expected = f"a key of {least} to {most} characters in _meta"
        return (Problem(pointer="/idempotency_key", code="out_of_bounds", expected=expected),)
    if "\0" in flow.call.meta_key:
        return (Problem(pointer="/idempotency_key", code=NUL_CODE, expected=NUL_EXPECTED),)
    if checked.framework.get("idempotency_key", flow.call.meta_key) != flow.call.meta_key:
        expected = "one key: the same in the argument and in _meta, or only one of the two"
        return (Problem(pointer="/idempotency_key", code="conflicting_arguments", expected=expected),)
    return ()


def _keep_subject(flow: Flow, problems: tuple[Problem, ...]) -> None:
    """Keep the Subject of an invalid call if that field alone is valid, so that its account sees the failure."""
    steps = flow.tool.subject
    # With that many problems not all are listed, and this field's may be among the others.
    if steps is None or "*" in steps or len(problems) >= MAX_PROBLEMS:
        return
    place = pointer(*steps)
    if any(f"{problem.pointer}/".startswith(f"{place}/") for problem in problems):
        return
    value: object = flow.call.arguments
    for step in steps:
        value = cast("Mapping[str, object]", value).get(step) if isinstance(value, Mapping) else None
    if isinstance(value, str | int):
        flow.name_subject(str(value))


def first_at(value: object, steps: tuple[str, ...]) -> object:
    """What `steps` lead to in a model, by the published names; `*` is the only item. `None` if there is no such."""
    for step in steps:
        if step == "*":
            items = cast("Sequence[object]", value or ())
            # Several items are about several accounts; naming the first would blame the wrong one.
            value = items[0] if len(items) == 1 else None
        else:
            fields: Mapping[str, object] = getattr(type(value), "model_fields", {})
            known = {getattr(info, "alias", None) or name: name for name, info in fields.items()}
            value = getattr(value, known[step]) if step in known else None
    return value


def _page(flow: Flow, checked: Checked) -> PageRequest:
    limit = int(checked.framework["limit"])
    cursor = checked.framework.get("cursor")
    if cursor is None:
        return PageRequest(limit=limit)
    ports = flow.ports
    payload = ports.sealer.open("cursor", cursor, bind=cursor_binding(flow, checked), now_ms=ports.clock.now_ms())
    return PageRequest(limit=limit, after=tuple(json.loads(payload)))


def cursor_binding(flow: Flow, checked: Checked) -> tuple[str, ...]:
    """What a cursor is good for: this caller, this tool and contract, these filters (requirement B10)."""
    filters = hashlib.sha256(checked.request.model_dump_json().encode()).hexdigest()
    caller, contract = flow.call.caller, flow.tool.contract
    return (caller.tenant, caller.principal, contract.name, contract.wire_digest, filters)


def _cursor_invalid() -> FaultDetail:
    expected = "next_cursor of the page before, unchanged and with the same filters; leave it out for the first page"
    problem = Problem(pointer="/cursor", code="cursor_invalid", expected=expected)
    return framework_fault("cursor_invalid", problems=(problem,))
