"""The rule for texts that name tools: a model that is sent to a tool that is not there is at a dead end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fourfold.catalog.declaration import Declaration
from fourfold.catalog.problem import tool_problem, unused_waiver
from fourfold.catalog.rules import RULE_OF_REFERENCES as RULE
from fourfold.errors import BuildProblem
from fourfold.model.fault import Fault

__all__ = ["dangling_references"]

_TOOL = r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+"
_SENT_TO = re.compile(rf"\((?P<aside>{_TOOL})\)|\b(?:[Uu]se|[Tt]ry|[Cc]all|[Tt]hen|with)\s+`?(?P<told>{_TOOL})\b")
"""A name where a text sends somebody: alone in brackets, or after use, try, call, then or with."""


def dangling_references(declared: Iterable[Declaration], *, known: frozenset[str]) -> Iterator[BuildProblem]:
    """Texts of tools and of their faults that name a tool which the catalog does not have.

    `known` are the names that a text may mean: tools, arguments, output fields, codes.
    """
    for declaration in declared:
        found = list(_dangling_in(declaration, known))
        waived = any(waiver.rule == RULE for waiver in declaration.waivers)
        if not waived:
            yield from found
        elif not found:
            yield unused_waiver(declaration.name, RULE)


def _dangling_in(declaration: Declaration, known: frozenset[str]) -> Iterator[BuildProblem]:
    for part, text in _texts(declaration):
        for name in dict.fromkeys(found["aside"] or found["told"] for found in _SENT_TO.finditer(text)):
            if name not in known:
                yield _dangling(declaration.name, part, name=name)


def _dangling(tool: str, part: str, *, name: str) -> BuildProblem:
    return tool_problem(
        tool,
        RULE,
        what=f"{part} names {name}, and the catalog has no such tool",
        why="a model that follows it calls a tool that is not there, and the session ends in a dead end",
        fix="name a tool of this catalog, describe the action without a name, or waive this for another server's tool",
    )


def _texts(declaration: Declaration) -> Iterator[tuple[str, str]]:
    yield "use_when=", declaration.use_when
    yield "not_for=", declaration.not_for
    yield "inputs=", declaration.inputs
    yield "returns=", declaration.returns
    for fault in (*declaration.faults, *([declaration.missing] if declaration.missing else [])):
        if isinstance(fault, type) and issubclass(fault, Fault):  # pyright: ignore[reportUnnecessaryIsInstance]  # authors may not check types
            yield f"{fault.__name__}.next_step", fault.spec().next_step
            yield f"the message of {fault.__name__}", fault.spec().message
