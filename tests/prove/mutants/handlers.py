"""Faults in the handlers of the billing server: what an author may get wrong."""

from __future__ import annotations

from tests.prove.mutants.mutant import BILLING, Kind, Mutant

__all__ = ["HANDLERS"]


def _tenant(name: str, file: str, *, before: str, after: str) -> Mutant:
    return Kind("the tenant is not looked at", f"{BILLING}/{file}")(name, before, after)


_PAGES = Kind("a list loses its place", f"{BILLING}/unpaid.py")
_PAYMENTS = Kind("a list loses its place", f"{BILLING}/payments.py")
_ENDS = Kind("a list is cut in silence", f"{BILLING}/unpaid.py")
_CREDIT = Kind("a state is not looked at", f"{BILLING}/credit_notes.py")
_STATES = Kind("a state is not looked at", f"{BILLING}/invoice_states.py")
_VERSION = Kind("a version is not looked at", f"{BILLING}/invoices.py")
_PRICE = Kind("figures are wrong", f"{BILLING}/quotes.py")
_PERIODS = Kind("figures are wrong", f"{BILLING}/periods.py")
_REVENUE = Kind("figures are wrong", f"{BILLING}/revenue.py")
_STORED = Kind("something else is stored than was sent", f"{BILLING}/invoices.py")
_CUSTOMER = Kind("something else is stored than was sent", f"{BILLING}/customers.py")
_READS = Kind("a read has an effect", f"{BILLING}/issuing.py")

HANDLERS: tuple[Mutant, ...] = (
    _tenant(
        "invoice by any tenant",
        "invoices.py",
        before="WHERE i.tenant = :tenant AND (i.invoice_reference",
        after="WHERE :tenant = :tenant AND (i.invoice_reference",
    ),
    _tenant(
        "unpaid invoices of all tenants",
        "unpaid.py",
        before="WHERE i.tenant = :tenant AND i.state",
        after="WHERE :tenant = :tenant AND i.state",
    ),
    _tenant(
        "payments of all tenants",
        "payments.py",
        before="\nWHERE p.tenant = :tenant",
        after="\nWHERE :tenant = :tenant",
    ),
    _tenant(
        "accounts of all tenants",
        "accounts.py",
        before="WHERE tenant = :tenant AND (account_reference",
        after="WHERE :tenant = :tenant AND (account_reference",
    ),
    _tenant(
        "one account by any tenant",
        "accounts.py",
        before="FROM account AS a WHERE a.tenant = :tenant AND",
        after="FROM account AS a WHERE :tenant = :tenant AND",
    ),
    _tenant(
        "threads of all tenants",
        "threads.py",
        before="FROM support_thread WHERE tenant = :tenant AND",
        after="FROM support_thread WHERE :tenant = :tenant AND",
    ),
    _tenant(
        "customers of all tenants",
        "customers.py",
        before="WHERE tenant = :tenant AND (customer_reference",
        after="WHERE :tenant = :tenant AND (customer_reference",
    ),
    _tenant(
        "revenue of all tenants",
        "revenue.py",
        before="WHERE i.tenant = ? AND i.state = 'final'",
        after="WHERE ? IS NOT NULL AND i.state = 'final'",
    ),
    _tenant(
        "a tax number is looked for among all tenants",
        "customers.py",
        before="FROM customer WHERE tenant = ? AND tax_number = ?",
        after="FROM customer WHERE ? IS NOT NULL AND tax_number = ?",
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
    _PAYMENTS(
        "a page goes on after the day instead of the payment",
        "AND (p.received_on, p.payment_id) > (:after_day, :after_id)",
        "AND p.received_on > :after_day AND :after_id = :after_id",
    ),
    _ENDS(
        "a list ends with its first page",
        "items, has_more = found[: page.limit], len(found) > page.limit",
        "items, has_more = found[: page.limit], False",
    ),
    _ENDS(
        "a list holds its first hundred entries",
        "ORDER BY i.due_on, i.invoice_reference LIMIT :limit",
        "AND i.draft_reference IN (SELECT draft_reference FROM invoice WHERE tenant = :tenant AND state = 'final'"
        " AND paid_on IS NULL AND due_on >= :due_from AND due_on < :due_before ORDER BY due_on LIMIT 100)"
        " ORDER BY i.due_on, i.invoice_reference LIMIT :limit",
    ),
    _ENDS(
        "a filter is forgotten",
        'due_from = today if status == "open" else date.min',
        "due_from = date.min",
    ),
    _STATES(
        "a final invoice can be changed",
        "if wanted.comes_from == state:",
        'if state in (wanted.comes_from, {"invoice_update_draft": "final"}.get(action)):',
    ),
    _CREDIT(
        "a draft can be credited",
        '    invoices.require("credit_note_create", request.invoice_reference)\n',
        "",
    ),
    _STATES(
        "every action is shown as allowed",
        'if row.comes_from == state and row.tool != "invoice_create"',
        'if state and row.tool != "invoice_create"',
    ),
    _VERSION(
        "a change leaves the version",
        "  due_on = :due_on, document = :document, version = version + 1",
        "  due_on = :due_on, document = :document, version = version",
    ),
    _PRICE(
        "a quote is computed in float",
        "return Quote(quote_id=quote_id, currency=request.currency, total_minor=priced.total_minor,",
        "return Quote(quote_id=quote_id, currency=request.currency, total_minor="
        "int(sum(line.quantity * line.unit_price_minor / 100 for line in request.lines) * 100),",
    ),
    _PERIODS(
        "a week is dropped at the boundary of a quarter",
        "        yield Period(label=whole.label, first=day, before=min(whole.before, before))",
        '        if period_of(day, "quarter") == period_of(whole.before - _DAY, "quarter"):\n'
        "            yield Period(label=whole.label, first=day, before=min(whole.before, before))",
    ),
    _REVENUE(
        "a total is one of the page",
        'whole_range = Period(label="", first=request.first_day, before=request.before)',
        'whole_range = Period(label="", first=start, before=periods[-1].before)',
    ),
    _STORED("every invoice is in euros", "        currency=request.currency,\n", '        currency="EUR",\n'),
    _CUSTOMER(
        "every customer is in the peninsula",
        '"client_location": request.client_location,',
        '"client_location": "peninsula",',
    ),
    _READS(
        "reading an invoice writes",
        "found = invoices.get(request.invoice_reference)",
        'found = invoices.get(request.invoice_reference)\n    if found is not None and found.state == "final":\n'
        "        invoices.mark_sent(request.invoice_reference)",
    ),
)
"""Each is one place of `examples/billing`."""
