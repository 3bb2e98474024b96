"""A service in the test's own event loop, for what the kit's portal hides: cancellation, closings, other stores."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import anyio

from fourfold import Catalog
from fourfold.bootstrap.service import open_service
from fourfold.errors import StoreError
from fourfold.model.asking import InputResponse
from fourfold.model.call import Call
from fourfold.model.caller import Caller
from fourfold.model.run import RunFilter
from fourfold.ports.clock import Clock
from fourfold.ports.runs import RunRecord
from fourfold.ports.units import Units
from fourfold.stages.service import Service
from fourfold.testing import Answer, FixedClock, caller

__all__ = ["Failing", "Served", "dying", "eventually", "over", "serving"]


@dataclass(frozen=True, slots=True)
class Served:
    """A service that is open."""

    service: Service

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        by: Caller | None = None,
        key: str | None = None,
        state: str | None = None,
        answers: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Answer:
        """One call, with what a person answered."""
        responses = {name: InputResponse(action="accept", content=said) for name, said in (answers or {}).items()}
        made = Call(tool=tool, arguments=arguments or {}, caller=by or caller(), meta_key=key)
        return Answer(await self.service.call(replace(made, state=state, responses=responses)))

    async def together(
        self, calls: Sequence[tuple[str, Mapping[str, Any]]], *, by: Caller | None = None, key: str | None = None
    ) -> list[Answer]:
        """Calls at the same time, answered in their order."""
        answers: dict[int, Answer] = {}

        async def one(index: int) -> None:
            answers[index] = await self.call(*calls[index], by=by, key=key)

        async with anyio.create_task_group() as tasks:
            for index in range(len(calls)):
                tasks.start_soon(one, index)
        return [answers[index] for index in range(len(calls))]

    async def records(self) -> list[RunRecord]:
        """Every run so far with its closing, the newest first."""
        await self.service.ports.runs.flush()
        return list(await self.service.ports.runs.list(RunFilter(), limit=1_000))


@asynccontextmanager
async def serving(
    catalog: Catalog, *, store: str = "memory:", clock: Clock | None = None, toolsets: Iterable[str] = ()
) -> AsyncGenerator[Served]:
    """Serve `catalog` over the store at that URL."""
    async with open_service(catalog.build(), store, clock=clock or FixedClock(), toolsets=toolsets) as service:
        yield Served(service)


def over(served: Served, **ports: Any) -> Served:
    """The same service with other ports, for what a real store does not do when asked."""
    return Served(Service(replace(served.service.ports, **ports)))


@dataclass(frozen=True, slots=True)
class Failing:
    """Units that commit, and then say that something went wrong."""

    real: Units
    error: StoreError

    async def read(self, *arguments: Any, **more: Any) -> Any:
        """As the real ones."""
        return await self.real.read(*arguments, **more)

    async def write(self, *arguments: Any, **more: Any) -> Any:
        """Written, and the answer lost."""
        await self.real.write(*arguments, **more)
        raise self.error


@dataclass(slots=True)
class _Dying:
    """Units of a process that dies before its n-th write: what it would have written is not written."""

    real: Units
    lives: int

    async def read(self, *arguments: Any, **more: Any) -> Any:
        """As the real ones."""
        return await self.real.read(*arguments, **more)

    async def write(self, *arguments: Any, **more: Any) -> Any:
        """As the real ones, while it lives."""
        self.lives -= 1
        if self.lives < 0:
            raise StoreError("killed")
        return await self.real.write(*arguments, **more)


def dying(served: Served, *, after: int) -> Served:
    """The same service, dead after that many writes."""
    return over(served, units=_Dying(served.service.ports.units, after), owner="dead")


async def eventually(condition: Callable[[], bool]) -> None:
    """Return once `condition` holds; fail if it takes longer than anybody would wait."""
    with anyio.fail_after(10):
        while not condition():
            await anyio.lowlevel.checkpoint()
