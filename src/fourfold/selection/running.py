"""Runs a suite: every case as often as it is sampled, several at once, and each answer written down as it comes.

```python
outcome = await run_suite(cases, tools, chooser=chooser, terms=RunTerms(samples=3), file=Path("run.jsonl"), clock=clock)
facts, answers = read_run(path.open("rb"), name="run.jsonl")  # selection/recorded.py
```

A run that was killed goes on where it was: with the same suite, tools, chooser and terms, the same file is added to.
Samples that the provider did not answer are asked again then. Owns no scoring.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import BinaryIO

import anyio
from anyio.lowlevel import checkpoint

from fourfold.errors import ConfigError
from fourfold.model.case import Case
from fourfold.model.chosen import Choice, OfferedTool, Sampling
from fourfold.model.selected import RunFacts
from fourfold.ports.chooser import Chooser
from fourfold.ports.clock import Clock
from fourfold.selection.digest import messages_digest, suite_digest, text_digest, tool_digest, tools_digest
from fourfold.selection.recorded import Recorded, facts_line, read_run, recorded_line
from fourfold.selection.spending import Purse, SpendingCap

__all__ = ["SCORER", "RunOutcome", "RunProgress", "RunTerms", "facts_of", "run_suite"]

SCORER = "1"
"""Version of the rules that score; a new one where a verdict changes, since results before it can't be compared."""

_HOPELESS = frozenset({"http_401", "http_403", "http_404"})
"""A key, a right or a model that isn't there: no other case would be answered either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTerms:
    """How a suite is run.

    Attributes:
        samples: of each case.
        at_once: requests on their way at most.
        sampling: how the model is asked.
        cap: what it may cost; `None` for no bound.
    """

    samples: int = 3
    at_once: int = 4
    sampling: Sampling = field(default_factory=Sampling)
    cap: SpendingCap | None = None

    def __post_init__(self) -> None:
        if self.samples < 1 or self.at_once < 1:
            raise ConfigError("a run has at least one sample of each case, and one request at once")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """How far a run is. `seconds_left` is an estimate from this run's own pace, `spent` in US dollars."""

    done: int
    total: int
    failed: int
    spent: Decimal
    seconds_left: float
    case: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """How a run ended.

    Attributes:
        answered: samples in the file with an answer.
        failed: samples in the file without one.
        left: samples that were not asked.
        spent: US dollars, of this run and of what it went on with; zero without a cap.
        stopped: why it ended early: `budget`, or the failure that no other case would escape, with what was said.
    """

    answered: int
    failed: int
    left: int
    spent: Decimal
    stopped: str = ""


def facts_of(cases: Sequence[Case], tools: Sequence[OfferedTool], *, chooser: str, terms: RunTerms) -> RunFacts:
    """What the result of such a run depends on."""
    sampling = terms.sampling
    return RunFacts(
        suite=suite_digest(cases),
        cases=len(cases),
        samples=terms.samples,
        chooser=chooser,
        catalog=tools_digest(tools),
        tools={tool.name: tool_digest(tool) for tool in tools},
        system=text_digest(sampling.system) if sampling.system else "",
        temperature="" if sampling.temperature is None else str(sampling.temperature),
        max_tokens=sampling.max_tokens,
        scorer=SCORER,
    )


async def run_suite(
    cases: Sequence[Case],
    tools: Sequence[OfferedTool],
    *,
    chooser: Chooser,
    terms: RunTerms,
    file: Path,
    clock: Clock,
    tell: Callable[[RunProgress], None] | None = None,
) -> RunOutcome:
    """Ask for every sample that the file has no answer to, and add each as it comes.

    Args:
        cases: the suite.
        tools: what every case is offered.
        chooser: what decides.
        terms: how often, how many at once, and what it may cost.
        file: JSON Lines; made if it isn't there.
        clock: for the estimate.
        tell: called after each answer.

    Raises:
        ConfigError: the file is of another run, broken, or can't be written.
    """
    facts = facts_of(cases, tools, chooser=chooser.name, terms=terms)
    try:
        with _opened(file) as out:
            known = _known(out, facts, name=str(file))
            run = _Run(chooser=chooser, tools=tools, terms=terms, out=out, clock=clock, tell=tell)
            run.prepare(cases, known)
            return await run.carry_out()
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}") from None


def _opened(file: Path) -> BinaryIO:
    """The file, made readable by its owner alone: it holds what a model was told and said."""
    file.touch(mode=0o600)
    return file.open("r+b")


def _known(out: BinaryIO, facts: RunFacts, *, name: str) -> list[Recorded]:
    """What the file holds of this very run. A last line without an end is cut off, and new lines go behind the rest."""
    content = out.read()
    # A process that was killed while it wrote leaves a line without an end, and no line after it.
    whole = content[: content.rfind(b"\n") + 1]
    out.seek(len(whole))
    out.truncate()
    if not whole:
        out.write(facts_line(facts).encode() + b"\n")
        out.flush()
        return []
    before, answers = read_run(whole.splitlines(), name=name)
    if differing := before.differing(facts):
        raise ConfigError(f"{name} is of another run: {', '.join(differing)} differ; name another file")
    return answers


@dataclass(slots=True, kw_only=True)
class _Run:
    """One run on its way: `jobs` are to be asked yet, `broken` was asked in vain."""

    chooser: Chooser
    tools: Sequence[OfferedTool]
    terms: RunTerms
    out: BinaryIO
    clock: Clock
    tell: Callable[[RunProgress], None] | None
    purse: Purse = field(init=False)
    jobs: deque[tuple[Case, int]] = field(default_factory=deque["tuple[Case, int]"])
    broken: set[tuple[str, int]] = field(default_factory=set["tuple[str, int]"])
    total: int = 0
    answered: int = 0
    asked: int = 0
    begun: float = 0.0
    stopped: str = ""

    def __post_init__(self) -> None:
        self.purse = Purse(self.terms.cap)

    def prepare(self, cases: Sequence[Case], known: Sequence[Recorded]) -> None:
        """Find what is missing, and pay for what is known."""
        answers = {(each.case, each.sample): each.choice for each in known if not each.choice.failure}
        self.answered = len(answers)
        self.purse.settle_known(answers.values())
        every = ((case, sample) for case in cases for sample in range(self.terms.samples))
        self.jobs.extend((case, sample) for case, sample in every if (case.id, sample) not in answers)
        self.total = len(cases) * self.terms.samples

    async def carry_out(self) -> RunOutcome:
        """Ask for what is missing, until it is all there or something ends the run."""
        self.begun = self.clock.ticks()
        async with anyio.create_task_group() as tasks:
            for _ in range(min(self.terms.at_once, len(self.jobs))):
                tasks.start_soon(self._work)
        return RunOutcome(
            answered=self.answered,
            failed=len(self.broken),
            left=len(self.jobs),
            spent=self.purse.spent,
            stopped=self.stopped or ("budget" if self.jobs else ""),
        )

    async def _work(self) -> None:
        """Ask one after the other. Where the cap holds no more, what is on its way may cost less than reserved."""
        while self.jobs and not self.stopped:
            # Taken only once it is paid for: else what one worker can't afford would be missing for the others.
            case, sample = self.jobs[0]
            reserved = self.purse.reserve(case.messages, self.tools, sampling=self.terms.sampling)
            if reserved is None:
                return
            self.jobs.popleft()
            # A baseline decides without waiting for anything, and Ctrl-C has to be heard all the same.
            await checkpoint()
            choice = await self.chooser.choose(case.messages, self.tools, sampling=self.terms.sampling, sample=sample)
            self.purse.settle(reserved, choice)
            self._keep(case, sample, choice)

    def _keep(self, case: Case, sample: int, choice: Choice) -> None:
        messages = messages_digest(case.messages)
        line = recorded_line(Recorded(case=case.id, sample=sample, messages=messages, choice=choice))
        self.out.write(line.encode() + b"\n")
        self.out.flush()
        self.asked += 1
        self.answered += not choice.failure
        if choice.failure:
            self.broken.add((case.id, sample))
        if choice.failure in _HOPELESS:
            self.stopped = f"{choice.failure}: {choice.text}" if choice.text else choice.failure
        if self.tell is not None:
            self.tell(self._progress(case))

    def _progress(self, case: Case) -> RunProgress:
        pace = (self.clock.ticks() - self.begun) / self.asked
        done = self.answered + len(self.broken)
        return RunProgress(
            done=done,
            total=self.total,
            failed=len(self.broken),
            spent=self.purse.spent,
            seconds_left=pace * (self.total - done),
            case=case.id,
        )
