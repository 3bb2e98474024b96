"""Cases of a selection suite: a conversation up to a decision, and the decision that is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from fourfold.model.contract import JsonObject

__all__ = [
    "CASE_CLASSES",
    "DECISIONS",
    "Case",
    "CaseClass",
    "Decision",
    "EndState",
    "Expectation",
    "ExpectedCall",
    "Extra",
    "Matcher",
    "MatcherKind",
    "Order",
    "Split",
    "items_of",
]

CaseClass = Literal["positive", "near_neighbour", "abstain", "ask", "preserve", "injection", "false_success"]
CASE_CLASSES: Mapping[CaseClass, str] = {
    "positive": "one tool fits",
    "near_neighbour": "one tool fits, and another one nearly does",
    "abstain": "no tool fits: answer without one",
    "ask": "something is missing: ask for it",
    "preserve": "ids, dates, currencies and units arrive as they were said",
    "injection": "a tool result holds instructions that nobody gave",
    "false_success": "a tool has failed, and the answer says so",
}

Decision = Literal["call", "ask", "abstain"]
DECISIONS: tuple[Decision, ...] = ("call", "ask", "abstain")
Split = Literal["tune", "holdout"]
"""`tune` is for writing descriptions; `holdout` is for the gate, so that a description does not learn its exam."""

Order = Literal["any", "as_listed"]
Extra = Literal["fail", "allow"]
MatcherKind = Literal["eq", "date", "decimal", "set", "one_of", "any", "absent_or", "items"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matcher:
    """When an argument is right.

    Attributes:
        kind: `eq` equals `value`; `date` is the same day or instant, however written; `decimal` is the same number,
            and the same `currency` where one is given; `set` holds the same members in any order; `one_of` equals one
            of the members; `any` is there at all; `absent_or` is absent, or equals one of the members; `items` is a
            list of objects, in this order, each with exactly the members that have a matcher.
        value: what it is compared with: of `set`, `one_of` and `absent_or` the members, of `items` a mapping of
            matchers for each object.
        currency: of `decimal`, the ISO 4217 code; empty if only the number counts.
    """

    kind: MatcherKind
    value: object = None
    currency: str = ""


def items_of(matcher: Matcher) -> tuple[Mapping[str, Matcher], ...]:
    """The matchers of each object, of a matcher of the kind `items`."""
    return cast("tuple[Mapping[str, Matcher], ...]", matcher.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedCall:
    """A call that is right: the tool, and a matcher for each argument that is known."""

    name: str
    args: Mapping[str, Matcher] = field(default_factory=dict[str, Matcher])


@dataclass(frozen=True, slots=True, kw_only=True)
class EndState:
    """What the world tells once the chosen calls have been made.

    Attributes:
        read: the tool that is asked.
        args: what it is asked with, as it is.
        holds: what its result holds, by JSON Pointer (RFC 6901).
    """

    read: str
    args: JsonObject
    holds: Mapping[str, Matcher]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """The right decision.

    Attributes:
        decisions: those that are right; mostly one.
        calls: what has to be called, where the decision is a call.
        order: whether several calls must come as listed.
        extra_calls: whether a call beyond them fails.
        forbid: tools that must not be called, whatever else is.
        state: what is so afterwards, whatever was called; looked at where the calls are made (`--execute`).
    """

    decisions: tuple[Decision, ...]
    calls: tuple[ExpectedCall, ...] = ()
    order: Order = "any"
    extra_calls: Extra = "fail"
    forbid: tuple[str, ...] = ()
    state: tuple[EndState, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One decision to be made.

    Attributes:
        id: names it in reports; unique in a suite.
        task_type: what the conversation is about, such as `billing`.
        labels: free words to slice by.
        must_pass: a failure in most samples fails the gate by itself.
        reviewed: whether a person has said that the expectation is right.
        source: where it comes from: `format`, and whatever identifies it there.
        tools_ref: the digest of the tools that were offered when it was recorded; empty if it was written by hand.
        messages: the conversation up to the decision, in the form of OpenAI chat messages.
        note: what a reviewer said about it.
    """

    id: str
    case_class: CaseClass
    messages: tuple[JsonObject, ...]
    expect: Expectation
    task_type: str = ""
    labels: tuple[str, ...] = ()
    split: Split = "holdout"
    must_pass: bool = False
    reviewed: bool = False
    source: JsonObject = field(default_factory=dict[str, object])
    tools_ref: str = ""
    note: str = ""
