"""The stages of one call, outermost first. This is the table of contents; each stage is one file.

| # | stage | does |
|---|---|---|
| 1 | `run` | opens the record before anything can fail, closes it whatever happens |
| 2 | `admit` | known tool, listed for this caller, size, rate, concurrency |
| 3 | `validate_input` | every problem with its path, before any side effect |
| 4 | `authorize` | scopes and policy; a denied object looks like an absent one |
| 5 | `replay` | a settled key is answered with what it was answered then |
| 7 | `claim` | a write: claim, effect, settlement and run in one transaction |
| 8 | `preconditions` | inside it: the object is there, permitted, and has the expected version |
| 9 | `validate_output` | the output contract, bounds, masking |
| 10 | `invoke` | the handler, within its deadline; what it may raise |

Stages 8 to 10 are plain functions that run inside the transaction (`inside.py`), for reads inside a read unit.
Stage 6, `consent`, stands between replay and claim, so that no human wait holds a claim.
"""

from __future__ import annotations

from fourfold.model.outcome import Outcome
from fourfold.stages.admit import admit
from fourfold.stages.authorize import authorize
from fourfold.stages.claim import claim
from fourfold.stages.flow import Flow, Proceed, Stage
from fourfold.stages.inside import read
from fourfold.stages.replay import replay
from fourfold.stages.run import run
from fourfold.stages.validate_input import validate_input

__all__ = ["STAGES", "pipeline"]

STAGES: tuple[Stage, ...] = (run, admit, validate_input, authorize, replay, claim)
"""What a call goes through, outermost first; a write ends in `claim`, a read goes on to `inside.read`."""


def pipeline(stages: tuple[Stage, ...] = STAGES, last: Proceed = read) -> Proceed:
    """The stages folded into one function of a flow, each with its own time in the run."""
    proceed = last
    for stage in reversed(stages):
        proceed = _step(stage, proceed)
    return proceed


def _step(stage: Stage, proceed: Proceed) -> Proceed:
    name = stage.__name__

    async def step(flow: Flow) -> Outcome:
        around = flow.enter(name)
        try:
            return await stage(flow, proceed)
        finally:
            flow.enter(around)

    return step
