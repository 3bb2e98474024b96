"""What a team decides about the review: which rules, and what is set aside for which reason."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fourfold.model.finding import Finding
from fourfold.review.rule import Rule

__all__ = ["ReviewSettings", "RuleWaiver"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleWaiver:
    """A rule set aside for a tool.

    Attributes:
        rule: id or symbol.
        tool: the tool's name; `*` for every tool and the catalog as a whole.
        pointer: only for that place and what is below it; empty for the whole tool.
        until: the last day on which it counts; without one it counts for ever.
    """

    rule: str
    tool: str
    reason: str
    pointer: str = ""
    until: date | None = None

    def covers(self, finding: Finding) -> bool:
        """Whether it sets `finding` aside, the date apart."""
        below = finding.pointer == self.pointer or finding.pointer.startswith(f"{self.pointer}/")
        return self.rule in (finding.id, finding.symbol) and self.tool in ("*", finding.tool) and below

    def is_over(self, today: date) -> bool:
        """Whether its last day has passed."""
        return self.until is not None and today > self.until

    def __str__(self) -> str:
        return f"{self.rule} for {self.tool}{f' at {self.pointer}' if self.pointer else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSettings:
    """Which rules look, and what is set aside.

    `select` and `ignore` hold ids, symbols or the beginnings of ids (`FF2`). Nothing selected means everything. What
    is ignored is not looked for at all. `clients` name the profiles that count (`review.profile`); nobody named means
    every one.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    waivers: tuple[RuleWaiver, ...] = ()
    clients: tuple[str, ...] = ()

    def looks_for(self, rule: Rule) -> bool:
        """Whether `rule` is used."""
        return (not self.select or _is_named(rule, self.select)) and not _is_named(rule, self.ignore)


def _is_named(rule: Rule, names: tuple[str, ...]) -> bool:
    return any(rule.symbol == name or rule.id.startswith(name) for name in names)
