"""Tells telemetry what waits for a person: it is asked of the store, since nobody may call for a long time."""

from __future__ import annotations

import logging
from typing import Protocol

import anyio

from fourfold.errors import StoreError
from fourfold.ports.claims import Claims
from fourfold.ports.clock import Clock
from fourfold.ports.plans import Plans
from fourfold.ports.telemetry import Telemetry, Waiting
from fourfold.ports.units import Unit, Units

__all__ = ["Waited", "tell_what_waits"]

PERIOD_S = 5.0
"""Seconds between two looks, each of which counts along two indexes."""

_READ_S = 5.0

_log = logging.getLogger(__name__)


class Waited(Protocol):
    """The part of a store that is asked."""

    @property
    def units(self) -> Units:
        """Transactions."""
        ...

    @property
    def claims(self) -> Claims:
        """Claims."""
        ...

    @property
    def plans(self) -> Plans:
        """Plans."""
        ...


async def tell_what_waits(store: Waited, telemetry: Telemetry, *, clock: Clock, period_s: float = PERIOD_S) -> None:
    """Tell it once a period until cancelled."""

    def look(unit: Unit) -> Waiting:
        return Waiting(
            unknown_claims=store.claims.count_unknown(unit),
            approvals=store.plans.count_waiting(unit, now_ms=clock.now_ms()),
        )

    while True:
        try:
            found = await store.units.read(look, deadline=clock.ticks() + _READ_S, subject=_nobody)
            telemetry.waits(found)
        except StoreError as error:
            _log.warning("what waits for a person cannot be counted now; it is tried again", exc_info=error)
        await anyio.sleep(period_s)


def _nobody(_subject: str) -> None:
    """It is about no account."""
