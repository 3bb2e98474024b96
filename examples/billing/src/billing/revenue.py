"""What was invoiced, by period and currency. Sums only what is in one currency, and says when there is more to come.

Revenue is the amount without tax of final invoices less that of credit notes, each by the instant of its own issue.
Drafts are none; whether an invoice is paid doesn't matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import groupby, islice
from typing import Annotated, Self
from zoneinfo import ZoneInfo

from pydantic import Field, model_validator

from billing.catalog import catalog
from billing.companies import Company
from billing.money import InvoiceCurrency
from billing.periods import Grouping, Period, instant_of, period_of, periods_between, start_ms, zone_named
from fourfold import Caller, Input, MinorUnits, Output, Page, PageRequest, Read, Row, Sourced, Unit, reject

__all__ = [
    "CurrencyRevenue",
    "Revenue",
    "RevenuePeriod",
    "RevenueReport",
    "RevenueRequest",
    "revenue_report",
]

_EARLIEST, _LATEST = date(2000, 1, 1), date(2100, 1, 1)
_MOST_DAYS = 3_653

# The database adds up, so that no number of invoices is too large. It gets each period as two instants: a day has 23
# or 25 hours where clocks are set, and no function of a database knows that alike everywhere.
_SUMS = """
WITH period (number, start_ms, before_ms) AS (VALUES {places})
SELECT e.number, e.currency, SUM(e.net_minor) AS revenue_minor, SUM(e.invoices) AS invoices FROM (
  SELECT p.number, i.currency, i.without_tax_minor AS net_minor, 1 AS invoices
  FROM period AS p JOIN invoice AS i ON i.issued_ms >= p.start_ms AND i.issued_ms < p.before_ms
  WHERE i.tenant = ? AND i.state = 'final'
  UNION ALL
  SELECT p.number, c.currency, -c.without_tax_minor, 0
  FROM period AS p JOIN credit_note AS c ON c.issued_ms >= p.start_ms AND c.issued_ms < p.before_ms
  WHERE c.tenant = ?
) AS e
GROUP BY e.number, e.currency ORDER BY e.number, e.currency
"""


class RevenueRequest(Input):
    """Which days, by which clock, and how they are put together."""

    first_day: date
    before: Annotated[date, Field(description="The day after the last one: 2026-10-01 ends with 30 September.")]
    time_zone: Annotated[
        str, Field(min_length=1, max_length=64, description="IANA name: whose midnight.", examples=["Europe/Madrid"])
    ]
    group_by: Annotated[Grouping, Field(description="iso_week begins on Monday.")]

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if zone_named(self.time_zone) is None:
            raise reject("time_zone", "the name of an IANA time zone, such as Europe/Madrid", code="unknown_time_zone")
        if not _EARLIEST <= self.first_day < _LATEST:
            raise reject("first_day", f"a day from {_EARLIEST}, before {_LATEST}", code="out_of_range")
        if not 0 < (self.before - self.first_day).days <= _MOST_DAYS:
            raise reject("before", f"a day after first_day, at most {_MOST_DAYS} days", code="out_of_range")
        return self


_MOST = 2**53 - 1


class CurrencyRevenue(Output):
    """What was invoiced in one currency, less what was credited; below zero where that is more."""

    currency: InvoiceCurrency
    revenue_minor: Annotated[int, MinorUnits(), Field(ge=-_MOST, le=_MOST)]
    invoices: Annotated[int, Field(ge=0, le=_MOST)]


_Revenues = Annotated[list[CurrencyRevenue], Field(max_length=7, description="One for each currency; none if empty.")]


class RevenuePeriod(Output):
    """One period, or the part of it that lies in the range. One without invoices is there too, without revenues."""

    period: Annotated[str, Field(max_length=10, examples=["2026-W40"])]
    first_day: date
    before: date
    is_whole: Annotated[bool, Field(description="False where the range cuts the period.")]
    revenues: _Revenues


class RevenueReport(Page[RevenuePeriod], Sourced):
    """A page of periods. The totals are those of the whole range, on every page."""

    complete: Annotated[bool, Field(description="False: there are more periods, by next_cursor.")]
    totals: _Revenues


class Revenue:
    """The revenue of the caller's tenant."""

    def __init__(self, unit: Unit, caller: Caller) -> None:
        self._unit = unit
        self._tenant = caller.tenant

    def of(self, periods: Sequence[Period], zone: ZoneInfo) -> list[list[CurrencyRevenue]]:
        """The revenue of each period, by currency; empty lists for those without invoices."""
        places = ", ".join(["(?, ?, ?)"] * len(periods))
        bounds = [
            value
            for number, period in enumerate(periods)
            for value in (number, start_ms(period.first, zone), start_ms(period.before, zone))
        ]
        rows = self._unit.rows(_SUMS.format(places=places), (*bounds, self._tenant, self._tenant))
        found = {number: list(group) for number, group in groupby(rows, key=lambda row: row["number"])}
        return [[_revenue(row) for row in found.get(number, [])] for number in range(len(periods))]


def _revenue(row: Row) -> CurrencyRevenue:
    # PostgreSQL's sum of integers is a decimal.
    return CurrencyRevenue(
        currency=row["currency"], revenue_minor=int(row["revenue_minor"]), invoices=int(row["invoices"])
    )


catalog.provide(Revenue)


@catalog.tool(
    name="revenue_report",
    version="1.0",
    does="Report what was invoiced, without tax, by day, week, month or quarter",
    use_when="the user asks for revenue or turnover",
    not_for="what is unpaid (invoice_list) or other figures (ledger_query)",
    effect=Read(),
    needs={"invoices:read"},
    toolsets={"invoices"},
    page_limit=100,
    returns="Returns at most 100 periods a page, and one total per currency; complete is false if more follow",
    says="periods: {returned}, complete: {complete}",
)
def revenue_report(request: RevenueRequest, *, revenue: Revenue, company: Company, page: PageRequest) -> RevenueReport:
    """A page of the report. The periods of all pages have every day of the range once."""
    zone = ZoneInfo(request.time_zone)
    start = date.fromisoformat(str(page.after[0])) if page.after else request.first_day
    found = list(islice(periods_between(start, request.before, grouping=request.group_by), page.limit + 1))
    periods, has_more = found[: page.limit], len(found) > page.limit
    whole_range = Period(label="", first=request.first_day, before=request.before)
    *sums, totals = revenue.of([*periods, whole_range], zone)
    report = RevenueReport(
        items=[
            _item(period, revenues, grouping=request.group_by) for period, revenues in zip(periods, sums, strict=True)
        ],
        returned=len(periods),
        has_more=has_more,
        complete=not has_more,
        totals=totals,
        source="the company's books",
        as_of=instant_of(company.now_ms),
    )
    return report.at((periods[-1].before.isoformat(),) if has_more else None)


def _item(period: Period, revenues: list[CurrencyRevenue], *, grouping: Grouping) -> RevenuePeriod:
    whole = period_of(period.first, grouping)
    return RevenuePeriod(
        period=period.label,
        first_day=period.first,
        before=period.before,
        is_whole=(whole.first, whole.before) == (period.first, period.before),
        revenues=revenues,
    )
