"""Between the domain and the wire: a contract becomes a listed tool, an outcome becomes an answer.

One total match decides how every outcome looks. Nothing here decides what the outcome is.
"""

from __future__ import annotations

import json
import re
from typing import assert_never

from mcp import MCPError
from mcp_types import (
    INVALID_PARAMS,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    InputRequiredResult,
    TextContent,
    Tool,
    ToolAnnotations,
)

from fourfold.contracts.strict_json import parse, well_formed
from fourfold.model.asking import QuestionMode
from fourfold.model.contract import ToolContract
from fourfold.model.fault import FRAMEWORK_CODES, FaultDetail, Problem
from fourfold.model.outcome import (
    Denied,
    Done,
    Failed,
    Invalid,
    NeedsInput,
    Outcome,
    Question,
    Refused,
    Rejected,
    Unknown,
)

__all__ = ["UnknownTool", "answer", "listed_tool"]

_SUSPECT = re.compile(rb"[0-9]{16}|\\u[dD][89a-fA-F]|NaN|Infinity")
"""What a result has to contain before it can hold a number or text that must not leave; most hold none of it."""


class UnknownTool(MCPError):
    """The protocol error for a tool that the caller has not, told apart from others where names are counted."""


def listed_tool(contract: ToolContract) -> Tool:
    """A contract as `tools/list` shows it. The annotations follow from the effect (requirement B5)."""
    hints = contract.effect.hints
    return Tool(
        name=contract.name,
        title=contract.title or None,
        description=contract.description,
        input_schema=dict(contract.input_schema),
        output_schema=dict(contract.output_schema),
        annotations=ToolAnnotations(
            read_only_hint=hints.read_only,
            destructive_hint=hints.destructive,
            idempotent_hint=hints.idempotent,
            open_world_hint=hints.open_world,
        ),
    )


def answer(outcome: Outcome) -> CallToolResult | InputRequiredResult:
    """The answer to a `tools/call` that ended with `outcome`; a client that cannot be asked gets no `NeedsInput`.

    Raises:
        MCPError: the outcome is a protocol error (requirement B6 keeps these apart from tool errors).
    """
    match outcome:
        case Done():
            return _done(outcome)
        case Rejected():
            return _fault(outcome.fault, replayed=outcome.replayed)
        case Invalid() | Denied() | Failed() | Unknown():
            return _fault(outcome.fault)
        case NeedsInput():
            return _questions(outcome)
        case Refused():
            raise _refusal(outcome)
        case _:
            assert_never(outcome)


def _done(done: Done) -> CallToolResult:
    """A success: a short line, the JSON once more as text for clients that read only text, and the object."""
    structured, mirror = done.structured, done.structured.decode()
    # Parsing strictly costs several times as much, so it is for results that could need it.
    if _SUSPECT.search(structured) is None:
        value = json.loads(structured)
    else:
        parsed = parse(structured)
        if any(fault.code != "lone_surrogate" for fault in parsed.faults):
            return _fault(_unsendable(done))
        value = parsed.value
        mirror = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(
        content=[TextContent(text=well_formed(done.text)), TextContent(text=mirror)],
        structured_content=value,
        is_error=False,
        _meta=_done_meta(done),
    )


def _done_meta(done: Done) -> dict[str, object]:
    meta: dict[str, object] = {"fourfold/run": done.run_id}
    if done.operation_id is not None:
        meta["fourfold/operation"] = done.operation_id
    if done.replayed:
        meta["fourfold/replayed"] = True
    if done.twin_of is not None:
        meta["fourfold/possibleDuplicateOf"] = done.twin_of
    return meta


def _unsendable(done: Done) -> FaultDetail:
    """The last line of defence: the effect stands, but its result holds a number that would change on the way."""
    spec = FRAMEWORK_CODES["internal"]
    return FaultDetail(
        code=spec.code,
        retry=spec.retry,
        message=spec.message,
        next_step=spec.next_step,
        operation_id=done.operation_id,
        reference=done.run_id,
    )


def _fault(fault: FaultDetail, *, replayed: bool = False) -> CallToolResult:
    """A tool error. No `structuredContent`: clients compare it with the output schema and hide the message."""
    facts = _facts(fault)
    lines = [fault.text, *(_line(problem) for problem in fault.problems), *(f"{k}: {v}" for k, v in facts.items())]
    meta: dict[str, object] = {"fourfold/fault": _fault_meta(fault, facts)}
    if replayed:
        meta["fourfold/replayed"] = True
    return CallToolResult(content=[TextContent(text=well_formed("\n".join(lines)))], is_error=True, _meta=meta)


def _line(problem: Problem) -> str:
    return f"- {problem.path or 'arguments'}: {problem.code}; expected {problem.expected}"


def _facts(fault: FaultDetail) -> dict[str, str | int]:
    """What the next step may need. It stands in the text too, because many clients show a model nothing else."""
    optional = {
        "retry_after_ms": fault.retry_after_ms,
        "operation_id": fault.operation_id,
        "reference": fault.reference,
        "current_version": fault.current_version,
    }
    return {name: value for name, value in optional.items() if value is not None}


def _fault_meta(fault: FaultDetail, facts: dict[str, str | int]) -> dict[str, object]:
    """What a program reads; fields that say nothing are left out (requirement B7)."""
    always = {"code": fault.code, "retry": fault.retry.value, "next_step": well_formed(fault.next_step)}
    problems = {"problems": [_problem_meta(problem) for problem in fault.problems]} if fault.problems else {}
    return {**always, **facts, **problems}


def _problem_meta(problem: Problem) -> dict[str, str]:
    return {
        "pointer": well_formed(problem.pointer),
        "path": well_formed(problem.path),
        "code": problem.code,
        "expected": well_formed(problem.expected),
    }


def _questions(needs: NeedsInput) -> InputRequiredResult:
    """What the person at the client is asked. It has no caching hints: nothing of it may be kept."""
    requests = {question.key: ElicitRequest(params=_elicitation(question)) for question in needs.questions}
    return InputRequiredResult(input_requests=dict(requests), request_state=needs.state)


def _elicitation(question: Question) -> ElicitRequestFormParams | ElicitRequestURLParams:
    message = well_formed(question.message)
    if question.mode == "url":
        return ElicitRequestURLParams(message=message, url=question.url)
    return ElicitRequestFormParams(message=message, requested_schema=dict(question.schema))


def _refusal(refused: Refused) -> MCPError:
    """A protocol error. The text never names the tool, so that a hidden and a made-up one look alike."""
    match refused.reason:
        case "unknown_tool":
            return UnknownTool(INVALID_PARAMS, "Unknown tool")
        case "missing_scope":
            return MCPError(INVALID_PARAMS, "Insufficient scope", {"scopes": sorted(refused.needs)})
        case "missing_capability":
            needed = {"requiredCapabilities": {"elicitation": _elicitation_capability(refused.lacks)}}
            return MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "This call asks the user a question", needed)
        case "invalid_request_state":
            # One answer for every cause: the difference would tell a forger how far it came.
            reason = {"reason": "invalid_request_state"}
            return MCPError(INVALID_PARAMS, "Invalid or expired requestState", reason)


def _elicitation_capability(lacks: frozenset[QuestionMode]) -> dict[str, object]:
    """The capability as a client declares it; an empty object means forms (2026-07-28, "Elicitation")."""
    return {mode: {} for mode in sorted(lacks)} if "url" in lacks else {}
