"""What the state machines of store tests share: a store for each example, and what no claim may go through."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar, cast

from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from fourfold.model.claim import Claim
from fourfold.ports.units import Unit
from tests.stores.domain import FAR, Store, read

__all__ = ["StoreMachine", "claims_in", "run_machine", "wrongs_of"]

T = TypeVar("T")

SETTLED = frozenset({"done", "failed"})


class StoreMachine(RuleBasedStateMachine):
    """A machine over one open store."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.store = store

    def teardown(self) -> None:
        """Close what was opened."""
        self.wait(self.store.aclose())
        self.runner.close()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` returns."""
        return self.runner.run(work)

    def act(self, work: Callable[[Unit], T]) -> T:
        """Run `work` in one write."""
        return self.wait(self.store.units.write(lambda transaction: work(transaction.unit), deadline=FAR))


def run_machine(make: Callable[[], StoreMachine], *, examples: int = 30, steps: int = 25) -> None:
    """Run that many histories of the machine, each on a store of its own."""
    # The first example makes the store's tables, which says nothing about how long the others take.
    chosen = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    # Hypothesis only calls it, and says that it wants a class.
    run_state_machine_as_test(cast("type[RuleBasedStateMachine]", make), settings=chosen)


def claims_in(machine: StoreMachine) -> Mapping[str, Claim]:
    """Every claim of the store, by operation."""
    store = machine.store
    found = machine.wait(read(store.units, lambda unit: store.claims.list(unit, state=None, tenant=None, limit=1_000)))
    return {claim.operation_id: claim for claim in found}


def wrongs_of(before: Mapping[str, Claim], after: Mapping[str, Claim]) -> list[str]:
    """What happened to claims that may happen to none, in words."""
    found: list[str] = []
    for operation_id, old in before.items():
        new = after.get(operation_id)
        if new is None:
            found += [f"{old.state} {operation_id} was dropped"] if old.state != "tombstone" else []
            continue
        if new.fence < old.fence or new.attempt < old.attempt:
            found.append(f"the fence of {operation_id} went back")
        if old.state in SETTLED and (new.state not in (old.state, "tombstone") or new.fence != old.fence):
            found.append(f"{operation_id} was {old.state}, and taken again")
        if old.state == "tombstone" and new != old:
            found.append(f"{operation_id} rose from its grave")
    return found
