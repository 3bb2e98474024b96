"""The rules for prices and credit, as plain functions over integers. No store, no caller, no clock.

Every comparison is exact: a share of a price is never computed, both sides are multiplied instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "REVIEW_FROM_MINOR",
    "Flag",
    "OfferedLine",
    "Terms",
    "exceeds_limit",
    "first_under",
    "flags_of",
    "total_of",
]

Flag = Literal["below_floor", "credit_hold", "manual_review"]
"""What somebody should look at before the quote goes out."""

REVIEW_FROM_MINOR = 1_000_000
"""Total from which a person reviews a quote, in minor units of whatever currency it is in."""

_BASIS_POINTS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedLine:
    """One line of a quote: what is asked for it, and what it lists at. Prices are for one piece, in minor units."""

    quantity: int
    unit_price_minor: int
    list_price_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What was agreed with an account, and what it owes, in one currency.

    The limit holds in each currency on its own: converting would need a rate that nobody here is authority for.

    Attributes:
        credit_limit_minor: how much the account may owe.
        unpaid_minor: what it owes: its unpaid invoices, whether due or not. Quotes do not count, because an offer
            obliges nobody; what is invoiced does.
        floor_bps: how far under list a price may be before it is flagged, in basis points.
        hard_floor_bps: how far under list a price may be at all, in basis points.
    """

    credit_limit_minor: int
    unpaid_minor: int
    floor_bps: int
    hard_floor_bps: int

    @property
    def available_minor(self) -> int:
        """Available credit: the limit less what is owed, and never below zero."""
        return max(0, self.credit_limit_minor - self.unpaid_minor)


def total_of(lines: Sequence[OfferedLine]) -> int:
    """The sum of all lines in minor units."""
    return sum(line.quantity * line.unit_price_minor for line in lines)


def first_under(lines: Sequence[OfferedLine], *, discount_bps: int) -> int | None:
    """Index of the first line whose price is more than `discount_bps` under list, or `None`."""
    return next((index for index, line in enumerate(lines) if _is_under(line, discount_bps)), None)


def _is_under(line: OfferedLine, discount_bps: int) -> bool:
    return line.unit_price_minor * _BASIS_POINTS < line.list_price_minor * (_BASIS_POINTS - discount_bps)


def exceeds_limit(total_minor: int, terms: Terms) -> bool:
    """Whether the quote alone is over twice the credit limit, so that no payment could make it possible."""
    return total_minor > 2 * terms.credit_limit_minor


def flags_of(lines: Sequence[OfferedLine], terms: Terms) -> tuple[Flag, ...]:
    """The flags of a quote, always in the same order."""
    total = total_of(lines)
    below_floor = first_under(lines, discount_bps=terms.floor_bps) is not None
    credit_hold = total > terms.available_minor
    raised: dict[Flag, bool] = {
        "below_floor": below_floor,
        "credit_hold": credit_hold,
        "manual_review": total >= REVIEW_FROM_MINOR or (below_floor and credit_hold),
    }
    return tuple(flag for flag, is_raised in raised.items() if is_raised)
