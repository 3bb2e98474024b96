"""What was kept of a call, found by its run and opened with the keys that there are."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.errors import SealError
from fourfold.model.kept import KeptCall
from fourfold.model.run import Run
from fourfold.ports.runs import Runs
from fourfold.ports.sealer import Sealer
from fourfold.stages.keeping import opened

__all__ = ["FoundKept", "find_kept"]

_OTHER_KEYS = "it is kept, but sealed with other keys, or its time is up"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundKept:
    """Something is kept until `until_ms` (epoch). `call` is `None` if it cannot be read, and then `why` says why."""

    until_ms: int
    call: KeptCall | None
    why: str = ""


async def find_kept(runs: Runs, run: Run, *, sealer: Sealer | None, now_ms: int) -> FoundKept | None:
    """What is kept of the call of `run`; `None` if nothing is. Without a `sealer` nobody can read it."""
    kept = await runs.kept(run.run_id, tenant=run.tenant)
    if kept is None:
        return None
    if sealer is None:
        return FoundKept(until_ms=kept.purge_after_ms, call=None, why="it is kept sealed, and the keys are not here")
    try:
        call = opened(kept, sealer, now_ms=now_ms)
    except SealError:
        return FoundKept(until_ms=kept.purge_after_ms, call=None, why=_OTHER_KEYS)
    return FoundKept(until_ms=kept.purge_after_ms, call=call)
