"""Broken variants of the billing server and of what serves it: a place, what stands there, what would stand there."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BILLING", "MUTANTS", "Mutant"]

BILLING, FOURFOLD = "examples/billing/src/billing", "src/fourfold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One fault that somebody might make. `before` stands exactly once in the file."""

    name: str
    family: str
    file: str
    before: str
    after: str


def _tenant(name: str, file: str, before: str, after: str) -> Mutant:
    return Mutant(name=name, family="the tenant is not looked at", file=f"{BILLING}/{file}", before=before, after=after)


def _of(family: str, file: str) -> _Family:
    return _Family(family, file)


@dataclass(frozen=True, slots=True)
class _Family:
    family: str
    file: str

    def __call__(self, name: str, before: str, after: str) -> Mutant:
        return Mutant(name=name, family=self.family, file=self.file, before=before, after=after)


_KEYS = _of("a key is not what it says", f"{FOURFOLD}/stages/replay.py")
_TAKING = _of("a key is not what it says", f"{FOURFOLD}/stages/taking.py")
_CLAIMS = _of("a claim is kept badly", f"{FOURFOLD}/adapters/sql/claims.py")
_INPUT = _of("arguments are not checked", f"{FOURFOLD}/stages/validate_input.py")
_BASE = _of("arguments are not checked", f"{FOURFOLD}/contracts/base.py")
_RUN = _of("a failure tells too much", f"{FOURFOLD}/stages/run.py")
_VERSION = _of("a version is not looked at", f"{FOURFOLD}/stages/preconditions.py")
_PLAN = _of("a plan is not what was agreed to", f"{FOURFOLD}/stages/recall.py")
_OUTPUT = _of("a result is not checked", f"{FOURFOLD}/stages/validate_output.py")
_PAGES = _of("a list loses its place", f"{BILLING}/unpaid.py")
_STATE = _of("a state is not looked at", f"{BILLING}/invoices.py")

MUTANTS: tuple[Mutant, ...] = (
    _tenant(
        "invoice by any tenant",
        "invoices.py",
        "WHERE i.tenant = :tenant AND (i.invoice_reference",
        "WHERE :tenant = :tenant AND (i.invoice_reference",
    ),
    _tenant(
        "unpaid invoices of all tenants",
        "unpaid.py",
        "WHERE i.tenant = :tenant AND i.state",
        "WHERE :tenant = :tenant AND i.state",
    ),
    _tenant("payments of all tenants", "payments.py", "\nWHERE p.tenant = :tenant", "\nWHERE :tenant = :tenant"),
    _tenant(
        "accounts of all tenants",
        "accounts.py",
        "WHERE tenant = :tenant AND (account_reference",
        "WHERE :tenant = :tenant AND (account_reference",
    ),
    _tenant(
        "one account by any tenant",
        "accounts.py",
        "FROM account AS a WHERE a.tenant = :tenant AND",
        "FROM account AS a WHERE :tenant = :tenant AND",
    ),
    _tenant(
        "threads of all tenants",
        "threads.py",
        "FROM support_thread WHERE tenant = :tenant AND",
        "FROM support_thread WHERE :tenant = :tenant AND",
    ),
    _tenant(
        "customers of all tenants",
        "customers.py",
        "WHERE tenant = :tenant AND (customer_reference",
        "WHERE :tenant = :tenant AND (customer_reference",
    ),
    _KEYS(
        "a key is compared without its arguments",
        "return hmac.compare_digest(claim.fingerprint[:size], flow.fingerprint[:size])",
        "return True",
    ),
    _TAKING("no key is taken", "    if not has_claim(flow):", "    if True:"),
    _TAKING(
        "a twin without a key is not noticed",
        "if isinstance(effect, Create) and twin is not None and",
        "if False and isinstance(effect, Create) and twin is not None and",
    ),
    _TAKING("a plan is not used up", "    if plan is None or plans.use(", "    if True or plans.use("),
    _CLAIMS(
        "what was answered is not kept",
        "SET state = ?, outcome = ?, settled_ms = ? WHERE {_OWNED}",
        "SET state = ?, outcome = substr(?, 1, 0), settled_ms = ? WHERE {_OWNED}",
    ),
    _INPUT("a member that comes twice is taken", "_merged(flow.call.wire_problems, checked", "_merged((), checked"),
    _BASE("unknown arguments are swallowed", 'extra="forbid"', 'extra="ignore"'),
    _VERSION("every version is the expected one", "if expected is not None and not hmac", "if False and not hmac"),
    _PLAN(
        "any digest is the plan's",
        'hmac.compare_digest(plan.digest, flow.checked.framework["digest"])',
        "bool(plan.digest)",
    ),
    _PLAN("anybody's plan is mine", "    return ours and", "    return True or ours and"),
    _OUTPUT("a large result is let through", "    if len(structured) > limit:", "    if False:"),
    _RUN(
        "an exception is told to the caller",
        'with_reference(framework_fault("internal"), reference)',
        'with_reference(framework_fault("internal", message=repr(error)), reference)',
    ),
    _PAGES(
        "a page begins at its last entry",
        "(i.due_on, i.invoice_reference) > (:after_due, :after_reference)",
        "(i.due_on, i.invoice_reference) >= (:after_due, :after_reference)",
    ),
    _PAGES(
        "a page begins at the first entry",
        "AND (i.due_on, i.invoice_reference) > (:after_due, :after_reference)",
        "AND (:after_due, :after_reference) IS NOT NULL",
    ),
    _PAGES(
        "a list has no order",
        "ORDER BY i.due_on, i.invoice_reference LIMIT :limit",
        "ORDER BY i.amount_minor LIMIT :limit",
    ),
    _STATE(
        "a change leaves the version",
        "  due_on = :due_on, document = :document, version = version + 1",
        "  due_on = :due_on, document = :document, version = version",
    ),
    _STATE(
        "a final invoice can be changed",
        'row = self._allowed("invoice_update_draft", request.invoice_reference)',
        "row = self._row(request.invoice_reference)",
    ),
)
"""Each is caught by a check that was not written for it alone."""
