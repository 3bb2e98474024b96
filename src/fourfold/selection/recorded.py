"""The file of a run: a line with the run's facts, then a line for each answer as it came. `replay:FILE` reads it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from typing import cast

from fourfold.contracts.strict_json import StrictJsonError, parse
from fourfold.errors import ConfigError
from fourfold.model.chosen import Choice, ChosenCall, Usage
from fourfold.model.contract import JsonObject
from fourfold.model.selected import RunFacts
from fourfold.selection.wire.values import count_of, is_object, object_of, objects_of, text_of

__all__ = ["FORMAT", "Recorded", "facts_line", "read_recorded", "read_run", "recorded_line"]

FORMAT = "fourfold/select-run/v1"
"""Stands in the first line, so that no other file is taken for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One answer: to which case, as which sample (from 0), and to which conversation (`messages`, a digest)."""

    case: str
    sample: int
    messages: str
    choice: Choice


def facts_line(facts: RunFacts) -> str:
    """The first line, without its end."""
    return json.dumps({"format": FORMAT, **asdict(facts)}, ensure_ascii=False)


def recorded_line(recorded: Recorded) -> str:
    """One answer as a line, without its end. What is empty is left out."""
    facts = {"case": recorded.case, "sample": recorded.sample, "messages": recorded.messages}
    return json.dumps({**facts, "choice": _kept(asdict(recorded.choice))}, ensure_ascii=False)


def read_run(lines: Iterable[bytes], *, name: str) -> tuple[RunFacts, list[Recorded]]:
    """The facts and the answers of a file; of several answers to one sample the last.

    Raises:
        ConfigError: it is no file of a run, or a line of it is broken; the message names it.
    """
    numbered = iter(enumerate(lines, 1))
    first = next(numbered, None)
    if first is None:
        raise ConfigError(f"{name} is empty; it is no file of a run")
    facts = _facts(_object(first[1], name=name, number=1), name=name)
    # What a run that went on has asked again stands behind what had failed before.
    answers = {(each.case, each.sample): each for each in _answers(numbered, name=name)}
    return facts, [*answers.values()]


def read_recorded(lines: Iterable[bytes], *, name: str) -> Iterator[Recorded]:
    """Every answer of a file, in its order, with or without a first line of facts.

    Raises:
        ConfigError: a line is broken; the message names it.
    """
    yield from _answers(enumerate(lines, 1), name=name)


def _answers(numbered: Iterable[tuple[int, bytes]], *, name: str) -> Iterator[Recorded]:
    for number, line in numbered:
        if not line.strip():
            continue
        value = _object(line, name=name, number=number)
        if "format" not in value:  # else it is the facts, or the verdicts (selection/result.py)
            yield _recorded(value, name=name, number=number)


def _object(line: bytes, *, name: str, number: int) -> JsonObject:
    try:
        value: object = parse(line, depth=256).value
    except StrictJsonError as error:
        raise ConfigError(f"{name}, line {number}: is no JSON ({error.code})") from None
    if not is_object(value):
        raise ConfigError(f"{name}, line {number}: is no object")
    return object_of(value)


def _facts(value: JsonObject, *, name: str) -> RunFacts:
    if value.get("format") != FORMAT:
        raise ConfigError(f"{name} is no file of a run: its first line has no format {FORMAT}")
    try:
        return RunFacts(**{each.name: value[each.name] for each in fields(RunFacts)})
    except KeyError as error:
        raise ConfigError(f"{name}, line 1: has no {error.args[0]}") from None


def _recorded(value: JsonObject, *, name: str, number: int) -> Recorded:
    case, sample, choice = text_of(value.get("case")), count_of(value.get("sample")), value.get("choice")
    if not case or sample is None or not is_object(choice):
        raise ConfigError(f"{name}, line {number}: is no answer; one has case, sample and choice")
    return Recorded(
        case=case, sample=sample, messages=text_of(value.get("messages")), choice=_choice(object_of(choice))
    )


def _choice(value: JsonObject) -> Choice:
    usage = object_of(value.get("usage"))
    return Choice(
        calls=tuple(_call(each) for each in objects_of(value.get("calls"))),
        text=text_of(value.get("text")),
        model=text_of(value.get("model")),
        usage=Usage(**{each.name: count_of(usage.get(each.name)) for each in fields(Usage)}),
        first_token_s=_seconds(value.get("first_token_s")),
        seconds=_seconds(value.get("seconds")) or 0.0,
        failure=text_of(value.get("failure")),
    )


def _call(value: JsonObject) -> ChosenCall:
    arguments = value.get("arguments")
    return ChosenCall(
        name=text_of(value.get("name")),
        arguments=object_of(arguments) if is_object(arguments) else None,
        raw=text_of(value.get("raw")),
    )


def _seconds(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


_ABSENT: tuple[object, ...] = ("", None, (), [])


def _kept(choice: JsonObject) -> JsonObject:
    """What says something, so that the lines of a long run stay short. Arguments say something though they are none."""
    calls = [_kept_call(object_of(each)) for each in [*cast("tuple[object, ...]", choice["calls"])]]
    usage = {key: count for key, count in object_of(choice["usage"]).items() if count is not None}
    facts = {**choice, "calls": calls, "usage": usage or None}
    return {key: value for key, value in facts.items() if value not in _ABSENT}


def _kept_call(call: JsonObject) -> JsonObject:
    return {key: value for key, value in call.items() if key != "raw" or value}
