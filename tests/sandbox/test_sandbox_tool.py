"""A tool with a sandbox, through every stage, on each store."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field

from fourfold import Caller, Catalog, Input, Read, Sandbox, Unit
from fourfold.errors import ConfigError
from fourfold.sandbox import QueryResult, SandboxedQuery
from fourfold.testing import Answer, caller, open_kit
from tests.sandbox.attacks import BOMBS, LEFT_TO_THE_DATABASE, REFUSED_BY_THE_PARSER, REFUSED_TWICE
from tests.sandbox.shop import SECRETS, shop
from tests.stages.serving import Served, serving

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "sqlite"])
async def served(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Served]:
    """The shop on each store."""
    url = "memory:" if request.param == "memory" else f"sqlite:///{tmp_path / 'shop.db'}"
    async with serving(shop(), store=url) as opened:
        yield opened


async def ask(served: Served, sql: str, *, by: Caller | None = None) -> Answer:
    """One call of the tool."""
    return await served.call("stock_query", {"sql": sql}, by=by)


async def test_the_result_has_typed_columns_and_rows(served: Served) -> None:
    """A13, B3: and nothing beside them."""
    answer = await ask(served, "SELECT name, pieces, note FROM items ORDER BY name")

    assert answer.structured == {
        "columns": [
            {"name": "name", "type": "text"},
            {"name": "pieces", "type": "integer"},
            {"name": "note", "type": "text"},
        ],
        "rows": [["mine a", 3, None], ["mine b", 5, "x"]],
        "returned": 2,
        "complete": True,
    }


async def test_the_tenant_is_the_callers_whatever_the_query_says(served: Served) -> None:
    """A13, B18: one query, two callers, two answers."""
    sql = "SELECT name FROM items ORDER BY name"
    ours, theirs = await ask(served, sql), await ask(served, sql, by=caller(tenant="globex"))

    assert ours.structured["rows"] == [["mine a"], ["mine b"]]
    assert theirs.structured["rows"] == [["theirs a"], ["theirs b"]]


async def test_more_rows_than_the_limit_are_a_part_that_says_so(served: Served) -> None:
    """A13, A16: 32 rows match, 20 come."""
    answer = await ask(served, "SELECT i.name FROM items i, items j, items k, items l, items m")

    assert (answer.structured["returned"], answer.structured["complete"]) == (20, False)


async def test_attacks_of_every_kind_are_refused_with_one_code(served: Served) -> None:
    """A13, B7: `query_refused`, correct it and try once; nothing of the query and nothing of the store comes back."""
    for sql in [*REFUSED_TWICE[::12], *LEFT_TO_THE_DATABASE[::3], *REFUSED_BY_THE_PARSER[::3]]:
        answer = await ask(served, sql)
        assert (answer.kind, answer.code) == ("rejected", "query_refused"), sql
        assert answer.fault is not None
        assert answer.fault.retry == "after_fix"
        assert answer.paths == ["sql"]
        told = repr(answer.fault).lower()
        assert not [secret for secret in SECRETS if secret in told.replace("or fourfold_ in", "")], sql


async def test_a_query_that_takes_too_long_is_told_to_do_less(served: Served) -> None:
    """A13, B19: a code of its own, because repeating it does not help."""
    answer = await ask(served, BOMBS["a cross join"])

    assert (answer.code, answer.fault and answer.fault.retry) == ("query_too_costly", "after_fix")


async def test_refused_queries_leave_a_run_without_their_text(served: Served) -> None:
    """A13, A9: which tool, which code; a query may hold personal data, so that a run holds its digest only."""
    await ask(served, "SELECT 'Ada Lovelace' FROM vault")
    (record,) = await served.records()

    assert (record.run.tool, record.run.code) == ("stock_query", "query_refused")
    assert "Lovelace" not in repr(record)


async def test_the_parser_logs_nothing_of_a_query(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    """A13, A5: it would write whole statements that it does not know into the log."""
    with caplog.at_level(logging.DEBUG):
        for sql in ("EXPLAIN SELECT 'Lovelace'", "SELECT 'Lovelace' FROM vault", "SELECT 'Lovelace"):
            await ask(served, sql)

    assert "Lovelace" not in caplog.text


class PlanQuestion(Input):
    """A question about plans."""

    sql: Annotated[str, Field(max_length=500), Sandbox(readable=("plan", "t"), max_rows=9, timeout_s=2.0)]


def plan_query(request: PlanQuestion, query: SandboxedQuery) -> QueryResult:
    """The rows of the query."""
    return QueryResult.of(query.run(request.sql))


def _plans(unit: Unit) -> None:
    unit.execute("CREATE TABLE plan (tenant TEXT, start TEXT)")
    unit.execute("CREATE TABLE t (tenant TEXT, c TEXT)")
    unit.execute("INSERT INTO plan VALUES ('acme', '2026-01-01')")
    unit.execute("INSERT INTO t VALUES ('acme', 'banana')")


def plans() -> Catalog:
    """A catalog with two tables named as those of the field case."""
    catalog = Catalog("plans", version="1.0")
    catalog.prepare(_plans)
    catalog.tool(
        name="plan_query",
        version="1.0",
        does="Answer a question about plans",
        use_when="the user asks for plans",
        not_for="anything else",
        effect=Read(),
    )(plan_query)
    return catalog


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT 1", [[1]]),
        ("SELECT start FROM plan", [["2026-01-01"]]),
        ("SELECT REPLACE(c,'a','b') FROM t", [["bbnbnb"]]),
    ],
)
def test_harmless_statements_with_alarming_words_run(sql: str, rows: list[list[object]]) -> None:
    """A13, MP-119: a filter of words took START and REPLACE for commands."""
    with open_kit(plans()) as kit:
        assert kit.call("plan_query", {"sql": sql}).structured["rows"] == rows


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM t INTO/**/OUTFILE '/tmp/x'",
        "DO GET_LOCK('a',1)",
        "/*!50000 DELETE FROM t */",
        "WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d",
        "COMMIT; DELETE FROM t",
    ],
)
def test_commands_behind_harmless_words_are_refused(sql: str) -> None:
    """A13, MP-119: a comment for a space, a comment that runs, a write inside WITH, a second statement."""
    with open_kit(plans()) as kit:
        assert kit.call("plan_query", {"sql": sql}).code == "query_refused"
        assert kit.call("plan_query", {"sql": "SELECT c FROM t"}).structured["rows"] == [["banana"]]


def _without_the_view(unit: Unit) -> None:
    unit.execute("DROP VIEW items")


async def test_a_view_that_is_missing_stops_the_start(tmp_path: Path) -> None:
    """A13: the operator learns it, and not the first caller."""
    catalog = shop()
    catalog.prepare(_without_the_view)

    with pytest.raises(ConfigError, match="the sandbox of stock_query cannot read items: items: no such table"):
        async with serving(catalog, store=f"sqlite:///{tmp_path / 'shop.db'}"):
            pass
