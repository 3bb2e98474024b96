"""Quotes: pricing an order without saving it, and saving it under a number. Both go through the same rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from pydantic import Field

from billing import pricing
from billing.accounts import Accounts, UnknownAccount
from billing.catalog import catalog
from billing.money import Currency, UnitPrice
from billing.periods import instant_of
from billing.pricing import Flag
from fourfold import Caller, Clock, Create, Fault, Input, Minor, Offer, Output, Preview, Retry, Subject, Unit

__all__ = [
    "CreditLimitExceeded",
    "PriceBelowHardFloor",
    "Priced",
    "Quote",
    "QuoteLine",
    "QuotePreview",
    "QuoteRequest",
    "Quotes",
    "UnknownSku",
    "quote_create",
    "quote_preview",
]

_INSERT = """
INSERT INTO quote (
  tenant, number, quote_id, account_id, currency, total_minor, flags, lines, created_ms, created_on, created_by
) VALUES (
  :tenant, :number, :quote_id, :account_id, :currency, :total_minor, :flags, :lines, :created_ms, :created_on,
  :created_by
)
"""


class UnknownSku(Fault):
    """A line names an article that is not on your price list in this currency."""

    code, retry = "unknown_sku", Retry.NEVER
    next_step = "Ask the user which article they mean"


class PriceBelowHardFloor(Fault):
    """A line is offered further under list price than this account may ever get."""

    code, retry = "price_below_hard_floor", Retry.NEVER
    next_step = "Tell the user which line it is and ask for a higher price"


class CreditLimitExceeded(Fault):
    """The total is over twice the credit limit of this account."""

    code, retry = "credit_limit_exceeded", Retry.NEVER
    next_step = "Tell the user; somebody has to raise the limit before this can be quoted"


class QuoteLine(Input):
    """One line of an order."""

    sku: Annotated[str, Field(pattern=r"^[A-Z]{3}-\d{4}$", examples=["ABC-1234"])]
    quantity: Annotated[int, Field(ge=1, le=10_000)]
    unit_price_minor: Annotated[Offer[UnitPrice], Field(description="Offered price of one piece, in minor units.")]


class QuoteRequest(Input):
    """An order to price: for whom, in which currency, and what."""

    account_id: Annotated[UUID, Subject()]
    currency: Currency
    lines: Annotated[list[QuoteLine], Field(min_length=1, max_length=200)]


class QuotePreview(Output):
    """What a quote would come to."""

    currency: Currency
    total_minor: Minor
    flags: Annotated[list[Flag], Field(max_length=3)]


class Quote(Output):
    """A saved quote."""

    quote_id: Annotated[str, Field(pattern=r"^Q-\d{6,12}$")]
    currency: Currency
    total_minor: Minor
    flags: Annotated[list[Flag], Field(max_length=3)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """What an order comes to, in minor units of its currency."""

    total_minor: int
    flags: tuple[Flag, ...]


class Quotes:
    """Price list and quotes of the caller's tenant."""

    def __init__(self, unit: Unit, caller: Caller, *, clock: Clock) -> None:
        self._unit = unit
        self._caller = caller
        self._clock = clock

    def list_prices(self, skus: Iterable[str], currency: Currency) -> Mapping[str, int]:
        """List prices by article, in minor units of `currency`; articles without one are left out."""
        wanted = sorted(set(skus))
        places = ", ".join("?" * len(wanted))
        rows = self._unit.rows(
            f"SELECT sku, list_price_minor FROM price WHERE tenant = ? AND currency = ? AND sku IN ({places})",  # noqa: S608  only question marks are joined
            (self._caller.tenant, currency, *wanted),
        )
        return {row["sku"]: row["list_price_minor"] for row in rows}

    def add(self, request: QuoteRequest, priced: Priced) -> str:
        """Save a quote under the tenant's next number, and return its id.

        The lines stand in the same row: a quote is a document, written once and read as a whole.
        """
        number, now_ms = self._next_number(), self._clock.now_ms()
        quote_id = f"Q-{number:06}"
        row = {
            "tenant": self._caller.tenant,
            "number": number,
            "quote_id": quote_id,
            "account_id": str(request.account_id),
            "currency": request.currency,
            "total_minor": priced.total_minor,
            "flags": json.dumps(priced.flags),
            "lines": json.dumps([line.model_dump(mode="json") for line in request.lines]),
            "created_ms": now_ms,
            "created_on": instant_of(now_ms).date().isoformat(),
            "created_by": self._caller.principal,
        }
        self._unit.execute(_INSERT, row)
        return quote_id

    def _next_number(self) -> int:
        """One more than the highest so far. Should two take the same one, the primary key refuses the second."""
        sql = "SELECT COALESCE(MAX(number), 0) AS last FROM quote WHERE tenant = ?"
        return self._unit.rows(sql, (self._caller.tenant,))[0]["last"] + 1


catalog.provide(Quotes)


@catalog.tool(
    name="quote_preview",
    version="1.0",
    does="Price line items for an account: total and flags",
    use_when="the user asks what an order would come to",
    not_for="a quote that is kept (quote_create)",
    effect=Preview(),
    missing=UnknownAccount,
    faults=[UnknownSku, PriceBelowHardFloor, CreditLimitExceeded],
    needs={"quotes:read"},
    toolsets={"quotes"},
    keep={"arguments"},
    says="preview: {total_minor} minor units of {currency}; nothing was saved",
)
def quote_preview(request: QuoteRequest, *, accounts: Accounts, quotes: Quotes) -> QuotePreview:
    """What `quote_create` would answer, without the quote."""
    priced = _priced(request, accounts, quotes=quotes)
    return QuotePreview(currency=request.currency, total_minor=priced.total_minor, flags=list(priced.flags))


@catalog.tool(
    name="quote_create",
    version="1.0",
    does="Save a priced quote for an account under a new number",
    use_when="the user wants a quote made",
    not_for="trying prices out (quote_preview) or billing",
    effect=Create(),
    missing=UnknownAccount,
    faults=[UnknownSku, PriceBelowHardFloor, CreditLimitExceeded],
    needs={"quotes:write"},
    toolsets={"quotes"},
    keep={"arguments"},
    says="quote {quote_id} created: {total_minor} minor units of {currency}",
)
def quote_create(request: QuoteRequest, *, accounts: Accounts, quotes: Quotes) -> Quote:
    """Price the order and save it."""
    priced = _priced(request, accounts, quotes=quotes)
    quote_id = quotes.add(request, priced)
    return Quote(quote_id=quote_id, currency=request.currency, total_minor=priced.total_minor, flags=list(priced.flags))


def _priced(request: QuoteRequest, accounts: Accounts, *, quotes: Quotes) -> Priced:
    """The total and flags of an order.

    Raises:
        UnknownAccount, UnknownSku, PriceBelowHardFloor, CreditLimitExceeded: in this order of precedence.
    """
    # The account first: whoever may not see it learns nothing about its terms or about prices.
    terms = accounts.terms(request.account_id, request.currency)
    if terms is None:
        raise UnknownAccount
    lines = _offered(request, quotes)
    too_cheap = pricing.first_under(lines, discount_bps=terms.hard_floor_bps)
    if too_cheap is not None:
        raise PriceBelowHardFloor(at=f"/lines/{too_cheap}/unit_price_minor", expected="a higher price")
    total = pricing.total_of(lines)
    if pricing.exceeds_limit(total, terms):
        raise CreditLimitExceeded
    return Priced(total_minor=total, flags=pricing.flags_of(lines, terms))


def _offered(request: QuoteRequest, quotes: Quotes) -> list[pricing.OfferedLine]:
    """The lines with their list prices."""
    prices = quotes.list_prices((line.sku for line in request.lines), request.currency)
    for index, line in enumerate(request.lines):
        if line.sku not in prices:
            raise UnknownSku(at=f"/lines/{index}/sku", expected="an article of the price list")
    return [
        pricing.OfferedLine(
            quantity=line.quantity, unit_price_minor=line.unit_price_minor, list_price_minor=prices[line.sku]
        )
        for line in request.lines
    ]
