"""A payment gateway to try clients on. It pays back, once for each idempotency key, and makes trouble when told to.

It moves no money and knows no payments: it believes what it is told to pay back, and remembers that it did.
"""

from __future__ import annotations

from payment_gateway.app import DEMO_TOKEN, application
from payment_gateway.ledger import Conflict, Ledger, Refund, RefundOrder
from payment_gateway.trouble import TROUBLES, Trouble, Troubles

__all__ = [
    "DEMO_TOKEN",
    "TROUBLES",
    "Conflict",
    "Ledger",
    "Refund",
    "RefundOrder",
    "Trouble",
    "Troubles",
    "application",
]
