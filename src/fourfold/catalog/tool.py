"""`BuiltTool`: a contract with what a call of it needs, made once when the catalog is built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fourfold.catalog.declaration import Declaration
from fourfold.catalog.places import KeptShape, Masked
from fourfold.catalog.provide import Binding
from fourfold.contracts.base import Input, Output
from fourfold.contracts.check import InputCheck, OutputCheck
from fourfold.contracts.forms import FormCheck
from fourfold.contracts.planning import NoArguments
from fourfold.model.contract import ToolContract

__all__ = ["BuiltTool", "PlannedInput", "Role"]


@dataclass(frozen=True, slots=True)
class PlannedInput:
    """What both halves of a pair share: the author's input, and the contract that a plan is made under."""

    model: type[Input]
    wire_digest: str

    def read(self, arguments: bytes) -> Input | None:
        """The checked input of a plan; `None` if the model takes it no more."""
        try:
            return self.model.model_validate_json(arguments, strict=True)
        except ValueError:
            return None


NOTHING_PLANNED = PlannedInput(NoArguments, "")
"""Of a tool that is all of its declaration."""


Role = Literal["plain", "plan", "execute"]
"""Whether a tool is all of its declaration, or one half of a pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltTool:
    """A contract with what a call needs: checks, the handler's plan, and places with markers."""

    contract: ToolContract
    declaration: Declaration
    input: InputCheck[Input]
    output: OutputCheck[Output]
    handler: Binding
    resource: Binding | None
    record: Binding | None
    reconcile: Binding | None
    is_async: bool
    page_limit: int | None
    secrets: frozenset[tuple[str, ...]]
    plain: bool
    masked: tuple[Masked, ...]
    subject: tuple[str, ...] | None
    output_subject: tuple[str, ...] | None
    says: str
    kept: KeptShape
    impact: Binding | None = None
    reserve: Binding | None = None
    give_back: Binding | None = None
    ask: Binding | None = None
    forms: tuple[FormCheck, ...] = ()
    planned: PlannedInput = NOTHING_PLANNED
    role: Role = "plain"

    @property
    def sends(self) -> bool:
        """Whether a call may leave messages in the outbox."""
        return any("outbox" in binding.taken for binding in (self.handler, self.record) if binding is not None)
