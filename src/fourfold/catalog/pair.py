"""A write with a plan is published as two tools: one that plans it, and one that executes the plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from fourfold.catalog.declaration import Declaration
from fourfold.catalog.places import kept_shape
from fourfold.catalog.problem import tool_problem
from fourfold.catalog.tool import BuiltTool, PlannedInput
from fourfold.contracts.base import Input, Output
from fourfold.contracts.check import InputCheck, OutputCheck
from fourfold.contracts.describe import describe
from fourfold.contracts.digest import with_digests
from fourfold.contracts.framework import joined, plan_model
from fourfold.contracts.planning import ExecuteArguments, NoArguments, PlanResult
from fourfold.contracts.schema import canonical, published
from fourfold.contracts.walk import Schema
from fourfold.errors import BuildProblem
from fourfold.model.contract import Selection
from fourfold.model.effect import Effect, PlanStep
from fourfold.model.plan import PlanTerms

__all__ = ["names_of", "pair_of", "plan_problems", "plan_terms"]

MAX_LIFETIME_S = 7 * 86_400
"""Seconds that a plan may stand at most: what is approved later than that is another decision."""


def names_of(declaration: Declaration) -> tuple[str, ...]:
    """The names that a declaration is published under."""
    terms = plan_terms(declaration)
    if terms is None:
        return (declaration.name,)
    return terms.pair or (f"{declaration.name}_plan", f"{declaration.name}_execute")


def pair_of(tool: BuiltTool, own: Schema, *, request: type[Input]) -> tuple[BuiltTool, ...]:
    """What `tool` is published as: itself, or its plan and its execute. `own` is the author's input schema."""
    if plan_terms(tool.declaration) is None:
        return (tool,)
    plan_name, execute_name = names_of(tool.declaration)
    # A plan is made under the contract that executes it, so that a change of either half ends it.
    execute = _execute(tool, execute_name, plan_name)
    planned = PlannedInput(request, execute.contract.wire_digest)
    plan = _plan(tool, own, request=request, name=plan_name, other=execute_name)
    return replace(plan, planned=planned), replace(execute, planned=planned)


def plan_problems(declaration: Declaration) -> Iterator[BuildProblem]:
    """What is wrong with the plan of a declaration."""
    terms = plan_terms(declaration)
    if terms is None:
        return
    if not declaration.effect.writes:
        yield _problem(declaration, "a plan for what writes nothing", "leave plan= out")
    if not 1 <= terms.lifetime_s <= MAX_LIFETIME_S:
        yield _problem(declaration, f"lifetime_s={terms.lifetime_s}", f"give lifetime_s= from 1 to {MAX_LIFETIME_S}")
    if terms.pair is not None and len(set(terms.pair)) != 2:
        yield _problem(declaration, "a pair of two equal names", "give pair= two names")


def _problem(declaration: Declaration, what: str, fix: str) -> BuildProblem:
    return tool_problem(
        declaration.name,
        "plan_terms",
        what=what,
        why="a plan is what a person agrees to, for a while, before it is executed under another name",
        fix=fix,
    )


def plan_terms(declaration: Declaration) -> PlanTerms | None:
    """How a declaration is split into a plan and an execute, if it is."""
    effect = declaration.effect
    return effect.plan if isinstance(effect, Effect) else None  # pyright: ignore[reportUnnecessaryIsInstance]  # authors may not check types


def _plan(tool: BuiltTool, own: Schema, *, request: type[Input], name: str, other: str) -> BuiltTool:
    """The tool that plans: the author's arguments in, a plan out."""
    contract, effect = tool.contract, PlanStep()
    framework = plan_model(contract.effect)
    output = canonical(PlanResult, output=True)
    selection = replace(
        contract.selection,
        does=f"Plan, without doing it yet: {_lower(contract.selection.does)}",
        returns=f"Returns plan_id, digest, impact, approval and expires_at for {other}",
    )
    input_schema = joined(own, framework)
    made = replace(
        contract,
        name=name,
        effect=effect,
        selection=selection,
        description=describe(selection, effect, output=output),
        input_schema=published(input_schema),
        output_schema=published(output),
        framework_arguments=tuple(framework.model_fields) if framework else (),
        counted=(),
        recovery="local",
    )
    return replace(
        tool,
        contract=with_digests(made),
        input=InputCheck(request, framework, cast("Schema", made.input_schema)),
        output=cast("OutputCheck[Output]", OutputCheck(PlanResult, output)),
        role="plan",
        page_limit=None,
        masked=(),
        output_subject=None,
        says="",
        kept=kept_shape(input_schema, output, request=own),
    )


def _execute(tool: BuiltTool, name: str, other: str) -> BuiltTool:
    """The tool that executes: a plan in, what the author's handler returns out."""
    contract = tool.contract
    selection = Selection(
        does=f"Execute a plan of {other}: {_lower(contract.selection.does)}",
        use_when=f"{other} was called, the user saw its impact and whoever must has approved",
        not_for=f"anything without a plan ({other})",
        returns=contract.selection.returns,
    )
    input_schema = joined(canonical(NoArguments), ExecuteArguments)
    made = replace(
        contract,
        name=name,
        selection=selection,
        description=describe(selection, contract.effect, output=contract.output_schema),
        input_schema=published(input_schema),
        framework_arguments=tuple(ExecuteArguments.model_fields),
        subject=None,
        offers=(),
    )
    return replace(
        tool,
        contract=with_digests(made),
        input=cast("InputCheck[Input]", InputCheck(NoArguments, ExecuteArguments, cast("Schema", made.input_schema))),
        kept=kept_shape(input_schema, tool.kept.result, request=tool.kept.request),
        role="execute",
    )


def _lower(text: str) -> str:
    """`text` as the rest of a sentence, unless it starts with a name or an abbreviation."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text
