"""`Declaration` and `Declared`: what a team wrote, as data. Nothing in it is checked yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from fourfold.catalog.provide import Factory
from fourfold.model.contract import Limits, Waiver
from fourfold.model.effect import Effect
from fourfold.model.fault import Fault
from fourfold.ports.outbox import Send
from fourfold.ports.policy import Policy
from fourfold.ports.units import Unit

__all__ = ["Declaration", "Declared"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """One `@catalog.tool(…)` as it was written."""

    handler: Factory
    name: str
    version: str
    does: str
    use_when: str
    not_for: str
    effect: Effect
    inputs: str = ""
    returns: str = ""
    title: str = ""
    missing: type[Fault] | None = None
    faults: tuple[type[Fault], ...] = ()
    needs: frozenset[str] = frozenset()
    step_up: bool = False
    toolsets: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)
    page_limit: int = 50
    resource: Factory | None = None
    reserve: Factory | None = None
    give_back: Factory | None = None
    record: Factory | None = None
    reconcile: Factory | None = None
    ask: Factory | None = None
    says: str = ""
    waivers: tuple[Waiver, ...] = ()


@dataclass(slots=True)
class Declared:
    """The declarations of a catalog, and what it was told beside them; see `catalog.declare.Catalog`."""

    name: str
    version: str = "0"
    instructions: str = ""
    policy: Policy | None = None
    declarations: list[Declaration] = field(default_factory=list[Declaration])
    factories: dict[type, Factory] = field(default_factory=dict[type, Factory])
    senders: dict[str, Send] = field(default_factory=dict[str, Send])
    preparations: list[Callable[[Unit], None]] = field(default_factory=list[Callable[[Unit], None]])
