"""What a kit hides, for tests of what happens between two calls: its store, and the same service with other ports."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from fourfold.ports.units import Transaction
from fourfold.stages.service import Service
from fourfold.testing import Kit

__all__ = ["inside", "with_ports"]

T = TypeVar("T")


def inside(kit: Kit, work: Callable[[Transaction], T]) -> T:
    """What `work` gives in one write transaction of the kit's store."""
    ports = kit.service.ports
    return kit._portal.call(partial(ports.units.write, work, deadline=ports.clock.ticks() + 10))


def with_ports(kit: Kit, **ports: Any) -> Kit:
    """The same kit with other ports."""
    service = Service(replace(kit.service.ports, **ports))
    return Kit(service, kit._store, clock=kit.clock, portal=kit._portal)
