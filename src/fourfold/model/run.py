"""`Run`: the record of one call, and `RunDraft`, the record while the call is going on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fourfold.model.call import Call
from fourfold.model.cost import Charge, Costs

__all__ = ["UNKNOWN_SUBJECT", "Closing", "Run", "RunDraft", "RunFilter"]

UNKNOWN_SUBJECT = "unknown"
"""The Subject of a run when neither contract, handler nor store named one. It is counted, not hidden."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The record of one call, denied and invalid ones included (requirement A9).

    Attributes:
        at_ms: when the call arrived, milliseconds since the epoch.
        subject: which account (or other Subject) it touched; `unknown` if nobody said.
        outcome: `done`, `invalid`, `rejected`, `denied`, `refused`, `needs_input`, `failed`, `unknown` or
            `cancelled`.
        code: the fault's code, or "" for a success.
        stage_us: microseconds spent in each stage by name, exclusive of the stages inside it.
        arguments_digest: keyed digest (hex) of the arguments of a call that did not succeed, to tell equal
            failures apart from different ones without storing what was sent; "" otherwise.
        retry: what the fault said of a repeat (`model.fault.Retry`), or "" without a fault.
        tokens_in, tokens_out: estimated from the bytes (4 a token), never counted by a provider.
        tokens_definition: of the tool's own definition, estimated by the budget's `characters` profile: what each
            request to a model that has this tool carries of it. 0 for runs from before it was recorded.
        charges: what other systems charged for the call, as the handler said.
        counted: declared output vocabulary by field, for "how often was below_floor returned this month".
        filled: of a success, by name of each output field, whether it held anything.
        note: redacted text for the operator (an exception's text, what was repaired); never on the wire.
        reference: the id that an `internal` answer gave to the caller; "" otherwise.
    """

    run_id: str
    at_ms: int
    tenant: str
    principal: str
    caller: str
    tool: str
    contract_version: str
    wire_digest: str
    lock_digest: str
    subject: str
    outcome: str
    code: str
    operation_id: str = ""
    replayed: bool = False
    transport: str = ""
    revision: str = ""
    client: str = ""
    trace_id: str = ""
    span_id: str = ""
    stage_us: Mapping[str, int] = field(default_factory=dict[str, int])
    bytes_in: int = 0
    bytes_out: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    arguments_digest: str = ""
    counted: tuple[tuple[str, str], ...] = ()
    reference: str = ""
    note: str = ""
    retry: str = ""
    tokens_definition: int = 0
    charges: tuple[Charge, ...] = ()
    filled: Mapping[str, bool] = field(default_factory=dict[str, bool])


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """What is known only after a write's transaction: total time in microseconds, and whether it was delivered."""

    run_id: str
    total_us: int
    delivered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFilter:
    """Which runs are asked for. Empty fields do not restrict; times are half-open, in milliseconds."""

    tenant: str | None = None
    principal: str = ""
    subject: str = ""
    tool: str = ""
    code: str = ""
    outcome: str = ""
    failed: bool = False
    since_ms: int | None = None
    until_ms: int | None = None


@dataclass(slots=True, kw_only=True)
class RunDraft:
    """The record of a call while it goes on. A handler may take it, to name the Subject.

    ```python
    def invoice_get(request: InvoiceGet, invoices: Invoices, run: RunDraft) -> Invoice:
        found = invoices.by_reference(request.invoice_reference)
        run.subject = found.account_id
    ```
    """

    run_id: str
    call: Call
    at_ms: int
    subject: str = UNKNOWN_SUBJECT
    notes: list[str] = field(default_factory=list[str])
    stage_us: dict[str, int] = field(default_factory=dict[str, int])
    costs: Costs = field(default_factory=Costs)
    stored: bool = False
    """Whether the run was inserted in the effect's transaction, so that only a closing row is owed."""
