"""The tool as it was: one field of prose, and a handler that guesses what is meant. Kept as a warning."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from books import Currency, Metric, total_minor
from pydantic import Field

from fourfold import Catalog, Fault, Input, Output, Read, Retry

__all__ = ["catalog"]

catalog = Catalog("reports", version="1.0")

_METRICS: dict[str, Metric] = {"revenue": "revenue", "sales": "revenue", "refund": "refunds"}
_QUARTER = re.compile(r"\bQ([1-4])\b[ ,/]*(?:of )?(20\d\d)", re.IGNORECASE)
_YEAR = re.compile(r"\b(20\d\d)\b")


class NotUnderstood(Fault):
    """The instruction could not be understood."""

    code, retry = "not_understood", Retry.AFTER_FIX
    next_step = "Say it in other words, with a metric and a year or a quarter"


class ReportRequest(Input):
    """What is wanted, in words."""

    instruction: Annotated[str, Field(max_length=500)]


class Report(Output):
    """A report, in words."""

    report: Annotated[str, Field(max_length=500)]


@catalog.tool(
    name="run_report",
    version="1.0",
    does="Runs a report as the instruction says",
    use_when="the user asks for figures",
    not_for="changing figures",
    effect=Read(),
    faults=[NotUnderstood],
)
def run_report(request: ReportRequest) -> Report:
    """Guess, as the first server did: what is not said is US dollars."""
    since, until = _period(request.instruction)
    said = request.instruction.lower()
    metric: Metric | None = next((found for word, found in _METRICS.items() if word in said), None)
    if metric is None:
        raise NotUnderstood
    currency: Currency = "EUR" if "eur" in said else "USD"
    total = total_minor(metric, currency, since=since, until=until)
    return Report(report=f"{metric} from {since} to {until}: {total / 100:.2f} {currency}")


def _period(instruction: str) -> tuple[date, date]:
    quarter = _QUARTER.search(instruction)
    if quarter:
        last = int(quarter[1]) * 3
        # Drops the last days of most quarters. Nobody saw it for two months.
        return date(int(quarter[2]), last - 2, 1), date(int(quarter[2]), last, 28)
    year = _YEAR.search(instruction)
    if year is None:
        raise NotUnderstood
    return date(int(year[1]), 1, 1), date(int(year[1]), 12, 31)
