"""Makes the calls that a model chose, on a store that is thrown away, and looks at what came of them.

Only for a catalog of ours: the store of somebody else's server isn't ours to write to.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fourfold.adapters.clock import SystemClock
from fourfold.bootstrap.service import open_store, service_of
from fourfold.catalog.build import BuiltCatalog
from fourfold.model.call import Call
from fourfold.model.caller import Caller
from fourfold.model.case import Case, EndState
from fourfold.model.chosen import ChosenCall
from fourfold.model.outcome import Done
from fourfold.model.scored import Task
from fourfold.selection.tasks import made_before, state_holds
from fourfold.stages.service import Service

__all__ = ["CatalogEnactor"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogEnactor:
    """An `Enactor` over a catalog. Each case has a new store in memory, with what the catalog itself puts into it."""

    catalog: BuiltCatalog
    caller: Caller

    async def enact(self, case: Case, calls: Sequence[ChosenCall]) -> Task:
        """Make the calls of the conversation, then the chosen ones, and look at the end state.

        Raises:
            ConfigError, StoreError: the catalog can't be served.
        """
        all_calls = [*made_before(case), *calls]
        if any(self._reaches_outside(call) for call in all_calls):
            return "outside"
        async with self._new_world() as service:
            for call in all_calls:
                if call.arguments is not None:
                    await service.call(Call(tool=call.name, arguments=call.arguments, caller=self.caller))
            return "done" if await self._holds(service, case.expect.state) else "not_done"

    @asynccontextmanager
    async def _new_world(self) -> AsyncGenerator[Service]:
        """As `open_service`, without the look at every sandboxed view, which takes longer than all the calls."""
        clock = SystemClock()
        opened = open_store("memory:", clock=clock)
        try:
            service = service_of(self.catalog, opened, clock=clock)
            for work in self.catalog.source.preparations:
                await opened.store.units.prepare(work)
            yield service
        finally:
            await opened.store.aclose()

    def _reaches_outside(self, call: ChosenCall) -> bool:
        tool = self.catalog.tools.get(call.name)
        return tool is not None and tool.contract.effect.reach == "outside"

    async def _holds(self, service: Service, states: Iterable[EndState]) -> bool:
        for state in states:
            outcome = await service.call(Call(tool=state.read, arguments=state.args, caller=self.caller))
            if not isinstance(outcome, Done) or not state_holds(state, json.loads(outcome.structured)):
                return False
        return True
