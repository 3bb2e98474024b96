"""`Flow`: what is known of one call so far, and the ports that its stages use."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

from fourfold.catalog.build import BuiltCatalog, BuiltTool
from fourfold.catalog.provide import Supplies
from fourfold.contracts.check import CheckedInput
from fourfold.model.call import Call
from fourfold.model.fault import FRAMEWORK_CODES, FaultDetail
from fourfold.model.outcome import Outcome
from fourfold.model.page import PageRequest
from fourfold.model.run import RunDraft
from fourfold.ports.clock import Clock
from fourfold.ports.policy import Policy
from fourfold.ports.runs import Runs
from fourfold.ports.sealer import Sealer
from fourfold.ports.units import Claims, Unit, Units
from fourfold.stages.limits import Guard

__all__ = ["Checked", "Flow", "Ports", "Proceed", "Stage", "Undeclared", "framework_fault", "new_id", "with_reference"]


class Undeclared(Exception):
    """The author's code did what its contract does not declare; the text goes into the run and nowhere else."""


Checked = CheckedInput[Any]
"""Arguments that passed, in the author's own model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Everything outside that the stages use. `threads` runs, and bounds, plain handlers that take no unit."""

    catalog: BuiltCatalog
    units: Units
    claims: Claims
    runs: Runs
    sealer: Sealer
    clock: Clock
    policy: Policy | None
    guard: Guard
    threads: Executor
    toolsets: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True)
class Flow:
    """One call on its way through the stages. A stage sets what later stages read, and only that.

    `tool` and `deadline` come from admit, `checked` and `page` from validate_input, `fingerprint` from replay.
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
    counted: tuple[tuple[str, str], ...] = ()
    bytes_in: int = 0
    _stage: str = "run"
    _since: float = 0.0

    @property
    def known(self) -> bool:
        """Whether the call named a tool that this caller has."""
        return hasattr(self, "tool")

    @property
    def idempotency_key(self) -> str | None:
        """The explicit key, from the arguments or from `_meta`."""
        return self.checked.framework.get("idempotency_key") or self.call.meta_key

    def supplies(self, unit: Unit | None) -> Supplies:
        """What the handler's parameters are filled from."""
        return Supplies(
            request=self.checked.request,
            caller=self.call.caller,
            clock=self.ports.clock,
            run=self.draft,
            page=self.page,
            unit=unit,
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


def new_id(prefix: str, clock: Clock) -> str:
    """An id that sorts by time and cannot be guessed: `run_0192f0c4a1b2` and 20 random hex digits."""
    return f"{prefix}_{clock.now_ms():012x}{secrets.token_hex(10)}"


def framework_fault(code: str, **changes: Any) -> FaultDetail:
    """The framework's own fault of that code, with `changes` for this call."""
    spec = FRAMEWORK_CODES[code]
    detail = FaultDetail(code=spec.code, retry=spec.retry, message=spec.message, next_step=spec.next_step)
    return replace(detail, **changes) if changes else detail


def with_reference(detail: FaultDetail, reference: str) -> FaultDetail:
    """`detail` naming the reference that an operator finds the run by."""
    return replace(detail, reference=reference, next_step=f"Report reference {reference}; repeating it will not help")
