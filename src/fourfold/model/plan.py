"""`Plan` and `Decision`: what somebody wants done, fixed to the byte, and what a person said to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Approval", "Decision", "Impact", "Plan", "PlanState", "PlanTerms", "Verdict"]

Approval = Literal["none", "caller", "second_person"]
"""Who has to agree: nobody, a person at the caller, or a person who is not the caller."""

PlanState = Literal["open", "approved", "denied", "revoked", "used"]
"""`used` and `denied` are final. Expiry is no state: a plan past `expires_ms` stands no longer, whatever it says."""

Verdict = Literal["approved", "denied", "revoked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """What a call would do, as the server found out without doing it.

    Attributes:
        summary: one to a few lines for a person; the only text that an approver is shown, so no word of it comes
            from a model. At most 2,000 characters.
        versions: other resources that the effect depends on with their versions; the tool's own resource is added.
            If one of them, or the summary, is different when the plan is executed, the plan no longer stands.
    """

    summary: str
    versions: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTerms:
    """How a write is split into a plan and an execute.

    Attributes:
        impact: finds out what the call would do, as an `Impact`; reads only. Its parameters are filled by type.
        approval: who has to agree; or a function of the input and the `Impact` that says so, for a limit, say.
        pair: names of the plan and the execute tool; `<name>_plan` and `<name>_execute` when left out.
        lifetime_s: seconds until the plan no longer stands, approved or not.
    """

    impact: Callable[..., object]
    approval: Approval | Callable[..., Approval] = "none"
    pair: tuple[str, str] | None = None
    lifetime_s: int = 900


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
