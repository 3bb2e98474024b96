"""The same counts over many catalogs: how common a fault is, and how that differs from catalog to catalog."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fourfold.model.listed import ListedCatalog
from fourfold.model.survey import Counted
from fourfold.review.place import Place
from fourfold.review.registry import rule_named
from fourfold.review.rule import CatalogRule, ToolRule
from fourfold.review.view import CatalogView, ToolView

__all__ = ["MEASURES", "Measure", "count_all"]


Count = Callable[[CatalogView], tuple[int, int]]
"""How many of how many, in one catalog."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One thing that is counted, and what the total counts."""

    name: str
    of: str
    count: Count


def count_all(
    catalogs: Iterable[ListedCatalog], *, progress: Callable[[str], None] = lambda _: None
) -> tuple[Counted, ...]:
    """Every measure over `catalogs`. `progress` is called with each catalog's target before it is counted."""
    each: list[list[tuple[int, int]]] = []
    for catalog in catalogs:
        progress(catalog.target)
        view = CatalogView(catalog)
        each.append([measure.count(view) for measure in MEASURES])
    return tuple(_counted(measure, tuple(counts[at] for counts in each)) for at, measure in enumerate(MEASURES))


def _counted(measure: Measure, each: tuple[tuple[int, int], ...]) -> Counted:
    return Counted(
        name=measure.name,
        of=measure.of,
        found=sum(found for found, _ in each),
        total=sum(total for _, total in each),
        each=each,
    )


def _tools(symbol: str, *, among: Callable[[ToolView], bool] = lambda _: True) -> Count:
    """Tools in which a rule fires, among those that it could fire in."""

    def count(view: CatalogView) -> tuple[int, int]:
        names = {tool for tool, _ in _hits(symbol, view)}
        tools = [tool for tool in view.tools if among(tool)]
        return sum(tool.name in names for tool in tools), len(tools)

    return count


def _tools_that(has: Callable[[ToolView], bool]) -> Count:
    """Tools of which something is so, whether or not a rule takes it for a fault."""
    return lambda view: (sum(map(has, view.tools)), len(view.tools))


def _has_no_output_schema(tool: ToolView) -> bool:
    return tool.tool.output_schema is None


def _places(symbol: str, places: Callable[[ToolView], Iterator[Place]]) -> Count:
    """Places at which a rule fires, among those of its kind."""

    def count(view: CatalogView) -> tuple[int, int]:
        all_of_them = {(tool.name, place.pointer) for tool in view.tools for place in places(tool)}
        return len(all_of_them.intersection(_hits(symbol, view))), len(all_of_them)

    return count


def _hits(symbol: str, view: CatalogView) -> Iterator[tuple[str, str]]:
    """The tools and pointers at which a rule fires."""
    rule = rule_named(symbol)
    if isinstance(rule, ToolRule):
        return ((tool.name, hit.pointer) for tool in view.tools for hit in rule.check(tool))
    if isinstance(rule, CatalogRule):
        return ((hit.tool, hit.pointer) for hit in rule.check(view))
    raise LookupError(f"no rule about definitions is called {symbol}")


def _texts(tool: ToolView) -> Iterator[Place]:
    return (place for place in tool.inputs if "string" in place.types and not place.values)


def _arrays(tool: ToolView) -> Iterator[Place]:
    return (place for place in tool.inputs if "array" in place.types)


def _is_list(tool: ToolView) -> bool:
    return tool.named_action == "read" and bool({"list", "search", "find", "browse"} & set(tool.words))


MEASURES: tuple[Measure, ...] = (
    Measure(name="text arguments without a bound", of="text arguments", count=_places("unbounded-string", _texts)),
    Measure(name="list arguments without a bound", of="list arguments", count=_places("unbounded-array", _arrays)),
    Measure(name="tools that accept unknown arguments", of="tools", count=_tools("open-input")),
    Measure(name="tools with an identity argument", of="tools", count=_tools("identity-argument")),
    Measure(name="tools with a secret as argument", of="tools", count=_tools("secret-argument")),
    Measure(name="tools with consent as argument", of="tools", count=_tools("consent-argument")),
    Measure(name="tools that take free SQL", of="tools", count=_tools("free-query")),
    Measure(name="tools that take free commands or code", of="tools", count=_tools("free-command")),
    Measure(name="lists without limit or cursor", of="list tools", count=_tools("list-without-page", among=_is_list)),
    Measure(name="tools without an output schema", of="tools", count=_tools_that(_has_no_output_schema)),
    Measure(name="tools without annotations", of="tools", count=_tools("annotations-missing")),
    Measure(
        name="writes without an idempotency key",
        of="tools that are known to write",
        count=_tools("write-without-idempotency", among=lambda tool: tool.is_known_write),
    ),
    Measure(name="tools without a description", of="tools", count=_tools("description-missing")),
)
"""What a survey counts, each by the rule that finds it."""
