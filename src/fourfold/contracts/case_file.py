"""Reads and writes selection cases: one JSON object a line, of the form that docs/schemas/case.json publishes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from fourfold.contracts.strict_json import StrictJsonError, parse, pointer
from fourfold.errors import ConfigError
from fourfold.model.case import (
    DECISIONS,
    Case,
    CaseClass,
    Decision,
    Expectation,
    ExpectedCall,
    Extra,
    Matcher,
    MatcherKind,
    Order,
    Split,
)
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
    schema = cast("JsonObject", _published(_Case.model_json_schema(by_alias=True)))
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
        case = _Case.model_validate(parsed.value).case
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
    return facts


def _call(call: ExpectedCall) -> JsonObject:
    return {"name": call.name, "args": {name: _matcher(each) for name, each in call.args.items()}}


def _matcher(matcher: Matcher) -> JsonObject:
    if matcher.kind == "any":
        return {"any": True}
    value = [*cast("tuple[object, ...]", matcher.value)] if matcher.kind in _MANY else matcher.value
    return {matcher.kind: value, **({"currency": matcher.currency} if matcher.currency else {})}


_MANY = frozenset({"set", "one_of", "absent_or"})
_KINDS: tuple[MatcherKind, ...] = ("eq", "date", "decimal", "set", "one_of", "any", "absent_or")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Matcher(_Part):
    """Exactly one of the words, and `currency` beside `decimal`."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [{"required": [kind]} for kind in _KINDS],
            "dependentRequired": {"currency": ["decimal"]},
        }
    )

    eq: Any = None
    date: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d")] | None = None
    decimal: Annotated[str, Field(pattern=r"^-?\d{1,30}(\.\d{1,20})?$")] | None = None
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] | None = None
    set: list[Any] | None = None
    one_of: Annotated[list[Any], Field(min_length=1)] | None = None
    any: Literal[True] | None = None
    absent_or: list[Any] | None = None

    @model_validator(mode="after")
    def _one_word(self) -> _Matcher:
        given = self.model_fields_set - {"currency"}
        if len(given) != 1:
            raise ValueError(f"a matcher is exactly one of {', '.join(_KINDS)}")
        if self.currency is not None and given != {"decimal"}:
            raise ValueError("currency stands beside decimal only")
        return self

    @property
    def matcher(self) -> Matcher:
        kind: MatcherKind = next(each for each in _KINDS if each in self.model_fields_set)
        value: object = getattr(self, kind)
        return Matcher(
            kind=kind,
            value=tuple(cast("list[object]", value)) if kind in _MANY else value,
            currency=self.currency or "",
        )


class _Named(_Part):
    name: Annotated[str, Field(min_length=1, max_length=256)]


class _Call(_Named):
    args: dict[str, _Matcher] = {}


class _Expectation(_Part):
    decision: Decision | Annotated[list[Decision], Field(min_length=1, max_length=len(DECISIONS))]
    calls: Annotated[list[_Call], Field(max_length=64)] = []
    order: Order = "any"
    extra_calls: Extra = "fail"
    forbid: Annotated[list[_Named], Field(max_length=256)] = []

    @model_validator(mode="after")
    def _fits(self) -> _Expectation:
        if ("call" in self.decisions) != bool(self.calls):
            raise ValueError("calls stand where the decision may be a call, and only there")
        wanted = {call.name for call in self.calls} & {each.name for each in self.forbid}
        if wanted:
            raise ValueError(f"{min(wanted)} is both expected and forbidden")
        return self

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return (self.decision,) if isinstance(self.decision, str) else tuple(self.decision)


class _Message(BaseModel):
    """A chat message as OpenAI writes it; fields that the format adds are kept."""

    model_config = ConfigDict(extra="allow", frozen=True)

    role: Literal["system", "developer", "user", "assistant", "tool"]


class _Case(_Part):
    """A case of a selection suite: a conversation up to a decision, and the decision that is right."""

    id: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[\w.:-]+$")]
    case_class: Annotated[CaseClass, Field(alias="class")]
    task_type: Annotated[str, Field(max_length=64)] = ""
    labels: Annotated[list[Annotated[str, Field(min_length=1, max_length=64)]], Field(max_length=32)] = []
    split: Split = "holdout"
    must_pass: bool = False
    reviewed: bool = False
    source: dict[str, Any] = {}
    tools_ref: Annotated[str, Field(pattern=r"^(sha256:[0-9a-f]{64})?$")] = ""
    note: Annotated[str, Field(max_length=2_000)] = ""
    messages: Annotated[list[_Message], Field(min_length=1, max_length=2_000)]
    expect: _Expectation

    @property
    def case(self) -> Case:
        return Case(
            id=self.id,
            case_class=self.case_class,
            task_type=self.task_type,
            labels=tuple(self.labels),
            split=self.split,
            must_pass=self.must_pass,
            reviewed=self.reviewed,
            source=self.source,
            tools_ref=self.tools_ref,
            note=self.note,
            messages=tuple(message.model_dump() for message in self.messages),
            expect=Expectation(
                decisions=self.expect.decisions,
                calls=tuple(
                    ExpectedCall(name=call.name, args={key: each.matcher for key, each in call.args.items()})
                    for call in self.expect.calls
                ),
                order=self.expect.order,
                extra_calls=self.expect.extra_calls,
                forbid=tuple(each.name for each in self.expect.forbid),
            ),
        )
