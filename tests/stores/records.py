"""Claims and runs for store tests, with every field filled."""

from __future__ import annotations

from dataclasses import replace

from fourfold.model.claim import Claim, ClaimScope
from fourfold.model.cost import Charge
from fourfold.model.message import Message
from fourfold.model.plan import Plan
from fourfold.model.run import Closing, Run

__all__ = ["NOON_MS", "claim_of", "closing_of", "message_of", "plan_of", "run_at", "scope_of"]

NOON_MS = 1_700_000_000_000
"""When the first run of a test arrives."""

_RUN = Run(
    run_id="run-0",
    at_ms=NOON_MS,
    tenant="acme",
    principal="clerk@acme",
    caller="clerk",
    tool="quote_create",
    contract_version="1.0",
    wire_digest="w" * 64,
    lock_digest="l" * 64,
    subject="acct-1",
    outcome="done",
    code="",
    operation_id="op-1",
    replayed=True,
    transport="http",
    revision="2026-07-28",
    client="inspector 1.2",
    trace_id="t" * 32,
    span_id="s" * 16,
    stage_us={"admit": 12, "invoke": 340},
    bytes_in=120,
    bytes_out=240,
    tokens_in=30,
    tokens_out=60,
    arguments_digest="a" * 64,
    counted=(("flags", "below_floor"), ("flags", "credit_hold"), ("flags", "below_floor")),
    reference="",
    note="one note",
    retry="after",
    tokens_definition=110,
    charges=(Charge(what="gateway fee", amount_minor=25, currency="EUR"),),
    filled={"flags": True, "note": False},
)


def run_at(number: int, **changes: object) -> Run:
    """Run `run-<number>`, `number` seconds after noon."""
    return replace(_RUN, run_id=f"run-{number}", at_ms=NOON_MS + number * 1_000, **changes)


def closing_of(run: Run) -> Closing:
    """What is known of `run` at its end."""
    return Closing(run_id=run.run_id, total_us=5_000, delivered=True)


def scope_of(
    key: str, *, tenant: str = "acme", principal: str = "clerk@acme", tool: str = "quote_create"
) -> ClaimScope:
    """The scope of `key`."""
    return ClaimScope(tenant=tenant, principal=principal, tool=tool, key=key)


def claim_of(
    scope: ClaimScope, operation_id: str, *, fingerprint: bytes = b"f" * 32, created_ms: int = NOON_MS
) -> Claim:
    """A claim as a stage makes it, running."""
    return Claim(
        operation_id=operation_id,
        scope=scope,
        fingerprint=fingerprint,
        state="running",
        run_id=f"run of {operation_id}",
        created_ms=created_ms,
        purge_after_ms=created_ms + 1_000,
    )


_PLAN = Plan(
    plan_id="plan-0",
    tenant="acme",
    principal="clerk@acme",
    tool="invoice_send",
    wire_digest="w" * 64,
    arguments="v1.arguments",
    versions='{"invoice/INV-1": "3"}',
    impact="v1.impact",
    digest="d" * 64,
    approval="second_person",
    created_ms=NOON_MS,
    expires_ms=NOON_MS + 600_000,
)


def plan_of(plan_id: str, **changes: object) -> Plan:
    """An open plan as a stage makes it, good for ten minutes."""
    return replace(_PLAN, plan_id=plan_id, **changes)


def message_of(message_id: str, **changes: object) -> Message:
    """A message as the outbox makes it, due at noon."""
    message = Message(
        message_id=message_id,
        tenant="acme",
        operation_id="op-1",
        topic="mail",
        dedupe_key=message_id,
        payload="v1.payload",
        created_ms=NOON_MS,
        next_ms=NOON_MS,
    )
    return replace(message, **changes)
