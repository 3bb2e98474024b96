"""What enforcement costs a durable write: `python -m benchmarks.writes [--quick] [--json]`; `scripts/bench writes`.

A fully enforced keyed create beside a bare insert on the same HTTP path and with the same group commit, on SQLite
(WAL, synchronous=FULL) and on a PostgreSQL that syncs, with 1, 8 and 32 callers. The servers take turns.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.child import Child, Load, WrongAnswer, loading, started
from benchmarks.durable import KINDS
from benchmarks.load import Order, Tally
from benchmarks.report import Spread
from benchmarks.wire import http_request
from tests.postgres.cluster import DURABLE, Cluster

__all__ = ["CALLERS", "Cell", "main", "measure"]

CALLERS = (1, 8, 32)
STORES = ("sqlite", "postgresql")
_WARM_UP_S = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One server under one load: one tally a round."""

    store: str
    kind: str
    callers: int
    child: Child = field(repr=False)
    tallies: list[Tally] = field(default_factory=list[Tally])

    @property
    def rates(self) -> tuple[float, ...]:
        """Durable writes a second, one number a round."""
        return tuple(tally.calls / tally.seconds for tally in self.tallies)

    def as_json(self) -> dict[str, Any]:
        """The cell without its process."""
        named = {"store": self.store, "kind": self.kind, "callers": self.callers}
        return {**named, "tallies": [asdict(tally) for tally in self.tallies]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="scripts/bench writes", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    chosen = parser.parse_args()
    before = os.getloadavg()[0]
    cells = measure(rounds=1, seconds=0.5) if chosen.quick else measure(rounds=7, seconds=2.0)
    if chosen.json:
        written = [{**cell.as_json(), "of_bare": _of_bare(cell, cells)} for cell in cells]
        print(json.dumps({"schema": "fourfold/benchmarks/writes/v1", "rows": written}, indent=2))
    else:
        print(f"load average {before:.1f} at the start, {os.getloadavg()[0]:.1f} at the end; {os.cpu_count()} cores")
        print("\n".join(_table(cells)))


def measure(*, rounds: int, seconds: float, callers: Sequence[int] = CALLERS) -> list[Cell]:
    """Every store, kind and number of callers.

    Raises:
        WrongAnswer: a write failed.
    """
    with _serving() as children, loading() as load:
        cells = [
            Cell(store=store, kind=kind, callers=count, child=child)
            for store in STORES
            for count in callers
            for kind, child in zip(KINDS, children[store], strict=True)
        ]
        for cell in cells:
            _turn(cell, load, seconds=min(_WARM_UP_S, seconds))
        for _ in range(rounds):
            for cell in cells:
                cell.tallies.append(_turn(cell, load, seconds=seconds))
    return cells


def _turn(cell: Cell, load: Load, *, seconds: float) -> Tally:
    request = http_request("quote_create", mcp=True).decode()
    tally = load.run(Order(port=cell.child.port, request=request, connections=cell.callers, seconds=seconds))
    if tally.failed:
        raise WrongAnswer(f"{cell.kind} on {cell.store} failed {tally.failed} of {tally.calls} writes: {tally.failure}")
    return tally


@contextmanager
def _serving() -> Generator[dict[str, list[Child]]]:
    """A server of each kind on each store, each with a store of its own."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster = Cluster.make(DURABLE)
        stack.callback(cluster.stop)
        urls = {
            "sqlite": [f"sqlite:///{folder / kind}.db" for kind in KINDS],
            "postgresql": [cluster.store() for _ in KINDS],
        }
        yield {
            store: [_started(stack, kind, url) for kind, url in zip(KINDS, urls[store], strict=True)]
            for store in STORES
        }


def _started(stack: ExitStack, kind: str, url: str) -> Child:
    process = stack.enter_context(started("durable", kind, url))
    assert process.stdout
    return Child(contender="fourfold", process=process, port=int(process.stdout.readline()))


def _of_bare(cell: Cell, cells: Sequence[Cell]) -> float:
    """The cell's rate as a share of the bare one's under the same load, taken within a round."""
    bare = next(it for it in cells if (it.store, it.callers, it.kind) == (cell.store, cell.callers, "bare"))
    return median(mine / theirs for mine, theirs in zip(cell.rates, bare.rates, strict=True))


def _table(cells: Sequence[Cell]) -> Iterator[str]:
    yield f"{'store':12}{'callers':>8}  {'write':10}{'tx a second':>24}{'p50 ms':>9}{'p99 ms':>9}{'of bare':>9}"
    for cell in cells:
        p50, p99 = (median(getattr(tally, name) for tally in cell.tallies) for name in ("p50_ms", "p99_ms"))
        yield (
            f"{cell.store:12}{cell.callers:>8}  {cell.kind:10}{Spread.of(cell.rates)!s:>24}{p50:>9.1f}{p99:>9.1f}"
            f"{_of_bare(cell, cells):>9.0%}"
        )


if __name__ == "__main__":
    main()
