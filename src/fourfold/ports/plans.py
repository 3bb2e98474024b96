"""The plan store: plans and what people decided about them, as functions over a `Unit`. Owns no connection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fourfold.model.plan import Decision, Plan, PlanState
from fourfold.ports.units import Unit

__all__ = ["Plans"]


class Plans(Protocol):
    """Plans. A plan is used once, in the transaction of the claim that uses it."""

    def add(self, unit: Unit, plan: Plan) -> None:
        """Store a new plan."""
        ...

    def find(self, unit: Unit, plan_id: str) -> Plan | None:
        """The plan. The caller of this compares tenant and principal, or asks as an approver."""
        ...

    def use(self, unit: Unit, plan: Plan, *, operation_id: str, now_ms: int) -> bool:
        """Mark `plan` used by `operation_id`, if it still stands; `False` if it doesn't.

        It stands when it is not past its time, its digest is the one of `plan`, and it is approved, or open while
        nobody has to agree.
        """
        ...

    def decide(self, unit: Unit, decision: Decision, *, tenant: str) -> bool:
        """Record what a person said, if it can still be said; `False` if it can't.

        An open plan within its time can be approved or denied under its own digest. One that is open or approved
        can be revoked.
        """
        ...

    def decisions(self, unit: Unit, plan_id: str) -> Sequence[Decision]:
        """What people said to a plan, first to last."""
        ...

    def list(self, unit: Unit, *, state: PlanState | None, tenant: str | None, limit: int) -> Sequence[Plan]:
        """Plans, newest first, for approvers."""
        ...

    def count_waiting(self, unit: Unit, *, now_ms: int) -> int:
        """How many open plans somebody has to agree to and still can, of all tenants."""
        ...

    def waiting(self, unit: Unit, *, tenant: str | None, now_ms: int, limit: int) -> Sequence[Plan]:
        """Open plans within their time that somebody has to agree to; those that expire first, first."""
        ...

    def purge(self, unit: Unit, *, before_ms: int, limit: int) -> int:
        """Drop plans that expired before then, with their decisions; how many.

        One whose operation is running or unknown stays.
        """
        ...
