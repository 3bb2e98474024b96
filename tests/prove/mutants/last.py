"""Faults that were thought of when the checks were finished: nothing was changed for their sake."""

from __future__ import annotations

from tests.prove.mutants.mutant import BILLING, FOURFOLD, Kind, Mutant

__all__ = ["LAST"]


def _in(family: str, file: str) -> Kind:
    return Kind(family, file, last=True)


_SANDBOX = _in("the tenant is not looked at", f"{FOURFOLD}/adapters/sqlite/sandbox/views.py")
_OPERATIONS = _in("a caller is not looked at", f"{FOURFOLD}/stages/flow.py")
_IDENTITY = _in("a caller is not looked at", f"{FOURFOLD}/edge/identity.py")
_SERIES = _in("a caller is not looked at", f"{BILLING}/series.py")
_ACCOUNTS = _in("a list loses its place", f"{BILLING}/accounts.py")
_SUMMARY = _in("a limit is forgotten", f"{BILLING}/threads.py")
_QUOTE = _in("a limit is forgotten", f"{BILLING}/quotes.py")
_CUSTOMER = _in("something is not looked for first", f"{BILLING}/customers.py")
_REFUND = _in("something is not looked for first", f"{BILLING}/refunds.py")
_CREDIT = _in("something is not looked for first", f"{BILLING}/credit_notes.py")
_REPORT = _in("a list is cut in silence", f"{BILLING}/revenue.py")
_KEPT = _in("a key is not what it says", f"{FOURFOLD}/stages/taking.py")
_PLANNING = _in("a plan is not what was agreed to", f"{FOURFOLD}/stages/planning.py")
_FAULT = _in("a failure does not help", f"{FOURFOLD}/edge/translate.py")
_PATIENCE = _in("a failure does not help", f"{FOURFOLD}/stages/run.py")

LAST: tuple[Mutant, ...] = (
    _SANDBOX(
        "a query reads what all tenants have",
        'f"WHERE likelihood({TENANT} COLLATE BINARY = {caller}, {_SHARE}) "\n'
        '        f"AND likely(CAST({TENANT} AS TEXT) COLLATE BINARY = {caller})) SELECT {listed} FROM {schema}_own"',
        'f"WHERE {caller} IS NOT NULL) SELECT {listed} FROM {schema}_own"',
    ),
    _OPERATIONS("an operation is everybody's", "return claim if ours else None", "return claim if claim else None"),
    _IDENTITY(
        "any token is the first caller's",
        "found: Caller | None = None",
        "found: Caller | None = self._known[0][1]",
    ),
    _SERIES("numbers are given out for all tenants together", "_NEXT, (self._tenant, name)", '_NEXT, ("", name)'),
    _ACCOUNTS(
        "accounts are listed by name and continued by reference",
        "ORDER BY account_reference LIMIT :limit",
        "ORDER BY name LIMIT :limit",
    ),
    _SUMMARY("a summary is as long as it likes", "max_words=request.max_words", "max_words=300"),
    _QUOTE("any price will do", "if too_cheap is not None:", "if False:"),
    _CUSTOMER("a tax number is taken twice", "    if existing is not None:", "    if existing == request.name:"),
    _REFUND(
        "a payment is paid back in any currency",
        "if request.currency != payment.currency:",
        "if not request.currency:",
    ),
    _CREDIT(
        "an invoice is credited in any currency",
        "if request.currency != invoice.currency:",
        "if not request.currency:",
    ),
    _REPORT("a report is complete on every page", "complete=not has_more,", "complete=True,"),
    _KEPT(
        "a final fault is not kept",
        "return detail.retry.settles and flow.idempotency_key is not None and not is_missing",
        "return is_missing and flow.idempotency_key is not None",
    ),
    _PLANNING("a plan is executed though it would do something else", "if digest != planned.digest:", "if not digest:"),
    _FAULT(
        "a failure has no next step",
        '"next_step": well_formed(fault.next_step)}',
        '"next_step": ""}',
    ),
    _PATIENCE("one failure is too many", "PATIENCE = 3", "PATIENCE = 1"),
)
"""Fifteen, each in one place."""
