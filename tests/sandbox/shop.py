"""A small shop with a sandbox: two views, one of them under another name than its table, and secrets beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from fourfold import Caller, Catalog, Input, Limits, Read, Sandbox, Unit
from fourfold.adapters.memory.store import MemoryStore
from fourfold.adapters.sqlite.sandbox.job import Answer, Job
from fourfold.adapters.sqlite.sandbox.process import answer
from fourfold.adapters.sqlite.store import SqliteStore
from fourfold.model.sandbox import SandboxTerms
from fourfold.sandbox import QueryResult, SandboxedQuery, Table

__all__ = ["SECRETS", "TENANTS", "TERMS", "Stocked", "shop", "stock"]

TENANTS = ("acme", "ACME", "globex", "o'brien\"; --", "ünïcode", "")
"""Whose rows there are; the first of them asks. Each has two articles and one price list."""

SECRETS = ("theirs", "hidden-", "globex", "fourfold_", "create view", "create table")
"""What no answer to acme may hold: every value of other tenants, of tables without a view, and of the schema."""

TERMS = SandboxTerms(
    at="/sql", readable=("items", "price"), max_text=2_000, max_rows=20, max_bytes=20_000, timeout_s=2.0
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stocked:
    """An open store with the stock in it, and where its database is: a file, or a copy on demand."""

    store: MemoryStore | SqliteStore
    path: Path | None
    image: Callable[[], bytes]

    def job(self, sql: str, **changes: Any) -> Job:
        """What its process is asked for `sql`."""
        path = str(self.path) if self.path else None
        usual = Job(
            path=path,
            tenant="acme",
            sql=sql,
            readable=TERMS.readable,
            max_text=TERMS.max_text,
            max_rows=TERMS.max_rows,
            max_bytes=TERMS.max_bytes,
            seconds=TERMS.timeout_s,
        )
        return replace(usual, **changes)

    def ask(self, sql: str, **changes: Any) -> Answer:
        """What the database alone answers, in this process, so that hundreds of queries take no time."""
        return answer(self.job(sql, **changes), self.image())

    def run(self, sql: str, *, seconds: float = 9.0, left: Callable[[], bool] = lambda: False) -> Table:
        """The table of `sql` through both refusals, as a handler gets it."""
        return self.store.queries.query(sql, TERMS, tenant="acme", seconds=seconds, left=left)


class StockQuestion(Input):
    """A question about the stock."""

    sql: Annotated[str, Field(max_length=2_000), Sandbox(readable=("items", "price"), max_rows=20, timeout_s=2.0)]


def stock(unit: Unit) -> None:
    """Tables, a view and rows."""
    unit.execute("CREATE TABLE item (tenant TEXT, name TEXT, pieces INTEGER, note TEXT, tags TEXT)")
    unit.execute("CREATE TABLE price (tenant TEXT COLLATE NOCASE, name TEXT, amount REAL)")
    unit.execute("CREATE INDEX price_name ON price (name)")
    unit.execute("CREATE TABLE numbered (tenant INTEGER, code TEXT)")
    unit.execute("INSERT INTO numbered VALUES (1, 'one'), (2, 'two')")
    unit.execute("CREATE TABLE vault (tenant TEXT, code TEXT)")
    unit.execute('CREATE TABLE "odd "" name" (code TEXT)')
    unit.execute(
        "CREATE VIEW items AS WITH own AS (SELECT * FROM item) "
        "SELECT own.tenant, name, pieces, note, (SELECT count(*) FROM json_each(own.tags)) AS tags FROM own"
    )
    for tenant in TENANTS:
        whose = "mine" if tenant == "acme" else "theirs"
        unit.execute("INSERT INTO item VALUES (?, ?, 3, NULL, '[]')", (tenant, f"{whose} a"))
        unit.execute("INSERT INTO item VALUES (?, ?, 5, 'x', '[1, 2]')", (tenant, f"{whose} b"))
        unit.execute("INSERT INTO price VALUES (?, ?, 2.5)", (tenant, f"{whose} a"))
        unit.execute("INSERT INTO vault VALUES (?, ?)", (tenant, f"hidden-{tenant}"))


def shop(*, limits: Limits | None = None) -> Catalog:
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
        limits=limits,
    )
    def stock_query(request: StockQuestion, query: SandboxedQuery, caller: Caller) -> QueryResult:
        """The rows of the query."""
        return QueryResult.of(query.run(request.sql))

    assert stock_query
    return catalog
