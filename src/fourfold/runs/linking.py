"""Which runs are attempts at one logical operation. Pure: attempts go in by their times, operations come out.

| a run belongs to an operation of the same caller and tool | attempt |
|---|---|
| it has the operation's id: the same key, a repeat that was answered from it, a twin of it | one more |
| the last attempt was invalid or met a fault that a repeat may help, at most `WINDOW_MS` ago | one more |
| the same, in the same trace, at most `TRACE_WINDOW_MS` ago | one more |
| the last one asked a person, or waits for an approval, at most `ROUND_MS` ago | the same one, going on |

A run with another operation id never does: another key is another intent. The rest is a guess by time, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from fourfold.model.fault import Retry

__all__ = [
    "ROUND_MS",
    "TRACE_WINDOW_MS",
    "WINDOW_MS",
    "Attempt",
    "Awaits",
    "Ledger",
    "Operation",
    "Place",
    "awaited",
    "link",
]

WINDOW_MS = 5 * 60_000
"""How long after a fault the same caller's next call of the tool counts as its retry."""

TRACE_WINDOW_MS = 60 * 60_000
"""The same, where both calls are in one trace."""

ROUND_MS = 30 * 60_000
"""How long a person may take; the life of a sealed round."""

Awaits = Literal["", "retry", "answer"]
"""What an operation waits for: nothing, a repeat, or a person."""

_HELPED_BY_A_REPEAT = frozenset({Retry.AFTER_FIX, Retry.AFTER, Retry.SAME_KEY, Retry.REFRESH, Retry.REPLAN})
_WAITS_FOR_A_PERSON = "approval_required"
_OTHER_INTENT = "idempotency_conflict"


class Place(NamedTuple):
    """Whose calls of which tool."""

    tenant: str
    principal: str
    tool: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What linking needs to know of a run."""

    run_id: str
    at_ms: int
    place: Place
    contract_version: str
    outcome: str
    code: str
    retry: str = ""
    operation_id: str = ""
    trace_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A logical operation so far.

    Attributes:
        first_run: the id of its first run, which names it.
        contract_version, code: of its first run; "" is a success at once.
        operation_id: as the claim has it; "" as long as no run had one.
        trace_id: of its last run.
        at_ms, last_ms: when its first and its last run arrived.
        attempts: runs, without those that only go on after a person was asked.
    """

    first_run: str
    place: Place
    contract_version: str
    code: str
    operation_id: str
    trace_id: str
    at_ms: int
    last_ms: int
    attempts: int
    awaits: Awaits

    @property
    def may_go_on(self) -> bool:
        """Whether another run can belong to it."""
        return bool(self.awaits or self.operation_id)


@dataclass(slots=True)
class Ledger:
    """Operations that another run may belong to, by what finds them."""

    _by_id: dict[tuple[Place, str], str] = field(default_factory=dict[tuple[Place, str], str])
    _waiting: dict[Place, dict[str, Operation]] = field(default_factory=dict[Place, dict[str, Operation]])
    _known: dict[str, Operation] = field(default_factory=dict[str, Operation])

    @classmethod
    def of(cls, operations: Iterable[Operation]) -> Ledger:
        """A ledger that has `operations`."""
        ledger = cls()
        for operation in operations:
            ledger.keep(operation)
        return ledger

    def keep(self, operation: Operation) -> None:
        """Take `operation` in, in place of what was known of it."""
        waiting = self._waiting.setdefault(operation.place, {})
        waiting.pop(operation.first_run, None)
        if operation.awaits:
            waiting[operation.first_run] = operation
        if operation.operation_id:
            self._by_id[operation.place, operation.operation_id] = operation.first_run
        self._known[operation.first_run] = operation

    def find(self, attempt: Attempt) -> Operation | None:
        """The operation that `attempt` belongs to: by its id, else the newest that waits, of its own trace first."""
        named = _named(attempt)
        first_run = self._by_id.get((attempt.place, named)) if named else None
        if first_run is not None:
            return self._known[first_run]
        waiting = self._waiting.get(attempt.place, {})
        found = [each for each in waiting.values() if _goes_on(each, attempt)]
        return max(found, key=lambda each: (_shares_trace(each, attempt), each.last_ms, each.first_run), default=None)


class Linked(NamedTuple):
    """What became of one attempt: the operation before it, if there was one, and with it."""

    before: Operation | None
    after: Operation


def link(attempts: Sequence[Attempt], ledger: Ledger) -> Sequence[Linked]:
    """What becomes of each attempt, in the order of their arrival; `ledger` is kept up to date."""
    linked: list[Linked] = []
    for attempt in sorted(attempts, key=lambda each: (each.at_ms, each.run_id)):
        before = ledger.find(attempt)
        after = _begun(attempt) if before is None else _extended(before, attempt)
        ledger.keep(after)
        linked.append(Linked(before, after))
    return linked


def awaited(attempt: Attempt) -> Awaits:
    """What an operation whose last run is `attempt` waits for."""
    if attempt.outcome == "needs_input" or attempt.code == _WAITS_FOR_A_PERSON:
        return "answer"
    return "retry" if attempt.outcome == "invalid" or attempt.retry in _HELPED_BY_A_REPEAT else ""


_WINDOWS: Mapping[Awaits, tuple[int, int]] = {
    "retry": (WINDOW_MS, TRACE_WINDOW_MS),
    "answer": (ROUND_MS, TRACE_WINDOW_MS),
}
"""How long an operation waits, in another trace and in its own."""


def _goes_on(operation: Operation, attempt: Attempt) -> bool:
    """Whether `attempt` is near enough to be what the operation waits for, and of no other intent."""
    named = _named(attempt)
    if attempt.code == _OTHER_INTENT or (named and operation.operation_id and named != operation.operation_id):
        return False
    window = _WINDOWS[operation.awaits][_shares_trace(operation, attempt)]
    return 0 <= attempt.at_ms - operation.last_ms <= window


def _shares_trace(operation: Operation, attempt: Attempt) -> bool:
    return bool(attempt.trace_id) and attempt.trace_id == operation.trace_id


def _named(attempt: Attempt) -> str:
    """The operation id of a run that is about it; a conflict names one and is another intent."""
    return "" if attempt.code == _OTHER_INTENT else attempt.operation_id


def _begun(attempt: Attempt) -> Operation:
    return Operation(
        first_run=attempt.run_id,
        place=attempt.place,
        contract_version=attempt.contract_version,
        code=attempt.code,
        operation_id=_named(attempt),
        trace_id=attempt.trace_id,
        at_ms=attempt.at_ms,
        last_ms=attempt.at_ms,
        attempts=1,
        awaits=awaited(attempt),
    )


def _extended(operation: Operation, attempt: Attempt) -> Operation:
    return replace(
        operation,
        operation_id=operation.operation_id or _named(attempt),
        trace_id=attempt.trace_id or operation.trace_id,
        last_ms=max(operation.last_ms, attempt.at_ms),
        attempts=operation.attempts + (operation.awaits != "answer"),
        awaits=awaited(attempt),
    )
