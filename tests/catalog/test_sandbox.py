"""What a Sandbox field asks of its tool when the catalog is built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import Field

from fourfold import Catalog, ContractError, Create, Fault, Input, Limits, Output, Read, Resource, Sandbox, Unit
from fourfold.model.sandbox import SandboxTerms
from fourfold.sandbox import QueryResult, SandboxedQuery

SOUND = Sandbox(readable=("items",), max_rows=50, timeout_s=1.5)


class Question(Input):
    """One query."""

    sql: Annotated[str, Field(max_length=1_000), SOUND]


class Plain(Input):
    """No query."""

    word: Annotated[str, Field(max_length=9)]


class Bare(Output):
    """Rows by themselves."""

    rows: Annotated[list[Annotated[str, Field(max_length=9)]], Field(max_length=9)]


class NoItem(Fault):
    """There is none."""

    code, next_step = "no_item", "Ask for another"


def catalog_with(handler: Callable[..., Any], **changes: Any) -> Catalog:
    """A catalog of one tool."""
    catalog = Catalog("shop", version="1.0")
    declared: dict[str, Any] = {"effect": Read(), **changes}
    catalog.tool(
        name="stock_query",
        version="1.0",
        does="Answer a question about the stock",
        use_when="the user asks for counts",
        not_for="anything else than the stock",
        **declared,
    )(handler)
    return catalog


def rules(catalog: Catalog) -> list[str]:
    """The rules that the catalog breaks."""
    with pytest.raises(ContractError) as raised:
        catalog.build()
    return [problem.rule for problem in raised.value.problems if problem.severity == "error"]


def sound(request: Question, query: SandboxedQuery) -> QueryResult:
    """As it should be."""
    return QueryResult.of(query.run(request.sql))


def asking(kind: Any, **more: Any) -> Callable[..., Any]:
    """A handler whose input has `sql` of that kind."""
    fields: dict[str, Any] = {"sql": kind, **more}

    class Odd(Input):
        """A query, somehow."""

        __annotations__ = fields

    def handler(request: Odd, query: SandboxedQuery) -> QueryResult:
        raise NotImplementedError

    handler.__annotations__["request"] = Odd
    return handler


Text = Annotated[str, Field(max_length=1_000)]


def test_a_tool_with_a_sandbox_builds_and_knows_its_terms() -> None:
    """A13: views, rows, bytes and time are part of the contract; the markers are never published."""
    contract = catalog_with(sound).build().tools["stock_query"].contract

    assert contract.sandbox == SandboxTerms(
        at="/sql", readable=("items",), max_text=1_000, max_rows=50, max_bytes=57_344, timeout_s=1.5
    )
    assert contract.input_schema["properties"] == {"sql": {"type": "string", "maxLength": 1_000}}


def test_the_published_result_has_the_tools_own_limit() -> None:
    """A13, B3: rows and returned, so that a caller knows what "complete" is about."""
    output = catalog_with(sound).build().tools["stock_query"].contract.output_schema["properties"]

    assert (output["rows"]["maxItems"], output["returned"]["maximum"], output["columns"]["maxItems"]) == (50, 50, 32)
    assert output["rows"]["items"]["items"]["anyOf"][2] == {"type": "null"}


@pytest.mark.parametrize(
    "changed",
    [
        Sandbox(readable=("items", "price"), max_rows=50, timeout_s=1.5),
        Sandbox(readable=("items",), max_rows=49, timeout_s=1.5),
        Sandbox(readable=("items",), max_rows=50, timeout_s=1.0),
    ],
)
def test_a_change_of_the_terms_is_a_change_for_the_lock(changed: Sandbox) -> None:
    """A13: what a query may read is part of what was agreed on."""
    before, after = (
        catalog_with(each).build().tools["stock_query"].contract for each in (sound, asking(Annotated[Text, changed]))
    )
    assert before.lock_digest != after.lock_digest


def unenforced(request: Question) -> QueryResult:
    """Marked, and run by nobody knows what."""
    raise NotImplementedError


def unmarked(request: Plain, query: SandboxedQuery) -> QueryResult:
    """Run, under no terms."""
    raise NotImplementedError


def untyped(request: Question, query: SandboxedQuery) -> Bare:
    """Rows without types."""
    raise NotImplementedError


def beside_a_unit(request: Question, query: SandboxedQuery, unit: Unit) -> QueryResult:
    """Two snapshots."""
    raise NotImplementedError


async def waiting(request: Question, query: SandboxedQuery) -> QueryResult:
    """On the event loop."""
    raise NotImplementedError


def finding(query: SandboxedQuery) -> Resource | None:
    """Inside the transaction."""
    raise NotImplementedError


@pytest.mark.parametrize(
    ("handler", "rule"),
    [
        (unenforced, "unenforced_sandbox"),
        (unmarked, "query_without_sandbox"),
        (untyped, "untyped_rows"),
        (beside_a_unit, "query_beside_unit"),
        (waiting, "async_with_query"),
    ],
)
def test_a_handler_that_leaves_the_sandbox_open_does_not_build(handler: Callable[..., Any], rule: str) -> None:
    """A13: the marker alone enforces nothing, and the runner alone has no terms."""
    assert rules(catalog_with(handler)) == [rule]


def test_a_query_belongs_to_a_tool_that_reads() -> None:
    """A13, B4: it runs outside of every transaction."""
    assert rules(catalog_with(sound, effect=Create())) == ["sandbox_writes"]
    assert rules(catalog_with(sound, resource=finding, missing=NoItem)) == ["query_in_resource"]


class Inner(Input):
    """A query one level down."""

    sql: Annotated[str, Field(max_length=1_000), SOUND]


@pytest.mark.parametrize(
    "handler",
    [
        asking(Annotated[list[Annotated[str, Field(max_length=9), SOUND]], Field(max_length=2)]),
        asking(Annotated[Text, SOUND, SOUND]),
        asking(Annotated[Text, SOUND], more=Annotated[Text, SOUND]),
        asking(Inner),
        asking(Annotated[int, Field(ge=0, le=9), SOUND]),
    ],
)
def test_there_is_one_query_and_it_is_a_text_at_the_top(handler: Callable[..., Any]) -> None:
    """A13: one tool, one query, one set of terms."""
    assert "sandbox_place" in rules(catalog_with(handler))


@pytest.mark.parametrize(
    "marker",
    [
        Sandbox(readable=(), max_rows=50, timeout_s=1.0),
        Sandbox(readable=("Items",), max_rows=50, timeout_s=1.0),
        Sandbox(readable=("items; --",), max_rows=50, timeout_s=1.0),
        Sandbox(readable=("sqlite_schema",), max_rows=50, timeout_s=1.0),
        Sandbox(readable=("fourfold_run",), max_rows=50, timeout_s=1.0),
        Sandbox(readable="items", max_rows=50, timeout_s=1.0),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]  # the slip that is looked for
        Sandbox(readable=("items",), max_rows=0, timeout_s=1.0),
        Sandbox(readable=("items",), max_rows=1_001, timeout_s=1.0),
        Sandbox(readable=("items",), max_rows=50, timeout_s=0.0),
        Sandbox(readable=("items",), max_rows=50, timeout_s=10.5),
        Sandbox(readable=("items",), max_rows=50, timeout_s=float("nan")),
    ],
)
def test_terms_without_a_bound_do_not_build(marker: Sandbox) -> None:
    """A13, B2: views by name, rows, time."""
    assert set(rules(catalog_with(asking(Annotated[Text, marker])))) == {"sandbox_bounds"}


def test_the_text_the_deadline_and_the_result_have_bounds_too() -> None:
    """A13, B2, B19: 4,000 characters; no longer than the call; room for rows."""
    long = asking(Annotated[str, Field(max_length=4_001), SOUND])

    assert rules(catalog_with(long)) == ["sandbox_bounds"]
    assert rules(catalog_with(sound, limits=Limits(deadline_s=1.0))) == ["sandbox_bounds"]
    assert rules(catalog_with(sound, limits=Limits(result_bytes=10_000))) == ["sandbox_bounds"]


class Free(Input):
    """Free SQL."""

    sql: Text


def running_free_sql(request: Free) -> QueryResult:
    """By some way of its own."""
    raise NotImplementedError


def test_a_query_without_a_sandbox_stays_refused() -> None:
    """A13, D2: the marker is the only way for SQL to be an argument, and only with its runner."""
    assert rules(catalog_with(running_free_sql)) == ["free_query"]


class Nulls(Output):
    """A list with nulls."""

    words: Annotated[list[Annotated[str, Field(max_length=9)] | None], Field(max_length=9)]


def returning_nulls(request: Plain) -> Nulls:
    """As cells would be, without a table."""
    raise NotImplementedError


def test_null_stays_refused_in_other_outputs() -> None:
    """A13, B3: a cell of a table is the one place where null is a value."""
    assert rules(catalog_with(returning_nulls)) == ["nullable_output"]
