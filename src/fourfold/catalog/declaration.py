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

__all__ = ["Declaration", "Declared", "Outside"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What a write that reaches another system does in the store, and how it asks the other system afterwards.

    The parameters of each function are filled by type.

    Args:
        record: a plain function that stores what came of it: it takes the handler's result by its type, and a `Unit`,
            and returns the output. One transaction with settling; without it, the handler returns the output.
        reconcile: an async function that asks the other system whether an operation happened: `Happened(result)`,
            `DidNotHappen()` or `CannotTell()`.
        reserve: a plain function that sets aside what the effect will use up, in the transaction of its claim, so that
            two of them cannot both have it. It may raise declared faults.
        give_back: the other half of `reserve`: it runs in the transaction that settles a final refusal, or a person's
            word that it never will happen. What may have happened, or may be tried again, stays set aside.
    """

    record: Factory | None = None
    reconcile: Factory | None = None
    reserve: Factory | None = None
    give_back: Factory | None = None


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
    outside: Outside = field(default_factory=Outside)
    ask: Factory | None = None
    says: str = ""
    keep: frozenset[str] = frozenset()
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
