"""The rules for one declaration as a whole: name, version, description, effect, limits, faults, waivers."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from fourfold.catalog.declaration import Declaration
from fourfold.catalog.fault_rules import fault_problems
from fourfold.catalog.outside import is_outside
from fourfold.catalog.pair import names_of
from fourfold.catalog.problem import tool_problem, unused_waiver
from fourfold.contracts.base import MAX_PAGE
from fourfold.contracts.describe import MAX_DESCRIPTION, describe
from fourfold.errors import BuildProblem
from fourfold.model.contract import KEPT, JsonObject, Selection
from fourfold.model.effect import Effect

__all__ = ["BETWEEN_TOOLS", "MAX_NAME", "declaration_problems"]

BETWEEN_TOOLS = frozenset({"near_copy", "alike_name", "long_name"})
"""Rules that look at a tool among the others and that it may waive; `catalog.twins` reports them."""

RULE_OF_REFERENCES = "unknown_tool_reference"
"""The rule that looks at the texts of a tool once all names are known; `catalog.references` reports it."""

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)+")
_VERSION = re.compile(r"[1-9]\d{0,3}\.\d{1,4}", re.ASCII)
_BRACED = re.compile(r"\{\{|\}\}|\{[^{}]*\}|[{}]")
MAX_WAIT_S = 50.0
"""Seconds that a client is sure to wait: the usual limit is 60, and the answer has to get there."""

MAX_NAME = 50
"""Characters: 64 is the shortest limit of clients, and they put a server's name in front."""


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
        *_deadline(declaration),
        *_says(declaration, output),
        *_keep(declaration),
        *fault_problems(declaration),
        *_reasons(declaration),
    ]
    waived = {waiver.rule for waiver in declaration.waivers}
    yield from (problem for problem in found if problem.rule not in waived)
    for rule in sorted(waived - {problem.rule for problem in found} - BETWEEN_TOOLS - {RULE_OF_REFERENCES}):
        yield unused_waiver(declaration.name, rule)


def _name_and_version(declaration: Declaration) -> Iterator[BuildProblem]:
    name = declaration.name
    for each in dict.fromkeys((name, *names_of(declaration))):
        if _NAME.fullmatch(each) and len(each) <= MAX_NAME:
            continue
        yield tool_problem(
            each or "(no name)",
            "tool_name",
            what=f"the name {each[:60]!r} is not resource_action in at most {MAX_NAME} characters",
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


def _keep(declaration: Declaration) -> Iterator[BuildProblem]:
    unknown = sorted(declaration.keep - KEPT)
    if unknown:
        yield tool_problem(
            declaration.name,
            "unknown_keep",
            what=f"keep= has {', '.join(repr(word) for word in unknown)}",
            why="what is not kept by mistake is missed when a call has failed",
            fix="keep arguments, results, or both",
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
    if effect.plan is None and (effect.needs_plan or is_outside(declaration)):
        yield tool_problem(
            declaration.name,
            "no_plan",
            what=f"{'a destructive action' if effect.needs_plan else 'a write that reaches outside'} without a plan",
            why="nobody sees what it will do before it is done, and it cannot be undone",
            fix="give the effect plan=PlanTerms(impact=…), or waive this with the reason",
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


def _deadline(declaration: Declaration) -> Iterator[BuildProblem]:
    if declaration.limits.deadline_s > MAX_WAIT_S:
        yield tool_problem(
            declaration.name,
            "long_call",
            what=f"a call may take {declaration.limits.deadline_s:g} seconds",
            why="most clients give up after 60, and what was done until then is lost to them",
            fix="return a reference to the work at once, and let a second tool report on it",
            severity="warning",
        )


def _says(declaration: Declaration, output: JsonObject) -> Iterator[BuildProblem]:
    plain = {f"{{{name}}}" for name in output.get("properties", {})} | {"{{", "}}"}
    odd = [part for part in _BRACED.findall(declaration.says) if part not in plain]
    if odd and output:
        yield tool_problem(
            declaration.name,
            "unknown_field",
            what=f"says= has {odd[0]}, which is no field of the output",
            why="the text of each success would break, or have a hole in it",
            fix="name output fields in single braces, as they are published; write {{ and }} for braces",
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
