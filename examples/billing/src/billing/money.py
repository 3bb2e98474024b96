"""What money is here: integers in minor units, beside a currency. Owns the types, not the rules for prices."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from billing.arithmetic import from_minor
from fourfold import MinorUnits

__all__ = [
    "LARGEST_MINOR",
    "Amount",
    "Currency",
    "DecimalPrice",
    "InvoiceCurrency",
    "Percent",
    "UnitPrice",
    "in_words",
]

Currency = Literal["USD", "EUR", "CNY"]
"""Currencies that quotes are made out in (ISO 4217). All of them have two decimal places."""

InvoiceCurrency = Literal["EUR", "USD", "GBP", "DKK", "SEK", "NOK", "CNY"]
"""Currencies that invoices are made out in (ISO 4217), those of `billing.arithmetic.DECIMAL_PLACES`."""

UnitPrice = Annotated[int, MinorUnits(), Field(ge=0, le=1_000_000_000)]
"""A price of one piece in minor units. With this bound the largest quote (200 lines of 10,000 pieces) stays an exact
JSON integer, below 2^53."""

LARGEST_MINOR = 1_000_000_000_000
"""The most that one figure of an invoice may be, in minor units. Sums over thousands of them stay below 2^53."""

Amount = Annotated[int, MinorUnits(), Field(ge=0, le=LARGEST_MINOR)]
"""An amount of an invoice in minor units."""

DecimalPrice = Annotated[Decimal, Field(ge=0, max_digits=14, decimal_places=6)]
"""A price in units of the currency, exact to the millionth: what is sold by the kilowatt hour costs parts of a cent."""

Percent = Annotated[str, Field(pattern=r"^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$", examples=["15"])]
"""A percentage from 0 to 100 as people say it. In basis points a 15 that was meant as 15 % would be 0.15 %."""


def in_words(amount_minor: int, currency: InvoiceCurrency) -> str:
    """An amount for people: `588.97 EUR`."""
    return f"{from_minor(amount_minor, currency)} {currency}"
