"""What running a server has shown: a verdict for each check and tool, and the calls behind it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from fourfold.model.contract import JsonObject

__all__ = ["FAMILIES", "CheckFacts", "Family", "Proved", "SentCall", "Status", "Verdict"]

Family = Literal["contract", "effect", "paths", "tenant", "protocol"]
FAMILIES: tuple[Family, ...] = ("contract", "effect", "paths", "tenant", "protocol")
"""The families in the order in which they run: what only reads comes before what writes."""

Status = Literal["passed", "failed", "not_tested"]
"""`not_tested` is never green: its reason says what was missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentCall:
    """A call that can be made again: the tool, its arguments, and as which of the callers."""

    tool: str
    arguments: JsonObject
    caller: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFacts:
    """What a report says of a check: the property as a sentence, and what asks for it."""

    name: str
    family: Family
    proves: str
    requires: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one check found out about one tool.

    Attributes:
        check: the check's name, such as `output-conforms`.
        tool: the tool's name; empty for the server as a whole.
        detail: of a failure, what was wrong; of what was not tested, why.
        next_step: of what was not tested, what would make it testable.
        calls: the smallest calls, in their order, that show a failure.
        tried: how many calls the check made.
    """

    check: str
    family: Family
    tool: str
    status: Status
    detail: str = ""
    next_step: str = ""
    calls: tuple[SentCall, ...] = ()
    tried: int = 0

    def is_one_of(self, names: Collection[str]) -> bool:
        """Whether one of the names is that of its check, its family or its tool."""
        return bool({self.check, self.family, self.tool} & {*names})


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """All verdicts about a target, in the order in which they came. The same seed makes the same calls.

    Attributes:
        checks: those that the verdicts are of, in the order in which they ran.
        strict: whether what was not tested counts against the target, as it does for a catalog of ours.
        allowed: checks, families and tools that may go untested.
    """

    target: str
    revision: str
    seed: int
    verdicts: tuple[Verdict, ...]
    checks: tuple[CheckFacts, ...] = ()
    strict: bool = False
    allowed: tuple[str, ...] = ()

    def count(self, status: Status) -> int:
        """How many verdicts have that status."""
        return sum(verdict.status == status for verdict in self.verdicts)

    @property
    def calls(self) -> int:
        """How many calls all checks made together."""
        return sum(verdict.tried for verdict in self.verdicts)

    def is_missing(self, verdict: Verdict) -> bool:
        """Whether the check was not tested and nobody has allowed that."""
        return verdict.status == "not_tested" and not verdict.is_one_of(self.allowed)

    @property
    def against(self) -> tuple[Verdict, ...]:
        """What keeps the target from being proved: failures and, if it is strict, what is missing."""
        return tuple(it for it in self.verdicts if it.status == "failed" or (self.strict and self.is_missing(it)))
