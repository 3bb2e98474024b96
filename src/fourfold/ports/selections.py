"""Results of selection suites, kept beside the run records. They are about a catalog, so they have no tenant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fourfold.model.selected import KeptResult
from fourfold.ports.units import Unit

__all__ = ["MOST_PAIRS", "MOST_RESULTS", "Selections"]

MOST_RESULTS = 1_000
"""Results of one suite that are kept; the oldest make room."""

MOST_PAIRS = 2_500
"""Pairs of tools of one result that are kept, the most frequent first."""


class Selections(Protocol):
    """Keeps results, and gives them back. Functions over a unit, as the other records are."""

    def add(self, unit: Unit, result: KeptResult, *, confusion: Mapping[tuple[str, str], int]) -> bool:
        """Keep a result; `False` if it is kept already. Beyond `MOST_RESULTS` of its suite the oldest go."""
        ...

    def results(self, unit: Unit, *, suite: str = "", since_ms: int | None = None, limit: int) -> Sequence[KeptResult]:
        """The newest results, of one suite if it is named, from `since_ms` on; the oldest of them first."""
        ...

    def confusion(self, unit: Unit, result_id: str) -> Mapping[tuple[str, str], int]:
        """Which tool was wanted, which was called first, and how often; empty for a result that is not kept."""
        ...
