"""`periodically`: a job of a server's upkeep, again and again. Owns when; what is done is the job's."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from random import Random, SystemRandom

import anyio

from fourfold.errors import StoreError

__all__ = ["periodically"]

_log = logging.getLogger(__name__)


async def periodically(
    job: Callable[[], Awaitable[object]], *, period_s: float, trouble: str, random: Random | None = None
) -> None:
    """Do `job` about once a period until cancelled; when the store fails it, `trouble` is logged and it is tried again.

    Replicas that start together drift apart.
    """
    chance = random or SystemRandom()
    while True:
        await anyio.sleep(period_s * chance.uniform(0.5, 1.5))
        try:
            await job()
        except StoreError as error:
            _log.warning("%s; it is tried again", trouble, exc_info=error)
