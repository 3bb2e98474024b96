"""Runs a suite and measures it: asks, scores, keeps the verdicts, compares, and lets the gate judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from fourfold.adapters.clock import SystemClock
from fourfold.bootstrap.files import timestamp
from fourfold.bootstrap.selecting import ChooserSpec, Provider, add_verdicts, opened_chooser
from fourfold.errors import ConfigError
from fourfold.model.case import Case
from fourfold.model.chosen import OfferedTool, Sampling
from fourfold.model.scored import RULES_OF_ARGUMENTS, Rule, SampleVerdict
from fourfold.model.selected import KeptResult
from fourfold.ports.chooser import Chooser
from fourfold.selection.comparable import Difference, differences, facts_differing, refuse_incomparable
from fourfold.selection.compare import Gate, compare
from fourfold.selection.digest import messages_digest
from fourfold.selection.effort import effort, schema_tokens
from fourfold.selection.keeping import Beside, kept
from fourfold.selection.measured import Measured, gated, seen_by_gate
from fourfold.selection.recorded import Recorded, read_run
from fourfold.selection.result import Result, models_of
from fourfold.selection.running import RunOutcome, RunProgress, RunTerms, facts_of, run_suite
from fourfold.selection.scoring import score
from fourfold.selection.soundness import remarks_on
from fourfold.selection.spending import SpendingCap
from fourfold.selection.tally import Tally
from fourfold.selection.tasks import Enactor, enacted

__all__ = ["Asking", "ask_case", "measure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What is asked, of whom, and how it is scored.

    Attributes:
        suite, target: as the user named them.
        file: where the answers are kept.
        prices: for what the answers have cost; `terms.cap` is what they may cost.
        against: an earlier result to compare with.
        force: compare with it although more than one thing differs.
        remarks: what is known before the run that a reader should know.
        versions: of the contracts behind the tools, by tool, where the target is a catalog.
        enactor: makes the chosen calls of cases with an end state; `None` makes none.
        name: what the result is called where it is kept; empty if its file is gone afterwards.
    """

    suite: str
    target: str
    cases: Sequence[Case]
    tools: Sequence[OfferedTool]
    spec: ChooserSpec
    provider: Provider
    terms: RunTerms
    rule: Rule
    file: Path
    prices: SpendingCap | None = None
    against: Result | None = None
    force: bool = False
    remarks: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    enactor: Enactor | None = None
    name: str = ""


async def measure(asking: Asking, *, tell: Callable[[RunProgress], None] | None = None) -> Measured:
    """Run the suite, and measure what came of it.

    Raises:
        ConfigError: the chooser can't be opened, the file is of another run or can't be written, or the earlier
            result can't be compared with; that is found out before anything is asked.
    """
    _refuse_early(asking)
    async with opened_chooser(asking.spec, asking.provider) as chooser:
        outcome = await run_suite(
            asking.cases,
            asking.tools,
            chooser=chooser,
            terms=asking.terms,
            file=asking.file,
            clock=SystemClock(),
            tell=tell,
        )
    remarks = await remarks_on(asking.cases, asking.tools)
    # The file and not what was asked now: a run that goes on has older answers, too.
    with asking.file.open("rb") as lines:
        facts, answers = read_run(lines, name=str(asking.file))
    after = Result(
        name="this run",
        at=timestamp(),
        rule=asking.rule,
        facts=facts,
        models=models_of(answers),
        tally=await _with_tasks(asking, answers, _tally(asking, answers, rule=asking.rule)),
        suite=Path(asking.suite).name,
        versions=asking.versions,
    )
    # A run that ended early is no result yet: nobody shall compare with it.
    if not outcome.left:
        after = replace(after, at=add_verdicts(asking.file, after))
    return _measured(asking, after, answers=answers, outcome=outcome, remarks=remarks)


async def ask_case(
    case: Case,
    tools: Sequence[OfferedTool],
    *,
    chooser: Chooser,
    samples: int,
    sampling: Sampling,
    rule: Rule,
) -> tuple[SampleVerdict, ...]:
    """The verdicts on some samples of one case, asked one after the other and kept nowhere."""
    messages = messages_digest(case.messages)
    answers: list[Recorded] = []
    for sample in range(samples):
        choice = await chooser.choose(case.messages, tools, sampling=sampling, sample=sample)
        answers.append(Recorded(case=case.id, sample=sample, messages=messages, choice=choice))
    return score([case], answers, tools=tools, rule=rule)


def _tally(asking: Asking, answers: Sequence[Recorded], *, rule: Rule) -> Tally:
    return Tally(asking.cases, score(asking.cases, answers, tools=asking.tools, rule=rule))


async def _with_tasks(asking: Asking, answers: Sequence[Recorded], tally: Tally) -> Tally:
    """The verdicts, with what came of the calls where they are made."""
    if asking.enactor is None:
        return tally
    return Tally(tally.cases, await enacted(tally.cases, answers, verdicts=tally.verdicts, enactor=asking.enactor))


def _kept(asking: Asking, after: Result, answers: Sequence[Recorded]) -> KeptResult:
    # A baseline chooses no arguments, so that every rule that looks at them would fail it.
    others = RULES_OF_ARGUMENTS if asking.rule in RULES_OF_ARGUMENTS else ()
    by_rule: dict[Rule, Tally] = {rule: _tally(asking, answers, rule=rule) for rule in others}
    beside = Beside(suite=after.suite, versions=after.versions, by_rule=by_rule)
    return kept(replace(after, name=asking.name), beside)


def _refuse_early(asking: Asking) -> None:
    """Refuse a comparison that would be refused afterwards, when the answers are paid for."""
    before = asking.against
    if before is None or asking.force:
        return
    facts = facts_of(asking.cases, asking.tools, chooser=asking.spec.name, terms=asking.terms)
    found = facts_differing(before.facts, facts)
    if before.rule != asking.rule:
        found.append(Difference(kind="rule", detail=f"{before.rule} to {asking.rule}"))
    refuse_incomparable(found, before=before.name, after="this run")


def _measured(
    asking: Asking, after: Result, *, answers: Sequence[Recorded], outcome: RunOutcome, remarks: Sequence[str]
) -> Measured:
    before, refused = asking.against, _refused(asking, after)
    # What may not be compared must not judge either; why stands among the failures.
    found = gated(None if before is None or refused else before.tally, after.tally)
    return Measured(
        suite=asking.suite,
        target=asking.target,
        rule=asking.rule,
        facts=after.facts,
        outcome=outcome,
        models=after.models,
        tally=after.tally,
        effort=effort([each.choice for each in answers], asking.prices),
        gate=Gate(failures=(*found.failures, *refused), warnings=found.warnings),
        schemas=schema_tokens(asking.tools),
        kept=_kept(asking, after, answers),
        against=before.name if before is not None else "",
        comparison=None if before is None or refused else compare(before.tally, after.tally),
        remarks=(*asking.remarks, *remarks, *_notes(asking, outcome, after)),
    )


def _refused(asking: Asking, after: Result) -> tuple[str, ...]:
    """Why the earlier result can't be compared with after all: the provider may have changed the model's version."""
    if asking.against is None or asking.force:
        return ()
    try:
        found = differences(asking.against, after)
        refuse_incomparable(found, before=asking.against.name, after=after.name)
    except ConfigError as error:
        return (str(error),)
    return ()


def _notes(asking: Asking, outcome: RunOutcome, after: Result) -> list[str]:
    notes: list[str] = []
    if said := seen_by_gate(asking.cases):
        notes.append(said)
    if asking.rule == "tools":
        notes.append(f"{asking.spec.name} is scored on the tool alone: arguments are not counted")
    if len(after.models) > 1:
        notes.append(f"several models or versions have answered: {', '.join(after.models)}")
    if outcome.stopped:
        notes.append(f"the run ended early ({outcome.stopped}); the same command with the same --out goes on with it")
    return notes
