"""Paying back, through the payment gateway: planned, agreed to by a person, and never more than was paid.

| when | what happens in the books |
|---|---|
| plan | nothing; amount, currency and version of the payment are looked at |
| execute | all of it is looked at again and the amount set aside, in the transaction that uses up the plan |
| the gateway paid | what was set aside is a refund, in the transaction that settles |
| the gateway declined | what was set aside is there again, in the transaction that settles |
| no answer | what was set aside stays so, and the same plan asks again with the same key |

Two plans that fit alone and not together may both be made. The first to be executed changes the version of the payment,
so that the other no longer stands; and if both get that far at the same moment, the database lets one of them have it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from billing.catalog import catalog
from billing.credit_notes import OtherCurrency
from billing.gateway import PaymentGateway, Receipt, RefundDeclined, RefundOrder
from billing.money import LARGEST_MINOR, InvoiceCurrency, in_words
from billing.payments import Payment, PaymentId, Payments, UnknownPayment
from fourfold import Caller, Fault, Input, MinorUnits, Resource, Retry, Update
from fourfold.effects import Approval, Costs, Impact, Keyed, Outside, PlanTerms

__all__ = ["SECOND_PERSON_ABOVE", "RefundExceedsPayment", "RefundRequest", "Refunded", "payment_refund", "who_agrees"]

SECOND_PERSON_ABOVE: Mapping[InvoiceCurrency, int] = {
    "EUR": 50_000,
    "USD": 50_000,
    "GBP": 45_000,
    "DKK": 370_000,
    "SEK": 560_000,
    "NOK": 580_000,
    "CNY": 360_000,
}
"""What one person may pay back alone, in minor units of each currency. Set for each, and not converted."""

_STEP = "refund"


class RefundExceedsPayment(Fault):
    """The amount is more than what is left of the payment."""

    code, retry = "refund_exceeds_payment", Retry.NEVER
    next_step = "Ask the user for an amount that is left; payment_list shows it"


class RefundRequest(Input):
    """What to pay back of which payment."""

    payment_id: PaymentId
    currency: InvoiceCurrency
    amount_minor: Annotated[int, MinorUnits(), Field(ge=1, le=LARGEST_MINOR)]
    reason: Annotated[str, Field(min_length=1, max_length=200)]


class Refunded(Payment):
    """The payment after a refund."""

    refund_id: Annotated[str, Field(min_length=1, max_length=64, description="As the payment gateway knows it.")]


def refund_of(request: RefundRequest, payments: Payments) -> Impact:
    """What would be paid back, from the books. The reason was given by whoever asks, and is not in it."""
    found = payments.get(request.payment_id)
    payment = found.payment
    if request.currency != payment.currency:
        raise OtherCurrency(f"The payment is in {payment.currency}", at="/currency", expected=payment.currency)
    _require_rest(payment, request)
    left = in_words(payment.refundable_minor - request.amount_minor, payment.currency)
    return Impact(
        summary=f"Pays {in_words(request.amount_minor, payment.currency)} back to customer {found.customer_reference}, "
        f"from payment {payment.payment_id} of {payment.received_on} for invoice {payment.invoice_reference}. "
        f"{left} of it may be paid back after that. Money that is paid back does not return."
    )


def who_agrees(request: RefundRequest, impact: Impact) -> Approval:  # noqa: ARG001  the signature of approval=
    """A person at the caller, or somebody else where it is more than one person may pay back alone."""
    return "second_person" if request.amount_minor > SECOND_PERSON_ABOVE[request.currency] else "caller"


def _resource(request: RefundRequest, payments: Payments) -> Resource | None:
    found = payments.find(request.payment_id)
    return None if found is None else Resource(id=request.payment_id, version=found.payment.version)


def _set_aside(request: RefundRequest, upstream: Keyed, *, payments: Payments) -> None:
    """Set the amount aside, before anybody is asked for it."""
    key = upstream.key(_STEP)
    if not payments.reserve(request.payment_id, request.amount_minor, key=key, reason=request.reason):
        raise _exceeds(payments.get(request.payment_id).payment)


def _give_back(request: RefundRequest, upstream: Keyed, *, payments: Payments) -> None:
    payments.give_back(request.payment_id, request.amount_minor, key=upstream.key(_STEP))


def _record(request: RefundRequest, receipt: Receipt, *, upstream: Keyed, payments: Payments) -> Refunded:
    """Let what was set aside be a refund."""
    payments.settle(request.payment_id, key=upstream.key(_STEP), refund_id=receipt.refund_id)
    payment = payments.get(request.payment_id).payment
    return Refunded(**{name: getattr(payment, name) for name in Payment.model_fields}, refund_id=receipt.refund_id)


def _require_rest(payment: Payment, request: RefundRequest) -> None:
    if request.amount_minor > payment.refundable_minor:
        raise _exceeds(payment)


def _exceeds(payment: Payment) -> RefundExceedsPayment:
    return RefundExceedsPayment(
        f"What is left of the payment is {in_words(payment.refundable_minor, payment.currency)}",
        at="/amount_minor",
        expected=f"at most {payment.refundable_minor}",
    )


@catalog.tool(
    name="payment_refund",
    version="1.0",
    does="Pay a payment back through the payment gateway, whole or in part",
    use_when="the user wants a customer to get money back",
    not_for="lowering what is owed (credit_note_create)",
    effect=Update(
        reach="outside",
        plan=PlanTerms(impact=refund_of, approval=who_agrees, pair=("payment_plan_refund", "payment_execute_refund")),
    ),
    missing=UnknownPayment,
    faults=[RefundExceedsPayment, OtherCurrency, RefundDeclined],
    needs={"payments:refund"},
    toolsets={"payments"},
    resource=_resource,
    outside=Outside(reserve=_set_aside, give_back=_give_back, record=_record),
    returns="Returns refund_id and what may still be paid back",
    says="{refund_id}: {payment_id} has {refundable_minor} minor units of {currency} left",
)
async def payment_refund(
    request: RefundRequest, upstream: Keyed, *, caller: Caller, gateway: PaymentGateway, costs: Costs
) -> Receipt:
    """Ask the gateway, which knows a payment by our tenant and our id. What it takes for that is the run's cost."""
    order = RefundOrder(
        payment_reference=f"{caller.tenant}/{request.payment_id}",
        currency=request.currency,
        amount_minor=request.amount_minor,
    )
    receipt = await gateway.refund(order, key=upstream.key(_STEP))
    if receipt.fee_minor:
        costs.add("gateway fee", receipt.fee_minor, currency=request.currency)
    return receipt
