"""Decimal arithmetic that is exact, or rounded half-up to two places and once. Nobody else in billing rounds.

Every operation names its context, so the ambient one of the thread neither matters nor changes. Numbers that do not
fit raise an error of `decimal`; none is ever cut silently.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_05UP, ROUND_HALF_UP, Context, Decimal, Inexact, InvalidOperation
from functools import reduce

__all__ = ["ZERO", "percentage", "plain", "product", "quotient", "require_amounts", "require_figures", "total"]

ZERO = Decimal("0.00")

_CENT = Decimal("0.01")
_HUNDRED = Decimal(100)

_DIGITS = 100

_EXACT = Context(prec=_DIGITS, traps=[Inexact])
_HALF_UP = Context(prec=_DIGITS, rounding=ROUND_HALF_UP, traps=[InvalidOperation])
# ROUND_05UP leaves a mark where it cut something, so that rounding the quotient again is rounding it once. With one
# digit more than _HALF_UP takes up to the cents, the mark always stands right of them.
_MARKED = Context(prec=_DIGITS + 1, rounding=ROUND_05UP, traps=[InvalidOperation])


def total(amounts: Iterable[Decimal]) -> Decimal:
    """The exact sum; zero for none."""
    return reduce(_EXACT.add, amounts, ZERO)


def product(left: Decimal, right: Decimal) -> Decimal:
    """`left` times `right`, exact."""
    return _EXACT.multiply(left, right)


def quotient(dividend: Decimal, divisor: Decimal) -> Decimal:
    """`dividend` by `divisor`, rounded half-up to two places: away from zero when it is right between two cents."""
    return _rounded(_MARKED.divide(dividend, divisor))


def percentage(amount: Decimal, percent: Decimal) -> Decimal:
    """So many percent of `amount`, rounded half-up to two places."""
    return quotient(product(amount, percent), _HUNDRED)


def require_figures(**figures: object) -> None:
    """Refuse what is not a finite `Decimal`.

    Raises:
        ValueError: naming the first such argument.
    """
    for name, figure in figures.items():
        if not isinstance(figure, Decimal) or not figure.is_finite():
            raise ValueError(f"{name}: must be a finite Decimal")


def require_amounts(**amounts: Decimal) -> None:
    """Refuse what is not a finite `Decimal` of at most two places (BR-DEC-01 and on).

    Raises:
        ValueError: naming the first such argument.
    """
    require_figures(**amounts)
    for name, amount in amounts.items():
        # Zeros count too: a sum of such amounts then has two places, and is printed as it is.
        if len(f"{amount:f}".partition(".")[2]) > 2:
            raise ValueError(f"{name}: must have at most 2 places")


def plain(figure: Decimal) -> str:
    """The shortest way to write a figure, without an exponent: `25` for 25.0, `0` for -0.00."""
    return f"{_EXACT.normalize(_EXACT.plus(figure)):f}"


def _rounded(figure: Decimal) -> Decimal:
    # `plus` makes zero of the minus zero that is left of -0.001.
    return _HALF_UP.plus(_HALF_UP.quantize(figure, _CENT))
