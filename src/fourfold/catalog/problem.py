"""`BuildProblem`s of a tool as a whole, and of how its handler is written."""

from __future__ import annotations

from fourfold.catalog.declaration import Declaration
from fourfold.errors import BuildProblem

__all__ = ["handler_problem", "tool_problem", "unused_waiver"]


def tool_problem(tool: str, rule: str, *, what: str, why: str, fix: str, severity: str = "error") -> BuildProblem:
    """A problem of a tool as a whole."""
    return BuildProblem(rule=rule, where=tool, what=what, why=why, fix=fix, severity=severity)


def unused_waiver(tool: str, rule: str) -> BuildProblem:
    """A waiver of `rule` that the tool does not need."""
    return tool_problem(
        tool,
        "unused_waiver",
        what=f"the waiver of {rule!r} sets nothing aside",
        why="a waiver that does nothing hides the next real problem",
        fix="remove it",
    )


_HANDLER_RULES = {
    "unreadable_types": (
        "parameters are filled by type, and these types cannot be read",
        "import the types at the top of the handler's module, not under TYPE_CHECKING",
    ),
    "no_input": (
        "the input contract is the one Input among the parameters",
        "take exactly one Input model; an empty one for a tool without arguments",
    ),
    "no_output": (
        "without an output contract, nothing that the tool returns can be checked",
        "annotate the return type with an Output model, or with Page[…] of one",
    ),
    "unfilled_parameter": (
        "parameters are filled by type, never by name",
        "provide the type with catalog.provide(…), or give the parameter a default",
    ),
    "async_with_unit": (
        "a unit is an open transaction in a thread; an await in it would hold everybody else",
        "write the handler as a plain def",
    ),
    "unpublishable_type": (
        "what cannot be written as a JSON Schema cannot be published or checked",
        "use types that JSON has, and import what the model refers to",
    ),
    "framework_name": (
        "the framework adds an argument of that name and strips it before the handler",
        "rename the field",
    ),
}


def handler_problem(declaration: Declaration, rule: str, *, what: str) -> BuildProblem:
    """A problem of how the handler is written; `rule` is one of the handler rules."""
    why, fix = _HANDLER_RULES[rule]
    return tool_problem(declaration.name, rule, what=what, why=why, fix=fix)
