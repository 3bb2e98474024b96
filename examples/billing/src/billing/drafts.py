"""Drafting an invoice: from the order to a document that somebody reads before it obliges anybody.

A draft may be changed and deleted. Deleting is planned first, because nothing brings it back.
"""

from __future__ import annotations

from billing.catalog import catalog
from billing.companies import Company
from billing.customers import Billed, Customers, UnknownCustomer
from billing.documents import document_of, payable_minor
from billing.invoice_model import Document, DraftChange, DraftDeleted, DraftRequest, InvoiceKey, InvoiceSaved
from billing.invoices import Invoices, UnknownInvoice, invoice_resource
from billing.money import in_words
from billing.reckoning import AmountOutOfRange, Reckoned, TaxNotCovered, WithholdingNotCovered, reckoned
from fourfold import Create, Destroy, Resource, Update
from fourfold.effects import Impact, PlanTerms

__all__ = ["deletion_of", "invoice_create", "invoice_delete_draft", "invoice_update_draft"]


@catalog.tool(
    name="invoice_create",
    version="1.0",
    does="Draft an invoice: taxes, withholding and totals are computed",
    use_when="the user wants a customer billed",
    not_for="offers (quote_create) or issuing a draft (invoice_finalize)",
    effect=Create(),
    missing=UnknownCustomer,
    faults=[TaxNotCovered, WithholdingNotCovered, AmountOutOfRange],
    needs={"invoices:write"},
    toolsets={"invoices"},
    returns="Returns invoice_reference of the draft, version and totals",
    says="{invoice_reference} drafted for {customer_name}: {amount_minor} minor units of {currency} payable",
)
def invoice_create(
    request: DraftRequest, *, company: Company, customers: Customers, invoices: Invoices
) -> InvoiceSaved:
    """Compute and save a draft. It has no number, and no day of issue."""
    customer = customers.get(request.customer_reference)
    document, payable = _computed(request, customer, company)
    return invoices.saved(invoices.add_draft(request, customer, document=document, payable_minor=payable))


def _change_resource(request: DraftChange, invoices: Invoices) -> Resource | None:
    return invoice_resource(InvoiceKey(invoice_reference=request.invoice_reference), invoices)


@catalog.tool(
    name="invoice_update_draft",
    version="1.0",
    does="Replace what a draft says; taxes and totals are computed anew",
    use_when="the user wants a draft changed",
    not_for="invoices that are issued (credit_note_create) or new drafts (invoice_create)",
    effect=Update(),
    missing=UnknownInvoice,
    faults=[UnknownCustomer, TaxNotCovered, WithholdingNotCovered, AmountOutOfRange],
    needs={"invoices:write"},
    toolsets={"invoices"},
    resource=_change_resource,
    inputs="Send all of it: what is left out is no longer there",
    returns="Returns version and totals",
    says="{invoice_reference} changed: {amount_minor} minor units of {currency} payable",
)
def invoice_update_draft(
    request: DraftChange, *, company: Company, customers: Customers, invoices: Invoices
) -> InvoiceSaved:
    """Compute it anew. Whether it is a draft is looked at first: of an invoice nobody asks what it might cost."""
    invoices.require("invoice_update_draft", request.invoice_reference)
    customer = customers.get(request.customer_reference)
    document, payable = _computed(request, customer, company)
    invoices.change_draft(request, customer, document=document, payable_minor=payable)
    return invoices.saved(request.invoice_reference)


def _computed(request: DraftRequest, customer: Billed, company: Company) -> tuple[Document, int]:
    """The document that comes of an order, and what is payable."""
    figures: Reckoned = reckoned(request, zone=customer.client_location, origin=company.established)
    return document_of(request, figures), payable_minor(request, figures)


def deletion_of(request: InvoiceKey, invoices: Invoices) -> Impact:
    """What deleting a draft does, from the books."""
    draft = invoices.require("invoice_plan_delete_draft", request.invoice_reference)
    amount = in_words(draft.amount_minor, draft.currency)
    return Impact(
        summary=f"Deletes draft {draft.invoice_reference} for customer {draft.customer_reference}, {amount} payable on "
        f"{draft.due_on}. Nothing brings it back; it has no number, so that none is lost."
    )


@catalog.tool(
    name="invoice_delete_draft",
    version="1.0",
    does="Delete a draft for good",
    use_when="the user no longer wants a draft",
    not_for="changing a draft (invoice_update_draft) or undoing an invoice (credit_note_create)",
    effect=Destroy(
        plan=PlanTerms(impact=deletion_of, pair=("invoice_plan_delete_draft", "invoice_execute_delete_draft"))
    ),
    missing=UnknownInvoice,
    needs={"invoices:write"},
    toolsets={"invoices"},
    resource=invoice_resource,
    returns="Returns the invoice_reference that is gone",
    says="{invoice_reference} deleted",
)
def invoice_delete_draft(request: InvoiceKey, invoices: Invoices) -> DraftDeleted:
    """Delete it. Its reference is not given to another draft."""
    draft = invoices.saved(request.invoice_reference)
    invoices.delete_draft(request.invoice_reference)
    return DraftDeleted(invoice_reference=draft.invoice_reference, customer_reference=draft.customer_reference)
