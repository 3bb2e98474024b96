"""Numbers without gaps: one counter for each tenant and series, taken in the transaction of what it numbers."""

from __future__ import annotations

from billing.catalog import catalog
from fourfold import Caller, Unit

__all__ = ["Series"]

# One statement that adds one and reads it. Whoever comes next waits for this transaction, and if it is undone, takes
# the same number. A SELECT of the highest number would let two of them read the same one.
_NEXT = """
INSERT INTO series (tenant, name, last) VALUES (?, ?, 1)
ON CONFLICT (tenant, name) DO UPDATE SET last = series.last + 1 RETURNING last
"""


class Series:
    """The counters of the caller's tenant."""

    def __init__(self, unit: Unit, caller: Caller) -> None:
        self._unit = unit
        self._tenant = caller.tenant

    def take(self, name: str) -> int:
        """The next number of the series `name`, from 1."""
        return self._unit.rows(_NEXT, (self._tenant, name))[0]["last"]


catalog.provide(Series)
