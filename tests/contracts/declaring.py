"""One tool around a model, so that a test sees what the build makes of it or says about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import create_model

from fourfold.catalog.declare import Catalog
from fourfold.catalog.operations import OPERATION_STATUS
from fourfold.catalog.tool import BuiltTool
from fourfold.contracts.base import Input, Output
from fourfold.errors import BuildProblem, ContractError
from fourfold.model.effect import Read

__all__ = ["Nothing", "Ok", "built", "catalog_of", "input_with", "output_with", "problems_of", "rules_of"]


class Nothing(Input):
    """No arguments."""


class Ok(Output):
    """Success, and no more."""

    done: bool


def input_with(**fields: Any) -> type[Input]:
    """An input of these fields: a type for a required one, `(type, default)` for one that may be left out."""
    return create_model("Request", __base__=Input, **_complete(fields))


def output_with(**fields: Any) -> type[Output]:
    """An output of these fields."""
    return create_model("Result", __base__=Output, **_complete(fields))


def _complete(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: each if isinstance(each, tuple) else (each, ...) for name, each in fields.items()}


def catalog_of(request: Any = Nothing, output: Any = Ok, /, **declared: Any) -> Catalog:
    """A catalog of one tool with that input and that output; `declared` replaces parts of its declaration."""

    def handler(request: Any) -> Any:
        return request

    handler.__annotations__ = {"request": request, "return": output}
    catalog = Catalog("shop")
    add_tool(catalog, declared.pop("handler", handler), **declared)
    return catalog


def add_tool(catalog: Catalog, handler: Any, **declared: Any) -> None:
    """Declare one more tool, well described unless `declared` says otherwise."""
    parts: dict[str, Any] = {
        "name": "thing_get",
        "version": "1.0",
        "does": "Gets the thing.",
        "use_when": "the thing is wanted",
        "not_for": "other things than this",
        "effect": Read(),
        **declared,
    }
    catalog.tool(**parts)(handler)


def problems_of(catalog: Catalog) -> Sequence[BuildProblem]:
    """What the build says; warnings if it builds."""
    try:
        return catalog.build().warnings
    except ContractError as error:
        return error.problems


def rules_of(request: Any = Nothing, output: Any = Ok, /, **declared: Any) -> list[tuple[str, str]]:
    """Rule and place of every problem of one tool, the tool's name left out."""
    found = problems_of(catalog_of(request, output, **declared))
    return [(problem.rule, problem.where.partition(": ")[2]) for problem in found]


def built(request: Any = Nothing, output: Any = Ok, /, **declared: Any) -> BuiltTool:
    """The one tool of a catalog that builds."""
    tools = catalog_of(request, output, **declared).build().tools
    (tool,) = (tool for name, tool in tools.items() if name != OPERATION_STATUS)
    return tool
