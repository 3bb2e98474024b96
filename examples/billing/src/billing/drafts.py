"""Drafting an invoice: from the order to a document that somebody reads before it obliges anybody."""

from __future__ import annotations

from billing.catalog import catalog
from billing.companies import Company
from billing.customers import Customers, UnknownCustomer
from billing.documents import document_of, payable_minor
from billing.invoice_model import DraftRequest, InvoiceSaved
from billing.invoices import Invoices
from billing.reckoning import AmountOutOfRange, TaxNotCovered, WithholdingNotCovered, reckoned
from fourfold import Create

__all__ = ["invoice_create"]


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
    figures = reckoned(request, zone=customer.client_location, origin=company.established)
    document = document_of(request, figures)
    reference = invoices.add_draft(request, customer, document=document, payable_minor=payable_minor(request, figures))
    return invoices.saved(reference)
