"""What money is here: integers in minor units, beside a currency. Owns the types, not the rules for prices."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fourfold import MinorUnits

__all__ = ["Currency", "UnitPrice"]

Currency = Literal["USD", "EUR", "CNY"]
"""Currencies that quotes and invoices are made out in (ISO 4217). All of them have two decimal places."""

UnitPrice = Annotated[int, MinorUnits(), Field(ge=0, le=1_000_000_000)]
"""A price of one piece in minor units. With this bound the largest quote (200 lines of 10,000 pieces) stays an exact
JSON integer, below 2^53."""
