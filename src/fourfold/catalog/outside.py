"""What the build asks of a write that reaches outside: how it recovers, what it records, how it is asked about."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from fourfold.catalog.declaration import Declaration
from fourfold.catalog.problem import tool_problem
from fourfold.catalog.provide import Binding
from fourfold.errors import BuildProblem
from fourfold.model.claim import EffectClass
from fourfold.model.effect import Effect

__all__ = ["effect_class", "is_outside", "outside_problems"]

_CLASSES: dict[str, EffectClass] = {
    "keyed": "external_keyed",
    "probe": "external_probe",
    "blind": "external_blind",
}
"""By what the handler takes: see `ports.upstream`."""


def is_outside(declaration: Declaration) -> bool:
    """Whether it is a write that reaches another system."""
    effect = declaration.effect
    return isinstance(effect, Effect) and effect.writes and effect.reach == "outside"  # pyright: ignore[reportUnnecessaryIsInstance]  # authors may not check types


def effect_class(handler: Binding) -> EffectClass:
    """How an operation of this handler recovers."""
    found: list[EffectClass] = [kind for taken, kind in _CLASSES.items() if taken in handler.taken]
    return found[0] if found else "local"


def outside_problems(declaration: Declaration, handler: Binding) -> Iterator[BuildProblem]:
    """What is wrong with how a tool reaches outside, or with one that shouldn't."""
    taken = handler.taken & _CLASSES.keys()
    if not is_outside(declaration):
        yield from _inside(declaration, taken)
        return
    if not inspect.iscoroutinefunction(declaration.handler) or len(taken) != 1:
        yield tool_problem(
            declaration.name,
            "no_upstream",
            what="a write that reaches outside is not an async handler with one of Keyed, Probe and Blind",
            why="nobody could say after a crash whether the other system did it",
            fix="write `async def` and take Keyed, Probe or Blind, here or in what is provided",
        )
    if "probe" in taken and declaration.outside.reconcile is None:
        yield tool_problem(
            declaration.name,
            "no_reconcile",
            what="it takes Probe without reconcile=",
            why="there is nothing to ask the other system with after a crash",
            fix="give outside=Outside(reconcile=…) an async function: Happened, DidNotHappen or CannotTell",
        )
    yield from _functions(declaration)
    yield from _halves(declaration)


def _inside(declaration: Declaration, taken: frozenset[str]) -> Iterator[BuildProblem]:
    names = [
        name
        for name in ("reserve", "give_back", "record", "reconcile")
        if getattr(declaration.outside, name) is not None
    ]
    if taken or names:
        yield tool_problem(
            declaration.name,
            "no_outside",
            what=f"{' and '.join([*sorted(taken), *names])} where no write reaches outside",
            why="an effect in the store commits with its claim, and there is nothing to recover",
            fix='declare the effect with reach="outside", or leave it out',
        )


def _functions(declaration: Declaration) -> Iterator[BuildProblem]:
    """`reconcile=` runs on the loop, the others in a transaction."""
    reconcile = declaration.outside.reconcile
    for name in ("reserve", "give_back", "record"):
        if inspect.iscoroutinefunction(getattr(declaration.outside, name)):
            yield _shape(declaration, name, "a plain def")
    if reconcile is not None and not inspect.iscoroutinefunction(reconcile):
        yield _shape(declaration, "reconcile", "an async def")


def _halves(declaration: Declaration) -> Iterator[BuildProblem]:
    """What is set aside has to be given back when the other system refuses."""
    if (declaration.outside.reserve is None) != (declaration.outside.give_back is None):
        yield tool_problem(
            declaration.name,
            "half_a_reservation",
            what="one of reserve= and give_back= is there without the other",
            why="what is set aside for an effect that is refused would stay so for ever",
            fix="give both, or neither",
        )


def _shape(declaration: Declaration, name: str, kind: str) -> BuildProblem:
    return tool_problem(
        declaration.name,
        "outside_function",
        what=f"{name}= is not {kind}",
        why="reconcile= waits for the other system, and the others run inside a transaction",
        fix=f"write it as {kind}",
    )
