"""Whether cases fit the tools of a catalog, without asking a model: what a contract change breaks is seen first here.

Owns no form of cases (contracts/case_file.py).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from fourfold.contracts.conform import fitting
from fourfold.contracts.strict_json import pointer
from fourfold.model.case import Case, EndState, ExpectedCall, Matcher, items_of
from fourfold.model.chosen import OfferedTool
from fourfold.model.contract import JsonObject
from fourfold.selection.wire.values import list_of, object_of, text_of

__all__ = ["CaseFinding", "check_cases"]

_UNKNOWN = object()
"""Stands for a value that a case leaves open."""

_RESOLVED = ("$schema", "$defs", "definitions")
"""What the schema of one argument needs of the whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFinding:
    """What of a case does not fit: `pointer` is a JSON Pointer into its line."""

    case: str
    pointer: str
    what: str

    def __str__(self) -> str:
        return f"{self.case} at {self.pointer}: {self.what}"


def check_cases(cases: Iterable[Case], tools: Sequence[OfferedTool]) -> Iterator[CaseFinding]:
    """What does not fit, case by case."""
    offered = {tool.name: tool for tool in tools}
    for case in cases:
        for place, what in _of_case(case, offered):
            yield CaseFinding(case=case.id, pointer=place, what=what)


def _of_case(case: Case, offered: Mapping[str, OfferedTool]) -> Iterator[tuple[str, str]]:
    for index, call in enumerate(case.expect.calls):
        at = f"/expect/calls/{index}"
        tool = offered.get(call.name)
        if tool is None:
            yield f"{at}/name", _unknown("there is no tool", call.name, offered)
        else:
            yield from _of_call(call, tool, at=f"{at}/args")
    for index, name in enumerate(case.expect.forbid):
        if name not in offered:
            yield f"/expect/forbid/{index}/name", _unknown("there is no tool", name, offered)
    for index, state in enumerate(case.expect.state):
        yield from _of_state(state, offered, at=f"/expect/state/{index}")


def _of_state(state: EndState, offered: Mapping[str, OfferedTool], *, at: str) -> Iterator[tuple[str, str]]:
    tool = offered.get(state.read)
    if tool is None:
        yield f"{at}/read", _unknown("there is no tool", state.read, offered)
        return
    for misfit in fitting(tool.input_schema, formats=True)(dict(state.args)):
        yield f"{at}/args{misfit.pointer}", f"{misfit.keyword} {misfit.expected}, which the value breaks"


def _of_call(call: ExpectedCall, tool: OfferedTool, *, at: str) -> Iterator[tuple[str, str]]:
    schema = tool.input_schema
    known = object_of(schema.get("properties"))
    for name in filter(None, map(text_of, list_of(schema.get("required")))):
        if name not in call.args:
            yield at, f'{tool.name} requires {name!r}, and the case says nothing of it; {{"any": true}} takes any value'
        elif call.args[name].kind == "absent_or":
            yield at + pointer(name), f"{tool.name} requires {name!r}, so that it cannot be absent"
    for name, matcher in call.args.items():
        place = at + pointer(name)
        if name not in known:
            # A schema that names no property takes every argument.
            if known and schema.get("additionalProperties") in (None, False):
                yield place, _unknown(f"{tool.name} has no argument", name, known)
            continue
        yield from _of_argument(matcher, _part(schema, known[name]), place=place)


def _of_argument(matcher: Matcher, schema: JsonObject, *, place: str) -> Iterator[tuple[str, str]]:
    """Each value that the matcher takes must be one that the tool takes; of a number, one way of writing it."""
    check = fitting(schema, formats=True)
    if matcher.kind == "decimal":
        if all(check(written) for written in _written(matcher)):
            yield f"{place}/decimal", f"no way of writing {matcher.value} fits the schema"
        return
    for steps, value in _values(matcher):
        for misfit in check(value):
            yield f"{place}{steps}{misfit.pointer}", f"{misfit.keyword} {misfit.expected}, which the value breaks"


def _values(matcher: Matcher) -> Iterator[tuple[str, object]]:
    """The values that a matcher names, each with where it stands."""
    match matcher.kind:
        case "any" | "decimal":
            return
        case "eq" | "date":
            yield f"/{matcher.kind}", matcher.value
        case "set":
            yield "/set", [*cast("Sequence[object]", matcher.value)]
        case "items":
            items = [{name: _one_value(each) for name, each in item.items()} for item in items_of(matcher)]
            # Where any value is right, nobody knows one that is.
            if all(_UNKNOWN not in item.values() for item in items):
                yield "/items", items
        case "one_of" | "absent_or":
            for index, each in enumerate(cast("Sequence[object]", matcher.value)):
                yield f"/{matcher.kind}/{index}", each


def _one_value(matcher: Matcher) -> object:
    """A value that the matcher takes; `_UNKNOWN` if it names none, or leaves open how it is written."""
    return next((value for _, value in _values(matcher)), _UNKNOWN)


def _written(matcher: Matcher) -> Iterator[object]:
    """The ways in which a number, or an amount, is written as an argument."""
    text = str(matcher.value)
    number = float(text)
    numbers: list[object] = [text, int(number) if number.is_integer() else number]
    yield from numbers
    if matcher.currency:
        yield from (f"{text} {matcher.currency}", f"{matcher.currency} {text}")
        for key in ("amount", "value"):
            yield from ({key: each, "currency": matcher.currency} for each in numbers)


def _unknown(said: str, name: str, known: Iterable[str]) -> str:
    nearest = difflib.get_close_matches(name, [*known], n=1)
    return f"{said} {name!r}{f'; did you mean {nearest[0]}?' if nearest else ''}"


def _part(schema: JsonObject, argument: object) -> JsonObject:
    """The schema of one argument, with what its references point to."""
    shared = {name: schema[name] for name in _RESOLVED if name in schema}
    return {**shared, "allOf": [argument]}
