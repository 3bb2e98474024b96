"""A result as the store keeps it: sums by tool, and which tool was taken for which. Owns no SQL."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from fourfold.model.scored import RULES_OF_ARGUMENTS, Reason, Rule
from fourfold.model.selected import KeptResult, ToolScore
from fourfold.selection.conduct import Conduct, Miss, conduct, misses
from fourfold.selection.result import Result
from fourfold.selection.tally import NO_TOOL, Tally

__all__ = ["Beside", "Confusion", "kept"]

Confusion = Mapping[tuple[str, str], int]
"""How often a case that wants one tool first got another one, or the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What is known of a run besides its result.

    Attributes:
        suite: the name of the suite's file.
        versions: of the contracts, by tool.
        by_rule: the same answers, scored by other rules.
    """

    suite: str = ""
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    by_rule: Mapping[Rule, Tally] = field(default_factory=dict[Rule, Tally])


def kept(result: Result, beside: Beside) -> KeptResult:
    """The result as it is kept."""
    tally = result.tally
    known = [case for case in tally.cases if tally.of_case[case.id]]
    return KeptResult(
        result_id=_digest(result),
        name=result.name,
        suite=beside.suite,
        at=result.at,
        rule=result.rule,
        facts=result.facts,
        models=result.models,
        cases=len(known),
        cases_right=sum(not tally.mostly_fails(case) for case in known),
        tools=_scores(result, beside),
    )


def _digest(result: Result) -> str:
    """The name is not in it: the same result under another one is still the same."""
    verdicts = [asdict(verdict) for verdict in result.tally.verdicts]
    said = [result.at, result.rule, asdict(result.facts), result.models, verdicts]
    return hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def _scores(result: Result, beside: Beside) -> tuple[ToolScore, ...]:
    wanted = {verdict.case: verdict.expected or NO_TOOL for verdict in result.tally.verdicts}
    found = {tool: _cases(result.tally, wanted, tool) for tool in {*wanted.values()}}
    missed = {miss.tool: miss for miss in misses(result.tally)}
    called = {each.tool: each for each in conduct(result.tally)}
    by_rule = {result.rule: result.tally, **beside.by_rule}
    reasons = _reasons(result.tally)
    return tuple(
        ToolScore(
            tool=tool,
            version=beside.versions.get(tool, ""),
            **_counts(found.get(tool, Tally((), ()))),
            **{rule: _right(by_rule.get(rule), found.get(tool)) for rule in RULES_OF_ARGUMENTS},
            **_missed(missed.get(tool)),
            **_called(called.get(tool)),
            reasons=reasons.get(tool, {}),
        )
        for tool in sorted({*found, *called})
    )


def _cases(tally: Tally, wanted: Mapping[str, str], tool: str) -> Tally:
    return tally.of([case for case in tally.cases if wanted.get(case.id) == tool])


def _counts(mine: Tally) -> dict[str, int]:
    known = [case for case in mine.cases if mine.of_case[case.id]]
    right = sum(not mine.mostly_fails(case) for case in known)
    overall = mine.overall
    return {"cases": len(known), "cases_right": right, "samples": overall.counted, "right": overall.passed}


def _missed(miss: Miss | None) -> dict[str, int]:
    return {} if miss is None else {"wrong_tool": miss.wrong_tool.passed, "no_call": miss.no_call.passed}


def _called(found: Conduct | None) -> dict[str, int]:
    if found is None:
        return {}
    return {"calls": found.against_policy.counted, "forbidden": found.forbidden, "authority": found.authority}


def _reasons(tally: Tally) -> Mapping[str, Mapping[Reason, int]]:
    found: dict[str, Counter[Reason]] = {}
    for verdict in tally.verdicts:
        if verdict.reason:
            found.setdefault(verdict.expected or NO_TOOL, Counter())[verdict.reason] += 1
    return found


def _right(tally: Tally | None, mine: Tally | None) -> int | None:
    """How many samples of some cases pass; `None` where nobody has scored them."""
    if tally is None:
        return None
    ids = {case.id for case in mine.cases} if mine else set[str]()
    return sum(verdict.passed for verdict in tally.verdicts if verdict.case in ids)
