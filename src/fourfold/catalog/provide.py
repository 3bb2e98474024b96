"""Fills a handler's parameters by their types: input, caller, unit, page, run, and what the catalog provides.

The plan of a function is made once, when the catalog is built; a call only follows it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints

from fourfold.contracts.base import Input
from fourfold.model.caller import Caller
from fourfold.model.page import PageRequest
from fourfold.model.run import RunDraft
from fourfold.ports.clock import Clock
from fourfold.ports.units import Unit

__all__ = ["BUILT_IN", "Binding", "Factory", "Supplies", "Unfilled", "Unreadable", "annotations_of", "bind"]

Factory = Callable[..., object]
"""A function whose parameters are filled by type: a handler, or what makes a provided object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplies:
    """What one call can fill parameters with. `unit` is `None` outside a store."""

    request: Input
    caller: Caller
    clock: Clock
    run: RunDraft
    page: PageRequest | None = None
    unit: Unit | None = None


class Unfilled(Exception):
    """A parameter that nothing provides; carries its name and what its type is called."""

    def __init__(self, parameter: str, kind: str) -> None:
        self.parameter = parameter
        self.kind = kind
        super().__init__(f"nothing provides {kind} for parameter {parameter}")


class Unreadable(Exception):
    """Types of a function that cannot be read: a name that is not there at run time, or no function at all."""


BUILT_IN: Mapping[type, str] = {Caller: "caller", Clock: "clock", RunDraft: "run", PageRequest: "page", Unit: "unit"}


@dataclass(frozen=True, slots=True)
class Binding:
    """A function with the plan of its parameters.

    `taken` names what the plan takes from `Supplies`, here or deeper; `unit` in it means that a store is needed.
    """

    function: Factory
    parameters: tuple[tuple[str, str | Binding], ...]
    taken: frozenset[str]

    def fill(self, supplies: Supplies) -> dict[str, object]:
        """The arguments of `function` for one call."""
        return {
            name: source.call(supplies) if isinstance(source, Binding) else getattr(supplies, source)
            for name, source in self.parameters
        }

    def call(self, supplies: Supplies) -> Any:
        """Call `function` with its parameters filled."""
        return self.function(**self.fill(supplies))


def annotations_of(function: Factory) -> dict[str, object]:
    """Parameter and return types of `function` (of a class: of its constructor).

    Raises:
        Unreadable: a type cannot be evaluated here.
    """
    target = function.__init__ if inspect.isclass(function) else function
    try:
        hints = get_type_hints(target)
    except (NameError, AttributeError, SyntaxError, TypeError) as error:
        raise Unreadable(str(error)) from None
    if inspect.isclass(function):
        hints["return"] = function
    return hints


def bind(
    function: Factory,
    *,
    request: type[Input],
    factories: Mapping[type, Factory],
    inside: tuple[type, ...] = (),
) -> Binding:
    """Plan how to fill the parameters of `function`.

    Raises:
        Unfilled: nothing provides a parameter, it has no type, or factories need each other in a circle.
        Unreadable: a type cannot be evaluated.
    """
    hints = annotations_of(function)
    parameters: list[tuple[str, str | Binding]] = []
    taken: set[str] = set()
    for name in _parameter_names(function):
        kind = hints.get(name)
        source = _source(name, kind, request=request, factories=factories, inside=inside)
        parameters.append((name, source))
        taken |= source.taken if isinstance(source, Binding) else {source}
    return Binding(function, tuple(parameters), frozenset(taken))


def _parameter_names(function: Factory) -> list[str]:
    """Parameters to fill; one with a default is the author's own business, `*args` and `**kwargs` are refused."""
    try:
        signature = inspect.signature(function)
    except ValueError as error:  # a class whose constructor is written in C
        raise Unreadable(str(error)) from None
    names: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise Unfilled(parameter.name, f"a {parameter.kind.description} parameter")
        if parameter.default is parameter.empty:
            names.append(parameter.name)
    return names


def _source(
    name: str, kind: object, *, request: type[Input], factories: Mapping[type, Factory], inside: tuple[type, ...]
) -> str | Binding:
    if kind is request:
        return "request"
    if not isinstance(kind, type):  # only a class can be provided, and not every annotation can be looked up
        raise Unfilled(name, "an untyped value" if kind is None else str(kind))
    if kind in BUILT_IN:
        return BUILT_IN[kind]
    factory = factories.get(kind)
    if factory is None or kind in inside:
        raise Unfilled(name, kind.__name__)
    return bind(factory, request=request, factories=factories, inside=(*inside, kind))
