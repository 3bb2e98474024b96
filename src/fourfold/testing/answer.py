"""`Answer`: what a call was answered with, read as a test reads it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from fourfold.model.fault import FaultDetail, Problem
from fourfold.model.outcome import Done, NeedsInput, Outcome, Question, Refused, kind_of

__all__ = ["Answer"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call was answered with.

    `writes` is how many rows its handler changed and committed; `None` where that isn't known, as for calls that are
    made together.
    """

    outcome: Outcome
    writes: int | None = None

    @property
    def kind(self) -> str:
        """`done`, `invalid`, `rejected`, `denied`, `refused`, `needs_input`, `failed` or `unknown`."""
        return kind_of(self.outcome)

    @property
    def ok(self) -> bool:
        """Whether the tool ran and returned."""
        return isinstance(self.outcome, Done)

    @property
    def structured(self) -> dict[str, Any]:
        """The structured result; empty if there is none."""
        return cast("dict[str, Any]", json.loads(self.outcome.structured)) if isinstance(self.outcome, Done) else {}

    @property
    def fault(self) -> FaultDetail | None:
        """The fault, if it was answered with one."""
        return None if isinstance(self.outcome, Done | Refused | NeedsInput) else self.outcome.fault

    @property
    def code(self) -> str:
        """The fault's code; "" for a success, the reason for a refusal."""
        if isinstance(self.outcome, Refused):
            return self.outcome.reason
        return self.fault.code if self.fault else ""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was wrong with the arguments."""
        return self.fault.problems if self.fault else ()

    @property
    def paths(self) -> list[str]:
        """Where the arguments were wrong: `lines.0.sku`."""
        return [problem.path for problem in self.problems]

    @property
    def operation_id(self) -> str | None:
        """The operation of a write, or the one that a fault names."""
        return self.outcome.operation_id if isinstance(self.outcome, Done) else self.fault and self.fault.operation_id

    @property
    def questions(self) -> tuple[Question, ...]:
        """What a person is asked, if the call needs somebody's input."""
        return self.outcome.questions if isinstance(self.outcome, NeedsInput) else ()

    @property
    def state(self) -> str:
        """The state to send back with the answers; "" if nothing is asked."""
        return self.outcome.state if isinstance(self.outcome, NeedsInput) else ""

    @property
    def replayed(self) -> bool:
        """Whether nothing ran and an earlier outcome was answered."""
        return getattr(self.outcome, "replayed", False)
