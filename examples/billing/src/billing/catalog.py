"""The catalog that the modules beside this one declare their tools in. Owns the server's name and nothing else."""

from __future__ import annotations

from fourfold import Catalog

__all__ = ["catalog"]

catalog = Catalog(
    "billing",
    version="1.0",
    instructions=(
        "Quotes and invoices of one company. Amounts are integers in minor units (cents) of the currency beside them; "
        "nothing is converted, and amounts in different currencies are never added. "
        "A quote needs an account_id (account_find), an invoice a customer_reference (customer_find)."
    ),
)
