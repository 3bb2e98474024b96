"""What was measured, as values, as a table and as JSON.

A ratio is taken within a round, where both had the same disturbances; what is shown is the median over rounds.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from statistics import median
from typing import Any

__all__ = ["Part", "Report", "Row", "Sample", "Spread", "table"]

_PACKAGES = ("mcp", "fastmcp", "starlette", "uvicorn", "uvloop", "httptools", "pydantic")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One contender, one operation, one round. `wall_us` is the median time of a call as its client saw it."""

    cpu_us: float
    calls_s: float
    wall_us: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The rounds of one contender doing one thing; `connections` is 0 over stdio."""

    contender: str
    operation: str
    connections: int
    samples: tuple[Sample, ...]

    @property
    def what(self) -> tuple[str, int]:
        """What is done, and how."""
        return self.operation, self.connections


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One piece of a call in this process: CPU microseconds a call, one number a round; what else there is to say."""

    name: str
    cpu_us: tuple[float, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The median of a few numbers, and the smallest and largest."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of `values`, of which there is at least one."""
        return cls(median=median(values), low=min(values), high=max(values))

    def __str__(self) -> str:
        return f"{self.median:,.0f} ({self.low:,.0f}-{self.high:,.0f})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One run of the benchmarks. `load` is the machine's load average at the start and at the end."""

    rows: tuple[Row, ...]
    parts: tuple[Part, ...]
    load: tuple[float, float]
    loop: str

    def ratio(self, row: Row, base: str) -> float | None:
        """How many times the CPU of contender `base` this row takes for the same thing; `None` if it did not run."""
        found = [other for other in self.rows if other.contender == base and other.what == row.what]
        if not found:
            return None
        pairs = zip(row.samples, found[0].samples, strict=True)
        return median(mine.cpu_us / theirs.cpu_us for mine, theirs in pairs)

    def as_json(self) -> dict[str, Any]:
        """Everything, with the ratios."""
        rows = [
            {
                **asdict(row),
                "cpu_x_starlette": self.ratio(row, "starlette"),
                "cpu_x_sdk": self.ratio(row, "sdk"),
            }
            for row in self.rows
        ]
        return {
            "schema": "fourfold/benchmarks/v1",
            "machine": {"cpus": os.cpu_count(), "python": platform.python_version(), "loop": self.loop},
            "load": self.load,
            "versions": versions(),
            "rows": rows,
            "parts": [asdict(part) for part in self.parts],
        }


def versions() -> dict[str, str]:
    """The versions of what takes part, of those that are installed."""
    installed = {found.name: found.version for found in metadata.distributions()}
    return {name: installed[name] for name in _PACKAGES if name in installed}


def table(report: Report) -> str:
    """The report for people."""
    return "\n".join([*_heading(report), "", *_rows(report), "", *_costs(report), "", *_parts(report)])


def _heading(report: Report) -> Iterator[str]:
    named = ", ".join(f"{name} {version}" for name, version in versions().items())
    yield f"{named}; Python {platform.python_version()}, {report.loop}"
    yield (
        f"{os.cpu_count()} cores, load average {report.load[0]:.1f} at the start and {report.load[1]:.1f} at the end. "
        "Microseconds and calls a second are this machine's; the ratios carry over better."
    )
    yield "Each number: median over rounds (lowest-highest). x: CPU a call, as a multiple of that contender's."


def _rows(report: Report) -> Iterator[str]:
    yield (
        f"{'operation':15}{'clients':>8}  {'contender':10}{'CPU us a call':>24}{'calls a second':>24}{'median us':>11}"
        f"{'x starlette':>13}{'x sdk':>7}"
    )
    for row in sorted(report.rows, key=lambda row: (row.connections == 0, row.what)):
        cpu = Spread.of([sample.cpu_us for sample in row.samples])
        rate = Spread.of([sample.calls_s for sample in row.samples])
        wall = median(sample.wall_us for sample in row.samples)
        clients = str(row.connections) if row.connections else "stdio"
        yield (
            f"{row.operation:15}{clients:>8}  {row.contender:10}{cpu!s:>24}{rate!s:>24}{wall:>11,.0f}"
            f"{_times(report.ratio(row, 'starlette')):>13}{_times(report.ratio(row, 'sdk')):>7}"
        )


def _costs(report: Report) -> Iterator[str]:
    yield f"{'what is added to a call, in CPU us':38}{'protocol: sdk - starlette':>28}{'contract: fourfold - sdk':>28}"
    found = {(row.contender, row.what): row for row in report.rows if row.connections}
    for what in dict.fromkeys(row.what for row in report.rows if row.connections):
        starlette, sdk, fourfold = (found[name, what] for name in ("starlette", "sdk", "fourfold"))
        yield f"{what[0]:15}{what[1]:>8}{'':15}{_added(sdk, starlette)!s:>28}{_added(fourfold, sdk)!s:>28}"


def _added(row: Row, base: Row) -> Spread:
    """What `row` takes beyond `base`, round by round."""
    pairs = zip(row.samples, base.samples, strict=True)
    return Spread.of([mine.cpu_us - theirs.cpu_us for mine, theirs in pairs])


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}"


def _parts(report: Report) -> Iterator[str]:
    yield f"{'part of a call, in one process':62}{'CPU us':>22}"
    for part in report.parts:
        yield f"{part.name:62}{Spread.of(part.cpu_us)!s:>22}  {part.note}".rstrip()
