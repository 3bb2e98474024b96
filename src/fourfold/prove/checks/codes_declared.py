"""Every failure carries a code that the contract declares or the framework has, with its own verb for a repeat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from fourfold.model.contract import ToolContract
from fourfold.model.fault import FRAMEWORK_CODES, FaultSpec
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.arguments import invalid_arguments, valid_arguments
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk, fault_of
from fourfold.prove.sample import Sample
from fourfold.review.answers import said
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    contract = tool.tool.contract
    if contract is None:
        return
    known, failures = _known(contract), 0
    for sample in _samples(desk, tool):
        answer = await desk.call(tool.name, sample.value)
        if succeeded(answer):
            continue
        failures += 1
        wrong = _wrong(answer, known)
        if wrong:
            raise Broken(wrong, desk.sent_as(tool.name, sample.value))
    if not failures:
        raise NotTested("no call failed", next_step="refuse arguments that break the schema")


def _known(contract: ToolContract) -> dict[str, FaultSpec]:
    declared = (*contract.faults, *([] if contract.missing is None else [contract.missing]))
    return {**FRAMEWORK_CODES, **{spec.code: spec for spec in declared}}


def _samples(desk: Desk, tool: ToolView) -> Iterator[Sample]:
    return chain(valid_arguments(desk, tool, check=CHECK.name), invalid_arguments(desk, tool, check=CHECK.name, most=6))


def _wrong(answer: ToolAnswer, known: dict[str, FaultSpec]) -> str:
    fault = fault_of(answer)
    code = str(fault.get("code", ""))
    if not code:
        return f"a failure has no code in its _meta: {in_short(answer)}"
    if code not in known:
        return f"the failure {code} is none that the contract declares"
    if not said(answer).startswith(f"{code}:"):
        return f"the text of the failure {code} does not begin with its code"
    if fault.get("retry") != known[code].retry:
        return f"the failure {code} says {fault.get('retry')} about a repeat, and is declared as {known[code].retry}"
    if not str(fault.get("next_step", "")).strip():
        return f"the failure {code} does not say what to do next"
    return ""


CHECK = Check(
    name="codes-declared",
    family="contract",
    proves="every failure has a code that is declared, in its text and its _meta, and says what to do next",
    requires=("B7", "A4", "A5"),
    run=_run,
    applies=lambda tool: tool.tool.contract is not None,
)
