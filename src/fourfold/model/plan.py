"""`Plan` and `Decision`: what somebody wants done, fixed to the byte, and what a person said to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Approval", "Decision", "Plan", "PlanState", "Verdict"]

Approval = Literal["none", "caller", "second_person"]
"""Who has to agree: nobody, a person at the caller, or a person who is not the caller."""

PlanState = Literal["open", "approved", "denied", "revoked", "used"]
"""`used` and `denied` are final. Expiry is no state: a plan past `expires_ms` stands no longer, whatever it says."""

Verdict = Literal["approved", "denied", "revoked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A call that was fixed before it is made.

    Attributes:
        tool: name of the pair, as declared; neither that of its plan nor of its execute tool.
        wire_digest: the contract that it was made under, SHA-256 in hex.
        arguments: the checked arguments as canonical JSON, sealed.
        versions: the resources that it is about with their versions, `{"invoice/INV-1": "3"}` as JSON text.
        impact: what will happen, as the server rendered it, sealed; approvers see exactly this.
        digest: SHA-256 (hex) over all of the above with tenant, principal, expiry and approval; what is approved.
        approval: who has to agree.
        used_by: the operation that executed it.
    """

    plan_id: str
    tenant: str
    principal: str
    tool: str
    wire_digest: str
    arguments: str
    versions: str
    impact: str
    digest: str
    approval: Approval
    created_ms: int
    expires_ms: int
    state: PlanState = "open"
    used_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What one person said to a plan. `channel` is how they were known: `elicitation`, `cli`, `console`."""

    plan_id: str
    approver: str
    verdict: Verdict
    digest: str
    channel: str
    comment: str
    at_ms: int
