"""Scores the answers of a run by one of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from fourfold.model.case import Case, ExpectedCall
from fourfold.model.chosen import Choice, ChosenCall, OfferedTool
from fourfold.model.scored import Rule, SampleVerdict
from fourfold.selection.breaches import breaches_of
from fourfold.selection.digest import messages_digest
from fourfold.selection.exact import Fault, judged_by, score_exact
from fourfold.selection.lenient import score_lenient
from fourfold.selection.recorded import Recorded

__all__ = ["score", "score_tools"]


class _Scorer(Protocol):
    def __call__(
        self, case: Case, choice: Choice, *, tools: Mapping[str, OfferedTool], sample: int = 0
    ) -> SampleVerdict: ...


def score_tools(case: Case, choice: Choice, *, tools: Mapping[str, OfferedTool], sample: int = 0) -> SampleVerdict:
    """The verdict on the tool alone; the arguments are those of `score_exact`."""
    return judged_by(_nothing_wrong, case, choice=choice, tools=tools, sample=sample)


def score(
    cases: Sequence[Case], answers: Iterable[Recorded], *, tools: Sequence[OfferedTool], rule: Rule
) -> tuple[SampleVerdict, ...]:
    """A verdict on each answer to one of the cases, as its conversation is now; other answers are left out."""
    scorer, offered = _RULES[rule], {tool.name: tool for tool in tools}
    # An answer belongs to a conversation: a case that was edited since is another one.
    known = {(case.id, messages_digest(case.messages)): case for case in cases}
    found = ((known.get((each.case, each.messages)), each) for each in answers)
    return tuple(
        _with_calls(scorer(case, each.choice, tools=offered, sample=each.sample), case, choice=each.choice)
        for case, each in found
        if case is not None
    )


def _with_calls(verdict: SampleVerdict, case: Case, *, choice: Choice) -> SampleVerdict:
    """The verdict with what policy says of the calls, which no rule changes."""
    return replace(verdict, called=tuple(call.name for call in choice.calls), breaches=breaches_of(case, choice))


def _nothing_wrong(_: ExpectedCall, __: ChosenCall, ___: OfferedTool | None) -> Fault | None:
    return None


_RULES: Mapping[Rule, _Scorer] = {"exact": score_exact, "lenient": score_lenient, "tools": score_tools}
