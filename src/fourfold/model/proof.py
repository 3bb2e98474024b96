"""What running a server has shown: a verdict for each check and tool, and the calls behind it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from fourfold.model.contract import JsonObject

__all__ = ["FAMILIES", "CheckFacts", "Family", "Proved", "SentCall", "Status", "Verdict", "Weight"]

Family = Literal["contract", "effect", "paths", "tenant", "protocol"]
FAMILIES: tuple[Family, ...] = ("contract", "effect", "paths", "tenant", "protocol")
"""The families in the order in which they run: what only reads comes before what writes."""

Status = Literal["passed", "failed", "warned", "not_tested"]
"""`warned`: what only should hold does not. `not_tested` is never green: its reason says what was missing."""

Weight = Literal["must", "should"]
"""How binding a property is: as the specification uses the two words (RFC 2119)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentCall:
    """A call that can be made again: the tool, its arguments, and as which of the callers.

    Attributes:
        beside: what came with it or befell it that is no argument, such as an answer to a question.
    """

    tool: str
    arguments: JsonObject
    caller: str = ""
    beside: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFacts:
    """What a report says of a check: the property as a sentence, and what asks for it."""

    name: str
    family: Family
    proves: str
    requires: tuple[str, ...]
    weight: Weight = "must"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one check found out about one tool.

    Attributes:
        check: the check's name, such as `output-conforms`.
        tool: the tool's name; empty for the server as a whole.
        detail: of a failure or a warning, what was wrong; of what was not tested, why.
        next_step: of what was not tested, what would make it testable.
        calls: the smallest calls, in their order, that show a failure.
        tried: how many calls the check made.
        crashed: of what was not tested, that the check itself is broken: a bug of ours, which nobody can allow.
    """

    check: str
    family: Family
    tool: str
    status: Status
    detail: str = ""
    next_step: str = ""
    calls: tuple[SentCall, ...] = ()
    tried: int = 0
    crashed: bool = False

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
        warnings_count: whether a warning counts against the target.
    """

    target: str
    revision: str
    seed: int
    verdicts: tuple[Verdict, ...]
    checks: tuple[CheckFacts, ...] = ()
    strict: bool = False
    allowed: tuple[str, ...] = ()
    warnings_count: bool = False

    def count(self, status: Status) -> int:
        """How many verdicts have that status."""
        return sum(verdict.status == status for verdict in self.verdicts)

    @property
    def calls(self) -> int:
        """How many calls all checks made together."""
        return sum(verdict.tried for verdict in self.verdicts)

    def is_missing(self, verdict: Verdict) -> bool:
        """Whether the check was not tested and nobody has allowed that."""
        return verdict.status == "not_tested" and (verdict.crashed or not verdict.is_one_of(self.allowed))

    @property
    def crashed(self) -> bool:
        """Whether one of the checks is broken itself."""
        return any(verdict.crashed for verdict in self.verdicts)

    @property
    def against(self) -> tuple[Verdict, ...]:
        """What keeps the target from being proved: failures, broken checks, and what else counts."""
        return tuple(filter(self._is_against, self.verdicts))

    def _is_against(self, verdict: Verdict) -> bool:
        match verdict.status:
            case "failed":
                return True
            case "warned":
                return self.warnings_count
            case "not_tested":
                return verdict.crashed or (self.strict and self.is_missing(verdict))
            case "passed":
                return False
