"""The contract of `ports.selections.Selections`, for every adapter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fourfold.model.selected import KeptResult, RunFacts, ToolScore
from fourfold.ports.selections import MOST_PAIRS, MOST_RESULTS
from tests.stores.domain import FAR, Store, read, write

pytestmark = pytest.mark.anyio

_FACTS = RunFacts(
    suite="sha256:s",
    cases=12,
    samples=3,
    chooser="openai:m",
    catalog="sha256:c",
    tools={"stock_get": "sha256:t"},
    system="",
    temperature="0.7",
    max_tokens=1_024,
    scorer="1",
)
_SCORE = ToolScore(
    tool="stock_get",
    version="1.1",
    cases=12,
    cases_right=11,
    samples=36,
    right=33,
    exact=33,
    lenient=None,
    wrong_tool=2,
    no_call=1,
    calls=35,
    forbidden=1,
    authority=2,
    reasons={"wrong_tool": 2, "no_call": 1},
)
RESULT = KeptResult(
    result_id="r-1",
    name="monday.jsonl",
    suite="suite.jsonl",
    at="2026-11-30T10:00:00Z",
    rule="exact",
    facts=_FACTS,
    models=("m-2026-11", "m-2026-12"),
    cases=12,
    cases_right=11,
    tools=(_SCORE,),
)
MAP = {("stock_get", "stock_get"): 33, ("stock_get", "order_create"): 2, ("stock_get", "(none)"): 1}


async def add(store: Store, *results: KeptResult) -> list[bool]:
    """Keep the results; which were new."""
    return await store.units.write(
        lambda found: [store.selections.add(found.unit, each, confusion=MAP) for each in results], deadline=FAR
    )


async def ids(store: Store, suite: str = "", since_ms: int | None = None, limit: int = 10) -> list[str]:
    """The results of a question."""
    found = await read(
        store.units, lambda unit: store.selections.results(unit, suite=suite, since_ms=since_ms, limit=limit)
    )
    return [each.result_id for each in found]


async def test_a_result_comes_back_as_it_was_kept_and_once(store: Store) -> None:
    """B14: with everything that a history, an interval and a map need."""
    assert await add(store, RESULT, replace(RESULT, name="again.jsonl")) == [True, False]

    assert await read(store.units, lambda unit: store.selections.results(unit, limit=10)) == [RESULT]
    assert await read(store.units, lambda unit: store.selections.confusion(unit, "r-1")) == MAP
    assert await read(store.units, lambda unit: store.selections.confusion(unit, "r-2")) == {}


async def test_the_newest_results_are_given_oldest_first(store: Store) -> None:
    """B14: of one suite, since a time, and no more than asked for; each with its own tools."""
    days = [replace(RESULT, result_id=f"r-{day}", at=f"2026-11-1{day}T00:00:00Z") for day in range(4)]
    other = replace(RESULT, result_id="o-1", suite="other.jsonl", tools=())
    await add(store, *reversed(days), other)

    assert await ids(store) == ["r-0", "r-1", "r-2", "r-3", "o-1"]
    assert await ids(store, suite="suite.jsonl", limit=2) == ["r-2", "r-3"]
    assert await ids(store, since_ms=1_763_078_400_000 + 86_400_000 * 365) == ["o-1"]
    found = await read(store.units, lambda unit: store.selections.results(unit, limit=2))
    assert [each.tools for each in found] == [(_SCORE,), ()]


async def test_the_oldest_of_a_suite_make_room_with_all_that_is_theirs(embedded_store: Store) -> None:
    """B14: a store does not grow with every look; another suite keeps its own."""
    store = embedded_store
    many = [
        replace(RESULT, result_id=f"r-{number:04}", at=f"2026-11-30T{number // 60:02}:{number % 60:02}:00Z", tools=())
        for number in range(MOST_RESULTS + 2)
    ]
    await add(store, replace(RESULT, result_id="o-1", suite="other.jsonl", at="2026-01-01T00:00:00Z"), *many)

    found = await ids(store, limit=MOST_RESULTS + 10)

    assert (len(found), found[0], found[1]) == (MOST_RESULTS + 1, "o-1", "r-0002")
    assert await read(store.units, lambda unit: store.selections.confusion(unit, "r-0001")) == {}


async def test_only_so_many_pairs_are_kept(embedded_store: Store) -> None:
    """B11: the most frequent ones."""
    store = embedded_store
    confusion = {(f"t{number:04}", "x"): number + 1 for number in range(MOST_PAIRS + 1)}
    await write(store.units, lambda unit: store.selections.add(unit, RESULT, confusion=confusion))

    found = await read(store.units, lambda unit: store.selections.confusion(unit, "r-1"))

    assert (len(found), ("t0000", "x") in found) == (MOST_PAIRS, False)
