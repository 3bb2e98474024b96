"""Whether a task was done: the end state that a case names, looked for once the chosen calls were made.

A decision may be scored wrong and still do the task, and the right call may meet a server that refuses it: both are
named. Who makes the calls, and where, is decided elsewhere (`Enactor`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, cast

from fourfold.model.case import Case, EndState
from fourfold.model.chosen import ChosenCall
from fourfold.model.contract import JsonObject
from fourfold.model.scored import SampleVerdict, Task
from fourfold.selection.match import ABSENT, matches
from fourfold.selection.recorded import Recorded
from fourfold.selection.tally import Rate, Tally, of_samples
from fourfold.selection.wire.values import arguments_of, object_of, objects_of, text_of

__all__ = ["Enactor", "Tasks", "enacted", "made_before", "state_holds", "tasks"]


class Enactor(Protocol):
    """Makes calls where they do no harm."""

    async def enact(self, case: Case, calls: Sequence[ChosenCall]) -> Task:
        """Bring a new world to where the conversation of the case is, make the calls, and look at the end state."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Tasks:
    """What came of the calls to cases with an end state.

    Attributes:
        done: samples with the end state, of those whose calls were made.
        right_undone: cases with a sample whose call is right and whose end state is not there.
        wrong_done: cases with a sample whose call is not the expected one and whose end state is there.
        outside: cases that were not tried because a call would have reached beyond the store.
    """

    done: Rate
    right_undone: tuple[str, ...]
    wrong_done: tuple[str, ...]
    outside: tuple[str, ...]


async def enacted(
    cases: Sequence[Case], answers: Iterable[Recorded], *, verdicts: Sequence[SampleVerdict], enactor: Enactor
) -> tuple[SampleVerdict, ...]:
    """The verdicts, with what came of the calls to cases that name an end state. Equal calls are made once."""
    asked = {case.id: case for case in cases if case.expect.state}
    given = {(each.case, each.sample): each.choice for each in answers if each.case in asked}
    known: dict[str, Task] = {}
    found: list[SampleVerdict] = []
    for verdict in verdicts:
        choice = given.get((verdict.case, verdict.sample))
        if choice is None or choice.failure:
            found.append(verdict)
            continue
        key = repr((verdict.case, choice.calls))
        if key not in known:
            known[key] = await enactor.enact(asked[verdict.case], choice.calls)
        found.append(replace(verdict, task=known[key]))
    return tuple(found)


def tasks(tally: Tally) -> Tasks | None:
    """What came of the calls; `None` if none was made."""
    tried = [verdict for verdict in tally.verdicts if verdict.task]
    made = [verdict for verdict in tried if verdict.task != "outside"]
    if not tried:
        return None
    return Tasks(
        done=of_samples("task done", made, hit=lambda verdict: verdict.task == "done"),
        right_undone=_cases(verdict for verdict in made if verdict.passed and verdict.task != "done"),
        wrong_done=_cases(verdict for verdict in made if not verdict.passed and verdict.task == "done"),
        outside=_cases(verdict for verdict in tried if verdict.task == "outside"),
    )


def made_before(case: Case) -> Iterator[ChosenCall]:
    """The calls that the conversation has made already, in its order."""
    for message in case.messages:
        for call in objects_of(message.get("tool_calls")):
            function = object_of(call.get("function"))
            raw = text_of(function.get("arguments"))
            yield ChosenCall(name=text_of(function.get("name")), arguments=arguments_of(raw), raw=raw)


def state_holds(state: EndState, result: JsonObject) -> bool:
    """Whether what a read has told is what the end state says."""
    return all(matches(matcher, _at(result, place)) for place, matcher in state.holds.items())


def _cases(verdicts: Iterable[SampleVerdict]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(verdict.case for verdict in verdicts))


def _at(value: object, place: str) -> object:
    """The value at a JSON Pointer (RFC 6901); `ABSENT` if there is none."""
    for step in place.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping):
            value = cast("Mapping[str, object]", value).get(name, ABSENT)
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(cast("list[object]", value)):
            value = cast("list[object]", value)[int(name)]
        else:
            return ABSENT
    return value
