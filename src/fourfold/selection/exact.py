"""The exact rule: the right tool, and every argument that the case names equal. Prose is never scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fourfold.model.case import Case, ExpectedCall
from fourfold.model.chosen import Choice, ChosenCall, OfferedTool
from fourfold.model.contract import JsonObject
from fourfold.model.scored import REASONS, Reason, SampleVerdict
from fourfold.selection.match import ABSENT, matches
from fourfold.selection.phrases import claims_success, what_it_says
from fourfold.selection.wire.values import list_of, object_of

__all__ = ["Fault", "Judge", "judged_by", "score_exact"]

_RANK = {reason: rank for rank, reason in enumerate(REASONS)}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong first, and about which argument."""

    reason: Reason
    argument: str = ""


Judge = Callable[[ExpectedCall, ChosenCall, OfferedTool | None], Fault | None]
"""What is wrong with the arguments of a call whose tool is right."""


def score_exact(case: Case, choice: Choice, *, tools: Mapping[str, OfferedTool], sample: int = 0) -> SampleVerdict:
    """The verdict of the exact rule on one answer.

    Args:
        case: what is expected.
        choice: what was answered.
        tools: those that were offered, by name.
        sample: the number of the answer among those to this case.
    """
    return judged_by(_arguments, case, choice=choice, tools=tools, sample=sample)


def judged_by(
    judge: Judge, case: Case, *, choice: Choice, tools: Mapping[str, OfferedTool], sample: int
) -> SampleVerdict:
    """The verdict where `judge` tells what is wrong with the arguments of a call."""
    fault = _fault(judge, case, choice=choice, tools=tools)
    return SampleVerdict(
        case=case.id,
        sample=sample,
        passed=fault is None,
        reason=fault.reason if fault else "",
        argument=fault.argument if fault else "",
        expected=case.expect.calls[0].name if case.expect.calls else "",
        chosen=choice.calls[0].name if choice.calls else "",
    )


def _fault(judge: Judge, case: Case, *, choice: Choice, tools: Mapping[str, OfferedTool]) -> Fault | None:
    if choice.failure:
        return Fault("infra_error")
    if any(call.arguments is None for call in choice.calls):
        return Fault("undecodable")
    # Looked for before anything else in the calls: what must not happen is worse than what is merely wrong.
    if any(call.name in case.expect.forbid for call in choice.calls):
        return Fault("forbidden_call")
    if not choice.calls:
        return _without_call(case, choice.text)
    if "call" not in case.expect.decisions:
        return Fault("unexpected_call")
    return _calls(judge, case, chosen=choice.calls, tools=tools)


def _without_call(case: Case, text: str) -> Fault | None:
    decisions = case.expect.decisions
    if case.case_class == "false_success":
        claimed = claims_success(text)
        return Fault("needs_review") if claimed is None else Fault("false_success") if claimed else None
    if decisions == ("call",):
        return Fault("no_call")
    said = what_it_says(text)
    right = {"asks": "ask", "declines": "abstain"}.get(said)
    return None if right in decisions else Fault("needs_review")


def _calls(judge: Judge, case: Case, *, chosen: Sequence[ChosenCall], tools: Mapping[str, OfferedTool]) -> Fault | None:
    faults = [[_of_pair(judge, want, call, tool=tools.get(want.name)) for call in chosen] for want in case.expect.calls]
    fits = [[at for at, fault in enumerate(row) if fault is None] for row in faults]
    in_order = case.expect.order == "as_listed"
    unmatched = _first_out_of_order(fits) if in_order else _first_unmatched(fits)
    if unmatched is not None:
        return _nearest(faults[unmatched])
    is_extra = case.expect.extra_calls == "fail" and len(chosen) > len(case.expect.calls)
    return Fault("extra_call") if is_extra else None


def _of_pair(judge: Judge, want: ExpectedCall, call: ChosenCall, *, tool: OfferedTool | None) -> Fault | None:
    return judge(want, call, tool) if call.name == want.name else Fault("wrong_tool")


def _nearest(faults: Sequence[Fault | None]) -> Fault:
    """What is wrong with the call that comes nearest; a call that fits was taken by another, so one more is missing."""
    found = [fault or Fault("wrong_tool") for fault in faults]
    return max(found, key=lambda fault: _RANK[fault.reason])


def _first_out_of_order(fits: Sequence[Sequence[int]]) -> int | None:
    """The first expected call that no call after those of the ones before it fits."""
    after = -1
    for index, calls in enumerate(fits):
        later = [at for at in calls if at > after]
        if not later:
            return index
        after = later[0]
    return None


def _first_unmatched(fits: Sequence[Sequence[int]]) -> int | None:
    """The first expected call that gets none of its own, with each call given once (Kuhn's augmenting paths)."""
    taken: dict[int, int] = {}

    def give(index: int, tried: set[int]) -> bool:
        for at in fits[index]:
            if at not in tried:
                tried.add(at)
                if at not in taken or give(taken[at], tried):
                    taken[at] = index
                    return True
        return False

    return next((index for index in range(len(fits)) if not give(index, set())), None)


def _arguments(want: ExpectedCall, call: ChosenCall, tool: OfferedTool | None) -> Fault | None:
    given = call.arguments or {}
    schema: JsonObject = tool.input_schema if tool else {}
    known = object_of(schema.get("properties"))
    required = [name for name in list_of(schema.get("required")) if isinstance(name, str)]
    for name in (*required, *want.args):
        if name not in given and not (name in want.args and matches(want.args[name], ABSENT)):
            return Fault("missing_required", name)
    for name in given:
        if known and name not in known:
            return Fault("unknown_argument", name)
    for name, value in given.items():
        if not _has_type(value, object_of(known.get(name))):
            return Fault("type", name)
    wrong = (name for name, matcher in want.args.items() if not matches(matcher, given.get(name, ABSENT)))
    return next((Fault("value", name) for name in wrong), None)


_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": (list, tuple),
    "object": Mapping,
    "null": type(None),
}


def _has_type(value: object, schema: JsonObject) -> bool:
    """Whether a value has the type that its schema names; a schema that names none takes every value."""
    named = schema.get("type")
    types = [named] if isinstance(named, str) else list_of(named)
    known = [_TYPES[each] for each in types if isinstance(each, str) and each in _TYPES]
    if not known:
        return True
    # In Python a bool is an int; in JSON it is not.
    if isinstance(value, bool):
        return bool in known
    # JSON Schema has one number: 7.0 is an integer (2020-12, section 4.2.3).
    whole = isinstance(value, float) and value.is_integer() and int in known
    return whole or any(isinstance(value, each) for each in known)
