"""Stage 2, admit: is this a tool that the caller has, and may one more call of it run now, and for how long?"""

from __future__ import annotations

import json

from anyio import move_on_after

from fourfold.catalog.tool import BuiltTool
from fourfold.errors import DeadlineExceeded
from fourfold.model.caller import Caller
from fourfold.model.outcome import Invalid, Outcome, Refused, Rejected
from fourfold.model.policy import Decision, PolicyQuestion
from fourfold.stages.flow import Flow, Ports, Proceed, framework_fault
from fourfold.stages.limits import key_of

__all__ = ["admit", "decide", "listed"]

_BY_POLICY = "policy: "


async def admit(flow: Flow, proceed: Proceed) -> Outcome:
    """Refuse unknown and unlisted tools alike; then size, rate and concurrency. What takes too long is stopped."""
    call, ports, run_id = flow.call, flow.ports, flow.draft.run_id
    tool = ports.catalog.tools.get(call.tool)
    hidden = "no tool has this name" if tool is None else _why_hidden(ports, tool, caller=call.caller)
    if tool is None or hidden:
        flow.draft.notes.append(hidden)
        flow.decision = "deny" if hidden.startswith(_BY_POLICY) else ""
        return Refused(reason="unknown_tool", run_id=run_id)
    flow.tool = tool
    if not call.caller.holds(tool.contract.needs):
        return Refused(reason="missing_scope", run_id=run_id, needs=tool.contract.needs)
    limits = tool.contract.limits
    flow.deadline = flow.started + limits.deadline_s
    flow.bytes_in = len(json.dumps(call.arguments, ensure_ascii=False, separators=(",", ":")).encode())
    if flow.bytes_in > limits.arguments_bytes:
        message = f"The arguments are over {limits.arguments_bytes:,} bytes"
        return Invalid(fault=framework_fault("argument_too_large", message=message), run_id=run_id)
    key = key_of(call.caller, call.tool)
    wait = ports.guard.wait_ms(key, limits, now=flow.started)
    if wait:
        return Rejected(fault=framework_fault("rate_limited", retry_after_ms=wait), run_id=run_id)
    if not ports.guard.enter(key, limits):
        return Rejected(fault=framework_fault("too_busy", retry_after_ms=1000), run_id=run_id)
    try:
        # A write that has been claimed shields itself from this; its store stops it inside the transaction.
        with move_on_after(limits.deadline_s):
            return await proceed(flow)
    finally:
        ports.guard.leave(key)
    raise DeadlineExceeded("the call passed its deadline")


def listed(ports: Ports, tool: BuiltTool, *, caller: Caller) -> bool:
    """Whether `tool` is on this caller's list: in the served toolsets, scopes held, not denied by the policy."""
    return not _why_hidden(ports, tool, caller=caller)


def _why_hidden(ports: Ports, tool: BuiltTool, *, caller: Caller) -> str:
    """Why `tool` is not on this caller's list, for the run; "" if it is."""
    contract = tool.contract
    if ports.toolsets and not ports.toolsets & contract.toolsets:
        return "the tool is in none of the served toolsets"
    if not caller.holds(contract.needs) and not contract.step_up:
        return "the caller lacks scopes that the tool needs"
    decision = decide(ports, PolicyQuestion(caller=caller, contract=contract))
    return f"{_BY_POLICY}{decision.reason or 'denied'}" if decision.verdict == "deny" else ""


def decide(ports: Ports, question: PolicyQuestion) -> Decision:
    """The policy's answer; no policy allows, and one that raises denies."""
    if ports.policy is None:
        return Decision(verdict="allow")
    try:
        return ports.policy.decide(question)
    except Exception as error:  # a broken policy must deny, whatever broke; the run says what it was
        return Decision(verdict="deny", reason=f"the policy raised {type(error).__name__}: {error}")
