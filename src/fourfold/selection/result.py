"""The result of a run: its facts and the verdicts on its answers, so that it stands without the suite and the tools.

The verdicts are one more line of the run's file, behind the answers. A run that goes on adds another; the last counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import cast

from fourfold.contracts.strict_json import StrictJsonError, parse
from fourfold.errors import ConfigError
from fourfold.model.case import Case, CaseClass, Expectation
from fourfold.model.contract import JsonObject
from fourfold.model.scored import RULES, Breach, BreachKind, Reason, Rule, SampleVerdict, Task
from fourfold.model.selected import RunFacts
from fourfold.selection.recorded import Recorded, read_run
from fourfold.selection.tally import Tally
from fourfold.selection.wire.values import count_of, list_of, object_of, objects_of, text_of

__all__ = ["VERDICTS", "Result", "models_of", "read_result", "scored_at", "verdicts_line"]

VERDICTS = "fourfold/select-verdicts/v1"
"""The format of the line with the verdicts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A run with its verdicts.

    Attributes:
        name: what the user calls it.
        at: when it was scored, ISO 8601 in UTC.
        models: the models and versions that the provider says have answered, sorted.
        tally: the verdicts. Its cases have no conversation and no calls: only id, class, slices and `must_pass`.
        suite: the name of the suite's file; empty in files from before it was kept, as `versions` is.
        versions: of the contracts behind the tools, by tool, where the target was a catalog.
    """

    name: str
    at: str
    rule: Rule
    facts: RunFacts
    models: tuple[str, ...]
    tally: Tally
    suite: str = ""
    versions: Mapping[str, str] = field(default_factory=dict[str, str])


def verdicts_line(
    tally: Tally, *, rule: Rule, at: str, suite: str = "", versions: Mapping[str, str] | None = None
) -> str:
    """The verdicts as a line, without its end."""
    facts = {
        "format": VERDICTS,
        "at": at,
        "rule": rule,
        "suite": suite,
        "versions": {**(versions or {})},
        "cases": [_case_facts(case) for case in tally.cases],
        "verdicts": [asdict(verdict) for verdict in tally.verdicts],
    }
    return json.dumps(facts, ensure_ascii=False)


def read_result(lines: Iterable[bytes], *, name: str) -> Result:
    """The result in a file.

    Raises:
        ConfigError: it is no file of a run, a line is broken, or the run has no verdicts.
    """
    kept = [*lines]
    facts, answers = read_run(kept, name=name)
    found = next((verdicts for line in reversed(kept) if (verdicts := _verdicts(line)) is not None), None)
    if found is None:
        raise ConfigError(f"{name} has no verdicts; run it to its end with `fourfold select run … --out {name}`")
    cases = [_case(each) for each in objects_of(found.get("cases"))]
    verdicts = [_verdict(each) for each in objects_of(found.get("verdicts"))]
    rule: Rule | None = next((each for each in RULES if each == found.get("rule")), None)
    if rule is None or not {verdict.case for verdict in verdicts} <= {case.id for case in cases}:
        raise ConfigError(f"{name}: its line with the verdicts is broken; score it anew with `fourfold select run`")
    return Result(
        name=name,
        at=text_of(found.get("at")),
        rule=rule,
        facts=facts,
        models=models_of(answers),
        tally=Tally(cases, verdicts),
        suite=text_of(found.get("suite")),
        versions={tool: text_of(version) for tool, version in object_of(found.get("versions")).items()},
    )


def models_of(answers: Iterable[Recorded]) -> tuple[str, ...]:
    """The models and versions that have answered, sorted."""
    return tuple(sorted({each.choice.model for each in answers if each.choice.model}))


def scored_at(line: bytes) -> str | None:
    """When the verdicts of a line were reached; `None` if the line is none of verdicts."""
    found = _verdicts(line)
    return None if found is None else text_of(found.get("at"))


def _verdicts(line: bytes) -> JsonObject | None:
    """The line, if it holds verdicts."""
    # Parsing every answer once more would take as long as reading the run.
    if VERDICTS.encode() not in line:
        return None
    try:
        found = object_of(parse(line).value)
    except StrictJsonError:
        return None
    return found if found.get("format") == VERDICTS else None


def _case_facts(case: Case) -> JsonObject:
    return {
        "id": case.id,
        "class": case.case_class,
        "task_type": case.task_type,
        "labels": [*case.labels],
        "split": case.split,
        "must_pass": case.must_pass,
    }


def _case(value: JsonObject) -> Case:
    return Case(
        id=text_of(value.get("id")),
        case_class=cast("CaseClass", text_of(value.get("class"))),
        messages=(),
        expect=Expectation(decisions=()),
        task_type=text_of(value.get("task_type")),
        labels=tuple(map(text_of, list_of(value.get("labels")))),
        split="tune" if value.get("split") == "tune" else "holdout",
        must_pass=value.get("must_pass") is True,
    )


def _verdict(value: JsonObject) -> SampleVerdict:
    return SampleVerdict(
        case=text_of(value.get("case")),
        sample=count_of(value.get("sample")) or 0,
        passed=value.get("passed") is True,
        reason=cast("Reason", text_of(value.get("reason"))),
        argument=text_of(value.get("argument")),
        expected=text_of(value.get("expected")),
        chosen=text_of(value.get("chosen")),
        called=tuple(map(text_of, list_of(value.get("called")))),
        breaches=tuple(map(_breach, objects_of(value.get("breaches")))),
        task=cast("Task", text_of(value.get("task"))),
    )


def _breach(value: JsonObject) -> Breach:
    return Breach(
        tool=text_of(value.get("tool")),
        call=count_of(value.get("call")) or 0,
        kind=cast("BreachKind", text_of(value.get("kind"))),
        argument=text_of(value.get("argument")),
    )
