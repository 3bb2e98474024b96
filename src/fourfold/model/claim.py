"""`Claim`: the idempotency record of one operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Claim", "ClaimScope", "ClaimState"]

ClaimState = Literal["running", "done", "failed", "unknown", "tombstone"]
"""`done` and `failed` are settled; `failed` is a declared fault that a repeat will not change."""


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
        purge_after_ms: when a settled claim may be dropped.
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
