"""What a server does beside its calls: sends what is in the outbox, sums up runs, drops what is past its time."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

import anyio

from fourfold.runs.upkeep import fold_by_the_minute
from fourfold.stages.purge import purge_by_the_hour
from fourfold.stages.relay import Relay
from fourfold.stages.service import Service

__all__ = ["looked_after"]


@asynccontextmanager
async def looked_after(service: Service) -> AsyncGenerator[None]:
    """Look after the store of `service` until the block ends; a message that is being sent is still noted then."""
    ports = service.ports
    failure: Exception | None = None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(purge_by_the_hour, ports, clock=ports.clock, retention=ports.retention))
        tasks.start_soon(partial(fold_by_the_minute, ports, clock=ports.clock))
        if ports.catalog.source.senders:
            tasks.start_soon(Relay.over(ports).run, ports.bell)
        try:
            yield
        except Exception as error:  # raised below, since a task group would hand it on in a group
            failure = error
        tasks.cancel_scope.cancel()
    if failure is not None:
        raise failure
