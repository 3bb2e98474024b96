"""Sending an invoice by mail: planned, agreed to, and put into the outbox with the note that it is sent.

The mail leaves after the commit. One that is not committed is not sent, and one that is committed is sent although the
server dies.
"""

from __future__ import annotations

from billing.catalog import catalog
from billing.customers import Customers
from billing.invoice_model import InvoiceKey, InvoiceSaved
from billing.invoices import Invoices, UnknownInvoice, invoice_resource
from billing.money import in_words
from fourfold import Fault, Retry, Update
from fourfold.effects import Impact, Outbox, PlanTerms

__all__ = ["NoMailAddress", "invoice_send", "sending_of"]


class NoMailAddress(Fault):
    """The customer has no mail address in the books."""

    code, retry = "no_mail_address", Retry.NEVER
    next_step = "Tell the user; the invoice has to be sent in another way"


def sending_of(request: InvoiceKey, *, invoices: Invoices, customers: Customers) -> Impact:
    """What is sent, and to which address, from the books."""
    invoice = invoices.require("invoice_plan_send", request.invoice_reference)
    address = _address(customers, invoice)
    again = f" It was sent before, on {invoice.sent_on}." if invoice.sent_on else ""
    return Impact(
        summary=f"Mails invoice {invoice.invoice_reference} ({in_words(invoice.amount_minor, invoice.currency)}, due "
        f"{invoice.due_on}) to customer {invoice.customer_reference} at {_masked(address)}.{again}"
    )


@catalog.tool(
    name="invoice_send",
    version="1.0",
    does="Mail an invoice to its customer",
    use_when="the user wants an issued invoice sent",
    not_for="drafts (invoice_finalize)",
    effect=Update(
        plan=PlanTerms(impact=sending_of, approval="caller", pair=("invoice_plan_send", "invoice_execute_send"))
    ),
    missing=UnknownInvoice,
    faults=[NoMailAddress],
    needs={"invoices:send"},
    toolsets={"invoices"},
    resource=invoice_resource,
    returns="Returns version and sent_on",
    says="{invoice_reference} is on its way to {customer_name}",
)
def invoice_send(request: InvoiceKey, outbox: Outbox, *, invoices: Invoices, customers: Customers) -> InvoiceSaved:
    """Note that it is sent, and leave the mail to be sent once that is committed."""
    invoices.mark_sent(request.invoice_reference)
    sent = invoices.saved(request.invoice_reference)
    outbox.send("mail", _mail(sent, to=_address(customers, sent)))
    return sent


def _address(customers: Customers, invoice: InvoiceSaved) -> str:
    email = customers.get(invoice.customer_reference).email
    if email is None:
        raise NoMailAddress
    return email


def _masked(address: str) -> str:
    """Enough of an address to recognise it: plans are shown to models too."""
    name, _, domain = address.partition("@")
    return f"{name[:1]}***@{domain}"


def _mail(invoice: InvoiceSaved, *, to: str) -> dict[str, object]:
    amount = in_words(invoice.amount_minor, invoice.currency)
    text = (
        f"Invoice {invoice.invoice_reference} of {invoice.issued_on}\n\n"
        f"Customer: {invoice.customer_name} ({invoice.customer_reference})\n"
        f"Amount payable: {amount}\nDue: {invoice.due_on}\n"
    )
    return {"to": to, "subject": f"Invoice {invoice.invoice_reference}", "text": text}
