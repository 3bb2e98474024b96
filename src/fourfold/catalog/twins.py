"""The rules for tools in their catalog: twins by name or by description, and names with the server's in front."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from fourfold.catalog.declaration import Declaration, Declared
from fourfold.catalog.pair import names_of
from fourfold.catalog.problem import tool_problem, unused_waiver
from fourfold.catalog.rules import BETWEEN_TOOLS, MAX_NAME
from fourfold.contracts import names
from fourfold.errors import BuildProblem

__all__ = ["catalog_problems"]

_PREFIXED = {"mcp__{server}__{tool}": 64, "{server}:{tool}": 60}
"""How clients put a server's name in front of a tool's, and how many characters they take."""

_NEAR_COPY = 0.9
"""Share of common words from which two descriptions count as copies of each other."""


def catalog_problems(catalog: Declared) -> Iterator[BuildProblem]:
    """What is wrong between the tools of a catalog. Waivers of the later tool are honoured."""
    declared = catalog.declarations
    if not declared:
        yield tool_problem(
            catalog.name,
            "empty_catalog",
            what="a catalog without tools",
            why="a server that lists nothing looks healthy and helps nobody",
            fix="import the modules that declare the tools before the catalog is built",
        )
    names_ = [name for declaration in declared for name in names_of(declaration)]
    found = [*_long_names(catalog.name, names_), *_twin_names(names_), *_near_copies(declared)]
    waived = {(tool.name, waiver.rule) for tool in declared for waiver in tool.waivers if waiver.rule in BETWEEN_TOOLS}
    yield from (problem for problem in found if (problem.where, problem.rule) not in waived)
    for tool, rule in sorted(waived - {(problem.where, problem.rule) for problem in found}):
        yield unused_waiver(tool, rule)


def _long_names(server: str, tools: list[str]) -> Iterator[BuildProblem]:
    for tool in tools:
        shown = {form.format(server=server, tool=tool): limit for form, limit in _PREFIXED.items()}
        over = [(name, limit) for name, limit in shown.items() if len(name) > limit]
        if over and len(tool) <= MAX_NAME:  # a name over that is a problem of the tool alone
            yield tool_problem(
                tool,
                "long_name",
                what="as {} the name is over {} characters".format(*over[0]),
                why="one such tool breaks the tool list of a client, whatever name the server is given there",
                fix="shorten the name of the tool, or of the catalog",
                severity="warning",
            )


def _twin_names(tools: list[str]) -> Iterator[BuildProblem]:
    seen: dict[str, str] = {}
    for name in tools:
        first = seen.get(names.alike(name))
        if first is None:
            seen[names.alike(name)] = name
            continue
        same = first == name
        yield tool_problem(
            name,
            "duplicate_name" if same else "alike_name",
            what=f"{name} is declared twice" if same else f"{name} looks like {first}",
            why="the later one would win silently" if same else "a model takes one for the other",
            fix="rename or remove one of them",
        )


def _near_copies(declared: list[Declaration]) -> Iterator[BuildProblem]:
    bags = [(found.name, frozenset(names.words(f"{found.does} {found.use_when}"))) for found in declared]
    for (left, left_words), (right, right_words) in combinations(bags, 2):
        union = left_words | right_words
        if left != right and len(union) >= 4 and len(left_words & right_words) / len(union) >= _NEAR_COPY:
            yield tool_problem(
                right,
                "near_copy",
                what=f"its description is nearly that of {left}",
                why="a model that cannot tell two tools apart picks by chance",
                fix="say in does= and use_when= what this tool does that the other does not",
            )
