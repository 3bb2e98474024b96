"""A caller that goes while its plan is being stored: the plan and its run are stored, once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import anyio
import pytest

from fourfold.ports.units import Units
from fourfold.testing import caller
from tests.stages.serving import over, serving
from tests.stages.vault import vault

DELETER = caller(scopes={"documents:delete"})
DOC = {"document_id": "doc-1", "expected_version": "1"}


@dataclass(frozen=True, slots=True)
class Slow:
    """Units whose writes wait for a word after they have begun."""

    real: Units
    begun: anyio.Event = field(default_factory=anyio.Event)
    go: anyio.Event = field(default_factory=anyio.Event)

    async def read(self, *arguments: Any, **more: Any) -> Any:
        """As the real ones."""
        return await self.real.read(*arguments, **more)

    async def write(self, *arguments: Any, **more: Any) -> Any:
        """As the real ones, once the word is given."""
        self.begun.set()
        await self.go.wait()
        return await self.real.write(*arguments, **more)


@pytest.mark.anyio
async def test_a_caller_that_leaves_while_a_plan_is_stored_leaves_one_run() -> None:
    """A9, C7: the run goes with the plan; no second one says that the call was given up."""
    async with serving(vault()) as served:
        slow = Slow(served.service.ports.units)
        leaving = over(served, units=slow)

        with anyio.fail_after(10):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(lambda: leaving.call("document_plan_delete", DOC, by=DELETER))
                await slow.begun.wait()
                tasks.cancel_scope.cancel()
                slow.go.set()

        records = await served.records()
        assert [(record.run.tool, record.run.outcome) for record in records] == [("document_plan_delete", "done")]
        assert [record.closing.delivered for record in records if record.closing] == [False]
