"""The form of a selection case, as it is checked and published; `contracts.case_file` reads and writes the lines."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from fourfold.model.case import (
    DECISIONS,
    Case,
    CaseClass,
    Decision,
    EndState,
    Expectation,
    ExpectedCall,
    Extra,
    Matcher,
    MatcherKind,
    Order,
    Split,
)

__all__ = ["MANY", "CaseForm"]

MANY = frozenset({"set", "one_of", "absent_or"})
"""Matchers whose value is a list of members."""

_KINDS: tuple[MatcherKind, ...] = ("eq", "date", "decimal", "set", "one_of", "any", "absent_or", "items")


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
    items: Annotated[list[dict[str, _Matcher]], Field(max_length=256)] | None = None

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
        return Matcher(kind=kind, value=self._value(kind), currency=self.currency or "")

    def _value(self, kind: MatcherKind) -> object:
        value: object = getattr(self, kind)
        if self.items is not None:
            return tuple({name: each.matcher for name, each in item.items()} for item in self.items)
        return tuple(cast("list[object]", value)) if kind in MANY else value


class _Named(_Part):
    name: Annotated[str, Field(min_length=1, max_length=256)]


class _Call(_Named):
    args: dict[str, _Matcher] = {}


class _State(_Part):
    read: Annotated[str, Field(min_length=1, max_length=256)]
    args: dict[str, Any] = {}
    holds: Annotated[
        dict[Annotated[str, Field(pattern=r"^(/([^~/]|~[01])*)*$")], _Matcher],
        Field(min_length=1, max_length=64, json_schema_extra={"additionalProperties": False}),
    ]

    @property
    def state(self) -> EndState:
        return EndState(
            read=self.read, args=self.args, holds={place: each.matcher for place, each in self.holds.items()}
        )


class _Expectation(_Part):
    decision: Decision | Annotated[list[Decision], Field(min_length=1, max_length=len(DECISIONS))]
    calls: Annotated[list[_Call], Field(max_length=64)] = []
    order: Order = "any"
    extra_calls: Extra = "fail"
    forbid: Annotated[list[_Named], Field(max_length=256)] = []
    state: Annotated[list[_State], Field(max_length=16)] = []

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


class CaseForm(_Part):
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
        """The case that the form holds."""
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
                state=tuple(each.state for each in self.expect.state),
            ),
        )
