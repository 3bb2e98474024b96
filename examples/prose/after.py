"""What replaced it: the model interprets, the schema says what it may mean, and the handler only looks it up."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from books import Currency, Metric, total_minor
from pydantic import Field

from fourfold import Catalog, Input, Minor, Output, Read, reject

__all__ = ["catalog"]

catalog = Catalog("reports", version="2.0")


class ReportRequest(Input):
    """One metric over days, in one currency."""

    metric: Metric
    currency: Currency
    first_day: Annotated[date, Field(description="Included")]
    last_day: Annotated[date, Field(description="Included")]


class Report(Output):
    """A total, with everything that it is a total of."""

    metric: Metric
    currency: Currency
    first_day: date
    last_day: date
    total_minor: Minor


@catalog.tool(
    name="run_report",
    version="2.0",
    does="Totals one metric over a span of days, in one currency",
    use_when="the user asks for figures",
    not_for="changing figures",
    effect=Read(),
)
def run_report(request: ReportRequest) -> Report:
    """Look it up."""
    if request.last_day < request.first_day:
        reject("/last_day", "a day that is not before first_day")
    total = total_minor(request.metric, request.currency, since=request.first_day, until=request.last_day)
    return Report(
        metric=request.metric,
        currency=request.currency,
        first_day=request.first_day,
        last_day=request.last_day,
        total_minor=total,
    )
