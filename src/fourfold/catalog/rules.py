"""The rules for one declaration as a whole: name, version, description, effect, faults, waivers, handler."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from itertools import combinations

from fourfold.catalog.declaration import Declaration
from fourfold.contracts.base import MAX_PAGE
from fourfold.contracts.describe import MAX_DESCRIPTION, describe
from fourfold.errors import BuildProblem
from fourfold.model.contract import JsonObject, Selection
from fourfold.model.effect import Effect
from fourfold.model.fault import CODE_PATTERN, FRAMEWORK_CODES, Fault, Retry

__all__ = ["BETWEEN_TOOLS", "declaration_problems", "handler_problem", "tool_problem", "unused_waiver"]

BETWEEN_TOOLS = frozenset({"near_copy", "alike_name"})
"""Rules that compare tools and that a tool may waive; `catalog.twins` reports them."""

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)+")
_VERSION = re.compile(r"[1-9]\d{0,3}\.\d{1,4}", re.ASCII)
_MAX_NAME = 50
"""Characters: 64 is the shortest limit of clients, and they put a server's name in front."""


def tool_problem(tool: str, rule: str, *, what: str, why: str, fix: str) -> BuildProblem:
    """A problem of a tool as a whole."""
    return BuildProblem(rule=rule, where=tool, what=what, why=why, fix=fix)


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


def handler_problem(declaration: Declaration, rule: str, what: str) -> BuildProblem:
    """A problem of how the handler is written; `rule` is one of the handler rules."""
    why, fix = _HANDLER_RULES[rule]
    return tool_problem(declaration.name, rule, what=what, why=why, fix=fix)


def declaration_problems(declaration: Declaration, *, output: JsonObject) -> Iterator[BuildProblem]:
    """What is wrong with one declaration, apart from its schemas. Waivers of the tool as a whole are honoured.

    `output` is the output schema as far as there is one: the description names what comes back.
    """
    has_effect = isinstance(declaration.effect, Effect) and type(declaration.effect) is not Effect  # pyright: ignore[reportUnnecessaryIsInstance]  # authors may not check types
    found = [
        *_name_and_version(declaration),
        *_parts(declaration),
        *([*_description(declaration, output), *_effect(declaration)] if has_effect else [_no_effect(declaration)]),
        *_limits(declaration),
        *_faults(declaration),
        *_reasons(declaration),
    ]
    waived = {waiver.rule for waiver in declaration.waivers}
    yield from (problem for problem in found if problem.rule not in waived)
    for rule in sorted(waived - {problem.rule for problem in found} - BETWEEN_TOOLS):
        yield unused_waiver(declaration.name, rule)


def _name_and_version(declaration: Declaration) -> Iterator[BuildProblem]:
    name = declaration.name
    if not _NAME.fullmatch(name) or len(name) > _MAX_NAME:
        yield tool_problem(
            name or "(no name)",
            "tool_name",
            what=f"the name {name[:60]!r} is not resource_action in at most {_MAX_NAME} characters",
            why="clients refuse or cut other names, and a model picks by the resource and the action in it",
            fix="name the resource, then the action: invoice_list, quote_create",
        )
    if not _VERSION.fullmatch(declaration.version):
        yield tool_problem(
            name,
            "contract_version",
            what=f"the version {declaration.version!r} is not MAJOR.MINOR",
            why="callers and the lock tell a breaking change from a harmless one by it",
            fix='start at version="1.0"',
        )


def _parts(declaration: Declaration) -> Iterator[BuildProblem]:
    parts = {"does": declaration.does, "use_when": declaration.use_when, "not_for": declaration.not_for}
    for part, text in parts.items():
        if len(text.split()) < 2:
            yield tool_problem(
                declaration.name,
                "missing_description",
                what=f"{part}= says nothing",
                why="the description is all that a model reads before it chooses",
                fix=f"write {part}= in one clause of at least two words",
            )


def _description(declaration: Declaration, output: JsonObject) -> Iterator[BuildProblem]:
    selection = Selection(
        does=declaration.does,
        use_when=declaration.use_when,
        not_for=declaration.not_for,
        inputs=declaration.inputs,
        returns=declaration.returns,
    )
    length = len(describe(selection, declaration.effect, output=output))
    if length > MAX_DESCRIPTION:
        yield tool_problem(
            declaration.name,
            "long_description",
            what=f"the description has {length} characters, over {MAX_DESCRIPTION}",
            why="clients cut it, every request pays for it, and what stands behind the cut is lost",
            fix="move constraints into the schema, where they are short and enforced",
        )


def _no_effect(declaration: Declaration) -> BuildProblem:
    return tool_problem(
        declaration.name,
        "unknown_effect",
        what=f"effect={declaration.effect!r} is none of the six effects",
        why="what a call may do, its annotations and its recovery follow from the effect",
        fix="give Read(), ObservableRead(), Preview(), Create(), Update() or Destroy()",
    )


def _effect(declaration: Declaration) -> Iterator[BuildProblem]:
    effect = declaration.effect
    is_async = inspect.iscoroutinefunction(declaration.handler)
    if effect.takes_version and declaration.resource is None:
        yield tool_problem(
            declaration.name,
            "no_version",
            what=f"{type(effect).__name__} without resource=",
            why="expected_version has nothing to be compared with, so an agent acts on what it read an hour ago",
            fix="give resource= a function that finds the object and its version",
        )
    if effect.needs_plan:
        yield tool_problem(
            declaration.name,
            "no_plan",
            what="a destructive action without a plan",
            why="nobody sees what it will do before it is done, and it cannot be undone",
            fix="split it into a plan and an execute, or waive this with the reason",
        )
    if effect.writes and effect.reach == "store" and is_async:
        yield tool_problem(
            declaration.name,
            "async_write",
            what="a write in the store as an async handler",
            why="it runs inside the transaction on the writer's thread and may run again",
            fix="write the handler as a plain def",
        )
    if declaration.resource is not None and declaration.missing is None:
        yield tool_problem(
            declaration.name,
            "no_missing",
            what="resource= without missing=",
            why="an absent and a denied object must be answered alike",
            fix="give missing= the fault for an object that this caller cannot see",
        )


def _limits(declaration: Declaration) -> Iterator[BuildProblem]:
    if not 1 <= declaration.page_limit <= MAX_PAGE:
        yield tool_problem(
            declaration.name,
            "page_limit",
            what=f"page_limit={declaration.page_limit} is not from 1 to {MAX_PAGE}",
            why="a page holds at least one item, and no model reads hundreds",
            fix=f"give page_limit= from 1 to {MAX_PAGE}",
        )


def _reasons(declaration: Declaration) -> Iterator[BuildProblem]:
    for waiver in declaration.waivers:
        if len(waiver.reason.split()) < 3:
            yield tool_problem(
                declaration.name,
                "waiver_reason",
                what=f"the waiver of {waiver.rule!r} has no reason",
                why="whoever reads it later cannot tell whether it still holds",
                fix="write the reason in a few words",
            )


def _faults(declaration: Declaration) -> Iterator[BuildProblem]:
    declared = list(declaration.faults)
    if declaration.missing and declaration.missing not in declared:
        declared.append(declaration.missing)
    for fault in declared:
        yield from _fault(declaration.name, fault)
    for left, right in combinations(declared, 2):
        if left.code == right.code:
            yield tool_problem(
                declaration.name,
                "duplicate_code",
                what=f"{left.__name__} and {right.__name__} share the code {left.code!r}",
                why="a caller branches on the code",
                fix="give each fault its own code",
            )


def _fault(tool: str, fault: type[Fault]) -> Iterator[BuildProblem]:
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
