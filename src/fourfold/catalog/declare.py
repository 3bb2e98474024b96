"""`Catalog` and `@catalog.tool`: how a team declares tools beside plain handlers.

Declaring records; nothing is checked or computed before `Catalog.build()`, so that it can report every problem at
once.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from fourfold.catalog.build import BuiltCatalog, build_catalog
from fourfold.catalog.declaration import Declaration, Declared, Outside
from fourfold.catalog.provide import BUILT_IN, Factory, Unreadable, annotations_of
from fourfold.errors import ConfigError
from fourfold.model.contract import Limits, Waiver
from fourfold.model.effect import Effect
from fourfold.model.fault import Fault
from fourfold.ports.outbox import Send, Sender
from fourfold.ports.units import Unit

__all__ = ["Catalog"]

Handler = TypeVar("Handler", bound=Factory)
SenderT = TypeVar("SenderT", bound=Send | Sender)

_TOPIC = re.compile(r"[a-z][a-z0-9_.]{0,39}")


@dataclass(slots=True)
class Catalog(Declared):
    """A named set of tools.

    Args:
        name: what clients see as the server's name.
        version: the server's own version.
        instructions: a few sentences for the model about all the tools together.
        policy: decides beyond scopes; `None` means that scopes decide alone.
    """

    _built: BuiltCatalog | None = field(default=None, init=False, repr=False, compare=False)

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
        resource: Factory | None = None,
        outside: Outside | None = None,
        ask: Factory | None = None,
        says: str = "",
        keep: Iterable[str] = (),
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
            outside: for a write that reaches outside, what it does in the store before and after, and how it is asked
                about: an `Outside`.
            ask: says what a person has to be asked before anything happens: an `Ask`, a `Visit`, several of them, or
                `None`. It reads only, and its parameters are filled by type; answers so far are `Form | None`.
            says: the short text of a success, with `{field}` of the result in it.
            keep: `"arguments"`, `"results"` or both: what of each call is kept beside its run, sealed and without
                secrets and personal data; nothing when left out.
            waivers: rules set aside for the tool as a whole, each with its reason.
        """
        declared = partial(
            Declaration,
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
            needs=_words(needs),
            step_up=step_up,
            toolsets=_words(toolsets),
            limits=limits or Limits(),
            page_limit=page_limit,
            resource=resource,
            outside=outside or Outside(),
            ask=ask,
            says=says,
            keep=_words(keep),
            waivers=tuple(waivers),
        )

        def register(handler: Handler) -> Handler:
            self._built = None
            self.declarations.append(declared(handler=handler))
            return handler

        return register

    def provide(self, factory: Handler) -> Handler:
        """Tell the catalog how to make what `factory` returns; usable as a decorator.

        The return annotation is the type that handlers ask for. The factory's own parameters are filled by type,
        `Unit` and `Caller` among them, so that a repository gets its transaction and its tenant and nothing else.

        Raises:
            ConfigError: the factory has no return annotation, or that type is provided already.
        """
        try:
            kind = annotations_of(factory).get("return")
        except Unreadable as error:
            raise ConfigError(f"the types of {factory!r} cannot be read: {error}") from None
        if not isinstance(kind, type):
            raise ConfigError(f"{factory!r} needs a return annotation: the type that handlers ask for")
        if kind in BUILT_IN:
            raise ConfigError(f"{kind.__name__} is filled by the framework; provide your own types only")
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

    def sender(self, topic: str) -> Callable[[SenderT], SenderT]:
        """Declare who sends the messages of `topic`: an async function of a `Delivery`, or a `Sender`.

        It is called after the commit, by the server, at least once for each message; usable as a decorator.

        Raises:
            ConfigError: the topic is not a lower-case word or has a sender already, or the sender is not async.
        """
        if not _TOPIC.fullmatch(topic):
            raise ConfigError(f"a topic is a lower-case word such as mail, not {topic[:60]!r}")
        if topic in self.senders:
            raise ConfigError(f"topic {topic!r} has two senders in catalog {self.name!r}")

        def register(sender: SenderT) -> SenderT:
            send = _send_of(sender)
            if not inspect.iscoroutinefunction(send):
                raise ConfigError(f"the sender of {topic!r} is not async: write `async def send(delivery)`")
            self._built = None
            self.senders[topic] = send
            return sender

        return register

    def build(self) -> BuiltCatalog:
        """The contracts of this catalog, made once.

        Raises:
            ContractError: one or more contracts are broken; it lists all of them, each with its fix.
        """
        if self._built is None:
            self._built = build_catalog(self)
        return self._built


def _send_of(sender: Send | Sender) -> Send:
    return sender.send if isinstance(sender, Sender) else sender


def _words(given: Iterable[str]) -> frozenset[str]:
    """The words of `given`; one bare word is meant as itself and not as its letters."""
    return frozenset([given]) if isinstance(given, str) else frozenset(given)
