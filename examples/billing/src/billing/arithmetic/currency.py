"""Which currencies invoices are made out in, and amounts in them as integers. Owns no type of an input."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType

from billing.arithmetic.exact import require_figures

__all__ = ["DECIMAL_PLACES", "from_minor", "to_minor"]

DECIMAL_PLACES: Mapping[str, int] = MappingProxyType(
    {"EUR": 2, "USD": 2, "GBP": 2, "DKK": 2, "SEK": 2, "NOK": 2, "CNY": 2}
)
"""Places of the minor unit by currency (ISO 4217). All have two, which is what the arithmetic rounds to."""

_LARGEST = 2**53 - 1


def to_minor(amount: Decimal, currency: str) -> int:
    """The amount in minor units: 12.5 EUR are 1250.

    Raises:
        ValueError: for an unknown currency, a part of a minor unit, or more than JSON carries exactly (2^53 - 1).
    """
    require_figures(amount=amount)
    numerator, denominator = amount.as_integer_ratio()
    minor, rest = divmod(numerator * 10 ** _places(currency), denominator)
    if rest:
        raise ValueError(f"amount: has a part of a minor unit of {currency}")
    return _fitting(minor)


def from_minor(minor: int, currency: str) -> Decimal:
    """The amount that so many minor units are: 1250 in EUR are 12.50.

    Raises:
        ValueError: for an unknown currency, what is no integer, or more than JSON carries exactly (2^53 - 1).
    """
    if type(minor) is not int:
        raise ValueError("minor: must be an integer")
    # Read from text, an amount is exact under any context.
    return Decimal(f"{_fitting(minor)}E-{_places(currency)}")


def _places(currency: str) -> int:
    if currency not in DECIMAL_PLACES:
        raise ValueError(f"currency: must be one of {', '.join(DECIMAL_PLACES)}")
    return DECIMAL_PLACES[currency]


def _fitting(minor: int) -> int:
    if abs(minor) > _LARGEST:
        raise ValueError("amount: must be within 2^53 - 1 minor units")
    return minor
