"""A tool with a sandbox over PostgreSQL: the same answers, from a copy of the caller's own rows."""

from __future__ import annotations

import base64
from collections.abc import AsyncGenerator
from typing import Annotated

import pytest
from pydantic import Field

from fourfold import Catalog, Input, Read, Sandbox, Unit
from fourfold.adapters.postgres.queries import MOST_ROWS
from fourfold.bootstrap.service import KEYS_VARIABLE
from fourfold.errors import ConfigError
from fourfold.sandbox import QueryResult, SandboxedQuery
from fourfold.testing import Answer, caller
from tests.postgres.cluster import HANDLERS, Cluster
from tests.sandbox.attacks import REFUSED_TWICE
from tests.stages.serving import Served, serving
from tests.stores.domain import ignore

pytestmark = pytest.mark.anyio

VIEWS = ("items", "prices")


class StockQuestion(Input):
    """A question about the stock."""

    sql: Annotated[str, Field(max_length=2_000), Sandbox(readable=VIEWS, max_rows=20, timeout_s=9.0)]


def stock(unit: Unit) -> None:
    """Tables of PostgreSQL's own types, and two views over them."""
    unit.execute("CREATE TABLE item (tenant TEXT, name TEXT, pieces INT, since DATE, sold BOOL, tags JSONB)")
    unit.execute("CREATE TABLE price (tenant TEXT, name TEXT, amount NUMERIC(9, 2))")
    unit.execute("CREATE VIEW items AS SELECT * FROM item")
    unit.execute("CREATE VIEW prices AS SELECT * FROM price")
    for tenant, whose in (("acme", "mine"), ("globex", "theirs"), ("o'brien", "odd")):
        unit.execute("INSERT INTO item VALUES (?, ?, 3, '2026-11-30', true, '[1]')", (tenant, f"{whose} a"))
        unit.execute("INSERT INTO price VALUES (?, ?, 2.50)", (tenant, f"{whose} a"))


def shop() -> Catalog:
    """The catalog with its one tool."""
    catalog = Catalog("shop", version="1.0")
    catalog.prepare(stock)

    @catalog.tool(
        name="stock_query",
        version="1.0",
        does="Answer a question about the stock with one SELECT",
        use_when="the user asks for counts or sums",
        not_for="anything else than the stock",
        effect=Read(),
    )
    def stock_query(request: StockQuestion, query: SandboxedQuery) -> QueryResult:
        """The rows of the query."""
        return QueryResult.of(query.run(request.sql))

    assert stock_query
    return catalog


@pytest.fixture(params=["one role", "a role for handlers"])
def url(request: pytest.FixtureRequest, postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty store."""
    monkeypatch.setenv(KEYS_VARIABLE, f"k1:{base64.b64encode(b'k' * 32).decode()}")
    return postgres.store(**({} if request.param == "one role" else {"handlers": HANDLERS}))


@pytest.fixture
async def served(url: str) -> AsyncGenerator[Served]:
    """The shop, open."""
    async with serving(shop(), store=url) as opened:
        yield opened


async def ask(served: Served, sql: str, *, tenant: str = "acme") -> Answer:
    """One call of the tool."""
    return await served.call("stock_query", {"sql": sql}, by=caller(tenant=tenant))


async def test_values_of_every_type_come_as_sqlite_has_them(served: Served) -> None:
    """A13, B3: one dialect on both stores."""
    answer = await ask(
        served,
        "SELECT i.name, pieces, since, sold, tags, amount FROM items AS i JOIN prices AS p ON p.name = i.name"
        " WHERE amount > 2 AND since > '2026-01-01'",
    )

    assert answer.structured["rows"] == [["mine a", 3, "2026-11-30", 1, "[1]", "2.5"]]


@pytest.mark.parametrize(("tenant", "names"), [("globex", [["theirs a"]]), ("o'brien", [["odd a"]]), ("nobody", [])])
async def test_the_tenant_is_the_callers(served: Served, tenant: str, names: list[list[str]]) -> None:
    """A13, B18: nobody else's rows are copied."""
    answer = await ask(served, "SELECT name FROM items", tenant=tenant)

    assert answer.structured["rows"] == names


async def test_a_query_that_names_no_view_but_a_table_is_refused(served: Served) -> None:
    """A13: the copy holds the readable views and nothing else."""
    for sql in ["SELECT name FROM item", "SELECT * FROM fourfold_claim", *REFUSED_TWICE[::40]]:
        answer = await ask(served, sql)
        assert (answer.kind, answer.code) == ("rejected", "query_refused"), sql


async def test_more_rows_than_are_copied_are_too_costly(served: Served) -> None:
    """A13, A16: with how many there may be; another view of the same sandbox is not held up by it."""
    fill = "INSERT INTO item (tenant, name) SELECT 'acme', 'x' FROM generate_series(1, ?)"
    await served.service.ports.units.write(
        lambda transaction: transaction.attempt(lambda unit: unit.execute(fill, (MOST_ROWS,)), subject=ignore),
        deadline=float("inf"),
        tenant="acme",
    )
    over, beside = await ask(served, "SELECT count(*) FROM items"), await ask(served, "SELECT count(*) FROM prices")

    assert (over.code, beside.structured["rows"]) == ("query_too_costly", [[1]])


async def test_a_view_that_is_not_there_stops_the_start(url: str) -> None:
    """A13: not the first call."""
    catalog = shop()

    @catalog.prepare
    def without_prices(unit: Unit) -> None:
        unit.execute("DROP VIEW prices")

    with pytest.raises(
        ConfigError, match=r"the sandbox of stock_query cannot read items: prices: there is no such view"
    ):
        async with serving(catalog, store=url):
            raise AssertionError
