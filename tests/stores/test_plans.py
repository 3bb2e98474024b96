"""No question to the runs reads them from end to end: both databases are asked how they answer what is really sent."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path

import pytest

from benchmarks.made_runs import END_MS, Made
from benchmarks.questions import RUN_FILTERS, SUM_FILTERS, Question, list_questions, record_questions, sum_questions
from benchmarks.seeding import fold, seed
from fourfold.adapters.postgres.store import open_postgres
from fourfold.adapters.sqlite.store import open_sqlite
from fourfold.model.run import RunFilter
from fourfold.ports.runs import RunPlace
from fourfold.ports.tallies import SumFilter
from tests.postgres.cluster import Cluster
from tests.stores.clocks import SteppedClock
from tests.stores.explaining import Explained, read_of, scans_of

pytestmark = pytest.mark.anyio

_RUNS = 4_000
_REACH, _LIMIT = 100, 20
_NEAR = 4 * _REACH
"""A tenth of the runs. Of a tenant that has most of them, PostgreSQL reads those of others, too, by the times alone."""

_TIES_SORTED = re.compile("USE TEMP B-TREE FOR (LAST TERM|RIGHT PART) OF ORDER BY")

_NOWHERE = "run_none"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """One loop for the module, since its stores are."""
    return "asyncio"


@pytest.fixture(scope="module")
async def sqlite(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Explained]:
    """A SQLite store with a few thousand runs, without statistics."""
    path: Path = tmp_path_factory.mktemp("plans") / "s.db"
    seed(f"sqlite:///{path}", Made(runs=_RUNS))
    await fold(f"sqlite:///{path}")
    store = open_sqlite(path, clock=SteppedClock())
    yield Explained(store)
    await store.aclose()


@pytest.fixture(scope="module")
async def postgres_store(postgres: Cluster) -> AsyncGenerator[Explained]:
    """The same on PostgreSQL, which looks for what it has no index for only where there is nothing else."""
    url = postgres.store()
    seed(url, Made(runs=_RUNS))
    await fold(url)
    postgres.execute("ANALYZE", url=url)
    store = open_postgres(url, clock=SteppedClock())
    yield Explained(store)
    await store.aclose()


async def asked(store: Explained, questions: Mapping[str, Question]) -> Mapping[str, list[str]]:
    """The plans of each question."""
    plans: dict[str, list[str]] = {}
    for name, question in questions.items():
        store.plans.clear()
        await question(store)
        plans[name] = [*store.plans]
    return plans


def every(ask: Callable[[SumFilter], Mapping[str, Question]]) -> Mapping[str, Question]:
    """The questions about every restriction of sums."""
    return {f"{name}: {question}": how for name, where in SUM_FILTERS.items() for question, how in ask(where).items()}


async def test_sqlite_scans_nothing_for_sums_and_single_runs(sqlite: Explained) -> None:
    """A9, A14, A17: a page costs what it shows, however many runs there are."""
    plans = await asked(sqlite, {**every(sum_questions), **record_questions(_NOWHERE)})

    assert len(plans) > 100
    assert {name: scans_of("\n".join(each)) for name, each in plans.items() if scans_of("\n".join(each))} == {}


async def test_postgresql_scans_nothing_for_sums_and_single_runs(postgres_store: Explained) -> None:
    """A9, A14, A17: nor does it, and the sums alone are read for what is counted."""
    plans = await asked(postgres_store, {**every(sum_questions), **record_questions(_NOWHERE)})
    read = {name: [each for plan in found for each in read_of(plan)] for name, found in plans.items()}

    assert {name for name, found in read.items() if any(each.how == "Seq Scan" for each in found)} == set()
    counted = {each.table for name, found in read.items() if ": " in name for each in found}
    assert not counted & {"fourfold_run", "fourfold_run_closing", "fourfold_operation"}


@pytest.mark.parametrize("where", RUN_FILTERS.values(), ids=RUN_FILTERS.keys())
async def test_sqlite_finds_a_page_by_one_index_in_its_order(sqlite: Explained, where: RunFilter) -> None:
    """A9: no scan, and no sorting but of runs of one millisecond."""
    plans = await asked(sqlite, list_questions(where))

    for plan in (each for found in plans.values() for each in found):
        assert scans_of(plan) == []
        assert "TEMP B-TREE" not in _TIES_SORTED.sub("", plan)


@pytest.mark.parametrize("where", RUN_FILTERS.values(), ids=RUN_FILTERS.keys())
async def test_postgresql_looks_at_no_more_runs_than_a_page_may(postgres_store: Explained, where: RunFilter) -> None:
    """A9: however rare the runs are that somebody looks for: counted by the database itself."""
    place = RunPlace(END_MS - 3 * 86_400_000, "run_")
    runs = postgres_store.runs
    postgres_store.plans.clear()
    await runs.beside(where, place=None, older=True, limit=_LIMIT, reach=_REACH)
    await runs.beside(where, place=place, older=True, limit=_LIMIT, reach=_REACH)
    await runs.beside(where, place=place, older=False, limit=_LIMIT, reach=_REACH)
    await runs.count(where, limit=_LIMIT, reach=_REACH)

    read = [each for plan in postgres_store.plans for each in read_of(plan) if each.table == "fourfold_run"]
    assert len(read) == 8
    assert "Seq Scan" not in {each.how for each in read}
    assert max(each.rows for each in read) <= _NEAR
