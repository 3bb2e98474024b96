"""A run with the other attempts of its operation, for the line of time that shows what came before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fourfold.ports.runs import RunRecord
from fourfold.runs.asking import AskedStore, ask

__all__ = ["MOST_ATTEMPTS", "Story", "story"]

MOST_ATTEMPTS = 50
"""Attempts of an operation that are shown, the first ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A run, and what belongs to it.

    Attributes:
        record: the run that was asked for.
        attempts: the runs of its operation that are kept, oldest first; the run itself is among them.
        linked_by: `key` where all of them have one operation id, which is certain; `time` where the same caller
            called the tool soon after, which is a guess; "" for a run that is alone.
        more: whether the operation had more attempts than these.
    """

    record: RunRecord
    attempts: Sequence[RunRecord]
    linked_by: Literal["", "key", "time"]
    more: bool = False


async def story(store: AskedStore, run_id: str, *, tenant: str | None) -> Story | None:
    """The story of a run, by its id or by the reference that an `internal` answer gave; `None` without such a run.

    A run that is in no sum yet is alone: attempts are linked when they are summed up.

    Raises:
        StoreError: the database refused or failed.
    """
    record = await store.runs.show(run_id)
    if record is None or tenant not in (None, record.run.tenant):
        return None
    own_id, owner = record.run.run_id, record.run.tenant
    ids = await ask(store, lambda unit: store.tallies.attempts(unit, own_id, limit=MOST_ATTEMPTS + 1), tenant=owner)
    attempts = await store.runs.these([*dict.fromkeys((own_id, *ids[:MOST_ATTEMPTS]))], tenant=owner)
    return Story(record=record, attempts=attempts, linked_by=_linked_by(attempts), more=len(ids) > MOST_ATTEMPTS)


def _linked_by(attempts: Sequence[RunRecord]) -> Literal["", "key", "time"]:
    if len(attempts) < 2:
        return ""
    ids = {record.run.operation_id for record in attempts}
    return "key" if len(ids) == 1 and "" not in ids else "time"
