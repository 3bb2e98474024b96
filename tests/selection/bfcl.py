"""Reads the BFCL slice that lies beside the checkout: questions as cases, recorded answers, published verdicts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from fourfold.model.case import Case, Expectation, ExpectedCall, Matcher
from fourfold.model.chosen import Choice, ChosenCall, OfferedTool

__all__ = ["BFCL", "CATEGORIES", "MODELS", "Answered", "answered", "asked", "published_failures"]

BFCL = Path(__file__).parents[3] / "shared" / "data" / "selection" / "bfcl"
CATEGORIES = ("simple", "multiple_function", "parallel_function", "parallel_multiple_function", "relevance")
MODELS = (
    "claude-3-5-sonnet-20240620-FC",
    "gpt-4o-2024-05-13-FC",
    "gpt-4o-2024-08-06-FC",
    "mistral-large-2407-FC-Auto",
)
_TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": "string"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One question with the tools that were offered, and what a model answered."""

    category: str
    case: Case
    tools: Mapping[str, OfferedTool]
    choice: Choice


def answered(model: str) -> Iterator[Answered]:
    """Every question that a model has answered."""
    questions = {(category, row["n"]): row for category in CATEGORIES for row in _rows(f"{category}.questions.jsonl")}
    for row in _rows(f"{model}.answers.jsonl"):
        question = questions[row["category"], row["n"]]
        tools = _tools(question)
        yield Answered(
            category=row["category"],
            case=_case(question, row["category"]),
            tools=tools,
            choice=_choice(row["answer"]),
        )


def asked(category: str) -> Iterator[tuple[Case, Mapping[str, OfferedTool]]]:
    """Every question of a category, with the tools that are offered for it."""
    for question in _rows(f"{category}.questions.jsonl"):
        yield _case(question, category), _tools(question)


def published_failures(model: str) -> set[str]:
    """The ids that the publisher counts as failed, as `category/id`; the ids count from 1."""
    facts = json.loads((BFCL / f"{model}.published.json").read_text("utf-8"))
    return _failures(facts)


def _failures(facts: Mapping[str, Any]) -> set[str]:
    return {f"{category}/{each['id']}" for category, found in facts.items() for each in found["failed"]}


def _rows(name: str) -> Iterator[dict[str, Any]]:
    with (BFCL / name).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def _tools(question: Mapping[str, Any]) -> Mapping[str, OfferedTool]:
    functions = question["functions"]
    listed: list[Any] = [functions] if isinstance(functions, dict) else functions
    return {
        _name(each["name"]): OfferedTool(
            name=_name(each["name"]), description=each["description"], input_schema=_schema(each["parameters"])
        )
        for each in listed
    }


def _name(name: str) -> str:
    """As the APIs of these models take it: without dots."""
    return name.replace(".", "_")


def _schema(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_schema(each) for each in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    facts = {key: _schema(value) for key, value in cast("dict[str, Any]", schema).items()}
    return {**facts, "type": _TYPES.get(facts["type"], facts["type"])} if isinstance(facts.get("type"), str) else facts


def _case(question: Mapping[str, Any], category: str) -> Case:
    known = set(_tools(question))
    truth = cast("dict[str, Any]", question["accepted"]["ground_truth"] if question["accepted"] else {})
    wanted = tuple(
        ExpectedCall(name=_known(_name(name), known), args=_matchers(cast("dict[str, Any]", args)))
        for name, args in truth.items()
        if isinstance(args, dict)  # one key of 1,000 is broken as published
    )
    return Case(
        id=f"{category}/{question['n'] + 1}",
        case_class="positive" if wanted else "abstain",
        messages=({"role": "user", "content": question["question"]},),
        expect=Expectation(decisions=("call",) if wanted else ("abstain",), calls=wanted),
    )


def _known(name: str, known: set[str]) -> str:
    """A function that is called twice has a number behind its name; some names are not written as they are listed."""
    if name in known or len(known) > 1:
        return name if name in known else name.rpartition("_")[0]
    return next(iter(known))


def _matchers(args: Mapping[str, list[object]]) -> dict[str, Matcher]:
    return {name: _matcher(accepted) for name, accepted in args.items()}


def _matcher(accepted: list[object]) -> Matcher:
    values = tuple(each for each in accepted if each != "")
    return Matcher(kind="absent_or" if len(values) < len(accepted) else "one_of", value=values)


def _choice(answer: Any) -> Choice:
    if isinstance(answer, str):
        return Choice(text=answer)
    return Choice(calls=tuple(_call(name, raw) for each in answer for name, raw in each.items()))


def _call(name: str, raw: str) -> ChosenCall:
    try:
        found: Any = json.loads(raw)
    except ValueError:
        return ChosenCall(name=name, arguments=None, raw=raw)
    arguments = cast("dict[str, object]", found) if isinstance(found, dict) else None
    return ChosenCall(name=name, arguments=arguments, raw=raw)
