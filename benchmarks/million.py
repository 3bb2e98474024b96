"""What questions to the runs take when there are a million: `python -m benchmarks.million`; `scripts/bench runs`.

Stores made-up runs (`benchmarks.made_runs`), sums them up as a server does, and asks each question of the console and
of `fourfold runs …` again and again, on SQLite and on PostgreSQL; then each page of the console, made by its
application in this process. Each time is also a ratio to counting all runs in the same store.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from math import ceil
from pathlib import Path
from statistics import median

import anyio

from benchmarks.made_runs import Made
from benchmarks.pages import page_questions
from benchmarks.questions import RUN_FILTERS, SUM_FILTERS, Question, list_questions, record_questions, sum_questions
from benchmarks.seeding import fold, seed
from fourfold.adapters.sql.unit import own
from fourfold.bootstrap.maintenance import open_existing
from fourfold.model.run import RunFilter
from fourfold.ports.units import Unit
from fourfold.runs.asking import AskedStore, ask
from tests.postgres.cluster import DURABLE, Cluster

__all__ = ["STORES", "Asked", "Measured", "main", "measure"]

STORES = ("sqlite", "postgresql")

_COUNT = "SELECT count(*) AS runs FROM fourfold_run"
_ROUNDS = 20
_AIM_MS = 300
_SHOWN = 40
"""Questions that the table has; JSON has all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How long a question took, in milliseconds, over all rounds, and its p95 as a share of counting all runs."""

    question: str
    p50_ms: float
    p95_ms: float
    of_count: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One store: how long it took to fill it and to sum it up, and each question."""

    store: str
    runs: int
    seed_s: float
    fold_s: float
    count_ms: float
    asked: Sequence[Asked]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="scripts/bench runs", description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000_000, help="how many runs are stored (default: a million)")
    parser.add_argument("--rounds", type=int, default=_ROUNDS, help="how often each question is asked")
    parser.add_argument("--store", choices=STORES, action="append", help="only this one")
    parser.add_argument("--folder", type=Path, help="where the stores are made, about 1 GB each (default: /tmp)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    chosen = parser.parse_args()
    stores = chosen.store or STORES
    found = [measure(store, Made(runs=chosen.runs), rounds=chosen.rounds, folder=chosen.folder) for store in stores]
    if chosen.json:
        written = [asdict(each) for each in found]
        print(json.dumps({"schema": "fourfold/benchmarks/runs/v1", "stores": written}, indent=2))
    else:
        print("\n".join(line for each in found for line in _table(each)))


def measure(store: str, made: Made, *, rounds: int, folder: Path | None = None) -> Measured:
    """Fill a store of that kind, and ask it everything."""
    with _new(store, folder) as (url, cluster):
        began = time.perf_counter()
        seed(url, made)
        seeded = time.perf_counter()
        anyio.run(fold, url)
        folded = time.perf_counter()
        if cluster:
            # What autovacuum does in the background of a server that has run for a while.
            cluster.execute("VACUUM ANALYZE", url=url)
        return anyio.run(partial(_asked, store, url, made, rounds=rounds, times=(seeded - began, folded - seeded)))


@contextmanager
def _new(store: str, folder: Path | None) -> Generator[tuple[str, Cluster | None]]:
    if store == "sqlite":
        with tempfile.TemporaryDirectory(dir=folder) as made:
            yield f"sqlite:///{made}/runs.db", None
        return
    cluster = Cluster.make(DURABLE)
    try:
        yield cluster.store(), cluster
    finally:
        cluster.stop()


async def _asked(store: str, url: str, made: Made, *, rounds: int, times: tuple[float, float]) -> Measured:
    async with open_existing(url) as opened:
        records = await opened.runs.list(RunFilter(failed=True), limit=1)
        run_id = records[0].run.run_id if records else "run_none"
        questions = {**_questions(run_id), **await page_questions(opened, run_id=run_id)}
        count_ms, _ = await _timed(opened, _count, rounds=rounds)
        asked: list[Asked] = []
        for name, question in questions.items():
            p50_ms, p95_ms = await _timed(opened, question, rounds=rounds)
            asked.append(Asked(question=name, p50_ms=p50_ms, p95_ms=p95_ms, of_count=p95_ms / count_ms))
    return Measured(store=store, runs=made.runs, seed_s=times[0], fold_s=times[1], count_ms=count_ms, asked=asked)


def _questions(run_id: str) -> Mapping[str, Question]:
    lists = {
        f"{each} runs, {name}": question
        for name, where in RUN_FILTERS.items()
        for each, question in list_questions(where).items()
    }
    sums = {
        f"{each}, {name}": question
        for name, where in SUM_FILTERS.items()
        for each, question in sum_questions(where).items()
    }
    return {**record_questions(run_id), **lists, **sums}


async def _count(store: AskedStore) -> object:
    def count(unit: Unit) -> object:
        return own(unit).row(_COUNT)

    return await ask(store, count, tenant=None)


async def _timed(store: AskedStore, question: Question, *, rounds: int) -> tuple[float, float]:
    """The median and the 95th percentile in milliseconds, once the store is warm."""
    await question(store)
    taken: list[float] = []
    for _ in range(rounds):
        began = time.perf_counter()
        await question(store)
        taken.append(1_000 * (time.perf_counter() - began))
    return median(taken), sorted(taken)[ceil(0.95 * len(taken)) - 1]


def _table(measured: Measured) -> Iterator[str]:
    slow = [each for each in measured.asked if each.p95_ms >= _AIM_MS]
    yield (
        f"{measured.store}: {measured.runs:,} runs stored in {measured.seed_s:.0f} s and summed up in "
        f"{measured.fold_s:.0f} s; SELECT count(*) takes {measured.count_ms:.1f} ms"
    )
    quick = len(measured.asked) - len(slow)
    yield f"{quick} of {len(measured.asked)} questions and pages are under {_AIM_MS} ms at p95; pages, and the slowest:"
    yield f"{'question':<66}{'p50 ms':>9}{'p95 ms':>9}{'of count':>10}"
    pages = [each for each in measured.asked if each.question.startswith("page ")]
    others = [each for each in measured.asked if each not in pages]
    for each in [*pages, *sorted(others, key=lambda each: -each.p95_ms)[:_SHOWN]]:
        yield f"{each.question[:64]:<66}{each.p50_ms:>9.1f}{each.p95_ms:>9.1f}{each.of_count:>10.2f}"


if __name__ == "__main__":
    main()
