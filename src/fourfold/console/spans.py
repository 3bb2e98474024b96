"""How far back a page looks: a choice in its query, by the same names as in the list of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fourfold.console.asked import Asked
from fourfold.runs.sum_keys import DAY_MS, day_of

__all__ = ["Span", "span_of"]

_DAYS = {"24h": 1, "7d": 7, "30d": 30, "90d": 90, "365d": 365, "all": None}
"""Days by the name of a span; `None` for everything that is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A span that ends now.

    Attributes:
        since_ms: its beginning; `None` for everything that is kept.
        choices: the names that the page offers, each with its words.
    """

    name: str
    since_ms: int | None
    choices: Sequence[tuple[str, str]]

    @property
    def words(self) -> str:
        """It behind a sentence: ` in the last 7 days`."""
        return "" if self.since_ms is None else f" in the last {_words(self.name)}"

    def days(self, now_ms: int) -> range:
        """The beginning of each of its days, in UTC. Only for a span that has a beginning."""
        return range(day_of(self.since_ms or now_ms), now_ms + 1, DAY_MS)


def span_of(asked: Asked, *names: str) -> Span:
    """The span that a page is asked for as `?since=`, out of `names`; the first of them for anything else."""
    name = asked.choice("since", *names)
    days = _DAYS[name]
    return Span(
        name=name,
        since_ms=None if days is None else asked.console.clock.now_ms() - days * DAY_MS,
        choices=[(each, _words(each)) for each in _DAYS if each in names],
    )


def _words(name: str) -> str:
    days = _DAYS[name]
    return "all" if days is None else "24 hours" if days == 1 else f"{days} days"
