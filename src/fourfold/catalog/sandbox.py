"""What a `Sandbox` field asks of its tool, and the terms that follow from it (requirement A13)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence

from fourfold.catalog.declaration import Declaration
from fourfold.catalog.problem import tool_problem
from fourfold.catalog.provide import Binding
from fourfold.contracts.base import Output
from fourfold.contracts.breach import types_of
from fourfold.contracts.markers import Sandbox
from fourfold.contracts.query_result import MAX_ROWS, QueryResult
from fourfold.contracts.walk import Node, Schema, walk
from fourfold.errors import BuildProblem
from fourfold.model.sandbox import SandboxTerms

__all__ = ["MAX_TEXT", "MAX_TIMEOUT_S", "sandbox_problems", "terms_of"]

MAX_TEXT = 4_000
"""The most characters that a query may have."""

MAX_TIMEOUT_S = 10.0
"""The most seconds that a contract may give one query."""

_RESERVED_BYTES = 8_192
"""Of a result's bytes, what its columns and its frame may take."""

_VIEW = re.compile(r"(?!sqlite_|fourfold_|pragma_)[a-z][a-z0-9_]{0,62}")

_RULES = {
    "unenforced_sandbox": (
        "a Sandbox field, and the handler takes no SandboxedQuery",
        "the marker says what may be read; only the query runner holds anybody to it",
        "take a parameter of type SandboxedQuery, and run the text with it",
    ),
    "query_without_sandbox": (
        "a SandboxedQuery, and no field of the input is a Sandbox",
        "nothing says what a query may read, or how much of it",
        "mark the text: Annotated[str, Field(max_length=…), Sandbox(readable=…, max_rows=…, timeout_s=…)]",
    ),
    "sandbox_place": (
        "a Sandbox that is not one required text field of the input itself",
        "one tool runs one query, under terms that nobody has to guess",
        "declare one str field with it at the top of the input",
    ),
    "untyped_rows": (
        "a sandboxed query whose output is not a QueryResult",
        "rows without the names and types of their columns are read by guess, and a cut is not seen",
        "return QueryResult.of(query.run(…))",
    ),
    "sandbox_writes": (
        "a sandboxed query in a tool that writes",
        "a query runs outside the transaction, so that the write would not see what the query saw",
        "give it effect=Read() and write with another tool",
    ),
    "query_in_resource": (
        "a resource= that takes a SandboxedQuery",
        "the object is found inside a transaction, and a query runs outside of any",
        "find the object with a Unit",
    ),
    "query_beside_unit": (
        "a SandboxedQuery and a Unit, here or in what is provided",
        "the two read different snapshots of the store",
        "leave the Unit to another tool",
    ),
    "async_with_query": (
        "an async handler that takes a SandboxedQuery",
        "a query blocks, and would hold the whole server up",
        "write the handler as a plain def",
    ),
}


def sandbox_problems(
    declaration: Declaration, schema: Schema, *, bound: Sequence[Binding], output: type[Output]
) -> Iterator[BuildProblem]:
    """What is wrong between a Sandbox field, the handler, the output and the effect.

    `bound` are the handler and, where there is one, what finds the object.
    """
    nodes = _nodes(schema)
    handler = bound[0]
    if any("query" in other.taken for other in bound[1:]):
        yield _problem(declaration, "query_in_resource")
    if bool(nodes) != ("query" in handler.taken):
        yield _problem(declaration, "unenforced_sandbox" if nodes else "query_without_sandbox")
    elif nodes:
        yield from _wholes(declaration, nodes, handler=handler, output=output)
        for node in nodes:
            yield from _bounds(declaration, node)


def _wholes(
    declaration: Declaration, nodes: Sequence[Node], *, handler: Binding, output: type[Output]
) -> Iterator[BuildProblem]:
    """What does not fit together, apart from bounds."""
    if _field(nodes) is None:
        yield _problem(declaration, "sandbox_place")
    if not issubclass(output, QueryResult):
        yield _problem(declaration, "untyped_rows")
    if getattr(declaration.effect, "writes", False):  # what is no effect at all is another rule's business
        yield _problem(declaration, "sandbox_writes")
    if "unit" in handler.taken:
        yield _problem(declaration, "query_beside_unit")
    if inspect.iscoroutinefunction(declaration.handler):
        yield _problem(declaration, "async_with_query")


def terms_of(declaration: Declaration, schema: Schema) -> SandboxTerms | None:
    """The terms of the one Sandbox field, or `None` if there is none."""
    node = _field(_nodes(schema))
    if node is None:
        return None
    (mark,) = node.marks(Sandbox)
    return SandboxTerms(
        at=node.pointer,
        readable=tuple(mark.readable),
        max_text=node.schema["maxLength"],
        max_rows=mark.max_rows,
        max_bytes=declaration.limits.result_bytes - _RESERVED_BYTES,
        timeout_s=mark.timeout_s,
    )


def _nodes(schema: Schema) -> list[Node]:
    return [node for node in walk(schema) if node.marks(Sandbox)]


def _field(nodes: Sequence[Node]) -> Node | None:
    """The one place, if it is a required text field at the top with one marker."""
    if len(nodes) != 1 or len(nodes[0].marks(Sandbox)) != 1:
        return None
    node = nodes[0]
    plain = node.is_property and node.required and len(node.steps) == 1 and types_of(node.schema) == ("string",)
    return node if plain else None


def _bounds(declaration: Declaration, node: Node) -> Iterator[BuildProblem]:
    """What a query could do beyond any bound."""
    length = node.schema.get("maxLength")
    if length is None or length > MAX_TEXT:
        yield _unbounded(declaration, node, fix=f"give the field max_length= of at most {MAX_TEXT:,}")
    if declaration.limits.result_bytes < 2 * _RESERVED_BYTES:
        yield _unbounded(declaration, node, fix=f"give limits= a result_bytes of at least {2 * _RESERVED_BYTES:,}")
    for mark in node.marks(Sandbox):
        if isinstance(mark.readable, str) or not mark.readable or not all(map(_VIEW.fullmatch, mark.readable)):
            yield _unbounded(declaration, node, fix="name the views in readable=(…,): lower case letters, digits and _")
        if not 1 <= mark.max_rows <= MAX_ROWS:
            yield _unbounded(declaration, node, fix=f"give max_rows= from 1 to {MAX_ROWS:,}")
        if not 0 < mark.timeout_s <= min(MAX_TIMEOUT_S, declaration.limits.deadline_s):
            yield _unbounded(declaration, node, fix=f"give timeout_s= up to {MAX_TIMEOUT_S:g}, within the deadline")


def _unbounded(declaration: Declaration, node: Node, *, fix: str) -> BuildProblem:
    return BuildProblem(
        rule="sandbox_bounds",
        where=f"{declaration.name}: input {node.pointer}",
        what="a sandbox without a wall on one side",
        why="what a model writes runs on your database, and some day it is a bad query",
        fix=fix,
    )


def _problem(declaration: Declaration, rule: str) -> BuildProblem:
    what, why, fix = _RULES[rule]
    return tool_problem(declaration.name, rule, what=what, why=why, fix=fix)
