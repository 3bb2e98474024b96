"""Fills a handler's parameters by their types: input, caller, unit, query, page, run, and what the catalog provides.

The plan of a function is made once, when the catalog is built; a call only follows it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import NoneType
from typing import Any, get_args, get_type_hints

from fourfold.contracts.base import Form, Input
from fourfold.model.caller import Caller
from fourfold.model.cost import Costs
from fourfold.model.page import PageRequest
from fourfold.model.run import RunDraft
from fourfold.ports.clock import Clock
from fourfold.ports.handles import Handles
from fourfold.ports.operations import Operations
from fourfold.ports.outbox import Outbox
from fourfold.ports.sandbox import SandboxedQuery
from fourfold.ports.units import Unit
from fourfold.ports.upstream import Blind, Keyed, Probe, RequestBudget

__all__ = [
    "BUILT_IN",
    "Answered",
    "Binding",
    "Factory",
    "Supplies",
    "Unasked",
    "Unfilled",
    "Unreadable",
    "annotations_of",
    "bind",
]

Factory = Callable[..., object]
"""A function whose parameters are filled by type: a handler, or what makes a provided object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplies:
    """What one call can fill parameters with. `unit` is `None` outside a store, `query` without a sandbox.

    One of `keyed`, `probe` and `blind` is there for a write that reaches outside, `receipt` for what records it.
    `answers` are a person's, by their form.
    """

    request: Input
    caller: Caller
    clock: Clock
    run: RunDraft
    costs: Costs = field(default_factory=Costs)
    page: PageRequest | None = None
    unit: Unit | None = None
    query: SandboxedQuery | None = None
    keyed: Keyed | None = None
    probe: Probe | None = None
    blind: Blind | None = None
    requests: RequestBudget | None = None
    handles: Handles | None = None
    outbox: Outbox | None = None
    operations: Operations | None = None
    receipt: object = None
    answers: Mapping[type[Form], Form] = field(default_factory=dict[type[Form], Form])


class Unfilled(Exception):
    """A parameter that nothing provides; carries its name and what its type is called."""

    def __init__(self, parameter: str, kind: str) -> None:
        self.parameter = parameter
        self.kind = kind
        super().__init__(f"nothing provides {kind} for parameter {parameter}")


class Unasked(Exception):
    """A function takes the answer to a form that `ask=` did not ask in this call."""


class Unreadable(Exception):
    """Types of a function that cannot be read: a name that is not there at run time, or no function at all."""


BUILT_IN: Mapping[type, str] = {
    Caller: "caller",
    Clock: "clock",
    RunDraft: "run",
    Costs: "costs",
    PageRequest: "page",
    SandboxedQuery: "query",
    Unit: "unit",
    Keyed: "keyed",
    Probe: "probe",
    Blind: "blind",
    RequestBudget: "requests",
    Handles: "handles",
    Outbox: "outbox",
    Operations: "operations",
}


_NEEDS = {name: {name, "unit"} for name in ("handles", "operations", "outbox")}
"""What is there only together with something else: a handle and a message are rows of the transaction."""


@dataclass(frozen=True, slots=True)
class Answered:
    """Takes a person's answer to a form; `None` where it was not asked and the parameter says `| None`."""

    form: type[Form]
    optional: bool

    @property
    def taken(self) -> frozenset[str]:
        """What is taken from `Supplies`."""
        return frozenset({"answers"})

    @property
    def forms(self) -> frozenset[Answered]:
        """This one."""
        return frozenset({self})

    def call(self, supplies: Supplies) -> Form | None:
        """The answer.

        Raises:
            Unasked: it was not asked for, and the parameter cannot be without it.
        """
        found = supplies.answers.get(self.form)
        if found is None and not self.optional:
            raise Unasked(f"ask= did not ask {self.form.__name__}, which is taken without `| None`")
        return found


@dataclass(frozen=True, slots=True)
class Binding:
    """A function with the plan of its parameters.

    `taken` names what the plan takes from `Supplies`, here or deeper; `unit` in it means that a store is needed.
    """

    function: Factory
    parameters: tuple[tuple[str, str | Answered | Binding], ...]
    taken: frozenset[str]

    def fill(self, supplies: Supplies) -> dict[str, object]:
        """The arguments of `function` for one call."""
        return {
            name: getattr(supplies, source) if isinstance(source, str) else source.call(supplies)
            for name, source in self.parameters
        }

    def call(self, supplies: Supplies) -> Any:
        """Call `function` with its parameters filled."""
        return self.function(**self.fill(supplies))

    @property
    def forms(self) -> frozenset[Answered]:
        """The answers that the plan takes, here or deeper."""
        inner = (source.forms for _, source in self.parameters if not isinstance(source, str))
        return frozenset[Answered]().union(*inner)


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
    receipt: type | None = None,
    inside: tuple[type, ...] = (),
) -> Binding:
    """Plan how to fill the parameters of `function`. `receipt` is what an effect outside returned, for its record.

    Raises:
        Unfilled: nothing provides a parameter, it has no type, or factories need each other in a circle.
        Unreadable: a type cannot be evaluated.
    """
    hints = annotations_of(function)
    parameters: list[tuple[str, str | Answered | Binding]] = []
    taken: set[str] = set()
    for name in _parameter_names(function):
        kind = hints.get(name)
        if receipt is not None and kind is receipt:
            source = "receipt"
        else:
            source = _source(name, kind, request=request, factories=factories, inside=inside)
        parameters.append((name, source))
        taken |= _NEEDS.get(source, {source}) if isinstance(source, str) else source.taken
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
) -> str | Answered | Binding:
    if kind is request:
        return "request"
    asked = _answered(kind)
    if asked is not None:
        return asked
    if not isinstance(kind, type):  # only a class can be provided, and not every annotation can be looked up
        raise Unfilled(name, "an untyped value" if kind is None else str(kind))
    if kind in BUILT_IN:
        return BUILT_IN[kind]
    factory = factories.get(kind)
    if factory is None or kind in inside:
        raise Unfilled(name, kind.__name__)
    return bind(factory, request=request, factories=factories, inside=(*inside, kind))


def _answered(kind: object) -> Answered | None:
    """The answer that a parameter of type `X` or `X | None` takes, where `X` is a form."""
    arms: list[object] = [arm for arm in get_args(kind) if arm is not NoneType] or [kind]
    form = arms[0]
    if len(arms) > 1 or not isinstance(form, type) or not issubclass(form, Form):
        return None
    return Answered(form, optional=len(get_args(kind)) > 1)
