"""Which fields are surely money, and whether anything says in which currency.

The names are fewer than those of a contract's rules, because foreign results and arguments count everything.
"""

from __future__ import annotations

import re

from fourfold.contracts.names import is_currency, is_money, words
from fourfold.review.place import Place, property_names

__all__ = ["has_currency", "is_amount"]

_SURE = frozenset(words("amount price fee cost refund payment salary revenue subtotal payable discount payout"))
_ALONE = frozenset({("balance",), ("account", "balance"), ("total", "due"), ("balance", "due"), ("amount",),
                    ("invoice", "total"), ("order", "total"), ("grand", "total")})  # fmt: skip
_CURRENCY = re.compile(
    r"\b(?:USD|EUR|GBP|JPY|CNY|CHF|INR|dollars?|euros?|pounds?|currency|cents)\b|[$€£¥]", re.IGNORECASE
)
_CODES = frozenset({"usd", "eur", "gbp", "jpy", "cny", "chf", "inr", "currency"})


def is_amount(name: str) -> bool:
    """Whether a field of that name is an amount of money, and no `total_tasks`."""
    parts = words(name)
    # Only money has minor units.
    is_minor = parts[-1:] == ("minor",) and len(parts) > 1
    return is_money(name) and (bool(_SURE & set(parts)) or parts in _ALONE or is_minor)


def has_currency(place: Place, text: str) -> bool:
    """Whether something names the currency of an amount: a field beside or around it, its name, or `text` about it."""
    # A currency of the invoice holds for each of its lines.
    around = [name for parent in place.parents for name in property_names(parent)]
    return (
        any(is_currency(name) for name in around)
        or bool(_CODES & set(words(place.name)))
        or _CURRENCY.search(text) is not None
    )
