"""The budget of requests to other systems: shared over replicas, leased in slices, renewed with each window."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import anyio
import pytest
from pydantic import Field

from fourfold import Catalog, Input, Output, Read
from fourfold.effects import RequestBudget
from fourfold.stages.requests import CallRequests, LeasedRequests
from fourfold.testing import FixedClock
from tests.stages.serving import Served, serving

pytestmark = pytest.mark.anyio


class Wanted(Input):
    """Requests to ask for."""

    count: Annotated[int, Field(ge=1, le=1_000)]


class Told(Output):
    """What the budget said, and how long the call still had, in milliseconds."""

    granted: Annotated[int, Field(ge=0, le=1_000)]
    wait_ms: Annotated[int, Field(ge=0, le=3_600_000)]
    left_ms: Annotated[int, Field(ge=0, le=3_600_000)]


def weather() -> Catalog:
    """A catalog whose one read asks for requests."""
    catalog = Catalog("weather", version="1")

    async def ask(request: Wanted, requests: RequestBudget) -> Told:
        waits = [await requests.take("sky", most=100) for _ in range(request.count)]
        left = round(requests.seconds_left() * 1000)
        return Told(granted=waits.count(0.0), wait_ms=round(max(waits) * 1000), left_ms=left)

    catalog.tool(
        name="weather_get",
        version="1.0",
        does="Tells the weather",
        use_when="the user asks for it",
        not_for="anything else",
        effect=Read(),
    )(ask)
    return catalog


async def told(served: Served, count: int) -> dict[str, Any]:
    """Ask for so many requests in one call."""
    answer = await served.call("weather_get", {"count": count})
    assert answer.ok, answer.fault
    return answer.structured


async def test_a_handler_takes_requests_until_the_budget_is_used_up() -> None:
    """C4: a hundred, and then it is told when the next minute begins; its deadline is thirty seconds away."""
    async with serving(weather()) as served:
        assert await told(served, 101) == {"granted": 100, "wait_ms": 60_000, "left_ms": 30_000}


async def test_replicas_share_one_budget(tmp_path: Path) -> None:
    """C4: two processes' worth of services on one store, both asking at once."""
    store, clock = f"sqlite:///{tmp_path / 'shared.db'}", FixedClock()
    granted: list[int] = []

    async def ask(served: Served) -> None:
        granted.append((await told(served, 15))["granted"])

    async with (
        serving(weather(), store=store, clock=clock) as first,
        serving(weather(), store=store, clock=clock) as second,
        anyio.create_task_group() as tasks,
    ):
        for served in [first, second] * 5:
            tasks.start_soon(ask, served)

    assert (len(granted), sum(granted)) == (10, 100)


async def test_the_next_window_has_all_of_it_again_and_nothing_of_the_last() -> None:
    """C4: half used, then a minute later a hundred and not a hundred and fifty."""
    clock = FixedClock()
    async with serving(weather(), clock=clock) as served:
        await told(served, 50)
        clock.advance(59.999)
        assert (await told(served, 51))["wait_ms"] == 1
        clock.advance(0.001)
        assert (await told(served, 101))["granted"] == 100


async def test_budgets_of_two_names_are_apart() -> None:
    """C4: one system that is asked much leaves the requests of another."""
    async with serving(weather()) as served:
        requests = CallRequests(served.service.ports.requests, served.service.ports.clock.ticks() + 30)
        few = [await requests.take("sea", most=2, window_s=10) for _ in range(3)]

        assert (few, (await told(served, 1))["granted"]) == ([0.0, 0.0, 10.0], 1)


async def test_a_lease_is_one_transaction_for_several_requests() -> None:
    """C4: five of a hundred; a process that ends leaves at most four unused."""
    async with serving(weather()) as served:
        ports, leases = served.service.ports, CountedBudgets(served.service.ports.requests.budgets)
        leased = LeasedRequests(units=ports.units, budgets=leases, clock=ports.clock)
        for _ in range(12):
            assert await leased.take("sky", most=100, window_s=60, deadline=ports.clock.ticks() + 30) == 0.0

    assert leases.wanted == [5, 5, 5]


class CountedBudgets:
    """The store's budgets, and what they were asked for."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self.wanted: list[int] = []

    def lease(self, unit: Any, name: str, *, want: int, **more: Any) -> int:
        """As the real ones."""
        self.wanted.append(want)
        return self._real.lease(unit, name, want=want, **more)
