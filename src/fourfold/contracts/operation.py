"""What `operation_status` takes and returns."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from fourfold.contracts.base import Input, Output

__all__ = ["OperationState", "OperationStatus", "OperationWanted"]

OperationState = Literal["running", "done", "failed", "unknown", "expired"]
"""`expired` was settled, and its outcome is no longer kept."""


class OperationWanted(Input):
    """An operation to ask about."""

    operation_id: Annotated[str, Field(min_length=8, max_length=64, description="As an earlier answer gave it.")]


class OperationStatus(Output):
    """What became of an operation so far."""

    operation_id: Annotated[str, Field(max_length=64)]
    tool: Annotated[str, Field(max_length=64)]
    state: OperationState
    started_at: AwareDatetime
    settled_at: AwareDatetime | None = None
    next_step: Annotated[str, Field(max_length=200)]
