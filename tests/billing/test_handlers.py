"""The quote handlers as plain functions: no server, no transport, no store, no model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from uuid import UUID

import pytest
from billing.accounts import Accounts, UnknownAccount
from billing.money import Currency
from billing.pricing import Terms
from billing.quotes import (
    CreditLimitExceeded,
    PriceBelowHardFloor,
    Priced,
    Quote,
    QuoteLine,
    QuotePreview,
    QuoteRequest,
    Quotes,
    UnknownSku,
    quote_create,
    quote_preview,
)

_ACCOUNT = UUID("8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60")


class _Accounts(Accounts):
    """One account, in memory."""

    def __init__(self) -> None:
        self._known = {
            _ACCOUNT: Terms(credit_limit_minor=5_000_000, unpaid_minor=0, floor_bps=1_200, hard_floor_bps=2_500)
        }

    def terms(self, account_id: UUID, currency: Currency) -> Terms | None:
        return self._known.get(account_id)


class _Quotes(Quotes):
    """A price list and the quotes that were saved, in memory."""

    def __init__(self) -> None:
        self.saved: list[tuple[QuoteRequest, Priced]] = []

    def list_prices(self, skus: Iterable[str], currency: Currency) -> Mapping[str, int]:
        return {"ABC-1234": 3_000}

    def add(self, request: QuoteRequest, priced: Priced) -> str:
        self.saved.append((request, priced))
        return f"Q-{len(self.saved):06}"


def _request(*, sku: str = "ABC-1234", price: int = 2_500, quantity: int = 3, account: UUID = _ACCOUNT) -> QuoteRequest:
    line = QuoteLine(sku=sku, quantity=quantity, unit_price_minor=price)
    return QuoteRequest(account_id=account, currency="EUR", lines=[line])


def test_a_handler_is_called_like_any_function() -> None:
    """A3: arguments in, result out, and the repository counts one write."""
    quotes = _Quotes()
    result = quote_create(_request(), accounts=_Accounts(), quotes=quotes)

    assert result == Quote(quote_id="Q-000001", currency="EUR", total_minor=7_500, flags=["below_floor"])
    assert quotes.saved == [(_request(), Priced(total_minor=7_500, flags=("below_floor",)))]


def test_a_preview_adds_nothing_to_the_repository() -> None:
    """A3, B4: the same rules, without the write."""
    quotes = _Quotes()
    result = quote_preview(_request(), accounts=_Accounts(), quotes=quotes)

    assert result == QuotePreview(currency="EUR", total_minor=7_500, flags=["below_floor"])
    assert quotes.saved == []


@pytest.mark.parametrize(
    ("request_", "fault"),
    [
        (_request(account=UUID(int=1)), UnknownAccount),
        (_request(sku="ZZZ-9999"), UnknownSku),
        (_request(price=2_249), PriceBelowHardFloor),
        (_request(price=10_000_001, quantity=1), CreditLimitExceeded),
    ],
)
def test_a_fault_is_an_exception_and_nothing_is_saved(request_: QuoteRequest, fault: type[Exception]) -> None:
    """A3, A4: a unit test raises and catches it as any other."""
    quotes = _Quotes()

    with pytest.raises(fault):
        quote_create(request_, accounts=_Accounts(), quotes=quotes)
    assert quotes.saved == []
