"""`operation_status`: the read that is added to a catalog with writes, so that an agent can ask instead of repeating.

A caller sees its own operations and nobody else's; a made-up id and a foreign one are answered alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from fourfold.catalog.declaration import Declaration
from fourfold.catalog.problem import tool_problem
from fourfold.contracts.operation import OperationState, OperationStatus, OperationWanted
from fourfold.errors import BuildProblem
from fourfold.model.claim import ClaimState
from fourfold.model.effect import Effect, Read
from fourfold.model.fault import Fault, Retry
from fourfold.ports.operations import Operations

__all__ = ["OPERATION_STATUS", "added", "operation_problems"]

OPERATION_STATUS = "operation_status"
"""Name of the tool."""

_STATES: dict[ClaimState, OperationState] = {
    "running": "running",
    "done": "done",
    "failed": "failed",
    "unknown": "unknown",
    "tombstone": "expired",
}

_NEXT: dict[OperationState, str] = {
    "running": "Wait, then ask again or repeat the call with the same idempotency_key.",
    "done": "It happened. Repeat the call with the same idempotency_key for its result.",
    "failed": "It did not happen. Repeat the call with the same idempotency_key for the reason.",
    "unknown": "It may or may not have happened. Do not repeat it; ask the user to check.",
    "expired": "It was settled, and its result is no longer kept. Read the resource to see what happened.",
}


class UnknownOperation(Fault):
    """No operation with that id is yours."""

    code, retry, next_step = "unknown_operation", Retry.NEVER, "Take the operation_id of an answer that you were given"


def operation_status(request: OperationWanted, operations: Operations) -> OperationStatus:
    """What became of one of the caller's operations."""
    claim = operations.find(request.operation_id)
    if claim is None:
        raise UnknownOperation
    state = _STATES[claim.state]
    return OperationStatus(
        operation_id=claim.operation_id,
        tool=claim.scope.tool,
        state=state,
        started_at=_at(claim.created_ms),
        settled_at=None if claim.settled_ms is None else _at(claim.settled_ms),
        next_step=_NEXT[state],
    )


def added(declarations: Sequence[Declaration]) -> list[Declaration]:
    """The declarations, with `operation_status` if one of them writes; it is in the toolsets of those that do."""
    # An author who took the name is told so by `operation_problems`; two tools of one name would hide that.
    writes = [found for found in declarations if isinstance(found.effect, Effect) and found.effect.writes]  # pyright: ignore[reportUnnecessaryIsInstance]  # authors may not check types
    if not writes or any(found.name == OPERATION_STATUS for found in declarations):
        return list(declarations)
    return [*declarations, _declaration(frozenset[str]().union(*(found.toolsets for found in writes)))]


def operation_problems(declarations: Sequence[Declaration]) -> Iterator[BuildProblem]:
    """A tool of the author's by that name."""
    if any(found.name == OPERATION_STATUS for found in declarations):
        yield tool_problem(
            OPERATION_STATUS,
            "framework_name",
            what="the framework adds a tool of that name to a catalog with writes",
            why="agents would ask the wrong one what became of their calls",
            fix="rename the tool",
        )


def _declaration(toolsets: frozenset[str]) -> Declaration:
    return Declaration(
        handler=operation_status,
        name=OPERATION_STATUS,
        version="1.0",
        does="Tell what became of an earlier call that may have changed something",
        use_when="an answer named an operation_id and it is not clear whether it happened",
        not_for="repeating the call",
        effect=Read(),
        missing=UnknownOperation,
        toolsets=toolsets,
        says="{tool}: {state}. {next_step}",
    )


def _at(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, tz=UTC)
