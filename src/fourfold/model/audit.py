"""`AuditEntry`: who changed the state of the framework itself: settled a claim, approved a plan, revoked a handle."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AuditEntry"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One line of the audit, appended in the transaction of what it tells about.

    Attributes:
        actor: the person or service account, as their credential names them.
        action: `claim_settled`, `plan_approved` and so on.
        about: id of the operation, plan or handle.
        reason: what the actor said; evidence for a claim that was settled by hand.
    """

    at_ms: int
    tenant: str
    actor: str
    action: str
    about: str
    reason: str
