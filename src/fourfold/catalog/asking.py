"""What the build asks of `ask=` and its forms, and the checks that are made of them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping

from fourfold.catalog.declaration import Declaration
from fourfold.catalog.pair import plan_terms
from fourfold.catalog.problem import tool_problem
from fourfold.catalog.provide import Binding
from fourfold.contracts.base import Form
from fourfold.contracts.forms import FormCheck, form_problems, key_of_form
from fourfold.contracts.rules import broken
from fourfold.contracts.schema import Unpublishable, canonical
from fourfold.errors import BuildProblem

__all__ = ["asking_problems", "form_checks"]

_EFFECTS = frozenset({"keyed", "probe", "blind", "receipt"})
"""What a function that reads only has no use for."""


def form_checks(bindings: Mapping[str, Binding]) -> tuple[FormCheck, ...]:
    """The checks of every form that the functions of a tool take, in the order of their keys. None has a problem."""
    return tuple(FormCheck.of(form) for form in _forms(bindings))


def asking_problems(declaration: Declaration, bindings: Mapping[str, Binding]) -> Iterator[BuildProblem]:
    """What is wrong with how a tool asks. `bindings` are its functions by the keyword that declares them."""
    ask = bindings.get("ask")
    if declaration.ask is None:
        if _forms(bindings):
            yield _no_ask(declaration)
        return
    if ask is not None:
        yield from _function(declaration, ask)
    yield from _moments(declaration, bindings)
    if plan_terms(declaration) is not None:
        yield tool_problem(
            declaration.name,
            "ask_with_plan",
            what="ask= beside a plan",
            why="what is approved is fixed in the plan, and an answer after that would change it",
            fix="take the value as an argument of the plan, and let approval= ask for the agreement",
        )
    for form in _forms(bindings):
        yield from _form(declaration, form)
    keys = [key_of_form(form) for form in _forms(bindings)]
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        yield tool_problem(
            declaration.name,
            "alike_forms",
            what=f"two forms that both go by {key}",
            why="nobody could tell which of them was answered",
            fix="rename one of the classes",
        )


def _forms(bindings: Mapping[str, Binding]) -> list[type[Form]]:
    found = {answered.form for binding in bindings.values() for answered in binding.forms}
    return sorted(found, key=lambda form: (key_of_form(form), form.__module__))


def _no_ask(declaration: Declaration) -> BuildProblem:
    return tool_problem(
        declaration.name,
        "no_ask",
        what="a Form parameter without ask=",
        why="nobody would ever be asked",
        fix="give ask= a function that says what to ask, or leave it out",
    )


def _function(declaration: Declaration, ask: Binding) -> Iterator[BuildProblem]:
    if inspect.iscoroutinefunction(declaration.ask) or ask.taken & _EFFECTS:
        yield tool_problem(
            declaration.name,
            "ask_function",
            what="ask= is async, or takes what an effect outside needs",
            why="it runs in each round and may run again, so it reads the store and does nothing",
            fix="write it as a plain def with a Unit, or with what is provided from one",
        )


def _moments(declaration: Declaration, bindings: Mapping[str, Binding]) -> Iterator[BuildProblem]:
    """Answers are taken where there can be some."""
    for name in ("resource", "impact"):
        if name in bindings and bindings[name].forms:
            yield _early(declaration, name, "leave the parameter out")
    if "ask" in bindings and any(not answered.optional for answered in bindings["ask"].forms):
        yield _early(declaration, "ask", "write the parameter as `X | None`; it is None until X is answered")


def _early(declaration: Declaration, name: str, fix: str) -> BuildProblem:
    return tool_problem(
        declaration.name,
        "early_answer",
        what=f"{name}= takes an answer",
        why="it runs before anything is answered",
        fix=fix,
    )


def _form(declaration: Declaration, form: type[Form]) -> Iterator[BuildProblem]:
    key = key_of_form(form)
    try:
        schema = canonical(form)
    except Unpublishable as error:
        yield tool_problem(
            declaration.name,
            "unpublishable_type",
            what=f"form {key}: {error}",
            why="what cannot be written as a JSON Schema cannot be shown or checked",
            fix="use types that JSON has, and import what the form refers to",
        )
        return
    yield from broken(schema, tool=declaration.name, side="form").problems
    yield from form_problems(schema, where=f"{declaration.name}: form {key}")
