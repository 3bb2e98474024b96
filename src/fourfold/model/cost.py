"""`Costs`: what other systems charge for a call, as its handler says it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

__all__ = ["Charge", "Costs"]

_CURRENCY = re.compile(r"[A-Z]{3}")
_LARGEST_MINOR = 10**15
_LONGEST_NAME = 64
_MOST = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """One amount that another system charged, in minor units of an ISO 4217 currency."""

    what: str
    amount_minor: int
    currency: str


@dataclass(slots=True)
class Costs:
    """Takes what a call cost elsewhere; a handler has it by its type, and the run keeps it.

    ```python
    async def payment_refund(request: RefundRequest, upstream: Keyed, *, gateway: Gateway, costs: Costs) -> Receipt:
        receipt = await gateway.refund(request, key=upstream.key("refund"))
        costs.add("gateway fee", receipt.fee_minor, currency=receipt.currency)
        return receipt
    ```
    """

    _charges: dict[tuple[str, str], Charge] = field(default_factory=dict[tuple[str, str], Charge])

    def add(self, what: str, amount_minor: int, *, currency: str) -> None:
        """Note an amount. A second one of the same name and currency replaces the first: a write may run again.

        Raises:
            ValueError: the name is empty or long, the amount is negative or too large, the currency is none, or
                there are more than 32 of them.
        """
        if not what or len(what) > _LONGEST_NAME or not what.isprintable():
            raise ValueError(f"a charge is named in 1 to {_LONGEST_NAME} printable characters")
        if not 0 <= amount_minor <= _LARGEST_MINOR:
            raise ValueError("a charge is an amount in minor units, from 0")
        if not _CURRENCY.fullmatch(currency):
            raise ValueError("a currency is three capital letters, such as EUR")
        if len(self._charges) == _MOST and (what, currency) not in self._charges:
            raise ValueError(f"a call has at most {_MOST} charges: add them up, and name the sum")
        self._charges[what, currency] = Charge(what=what, amount_minor=amount_minor, currency=currency)

    @property
    def charges(self) -> tuple[Charge, ...]:
        """What was noted so far, in its order."""
        return tuple(self._charges.values())
