"""Cases of a selection suite: a conversation up to a decision, and the decision that is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from fourfold.model.contract import JsonObject

__all__ = [
    "CASE_CLASSES",
    "DECISIONS",
    "Case",
    "CaseClass",
    "Decision",
    "Expectation",
    "ExpectedCall",
    "Extra",
    "Matcher",
    "MatcherKind",
    "Order",
    "Split",
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
MatcherKind = Literal["eq", "date", "decimal", "set", "one_of", "any", "absent_or"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matcher:
    """When an argument is right.

    Attributes:
        kind: `eq` equals `value`; `date` is the same day or instant, however written; `decimal` is the same number,
            and the same `currency` where one is given; `set` holds the same members in any order; `one_of` equals one
            of the members; `any` is there at all; `absent_or` is absent, or equals one of the members.
        value: what it is compared with: of `set`, `one_of` and `absent_or` the members.
        currency: of `decimal`, the ISO 4217 code; empty if only the number counts.
    """

    kind: MatcherKind
    value: object = None
    currency: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedCall:
    """A call that is right: the tool, and a matcher for each argument that is known."""

    name: str
    args: Mapping[str, Matcher] = field(default_factory=dict[str, Matcher])


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """The right decision.

    Attributes:
        decisions: those that are right; mostly one.
        calls: what has to be called, where the decision is a call.
        order: whether several calls must come as listed.
        extra_calls: whether a call beyond them fails.
        forbid: tools that must not be called, whatever else is.
    """

    decisions: tuple[Decision, ...]
    calls: tuple[ExpectedCall, ...] = ()
    order: Order = "any"
    extra_calls: Extra = "fail"
    forbid: tuple[str, ...] = ()


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
