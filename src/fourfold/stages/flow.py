"""`Flow`: what is known of one call so far, and the ports that its stages use."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Literal

from anyio import CancelScope
from anyio.lowlevel import checkpoint_if_cancelled

from fourfold.catalog.build import BuiltCatalog
from fourfold.catalog.provide import Supplies
from fourfold.catalog.tool import BuiltTool
from fourfold.contracts.base import Form
from fourfold.contracts.check import CheckedInput
from fourfold.model.asking import Round
from fourfold.model.call import Call
from fourfold.model.caller import Caller
from fourfold.model.claim import Claim
from fourfold.model.fault import FRAMEWORK_CODES, FaultDetail
from fourfold.model.outcome import Outcome
from fourfold.model.page import PageRequest
from fourfold.model.plan import Plan
from fourfold.model.policy import Resource, Verdict
from fourfold.model.retention import Retention
from fourfold.model.run import RunDraft
from fourfold.ports.claims import Claims
from fourfold.ports.clock import Clock
from fourfold.ports.handles import HandleRecords
from fourfold.ports.outbox import Messages
from fourfold.ports.plans import Plans
from fourfold.ports.policy import Policy
from fourfold.ports.runs import Runs
from fourfold.ports.sandbox import QueryRunner
from fourfold.ports.sealer import Sealer
from fourfold.ports.seals import Seals
from fourfold.ports.tallies import Tallies
from fourfold.ports.telemetry import Telemetry
from fourfold.ports.units import Unit, Units
from fourfold.stages.handles import BoundHandles
from fourfold.stages.limits import Guard
from fourfold.stages.outbox import Bell, BoundOutbox
from fourfold.stages.query import BoundQuery
from fourfold.stages.requests import CallRequests, LeasedRequests
from fourfold.stages.upstreams import BlindUpstream, KeyedUpstream

__all__ = [
    "Checked",
    "Flow",
    "Ports",
    "Proceed",
    "Stage",
    "Undeclared",
    "framework_fault",
    "new_id",
    "to_its_end",
    "with_reference",
]


class Undeclared(Exception):
    """The author's code did what its contract does not declare; the text goes into the run and nowhere else."""


Checked = CheckedInput[Any]
"""Arguments that passed, in the author's own model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Everything outside that the stages use.

    `owner` names this process in the leases of claims, which are renewed every `beat_s` seconds. `threads` runs, and
    bounds, plain handlers that take no unit. `queries` is there if a tool runs any. `bell` is rung after a commit that
    may have left messages. `telemetry` is there if anybody listens.
    """

    catalog: BuiltCatalog
    units: Units
    claims: Claims
    plans: Plans
    messages: Messages
    handles: HandleRecords
    runs: Runs
    tallies: Tallies
    seals: Seals
    sealer: Sealer
    clock: Clock
    policy: Policy | None
    guard: Guard
    threads: Executor
    requests: LeasedRequests
    toolsets: frozenset[str] = frozenset()
    queries: QueryRunner | None = None
    owner: str = field(default_factory=lambda: secrets.token_hex(8))
    beat_s: float = 10.0
    bell: Bell = field(default_factory=Bell)
    retention: Retention = field(default_factory=Retention)
    telemetry: Telemetry | None = None


@dataclass(frozen=True, slots=True)
class BoundOperations:
    """The operations of one caller, in one transaction (ports.Operations)."""

    claims: Claims
    unit: Unit
    caller: Caller

    def find(self, operation_id: str) -> Claim | None:
        """The claim of that operation, if it is this caller's."""
        claim = self.claims.operation(self.unit, operation_id)
        if claim is None:
            return None
        ours = (claim.scope.tenant, claim.scope.principal) == (self.caller.tenant, self.caller.principal)
        return claim if ours else None


@dataclass(slots=True, kw_only=True)
class Flow:
    """One call on its way through the stages. A stage sets what later stages read, and only that.

    `tool` and `deadline` come from admit, `checked` and `page` from validate_input, `fingerprint` from replay,
    `operation` and `attempt` from whoever claims, `decision` from whoever asked the policy last. `left` is set once
    nobody waits for a handler that runs in a thread.
    """

    call: Call
    ports: Ports
    draft: RunDraft
    started: float
    tool: BuiltTool = field(init=False)
    deadline: float = field(init=False)
    checked: Checked = field(init=False)
    page: PageRequest | None = None
    fingerprint: bytes = b""
    operation: str = ""
    attempt: int = 1
    decision: Verdict | Literal[""] = ""
    counted: tuple[tuple[str, str], ...] = ()
    filled: Mapping[str, bool] = field(default_factory=dict[str, bool])
    bytes_in: int = 0
    left: bool = False
    plan: Plan | None = None
    resource: Resource | None = None
    upstream: KeyedUpstream | BlindUpstream | None = None
    round: Round | None = None
    answers: Mapping[type[Form], Form] = field(default_factory=dict[type[Form], Form])
    _stage: str = "run"
    _since: float = 0.0

    @property
    def tenant(self) -> str:
        """Whose rows the call is about."""
        return self.call.caller.tenant

    @property
    def known(self) -> bool:
        """Whether the call named a tool that this caller has."""
        return hasattr(self, "tool")

    @property
    def has_checked(self) -> bool:
        """Whether the arguments passed."""
        return hasattr(self, "checked")

    @property
    def idempotency_key(self) -> str | None:
        """The explicit key, from the arguments or from `_meta`; of an execute, its plan; of a round, its operation."""
        if self.plan is not None:
            return self.plan.plan_id
        explicit = self.checked.framework.get("idempotency_key") or self.call.meta_key
        return self.round.key if explicit is None and self.round is not None else explicit

    def operation_id(self) -> str:
        """The operation that the rounds of this call are; a new one for a call without rounds."""
        return self.round.operation_id if self.round is not None else new_id("op", self.ports.clock)

    def supplies(self, unit: Unit | None, *, receipt: object = None) -> Supplies:
        """What the handler's parameters are filled from."""
        return Supplies(
            request=self.checked.request,
            caller=self.call.caller,
            clock=self.ports.clock,
            run=self.draft,
            costs=self.draft.costs,
            page=self.page,
            unit=unit,
            query=self._query(),
            keyed=self.upstream if isinstance(self.upstream, KeyedUpstream) else None,
            probe=self.upstream if isinstance(self.upstream, KeyedUpstream) else None,
            blind=self.upstream if isinstance(self.upstream, BlindUpstream) else None,
            requests=CallRequests(self.ports.requests, self.deadline),
            receipt=receipt,
            answers=self.answers,
            handles=self._handles(unit),
            outbox=self._outbox(unit),
            operations=BoundOperations(self.ports.claims, unit, self.call.caller) if unit else None,
        )

    def _handles(self, unit: Unit | None) -> BoundHandles | None:
        """Handles of this caller, in this transaction."""
        if unit is None:
            return None
        ports = self.ports
        return BoundHandles(
            unit=unit,
            records=ports.handles,
            sealer=ports.sealer,
            clock=ports.clock,
            audience=ports.catalog.name,
            caller=self.call.caller,
        )

    def _outbox(self, unit: Unit | None) -> BoundOutbox | None:
        """The outbox of this operation, in this transaction."""
        if unit is None or not self.tool.sends:
            return None
        ports = self.ports
        return BoundOutbox(
            unit=unit,
            messages=ports.messages,
            sealer=ports.sealer,
            clock=ports.clock,
            topics=frozenset(ports.catalog.source.senders),
            tenant=self.call.caller.tenant,
            operation_id=self.operation,
            make_id=lambda: new_id("msg", ports.clock),
        )

    def _query(self) -> BoundQuery | None:
        """The query of this call, if its contract has a sandbox."""
        runner, terms = self.ports.queries, self.tool.contract.sandbox
        if runner is None or terms is None:
            return None
        return BoundQuery(
            runner=runner,
            terms=terms,
            tenant=self.call.caller.tenant,
            clock=self.ports.clock,
            deadline=self.deadline,
            left=lambda: self.left,
        )

    def name_subject(self, value: str) -> None:
        """Set the run's Subject; called by the contract, the handler or the store."""
        self.draft.subject = value[:200]

    def enter(self, stage: str) -> str:
        """Start the time of `stage` and stop that of the stage around it, whose name is returned."""
        now = self.ports.clock.ticks()
        around = self._stage
        spent = self.draft.stage_us
        spent[around] = spent.get(around, 0) + round((now - (self._since or self.started)) * 1_000_000)
        self._stage, self._since = stage, now
        return around


Proceed = Callable[[Flow], Awaitable[Outcome]]
"""The stages that follow."""

Stage = Callable[[Flow, Proceed], Awaitable[Outcome]]
"""One stage: does its part, then goes on or answers."""


_COUNTER = count()


def new_id(prefix: str, clock: Clock) -> str:
    """An id that sorts by time, in the order of making within one process, and cannot be guessed.

    `run_0192f0c4a1b2`, then four hex digits that count up, then 16 random ones.
    """
    return f"{prefix}_{clock.now_ms():012x}{next(_COUNTER) & 0xFFFF:04x}{secrets.token_hex(8)}"


def framework_fault(code: str, **changes: Any) -> FaultDetail:
    """The framework's own fault of that code, with `changes` for this call."""
    spec = FRAMEWORK_CODES[code]
    detail = FaultDetail(code=spec.code, retry=spec.retry, message=spec.message, next_step=spec.next_step)
    return replace(detail, **changes) if changes else detail


def with_reference(detail: FaultDetail, reference: str) -> FaultDetail:
    """`detail` naming the reference that an operator finds the run by."""
    return replace(detail, reference=reference, next_step=f"Report reference {reference}; repeating it will not help")


async def to_its_end(work: Callable[[], Awaitable[Outcome]]) -> Outcome:
    """What becomes of `work`, which is not begun for a caller that is gone, and once it is begun goes on without one.

    What it stores has its run stored with it: given up in the middle, the call would be recorded a second time.
    """
    await checkpoint_if_cancelled()
    with CancelScope(shield=True):
        return await work()
    raise AssertionError("nothing cancels this scope")  # pragma: no cover - tells the type checker so
