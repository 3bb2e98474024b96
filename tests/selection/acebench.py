"""Reads the ACEBench slice that lies beside the checkout: four classes with their keys, as cases."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from fourfold.model.case import Case, CaseClass, Decision, Expectation, ExpectedCall, Matcher
from fourfold.model.chosen import OfferedTool
from fourfold.model.contract import JsonObject

__all__ = ["ACEBENCH", "FILES", "Posed", "posed"]

ACEBENCH = Path(__file__).parents[3] / "shared" / "data" / "selection" / "acebench"
FILES: Mapping[str, tuple[CaseClass, Decision]] = {
    "normal_similar_api": ("near_neighbour", "call"),
    "special_error_param": ("ask", "ask"),
    "special_incomplete": ("ask", "ask"),
    "special_irrelevant": ("abstain", "abstain"),
}
"""Which class each file is of here, and what is right in it."""

_ROLES = {"user": "user", "system": "assistant"}
_TURN = re.compile(r"^(user|system):", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Posed:
    """One case and the tools that it offers; every case has tools of its own."""

    case: Case
    tools: tuple[OfferedTool, ...]


def posed(file: str) -> Iterator[Posed]:
    """The cases of one file."""
    with (ACEBENCH / f"{file}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row: dict[str, Any] = json.loads(line)
            yield Posed(case=_case(row, file), tools=tuple(_tool(each) for each in row["function"]))


def _case(row: Mapping[str, Any], file: str) -> Case:
    case_class, decision = FILES[file]
    accepted: Mapping[str, JsonObject] = row["accepted"] if decision == "call" else {}
    return Case(
        id=row["id"],
        case_class=case_class,
        source={"format": "acebench"},
        messages=tuple(_messages(row)),
        expect=Expectation(decisions=(decision,), calls=tuple(_call(name, args) for name, args in accepted.items())),
    )


def _messages(row: Mapping[str, Any]) -> Iterator[JsonObject]:
    if row["time"]:
        yield {"role": "system", "content": row["time"]}
    _, *parts = _TURN.split(row["question"])
    for role, text in zip(parts[::2], parts[1::2], strict=True):
        yield {"role": _ROLES[role], "content": text.strip()}


def _call(name: str, args: JsonObject) -> ExpectedCall:
    return ExpectedCall(name=name, args={key: Matcher(kind="eq", value=value) for key, value in args.items()})


def _tool(function: Mapping[str, Any]) -> OfferedTool:
    return OfferedTool(
        name=function["name"],
        description=function["description"],
        input_schema=cast("JsonObject", _standard(function["parameters"])),
    )


def _standard(schema: object) -> object:
    """With the type that JSON Schema has for `dict`."""
    if isinstance(schema, list):
        return [_standard(each) for each in cast("list[object]", schema)]
    if not isinstance(schema, dict):
        return schema
    facts = {key: _standard(each) for key, each in cast("dict[str, object]", schema).items()}
    return {**facts, "type": "object"} if facts.get("type") == "dict" else facts
