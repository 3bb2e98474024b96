"""Parameters are filled by type, never by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, cast

import pytest

from fourfold.catalog.declare import Catalog
from fourfold.catalog.provide import Binding, Supplies, Unfilled, Unreadable, bind
from fourfold.errors import ConfigError
from fourfold.model.caller import Caller
from fourfold.model.page import PageRequest
from fourfold.model.run import RunDraft
from fourfold.ports.clock import Clock
from fourfold.ports.units import Unit
from tests.contracts.declaring import Nothing, Ok, add_tool, problems_of

if TYPE_CHECKING:
    from collections import OrderedDict

CALLER = Caller(principal="ada", tenant="acme")


class FakeUnit:
    """Stands for an open transaction."""


@dataclass(frozen=True)
class Accounts:
    """A repository in a transaction."""

    unit: Unit
    caller: Caller


class Quotes:
    """Made from another repository."""

    def __init__(self, accounts: Accounts, clock: Clock) -> None:
        self.accounts = accounts
        self.clock = clock


@dataclass(frozen=True)
class Settings:
    """Plain data."""

    name: str = "default"


def make_settings() -> Settings:
    """A factory that needs nothing."""
    return Settings("made")


FACTORIES: Mapping[type, Any] = {Accounts: Accounts, Quotes: Quotes, Settings: make_settings}


def _supplies(**more: Any) -> Supplies:
    given: dict[str, Any] = {"request": Nothing(), "caller": CALLER, "clock": object(), "run": object(), **more}
    return Supplies(**given)


def _bound(function: Any, factories: Mapping[type, Any] = FACTORIES) -> Binding:
    return bind(function, request=Nothing, factories=factories)


def test_every_built_in_type_is_filled_by_what_the_call_has() -> None:
    """A3, B18: whatever the parameters are called."""

    def handler(*, tenant: Nothing, a: Caller, b: Unit, c: PageRequest, d: RunDraft, e: Clock) -> Any:
        return tenant, a, b, c, d, e

    unit, page = FakeUnit(), PageRequest(limit=1)
    supplies = _supplies(unit=unit, page=page)
    binding = _bound(handler)

    assert binding.call(supplies) == (supplies.request, CALLER, unit, page, supplies.run, supplies.clock)
    assert binding.taken == {"request", "caller", "unit", "page", "run", "clock"}


def test_factories_are_filled_by_type_too_and_tell_what_they_take() -> None:
    """A3, B18: a repository gets its transaction and its caller; the handler needs neither."""

    def handler(settings: Quotes, quotes: Settings) -> Any:
        return settings, quotes

    handler.__annotations__ = {"settings": Quotes, "quotes": Settings}
    unit = FakeUnit()
    quotes, settings = _bound(handler).call(_supplies(unit=unit))

    assert (quotes.accounts.unit, quotes.accounts.caller) == (unit, CALLER)
    assert settings == Settings("made")
    assert _bound(handler).taken == {"unit", "caller", "clock"}


def test_annotations_may_be_text_or_annotated() -> None:
    """A3: modules with postponed annotations are the normal case."""

    def handler(
        request: Nothing, who: Annotated[Caller, ["unhashable"]], plain: Settings = Settings("own")
    ) -> Any:  # frozen
        return request, who, plain

    assert _bound(handler).call(_supplies()) == (Nothing(), CALLER, Settings("own"))


def test_a_parameter_with_a_default_is_its_authors_business() -> None:
    """A3: it isn't filled, though its type could be."""

    def handler(caller: Caller | None = None, accounts: Accounts | None = None) -> Any:
        return caller, accounts

    assert _bound(handler).call(_supplies()) == (None, None)


def untyped(request: Any, caller: Any) -> Any:
    """Says nothing about its parameters."""
    return request, caller


untyped.__annotations__.clear()


def by_name(caller: str) -> str:
    """Relies on the name."""
    return caller


def positional(request: Nothing, /) -> None:
    """Cannot be filled by keyword."""


def starred(*requests: Nothing) -> None:
    """Takes any number."""


def keywords(**requests: Nothing) -> None:
    """Takes any name."""


def one_of_two(caller: Caller | None) -> None:
    """Could do without."""


def strange(value: Any) -> None:
    """Has an annotation that is no type."""


strange.__annotations__["value"] = [1]


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (untyped, "nothing provides an untyped value for parameter request"),
        (by_name, "nothing provides str for parameter caller"),
        (positional, "nothing provides a positional-only parameter for parameter request"),
        (starred, "nothing provides a variadic positional parameter for parameter requests"),
        (keywords, "nothing provides a variadic keyword parameter for parameter requests"),
        (one_of_two, "nothing provides fourfold.model.caller.Caller | None for parameter caller"),
        (strange, "nothing provides [1] for parameter value"),
    ],
)
def test_what_nothing_provides_is_named(function: Any, text: str) -> None:
    """A3: no magic by name, no guess."""
    with pytest.raises(Unfilled) as caught:
        _bound(function)
    assert (
        str(caught.value).replace(
            "typing.Optional[fourfold.model.caller.Caller]", "fourfold.model.caller.Caller | None"
        )
        == text
    )


class Egg:
    """Needs a hen."""

    def __init__(self, hen: Hen) -> None: ...


class Hen:
    """Needs an egg."""

    def __init__(self, egg: Egg) -> None: ...


def test_factories_that_need_each_other_are_refused() -> None:
    """A3: the circle is found when the catalog is built."""

    def handler(hen: Hen) -> None: ...

    with pytest.raises(Unfilled, match="nothing provides Hen for parameter hen"):
        _bound(handler, {Egg: Egg, Hen: Hen})


def hidden(request: Nothing, cache: OrderedDict[str, str]) -> None:
    """Names a type that is there for the type checker alone."""


def makes_hidden() -> OrderedDict[str, str]:
    """Returns such a type."""
    raise NotImplementedError


class FromC(dict[str, str]):
    """A class whose constructor has no signature."""


def test_types_that_are_not_there_at_run_time_are_unreadable() -> None:
    """A3: also a class whose constructor shows no parameters."""
    with pytest.raises(Unreadable, match="OrderedDict"):
        _bound(hidden)

    def handler(cache: FromC) -> None: ...

    with pytest.raises(Unreadable, match="signature"):
        _bound(handler, {FromC: FromC})


def test_an_async_handler_takes_no_unit_however_deep() -> None:
    """B4: an await inside an open transaction would hold everybody else."""

    async def handler(request: Nothing, quotes: Quotes) -> Ok:
        return Ok(done=True)

    handler.__annotations__ = {"request": Nothing, "quotes": Quotes, "return": Ok}
    catalog = Catalog("shop")
    add_tool(catalog, handler)
    for factory in (Accounts, Quotes):
        catalog.provide(factory)

    assert [problem.rule for problem in problems_of(catalog)] == ["async_with_unit"]


def test_a_factory_says_what_it_makes() -> None:
    """A3: by its return annotation, or by being a class; once, and never a type of the framework."""
    catalog = Catalog("shop")

    def nothing(): ...  # noqa: ANN202  # the fault that is looked for

    def maybe() -> Settings | None: ...

    def caller() -> Caller: ...

    assert catalog.provide(Quotes) is Quotes
    assert catalog.provide(make_settings) is make_settings
    for factory, text in [
        (nothing, "needs a return annotation"),
        (maybe, "needs a return annotation"),
        (make_settings, "Settings is provided twice in catalog 'shop'"),
        (caller, "Caller is filled by the framework"),
        (makes_hidden, "cannot be read: name 'OrderedDict' is not defined"),
    ]:
        with pytest.raises(ConfigError, match=text):
            catalog.provide(cast("Any", factory))


def test_the_decorators_return_what_they_decorate() -> None:
    """A3: a handler stays a plain function."""
    catalog = Catalog("shop")

    @catalog.prepare
    def tables(unit: Unit) -> None: ...

    assert catalog.preparations == [tables]
    handler = catalog.tool(
        name="thing_get",
        version="1.0",
        does="Gets it.",
        use_when="it is wanted",
        not_for="other things",
        effect=cast("Any", None),
    )(by_name)
    assert handler is by_name
