"""Pages of runs and bounded counts (ports.runs.Runs), for every adapter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import pytest

from fourfold.model.run import Run, RunFilter
from fourfold.ports.runs import RunCount, RunPlace, RunRecord
from fourfold.runs.pages import RunPage, place_text, read_place, run_page
from fourfold.runs.stories import story
from fourfold.runs.upkeep import fold_all
from tests.stores.clocks import SteppedClock
from tests.stores.domain import Store
from tests.stores.records import NOON_MS, run_at

pytestmark = pytest.mark.anyio


async def stored(store: Store, *runs: Run) -> None:
    """Store `runs`."""
    for run in runs:
        store.runs.append(run)
    await store.runs.flush()


def ids(records: Sequence[RunRecord]) -> list[str]:
    """The ids of some runs."""
    return [record.run.run_id for record in records]


async def test_pages_lead_to_the_oldest_run_and_back(store: Store) -> None:
    """A9: every run is on one page, those of one millisecond too, and the way back is the same."""
    await stored(store, *(replace(run_at(number), at_ms=NOON_MS + number // 3) for number in range(1, 8)))

    async def page(place: RunPlace | None, direction: Literal["older", "newer"] = "older") -> RunPage:
        return await run_page(store, RunFilter(tenant="acme"), place=place, direction=direction, limit=3)

    first = await page(None)
    second = await page(first.older)
    third = await page(second.older)
    assert [ids(each.records) for each in (first, second, third)] == [
        ["run-7", "run-6", "run-5"],
        ["run-4", "run-3", "run-2"],
        ["run-1"],
    ]
    assert (first.newer, third.older) == (None, None)
    back = await page(third.newer, "newer")
    assert ids(back.records) == ["run-4", "run-3", "run-2"]
    assert ids((await page(back.newer, "newer")).records) == ["run-7", "run-6", "run-5"]
    assert ids((await page(back.older)).records) == ["run-1"]


async def test_the_last_page_ends_where_there_are_no_more_runs(store: Store) -> None:
    """A9: a page that is just full has no page behind it."""
    await stored(store, run_at(1), run_at(2))

    page = await run_page(store, RunFilter(), limit=2)

    assert (ids(page.records), page.older, page.searched_to_ms) == (["run-2", "run-1"], None, None)


async def test_runs_that_come_later_are_newer_than_the_page(store: Store) -> None:
    """A9: a list that somebody looks at can be followed from where it is."""
    await stored(store, run_at(1), run_at(2))
    page = await run_page(store, RunFilter())
    newest = page.records[0].run
    await stored(store, run_at(3), run_at(4))

    following = await run_page(
        store, RunFilter(), place=RunPlace(newest.at_ms, newest.run_id), direction="newer", limit=50
    )

    assert (ids(following.records), following.newer) == (["run-4", "run-3"], None)


async def test_looking_ends_after_so_many_runs_and_goes_on_from_there(store: Store) -> None:
    """A9: however rare the runs are that somebody looks for, a page costs about the same."""
    rare = [run_at(number, principal="boss@acme") for number in (1, 6)]
    await stored(store, *rare, *(run_at(number) for number in (2, 3, 4, 5, 7, 8, 9)))
    where = RunFilter(tenant="acme", principal="boss@acme")

    async def look(place: RunPlace | None, *, older: bool = True) -> tuple[list[str], RunPlace | None]:
        found = await store.runs.beside(where, place=place, older=older, limit=9, reach=3)
        return ids(found.records), found.reached

    assert await look(None) == (["run-6"], RunPlace(NOON_MS + 6_000, ""))
    assert await look(RunPlace(NOON_MS + 6_000, "")) == ([], RunPlace(NOON_MS + 2_000, ""))
    assert await look(RunPlace(NOON_MS + 2_000, "")) == (["run-1"], None)
    assert await look(RunPlace(NOON_MS, ""), older=False) == (["run-1"], RunPlace(NOON_MS + 4_001, ""))
    assert await look(RunPlace(NOON_MS + 4_001, ""), older=False) == (["run-6"], RunPlace(NOON_MS + 8_001, ""))
    assert await look(RunPlace(NOON_MS + 8_001, ""), older=False) == ([], None)


@pytest.mark.parametrize(
    ("where", "limit", "counted"),
    [
        (RunFilter(), 6, RunCount(runs=5, at_least=True)),
        (RunFilter(since_ms=NOON_MS + 3_000), 4, RunCount(runs=4, at_least=False)),
        (RunFilter(since_ms=NOON_MS + 3_000), 3, RunCount(runs=3, at_least=True)),
        (RunFilter(tenant="acme", principal="boss@acme"), 9, RunCount(runs=1, at_least=True)),
        (RunFilter(failed=True), 9, RunCount(runs=0, at_least=False)),
        (RunFilter(tenant="nobody"), 9, RunCount(runs=0, at_least=False)),
    ],
)
async def test_runs_are_counted_as_far_as_that_is_cheap(
    store: Store, where: RunFilter, limit: int, counted: RunCount
) -> None:
    """A9: "1,000+" is enough for a page; about four runs are looked at here."""
    await stored(store, *(run_at(number) for number in (2, 3, 4, 6)))
    await stored(store, *(run_at(number, principal="boss@acme") for number in (1, 5)))

    assert await store.runs.count(where, limit=limit, reach=4) == counted


@pytest.mark.parametrize(
    "where",
    [
        RunFilter(tenant="acme", tool="invoice_get", outcome="rejected"),
        RunFilter(tenant="acme", subject="acct-7", failed=True),
        RunFilter(subject="acct-7", code="unknown_sku", principal="clerk@acme"),
        RunFilter(code="unknown_sku", since_ms=NOON_MS, until_ms=NOON_MS + 5_001),
        RunFilter(tool="invoice_get", outcome="rejected"),
        RunFilter(tenant="acme", code="unknown_sku", tool="invoice_get", subject="acct-7"),
    ],
)
async def test_every_mixture_of_filters_finds_the_same_by_whatever_index(store: Store, where: RunFilter) -> None:
    """A9, B18: what no index is asked for is compared all the same, the tenant with it."""
    wanted = run_at(5, tool="invoice_get", outcome="rejected", code="unknown_sku", subject="acct-7")
    other = replace(wanted, run_id="run-4", at_ms=NOON_MS + 4_000, principal="boss@acme")
    differing = {"tool": "x", "outcome": "done", "code": "y", "subject": "z", "principal": "boss@acme"}
    given = {name: value for name, value in differing.items() if getattr(where, name) or name == "outcome"}
    await stored(store, wanted, *(replace(other, run_id=name, **{name: value}) for name, value in given.items()))

    found = ids((await run_page(store, where)).records)

    assert "run-5" in found
    assert not set(found) & set(given)


async def test_runs_are_fetched_by_their_ids_for_their_tenant_alone(store: Store) -> None:
    """A9, B18: ids of another tenant's runs find nothing."""
    await stored(store, run_at(2), run_at(1), run_at(3, tenant="globex"))

    assert ids(await store.runs.these(["run-2", "run-1", "run-3", "run-9"], tenant="acme")) == ["run-1", "run-2"]
    assert ids(await store.runs.these(["run-3", "run-1"], tenant=None)) == ["run-1", "run-3"]
    assert await store.runs.these([], tenant=None) == []


async def test_the_story_of_a_run_has_what_was_tried_before_and_after(store: Store) -> None:
    """A9, A14: what the agent did next: by its key, or by the time, which is said."""
    invalid = {"outcome": "invalid", "code": "invalid_arguments", "retry": "after_fix"}
    over = {"operation_id": "", "retry": ""}
    keyed = [run_at(number, operation_id="op-7", tool="invoice_create") for number in (5, 6)]
    await stored(store, run_at(1, operation_id="", **invalid), run_at(2, **over), *keyed, run_at(9, **over))
    await fold_all(store, clock=SteppedClock(now_ms=NOON_MS + 10**9))

    async def told(run_id: str, tenant: str | None = None) -> tuple[list[str], str] | None:
        found = await story(store, run_id, tenant=tenant)
        return found and (ids(found.attempts), found.linked_by)

    assert await told("run-2") == (["run-1", "run-2"], "time")
    assert await told("run-5", "acme") == (["run-5", "run-6"], "key")
    assert await told("run-9") == (["run-9"], "")
    assert await told("run-2", "globex") is None
    assert await told("run-4") is None


def test_a_place_is_a_token_and_back() -> None:
    """A9: it stands in the address of a page."""
    assert place_text(RunPlace(NOON_MS, "run_01")) == "1700000000000.run_01"
    assert read_place("1700000000000.run_01") == RunPlace(NOON_MS, "run_01")
    assert read_place("-5.") == RunPlace(-5, "")


@pytest.mark.parametrize("text", ["", ".", "x.run", "12", "1" * 19 + ".run", "--5.run", "²."])
def test_what_is_no_place_is_refused(text: str) -> None:
    """A9: whoever typed an address gets an answer, and the store no question."""
    with pytest.raises(ValueError, match="no place among the runs"):
        read_place(text)
