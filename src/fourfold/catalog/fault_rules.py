"""The rules for the faults of a declaration: their codes, their verbs, and what they say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from fourfold.catalog.declaration import Declaration
from fourfold.catalog.problem import tool_problem
from fourfold.errors import BuildProblem
from fourfold.model.fault import CODE_PATTERN, FRAMEWORK_CODES, Fault, Retry

__all__ = ["fault_problems"]


def fault_problems(declaration: Declaration) -> Iterator[BuildProblem]:
    """What is wrong with the faults that a declaration lists."""
    declared = list(declaration.faults)
    if declaration.missing and declaration.missing not in declared:
        declared.append(declaration.missing)
    for fault in declared:
        yield from _fault(declaration.name, fault)
    for left, right in combinations([fault for fault in declared if isinstance(fault, type)], 2):  # pyright: ignore[reportUnnecessaryIsInstance]  # authors may not check types
        if left.code == right.code:
            yield tool_problem(
                declaration.name,
                "duplicate_code",
                what=f"{left.__name__} and {right.__name__} share the code {left.code!r}",
                why="a caller branches on the code",
                fix="give each fault its own code",
            )


def _fault(tool: str, fault: type[Fault]) -> Iterator[BuildProblem]:
    if not isinstance(fault, type) or not issubclass(fault, Fault):  # pyright: ignore[reportUnnecessaryIsInstance]  # authors may not check types
        yield tool_problem(
            tool,
            "no_fault",
            what=f"{fault!r} is no subclass of Fault",
            why="the contract lists the kinds of faults, and a handler raises one of a kind",
            fix="list the class: faults=[UnknownAccount]",
        )
        return
    spec = fault.spec()
    ours = fault.__module__ == Fault.__module__
    if not CODE_PATTERN.fullmatch(spec.code):
        yield tool_problem(
            tool,
            "fault_code",
            what=f"{fault.__name__} has the code {spec.code!r}",
            why="codes are compared and counted, so they are short, stable words",
            fix="use lower case, digits and _, 3 to 41 characters: unknown_account",
        )
    if spec.code in FRAMEWORK_CODES and not ours:
        yield tool_problem(
            tool,
            "reserved_code",
            what=f"{fault.__name__} takes the framework's code {spec.code!r}",
            why="callers know what the framework's codes mean",
            fix="choose a code of your domain",
        )
    if not isinstance(spec.retry, Retry):  # pyright: ignore[reportUnnecessaryIsInstance]  # authors may not check types
        yield tool_problem(
            tool,
            "fault_retry",
            what=f"{fault.__name__} has retry={spec.retry!r}",
            why="callers are told by the verb whether a repeat may help",
            fix="use one of the verbs: Retry.NEVER, Retry.AFTER_FIX",
        )
    if not spec.next_step or not spec.message:
        yield tool_problem(
            tool,
            "silent_fault",
            what=f"{fault.__name__} has no {'docstring' if spec.next_step else 'next_step'}",
            why="an error that does not say what to do next is a dead end for a model",
            fix="write the docstring as the message and next_step as the safe next action",
        )
