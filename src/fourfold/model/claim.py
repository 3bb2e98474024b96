"""`Claim`: the idempotency record of one operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Claim", "ClaimScope", "ClaimState", "EffectClass"]

ClaimState = Literal["running", "done", "failed", "unknown", "tombstone"]
"""`done` and `failed` are settled; `failed` is a declared fault that a repeat will not change.

`unknown` may or may not have happened, and only a person or a `reconcile` hook says which. A `tombstone` is a
settled claim whose outcome is no longer kept.
"""

EffectClass = Literal["local", "external_keyed", "external_probe", "external_blind"]
"""What can be done about an operation whose process died in the middle.

`local` happened exactly if its claim is settled. `external_keyed` is sent again with the same derived key.
`external_probe` is looked up in the other system. `external_blind` is nobody's to repeat once it was started.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimScope:
    """What a key is unique in: tenant, principal and tool (requirement D1)."""

    tenant: str
    principal: str
    tool: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The record that makes a repeat harmless.

    Attributes:
        operation_id: the operation that the key stands for.
        fingerprint: SHA-256 over the canonical arguments, expected version and contract major; 32 bytes.
        outcome: the sealed outcome of a settled claim, as stored; `None` while running.
        created_ms, settled_ms: milliseconds since the epoch, by the store's clock.
        purge_after_ms: when a settled claim may lose its outcome, and a tombstone may go.
        effect_class: what a restart may do about it.
        fence: goes up with every owner; only the newest owner may settle.
        owner: which process runs it; "" for a claim that settles in the transaction that took it.
        lease_until_ms: until when `owner` is believed to be alive; 0 in one transaction.
        attempt: how often it was started.
        recovery_point: how far it is known to have come; `started` once an effect outside may have begun.
        contract_version: version of the contract that it was taken under.
    """

    operation_id: str
    scope: ClaimScope
    fingerprint: bytes
    state: ClaimState
    run_id: str
    created_ms: int
    purge_after_ms: int
    outcome: str | None = None
    settled_ms: int | None = None
    effect_class: EffectClass = "local"
    fence: int = 1
    owner: str = ""
    lease_until_ms: int = 0
    attempt: int = 1
    recovery_point: str = ""
    contract_version: str = ""
