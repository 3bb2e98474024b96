"""The stages of one call, outermost first. This is the table of contents; each stage is one file.

| # | stage | does |
|---|---|---|
| 1 | `run` | opens the record before anything can fail, closes it whatever happens |
| 2 | `admit` | known tool, listed for this caller, size, rate, concurrency |
| 3 | `validate_input` | every problem with its path, before any side effect |
| 4 | `recall` | an execute goes on with the arguments of its plan |
| 5 | `authorize` | scopes and policy; a denied object looks like an absent one |
| 6 | `plan` | the call of a plan tool ends here: nothing has happened |
| 7 | `replay` | a settled key is answered with what it was answered then |
| 8 | `consent` | a person at the client has answered what the tool asks, in as many rounds as it takes |
| 9 | `approve` | whoever must agree to the plan has agreed |
| 10 | `claim` | a write: claim, effect, settlement and run in one transaction, or in two around an effect outside |
| 11 | `preconditions` | inside it: the object is there, permitted, and has the expected version |
| 12 | `validate_output` | the output contract, bounds, masking |
| 13 | `invoke` | the handler, within its deadline; what it may raise |

Stages 11 to 13 are plain functions that run inside the transaction (`inside.py`), for reads inside a read unit.
"""

from __future__ import annotations

from fourfold.model.outcome import Outcome
from fourfold.stages.admit import admit
from fourfold.stages.approve import approve
from fourfold.stages.authorize import authorize
from fourfold.stages.claim import claim
from fourfold.stages.consent import consent
from fourfold.stages.flow import Flow, Proceed, Stage
from fourfold.stages.inside import read
from fourfold.stages.planning import plan
from fourfold.stages.recall import recall
from fourfold.stages.replay import replay
from fourfold.stages.run import run
from fourfold.stages.validate_input import validate_input

__all__ = ["STAGES", "pipeline"]

STAGES: tuple[Stage, ...] = (run, admit, validate_input, recall, authorize, plan, replay, consent, approve, claim)
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
