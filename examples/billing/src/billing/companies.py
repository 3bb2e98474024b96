"""The company that a tenant is: from where it supplies, and which day it is there. No tool takes it as an argument."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from billing.catalog import catalog
from billing.periods import day_of
from billing.tax import Origin
from fourfold import Caller, Clock, Unit

__all__ = ["Company", "company_of"]

_ONE = "SELECT established, time_zone FROM company WHERE tenant = ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """Who invoices.

    Attributes:
        established: from where it supplies.
        now_ms: the instant of the call, once for all of it, so that two dates in one answer agree even at midnight.
        today: the day of that instant in the company's time zone. Invoices are issued and fall due by it.
    """

    established: Origin
    now_ms: int
    today: date


@catalog.provide
def company_of(unit: Unit, caller: Caller, *, clock: Clock) -> Company:
    """The company of the caller's tenant."""
    # A tenant without books has neither customers nor invoices, so that no answer depends on these two.
    row = unit.row(_ONE, (caller.tenant,)) or {"established": "peninsula", "time_zone": "UTC"}
    now_ms = clock.now_ms()
    return Company(established=row["established"], now_ms=now_ms, today=day_of(now_ms, ZoneInfo(row["time_zone"])))
