"""Reads and writes selection cases: one JSON object a line, of the form that docs/schemas/case.json publishes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from pydantic import ValidationError

from fourfold.contracts.case_form import MANY, CaseForm
from fourfold.contracts.strict_json import StrictJsonError, parse, pointer
from fourfold.errors import ConfigError
from fourfold.model.case import Case, Expectation, ExpectedCall, Matcher, items_of
from fourfold.model.contract import JsonObject
from fourfold.model.redact import holds_credential

__all__ = ["CaseProblem", "case_line", "case_schema", "read_case", "read_cases"]

_MOST_BYTES = 1024 * 1024
"""Of one line; a conversation beyond that is no fixture that anybody reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseProblem:
    """What is wrong with one line of a suite: `pointer` is a JSON Pointer into the line."""

    line: int
    pointer: str
    what: str

    def __str__(self) -> str:
        return f"line {self.line}{f' at {self.pointer}' if self.pointer else ''}: {self.what}"


def read_cases(lines: Iterable[bytes], *, name: str) -> Iterator[Case]:
    """The cases of a file, in its order, one line at a time. Empty lines don't count.

    Args:
        lines: the file's lines.
        name: what an error calls the file.

    Raises:
        ConfigError: a line is no case, holds a secret, or has an id that another line has; it names line and place.
    """
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        found = read_case(line, number)
        if isinstance(found, CaseProblem):
            raise ConfigError(f"{name}, {found}")
        if found.id in seen:
            raise ConfigError(f"{name}, line {number} at /id: {found.id!r} is the id of line {seen[found.id]}, too")
        seen[found.id] = number
        yield found


def case_line(case: Case) -> str:
    """The case as a line of a suite, without the line's end. `read_cases` gives it back."""
    facts = {
        "id": case.id,
        "class": case.case_class,
        "task_type": case.task_type,
        "labels": [*case.labels],
        "split": case.split,
        "must_pass": case.must_pass,
        "reviewed": case.reviewed,
        "source": dict(case.source),
        "tools_ref": case.tools_ref,
        "note": case.note,
        "messages": [*case.messages],
        "expect": _expectation(case.expect),
    }
    absent: tuple[object, ...] = ("", [], {}, False)
    kept = {key: value for key, value in facts.items() if key in _REQUIRED or value not in absent}
    return json.dumps(kept, ensure_ascii=False)


def case_schema() -> JsonObject:
    """The JSON Schema of one line, as it is published."""
    schema = cast("JsonObject", _published(CaseForm.model_json_schema(by_alias=True)))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _published(value: object) -> object:
    """Without the titles that say a name again, and without the mark of names that are private here."""
    if isinstance(value, Mapping):
        members = cast("Mapping[str, object]", value).items()
        return {key.removeprefix("_"): _published(each) for key, each in members if key != "title"}
    if isinstance(value, list):
        return [_published(each) for each in cast("list[object]", value)]
    return value.replace("#/$defs/_", "#/$defs/") if isinstance(value, str) else value


_REQUIRED = frozenset({"id", "class", "messages", "expect"})


def read_case(line: bytes, number: int) -> Case | CaseProblem:
    """The case in line `number` of a file, or what is wrong with it first."""
    if len(line) > _MOST_BYTES:
        return CaseProblem(line=number, pointer="", what=f"has more than {_MOST_BYTES // 2**20} MiB")
    try:
        parsed = parse(line)
    except StrictJsonError as error:
        return CaseProblem(line=number, pointer="", what=f"is no JSON ({error})")
    for problem in parsed.faults:
        return CaseProblem(line=number, pointer=problem.pointer, what=problem.code.replace("_", " "))
    try:
        case = CaseForm.model_validate(parsed.value).case
    except ValidationError as error:
        return _problem(error, number)
    secret = next(_secrets(parsed.value, ""), None)
    if secret is not None:
        return CaseProblem(line=number, pointer=secret, what="looks like a credential; put `[redacted]` there")
    return case


def _problem(error: ValidationError, number: int) -> CaseProblem:
    first = error.errors(include_url=False, include_input=False)[0]
    place = "".join(pointer(str(part)) for part in first["loc"])
    return CaseProblem(line=number, pointer=place, what=first["msg"].removeprefix("Value error, "))


def _secrets(value: object, at: str) -> Iterator[str]:
    """The places of credentials."""
    if isinstance(value, str):
        if holds_credential(value):
            yield at
    elif isinstance(value, Mapping):
        for key, inner in cast("Mapping[str, object]", value).items():
            yield from _secrets(inner, at + pointer(key))
    elif isinstance(value, list):
        for index, inner in enumerate(cast("list[object]", value)):
            yield from _secrets(inner, f"{at}/{index}")


def _expectation(expect: Expectation) -> JsonObject:
    facts: dict[str, object] = {
        "decision": expect.decisions[0] if len(expect.decisions) == 1 else [*expect.decisions],
        "calls": [_call(call) for call in expect.calls],
    }
    if expect.order != "any":
        facts["order"] = expect.order
    if expect.extra_calls != "fail":
        facts["extra_calls"] = expect.extra_calls
    if expect.forbid:
        facts["forbid"] = [{"name": name} for name in expect.forbid]
    if expect.state:
        facts["state"] = [
            {"read": each.read, "args": dict(each.args), "holds": _matchers(each.holds)} for each in expect.state
        ]
    return facts


def _call(call: ExpectedCall) -> JsonObject:
    return {"name": call.name, "args": _matchers(call.args)}


def _matchers(matchers: Mapping[str, Matcher]) -> JsonObject:
    return {name: _matcher(each) for name, each in matchers.items()}


def _matcher(matcher: Matcher) -> JsonObject:
    if matcher.kind == "any":
        return {"any": True}
    if matcher.kind == "items":
        return {"items": [_matchers(each) for each in items_of(matcher)]}
    value = [*cast("tuple[object, ...]", matcher.value)] if matcher.kind in MANY else matcher.value
    return {matcher.kind: value, **({"currency": matcher.currency} if matcher.currency else {})}
