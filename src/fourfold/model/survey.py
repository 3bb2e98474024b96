"""One thing that was counted over many catalogs."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import quantiles

__all__ = ["Counted", "Spread"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """How many of how many, over all catalogs and in each.

    Attributes:
        of: what the total counts.
        each: found and total of every catalog, in the order of the survey.
    """

    name: str
    of: str
    found: int
    total: int
    each: tuple[tuple[int, int], ...]

    @property
    def share(self) -> float:
        """The share over all, between 0 and 1; 0 where there is nothing to count."""
        return self.found / self.total if self.total else 0.0

    @property
    def spread(self) -> Spread:
        """How the share differs between those catalogs that have something to count."""
        shares = [found / total for found, total in self.each if total]
        if len(shares) < 2:
            only = shares[0] if shares else 0.0
            return Spread(catalogs=len(shares), none=shares.count(0.0), low=only, median=only, high=only)
        low, middle, high = quantiles(shares, n=4, method="inclusive")
        return Spread(catalogs=len(shares), none=shares.count(0.0), low=low, median=middle, high=high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Quartiles of a share between catalogs; `none` of them have none at all."""

    catalogs: int
    none: int
    low: float
    median: float
    high: float
