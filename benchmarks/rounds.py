"""Contenders take turns, round after round, so that what disturbs the machine disturbs all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.child import MCP, Child, Load, WrongAnswer, loading, talking
from benchmarks.load import Fresh, Order
from benchmarks.report import Row, Sample
from benchmarks.wire import OPERATIONS, Operation, http_request, stdio_line

__all__ = ["Plan", "check_answers", "over_http", "over_stdio"]

_SETTLE_S = 0.12
"""Run records are stored up to 100 ms after their call; their CPU time is counted with the round that made them."""

_WARM_UP_S = 0.1

_ON_STDIO = ("sdk", "fourfold")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is measured."""

    rounds: int
    seconds: float
    part_seconds: float
    connections: tuple[int, ...] = (1, 8)


def check_answers(children: Iterable[Child]) -> None:
    """Make sure that all contenders answer the same.

    Raises:
        WrongAnswer: they do not; it names who differs, and where.
    """
    first, *others = children
    for operation in OPERATIONS:
        expected = first.structured(operation)
        for child in others:
            answer = child.structured(operation)
            if _comparable(answer) != _comparable(expected):
                raise WrongAnswer(f"{operation}: {child.contender} answered {answer}, {first.contender} {expected}")


def _comparable(answer: dict[str, object]) -> dict[str, object]:
    """`answer` with its random number replaced by its length."""
    return {name: len(str(value)) if name == "quote_id" else value for name, value in answer.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """One contender doing one thing, and what came of it in each round."""

    child: Child
    operation: Operation
    connections: int
    samples: list[Sample] = field(default_factory=list[Sample])

    def row(self) -> Row:
        """The cell as it is reported."""
        return Row(
            contender=self.child.contender,
            operation=self.operation,
            connections=self.connections,
            samples=tuple(self.samples),
        )


def over_http(children: Sequence[Child], plan: Plan) -> list[Row]:
    """Every contender, operation and number of connections."""
    with loading() as load:
        return _interleaved(
            _cells(children, plan.connections),
            lambda cell, seconds: _loaded(cell, load, seconds=seconds),
            plan=plan,
        )


def over_stdio(folder: Path, plan: Plan) -> list[Row]:
    """The contenders that speak stdio, one call after the other."""
    fresh = Fresh()
    with ExitStack() as stack:
        children = [stack.enter_context(talking(name, folder)) for name in _ON_STDIO]
        return _interleaved(
            _cells(children, (0,)),
            lambda cell, seconds: _talked(cell, fresh, seconds=seconds / 2),
            plan=plan,
        )


def _cells(children: Sequence[Child], connections: Sequence[int]) -> list[_Cell]:
    """In the order in which they take their turns: contenders next to each other."""
    return [
        _Cell(child=child, operation=operation, connections=count)
        for operation in OPERATIONS
        for count in connections
        for child in children
    ]


def _interleaved(cells: Sequence[_Cell], turn: Callable[[_Cell, float], Sample], *, plan: Plan) -> list[Row]:
    """A turn of every cell in every round, after one that only warms up."""
    for cell in cells:
        turn(cell, _WARM_UP_S)
    for _ in range(plan.rounds):
        for cell in cells:
            cell.samples.append(turn(cell, plan.seconds))
    return [cell.row() for cell in cells]


def _loaded(cell: _Cell, load: Load, *, seconds: float) -> Sample:
    """A turn over HTTP."""
    child = cell.child
    request = http_request(cell.operation, mcp=child.contender in MCP).decode()
    before = child.cpu_s()
    tally = load.run(Order(port=child.port, request=request, connections=cell.connections, seconds=seconds))
    time.sleep(_SETTLE_S)
    if tally.failed:
        raise WrongAnswer(
            f"{child.contender} failed {tally.failed} of {tally.calls} calls of {cell.operation}: {tally.failure}"
        )
    return Sample(
        cpu_us=(child.cpu_s() - before) / tally.calls * 1e6,
        calls_s=tally.calls / tally.seconds,
        wall_us=tally.p50_ms * 1000,
    )


def _talked(cell: _Cell, fresh: Fresh, *, seconds: float) -> Sample:
    """A turn over stdio."""
    child, template = cell.child, stdio_line(cell.operation)
    start, before, times = time.perf_counter(), child.cpu_s(), list[float]()
    while time.perf_counter() < start + seconds:
        sent = time.perf_counter()
        answer = child.talk(fresh.request(template))
        times.append(time.perf_counter() - sent)
        if b'"structuredContent"' not in answer:
            raise WrongAnswer(f"{child.contender} failed {cell.operation} over stdio: {answer[:200]!r}")
    elapsed = time.perf_counter() - start
    time.sleep(_SETTLE_S)
    return Sample(
        cpu_us=(child.cpu_s() - before) / len(times) * 1e6,
        calls_s=len(times) / elapsed,
        wall_us=median(times) * 1e6,
    )
