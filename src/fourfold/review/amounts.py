"""Which fields of a result are money: fewer than those of an argument list, because results count everything."""

from __future__ import annotations

from fourfold.contracts.names import is_money, words

__all__ = ["is_amount"]

_SURE = frozenset(words("amount price fee cost refund payment salary revenue subtotal payable discount payout"))
_ALONE = frozenset({("balance",), ("account", "balance"), ("total", "due"), ("balance", "due"), ("amount",),
                    ("invoice", "total"), ("order", "total"), ("grand", "total")})  # fmt: skip


def is_amount(name: str) -> bool:
    """Whether a field of that name is an amount of money, and no `total_tasks`."""
    parts = words(name)
    # Only money has minor units.
    is_minor = parts[-1:] == ("minor",) and len(parts) > 1
    return is_money(name) and (bool(_SURE & set(parts)) or parts in _ALONE or is_minor)
