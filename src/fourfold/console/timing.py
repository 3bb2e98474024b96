"""Where the time of a call went: its stages in the order of the pipeline, each without the stages inside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fourfold.ports.runs import RunRecord
from fourfold.runs.latency import total_us
from fourfold.stages.pipeline import STAGES

__all__ = ["StageTime", "Timing", "timing_of"]

_INSIDE = ("preconditions", "invoke", "validate_output")
"""What runs inside the transaction, in that order."""

_ORDER = {name: place for place, name in enumerate((*(stage.__name__ for stage in STAGES), *_INSIDE))}


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTime:
    """A stage with its microseconds. `starts` and `share` are parts of all that is drawn, from 0 to 1."""

    name: str
    us: int
    starts: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The stages of a call.

    Attributes:
        total_us: all of them and what lies between, in microseconds.
        commit_us: until the transaction was stored, which is known of writes; 0 where it is not.
    """

    stages: Sequence[StageTime]
    total_us: int
    commit_us: int


def timing_of(record: RunRecord) -> Timing:
    """Where the time of a run went."""
    spent = sorted(record.run.stage_us.items(), key=lambda item: _ORDER.get(item[0], len(_ORDER)))
    total, in_stages = total_us(record.run, record.closing), sum(record.run.stage_us.values())
    # Stages are timed up to the moment that the run is written; what a write takes after that is in its closing.
    commit = max(0, total - in_stages)
    drawn, before, stages = max(1, in_stages + commit), 0, list[StageTime]()
    for name, us in spent:
        stages.append(StageTime(name=name, us=us, starts=before / drawn, share=us / drawn))
        before += us
    return Timing(stages=stages, total_us=total, commit_us=commit)
