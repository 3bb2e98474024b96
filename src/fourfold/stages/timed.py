"""`TimedUnits`: a store's units that tell how long each read and each write took."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from fourfold.errors import StoreError
from fourfold.ports.clock import Clock
from fourfold.ports.telemetry import StoreWork, Telemetry
from fourfold.ports.units import Transaction, Unit, Units

__all__ = ["TimedUnits"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TimedUnits:
    """Units over other units (ports.Units). A fault of the author's is no error of the store."""

    units: Units
    telemetry: Telemetry
    clock: Clock

    async def read(
        self, work: Callable[[Unit], T], *, deadline: float, subject: Callable[[str], None], tenant: str | None = None
    ) -> T:
        """As the units beneath; raises what they raise."""
        with self._told("read"):
            return await self.units.read(work, deadline=deadline, subject=subject, tenant=tenant)

    async def write(self, work: Callable[[Transaction], T], *, deadline: float, tenant: str | None = None) -> T:
        """As the units beneath; raises what they raise."""
        with self._told("write"):
            return await self.units.write(work, deadline=deadline, tenant=tenant)

    async def aclose(self) -> None:
        """As the units beneath."""
        await self.units.aclose()

    @contextmanager
    def _told(self, work: StoreWork) -> Generator[None]:
        started, error = self.clock.ticks(), ""
        try:
            yield
        except StoreError as failed:
            error = type(failed).__name__
            raise
        finally:
            self.telemetry.store_worked(work, seconds=self.clock.ticks() - started, error=error)
