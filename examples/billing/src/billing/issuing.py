"""One invoice: reading it, and issuing it."""

from __future__ import annotations

from billing.catalog import catalog
from billing.invoice_model import Invoice, InvoiceKey, InvoiceSaved
from billing.invoices import DueDatePassed, Invoices, UnknownInvoice, invoice_resource
from fourfold import Limits, Read, Update

__all__ = ["invoice_finalize", "invoice_get"]


@catalog.tool(
    name="invoice_get",
    version="2.0",
    does="Read one invoice or draft by its reference",
    use_when="the user names an invoice, or before changing one",
    not_for="searching or listing (invoice_list)",
    effect=Read(),
    missing=UnknownInvoice,
    needs={"invoices:read"},
    toolsets={"invoices"},
    limits=Limits(result_bytes=262_144),
    returns="Returns lines, taxes, totals, version and allowed_actions",
    says="{invoice_reference} is {state}: {amount_minor} minor units of {currency}, due {due_on}",
)
def invoice_get(request: InvoiceKey, invoices: Invoices) -> Invoice:
    """The invoice, with the version that a change of it has to name."""
    found = invoices.get(request.invoice_reference)
    if found is None:
        raise UnknownInvoice
    return found


@catalog.tool(
    name="invoice_finalize",
    version="1.0",
    does="Issue a draft: it gets the next number of its year, today's date, and figures that stay",
    use_when="the user has approved the draft",
    not_for="drafting (invoice_create)",
    effect=Update(),
    missing=UnknownInvoice,
    faults=[DueDatePassed],
    needs={"invoices:write"},
    toolsets={"invoices"},
    resource=invoice_resource,
    returns="Returns the new invoice_reference, version and totals",
    says="{invoice_reference} issued: {amount_minor} minor units of {currency}, due {due_on}",
)
def invoice_finalize(request: InvoiceKey, invoices: Invoices) -> InvoiceSaved:
    """Issue it. Numbers have no gaps: one is taken in the transaction that uses it."""
    return invoices.saved(invoices.finalize(request.invoice_reference))
