"""`Catalog` and `@catalog.tool`: how a team declares tools beside plain handlers.

Declaring records; nothing is checked or computed before `Catalog.build()`, so that it can report every problem at
once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from fourfold.catalog.provide import Factory, annotations_of
from fourfold.errors import ConfigError
from fourfold.model.contract import Limits, Waiver
from fourfold.model.effect import Effect
from fourfold.model.fault import Fault
from fourfold.ports.policy import Policy
from fourfold.ports.units import Unit

if TYPE_CHECKING:
    from fourfold.catalog.build import BuiltCatalog

__all__ = ["Catalog", "Declaration"]

Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """One `@catalog.tool(…)` as it was written."""

    handler: Callable[..., Any]
    name: str
    version: str
    does: str
    use_when: str
    not_for: str
    effect: Effect
    inputs: str
    returns: str
    title: str
    missing: type[Fault] | None
    faults: tuple[type[Fault], ...]
    needs: frozenset[str]
    step_up: bool
    toolsets: frozenset[str]
    limits: Limits
    page_limit: int
    resource: Callable[..., Any] | None
    says: str
    waivers: tuple[Waiver, ...]


@dataclass(slots=True)
class Catalog:
    """A named set of tools.

    Args:
        name: what clients see as the server's name.
        version: the server's own version.
        instructions: a few sentences for the model about all the tools together.
        policy: decides beyond scopes; `None` means that scopes decide alone.
    """

    name: str
    version: str = "0"
    instructions: str = ""
    policy: Policy | None = None
    declarations: list[Declaration] = field(default_factory=list[Declaration])
    factories: dict[type, Factory] = field(default_factory=dict[type, Factory])
    preparations: list[Callable[[Unit], None]] = field(default_factory=list[Callable[[Unit], None]])
    _built: BuiltCatalog | None = None

    def tool(  # noqa: PLR0913  # one keyword for each part of the four contracts; there is no shorter truth
        self,
        *,
        name: str,
        version: str,
        does: str,
        use_when: str,
        not_for: str,
        effect: Effect,
        inputs: str = "",
        returns: str = "",
        title: str = "",
        missing: type[Fault] | None = None,
        faults: Sequence[type[Fault]] = (),
        needs: Iterable[str] = (),
        step_up: bool = False,
        toolsets: Iterable[str] = (),
        limits: Limits | None = None,
        page_limit: int = 50,
        resource: Callable[..., Any] | None = None,
        says: str = "",
        waivers: Sequence[Waiver] = (),
    ) -> Callable[[Handler], Handler]:
        """Declare a tool; the handler is returned untouched.

        Args:
            name: `resource_action`, in lower case.
            version: `MAJOR.MINOR` of this contract; a breaking change takes a new major.
            does: what it does, in one clause; the description is rendered from this and the next four.
            use_when: when to use it.
            not_for: what it is not for, naming the neighbour that is.
            effect: one of the six effects.
            inputs: what arguments mean where it isn't obvious.
            returns: what comes back and its limits; rendered from the output contract when left out.
            title: a name for people; clients show it instead of `name`.
            missing: the fault for an object that is absent or denied, so that the two look alike.
            faults: every other domain fault that the handler may raise.
            needs: scopes that the caller must hold.
            step_up: list the tool without its scopes too, and answer a call with an HTTP 403 challenge.
            toolsets: named toolsets that the tool belongs to, for `fourfold serve --toolset`.
            limits: bounds of a call; `Limits()` when left out.
            page_limit: the most items a page, where the output is a `Page`.
            resource: finds the object that the call is about, as a `Resource` or `None`; its parameters are filled
                by type. Policy and `expected_version` are checked against it.
            says: the short text of a success, with `{field}` of the result in it.
            waivers: rules set aside for the tool as a whole, each with its reason.
        """

        def register(handler: Handler) -> Handler:
            self._built = None
            self.declarations.append(
                Declaration(
                    handler=handler,
                    name=name,
                    version=version,
                    does=does,
                    use_when=use_when,
                    not_for=not_for,
                    effect=effect,
                    inputs=inputs,
                    returns=returns,
                    title=title,
                    missing=missing,
                    faults=tuple(faults),
                    needs=frozenset(needs),
                    step_up=step_up,
                    toolsets=frozenset(toolsets),
                    limits=limits or Limits(),
                    page_limit=page_limit,
                    resource=resource,
                    says=says,
                    waivers=tuple(waivers),
                )
            )
            return handler

        return register

    def provide(self, factory: Factory) -> Factory:
        """Tell the catalog how to make what `factory` returns; usable as a decorator.

        The return annotation is the type that handlers ask for. The factory's own parameters are filled by type,
        `Unit` and `Caller` among them, so that a repository gets its transaction and its tenant and nothing else.

        Raises:
            ConfigError: the factory has no return annotation, or that type is provided already.
        """
        kind = annotations_of(factory).get("return")
        if not isinstance(kind, type):
            raise ConfigError(f"{factory!r} needs a return annotation: the type that handlers ask for")
        if kind in self.factories:
            raise ConfigError(f"{kind.__name__} is provided twice in catalog {self.name!r}")
        self._built = None
        self.factories[kind] = factory
        return factory

    def prepare(self, work: Callable[[Unit], None]) -> Callable[[Unit], None]:
        """Run `work` in one write transaction whenever a store is opened: the catalog's own tables and seed.

        It must be repeatable (`CREATE TABLE IF NOT EXISTS`, seed only if empty). Usable as a decorator.
        """
        self.preparations.append(work)
        return work

    def build(self) -> BuiltCatalog:
        """The contracts of this catalog, made once.

        Raises:
            ContractError: one or more contracts are broken; it lists all of them, each with its fix.
        """
        if self._built is None:
            from fourfold.catalog.build import build_catalog

            self._built = build_catalog(self)
        return self._built
