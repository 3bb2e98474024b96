"""What a server does beside its calls: sends what is in the outbox, sums up and seals runs, drops what is past.

Where anybody listens, it also tells what waits for a person.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio

from fourfold.errors import StoreError
from fourfold.runs.sealing import seal_all
from fourfold.runs.upkeep import fold_by_the_minute, seal_by_the_minute
from fourfold.stages.purge import purge_by_the_hour
from fourfold.stages.relay import Relay
from fourfold.stages.service import Service
from fourfold.stages.waiting import tell_what_waits

__all__ = ["FOLD_S", "FOLD_WATCHED_S", "alongside", "looked_after"]

Job = Callable[[], Coroutine[Any, Any, None]]

FOLD_S = 60
"""Seconds between sums over the runs."""

FOLD_WATCHED_S = 5
"""The same while somebody looks at the console."""

LAST_S = 2.0
"""Seconds that a server which is stopped takes at most to seal its last runs."""

_log = logging.getLogger(__name__)


@asynccontextmanager
async def looked_after(service: Service, *, fold_s: float = FOLD_S) -> AsyncGenerator[None]:
    """Look after the store of `service` until the block ends; a message that is being sent is still noted then.

    Runs are summed up about every `fold_s` seconds.
    """
    ports = service.ports
    jobs: list[Job] = [
        partial(purge_by_the_hour, ports, clock=ports.clock, retention=ports.retention),
        partial(fold_by_the_minute, ports, clock=ports.clock, period_s=fold_s),
        partial(seal_by_the_minute, ports, clock=ports.clock, signer=ports.sealer.signer),
    ]
    if ports.telemetry is not None:
        jobs.append(partial(tell_what_waits, ports, ports.telemetry, clock=ports.clock))
    if ports.catalog.source.senders:
        jobs.append(partial(Relay.over(ports).run, ports.bell))
    async with alongside(*jobs):
        yield
    await _seal_the_rest(service)


async def _seal_the_rest(service: Service) -> None:
    """Seal what was stored since the last time, so that no run of a server that is stopped waits for the next start."""
    ports = service.ports
    with anyio.move_on_after(LAST_S, shield=True):
        try:
            await ports.runs.flush()
            await seal_all(ports, clock=ports.clock, signer=ports.sealer.signer)
        except StoreError as error:
            _log.warning("the last runs are not sealed yet; the next server does it", exc_info=error)


@asynccontextmanager
async def alongside(*jobs: Job) -> AsyncGenerator[None]:
    """Run `jobs` beside the block, and cancel them at its end. What the block raises comes out as it is."""
    failure: Exception | None = None
    async with anyio.create_task_group() as tasks:
        for job in jobs:
            tasks.start_soon(job)
        try:
            yield
        except Exception as error:  # raised below, since a task group would hand it on in a group
            failure = error
        tasks.cancel_scope.cancel()
    if failure is not None:
        raise failure
