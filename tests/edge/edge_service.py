"""A small service behind the edge: every outcome there is, in memory, with counters to look at."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import anyio

from fourfold.contracts.strict_json import pointer
from fourfold.errors import SealError
from fourfold.model.call import Call
from fourfold.model.caller import Caller
from fourfold.model.contract import Selection, ToolContract
from fourfold.model.effect import Create, Destroy, Effect, ObservableRead, Read
from fourfold.model.fault import FRAMEWORK_CODES, FaultDetail, FaultSpec, Problem, Retry
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
from fourfold.ports.telemetry import Telemetry
from fourfold.stages.listing import Listing

ANNA = Caller(principal="anna", tenant="acme", scopes=frozenset({"quotes:read"}), name="anna")
ADMIN = Caller(principal="root", tenant="acme", scopes=frozenset({"quotes:read", "admin"}), name="root")


@dataclass(frozen=True)
class SoleCaller:
    """An identity for tests that are about something else: everybody is this caller."""

    caller: Caller

    def identify(self, authorization: str | None) -> Caller | None:
        """The one caller, whatever the header says."""
        return self.caller


def contract(name: str, effect: Effect | None = None, **properties: Any) -> ToolContract:
    """A contract with these input properties, none required."""
    return ToolContract(
        name=name,
        version="1.0",
        selection=Selection(does=f"Does {name}.", use_when="tests", not_for="anything else"),
        effect=effect or Read(),
        title=name.replace("_", " ").capitalize(),
        description=f"Does {name}.",
        input_schema={"type": "object", "properties": properties, "required": [], "additionalProperties": False},
        output_schema={"type": "object", "properties": {}, "required": [], "additionalProperties": True},
    )


TEXT = {"type": "string", "maxLength": 100}
TOOLS = {
    tool.name: tool
    for tool in (
        contract("ask"),
        contract("crash"),
        contract("denied"),
        contract("destroy", Destroy(reach="outside")),
        contract("echo", text=TEXT, flag={"type": "boolean"}, number={"type": "number"}),
        contract("failed"),
        contract("list_hosts"),
        contract("odd_text"),
        contract("odd_number"),
        contract("quote_create", Create()),
        contract("region_report", ObservableRead(), region={**TEXT, "x-mcp-header": "Region"}),
        contract("rejected"),
        contract("release"),
        contract("scoped"),
        contract("slow_report"),
        contract("unknown_outcome"),
    )
}
HIDDEN = contract("admin_only")


def fault(code: str, **more: Any) -> FaultDetail:
    """A framework fault with its own texts."""
    spec = FRAMEWORK_CODES[code]
    return FaultDetail(code=spec.code, retry=spec.retry, message=spec.message, next_step=spec.next_step, **more)


NO_SUCH_ACCOUNT = FaultSpec(
    code="unknown_account", retry=Retry.NEVER, message="No account with that id", next_step="Ask the user"
)


@dataclass
class EdgeService:
    """`stages.service.Service` as the edge sees it."""

    name: str = "edge-test"
    version: str = "1.2"
    instructions: str = "Use list_hosts first."
    page: int = 100
    calls: list[Call] = field(default_factory=list[Call])
    writes: int = 0
    cancelled: list[str] = field(default_factory=list[str])
    running: set[str] = field(default_factory=set[str])
    commit_may_end: anyio.Event = field(default_factory=anyio.Event)
    telemetry: Telemetry | None = None

    def list_tools(self, caller: Caller, cursor: str | None) -> Listing:
        """A page; a cursor is `at-` and a position, and anything else is foreign."""
        visible = [*TOOLS.values(), HIDDEN] if "admin" in caller.scopes else list(TOOLS.values())
        start = 0
        if cursor is not None:
            if not cursor.startswith("at-") or not cursor[3:].isdigit():
                raise SealError
            start = int(cursor[3:])
        end = start + self.page
        return Listing(
            tools=tuple(visible[start:end]), next_cursor=f"at-{end}" if end < len(visible) else None, private=True
        )

    def find(self, caller: Caller, name: str) -> ToolContract | None:
        """Everybody sees all tools but one."""
        if name == HIDDEN.name and "admin" in caller.scopes:
            return HIDDEN
        return TOOLS.get(name)

    def step_up(self, caller: Caller, name: str) -> frozenset[str]:
        """One tool wants two scopes."""
        wanted = frozenset({"quotes:read", "quotes:write"})
        return wanted if name == "scoped" and not caller.holds(wanted) else frozenset()

    async def call(self, call: Call) -> Outcome:
        """End as the tool's name says."""
        self.calls.append(call)
        if self.find(call.caller, call.tool) is None:
            return Refused(reason="unknown_tool", run_id="run-1")
        if call.state is not None:
            return Refused(reason="invalid_request_state", run_id="run-1")
        problems = [*call.wire_problems, *_unknown(call)]
        if problems:
            return Invalid(fault=fault("invalid_arguments", problems=tuple(problems)), run_id="run-1")
        special: dict[str, Callable[[Call], Awaitable[Outcome]]] = {
            "slow_report": self._slow,
            "quote_create": self._write,
            "crash": self._crash,
            "release": self._release,
        }
        if call.tool in special:
            return await special[call.tool](call)
        return _plain(call)

    async def _slow(self, call: Call) -> Outcome:
        self.running.add(call.tool)
        try:
            await anyio.sleep_forever()
        except BaseException:
            self.cancelled.append(call.tool)
            raise
        finally:
            self.running.discard(call.tool)
        raise AssertionError

    async def _write(self, call: Call) -> Outcome:
        with anyio.CancelScope(shield=True):
            self.running.add(call.tool)
            await self.commit_may_end.wait()
            self.writes += 1
            self.running.discard(call.tool)
        return Done(structured=b'{"quote":1}', text="Created.", run_id="run-1", operation_id="op-1", twin_of="op-0")

    async def _release(self, _call: Call) -> Outcome:
        """Let writes commit, and tell what has happened so far."""
        self.commit_may_end.set()
        told = {"writes": self.writes, "running": sorted(self.running), "cancelled": self.cancelled}
        return Done(structured=json.dumps(told).encode(), text="Released.", run_id="run-1")

    async def _crash(self, call: Call) -> Outcome:
        raise RuntimeError(f"password=hunter2 in {call.arguments}")


def _unknown(call: Call) -> list[Problem]:
    known = TOOLS.get(call.tool, HIDDEN).input_schema["properties"]
    return [
        Problem(pointer=pointer(name), code="unknown_argument", expected="one of the declared arguments")
        for name in call.arguments
        if name not in known
    ]


def _asked(call: Call) -> Outcome:
    """A question for a client that can be asked."""
    if call.capabilities is None:
        return Rejected(fault=fault("approval_required"), run_id="run-1")
    if "form" not in call.capabilities:
        return Refused(reason="missing_capability", run_id="run-1", lacks=frozenset({"form"}))
    schema = {"type": "object", "properties": {"yes": {"type": "boolean"}}}
    question = Question(key="ok", message="Delete it?", schema=schema)
    return NeedsInput(questions=(question,), state="sealed", run_id="run-1")


def _plain(call: Call) -> Outcome:
    """The outcome of a tool that does nothing but end in one way."""
    missing = FaultDetail(code="unknown_account", retry=Retry.NEVER, message="No such account", next_step="Ask")
    odd = b'{"text":"ok \\ud83d end","pair":"\\ud83d\\ude00"}'
    outcomes: dict[str, Outcome] = {
        "ask": _asked(call),
        "denied": Denied(fault=missing, run_id="run-1"),
        "failed": Failed(fault=fault("internal", reference="ref-1"), run_id="run-1"),
        "odd_number": Done(structured=b'{"n":9007199254740993}', text="n", run_id="run-1", operation_id="op-1"),
        "odd_text": Done(structured=odd, text="ok \ud83d end", run_id="run-1"),
        "rejected": Rejected(
            fault=fault("stale_version", current_version="v7", retry_after_ms=250), run_id="run-1", replayed=True
        ),
        "unknown_outcome": Unknown(fault=fault("outcome_unknown", operation_id="op-1"), run_id="run-1"),
    }
    said = json.dumps({"arguments": dict(call.arguments)}, separators=(",", ":"))
    return outcomes.get(call.tool, Done(structured=said.encode(), text=f"Did {call.tool}.", run_id="run-1"))
