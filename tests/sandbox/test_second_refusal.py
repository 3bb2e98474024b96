"""The database alone, as if there were no parser: what it lets through is only what the caller may read."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.adapters.sqlite.sandbox.job import Answer
from fourfold.adapters.sqlite.sandbox.views import open_views
from fourfold.sandbox import QueryRefused
from tests.sandbox.attacks import BOMBS, EMPTY, ORACLES, REFUSED, REFUSED_BY_THE_PARSER
from tests.sandbox.shop import SECRETS, TENANTS, Stocked


def rows_of(answer: Answer) -> list[list[object]]:
    """The rows, as lists."""
    assert answer.table is not None, answer
    return [list(row) for row in answer.table.rows]


def test_a_query_reads_the_callers_rows(stocked: Stocked) -> None:
    """A13, B18: without the tenant's column, by a view and by a table that has one."""
    assert rows_of(stocked.ask("SELECT * FROM items ORDER BY name")) == [
        ["mine a", 3, None, 0],
        ["mine b", 5, "x", 2],
    ]
    assert rows_of(stocked.ask("SELECT * FROM price")) == [["mine a", "2.5"]]


@pytest.mark.parametrize("tenant", TENANTS)
def test_each_tenant_has_its_own_rows_and_no_others(stocked: Stocked, tenant: str) -> None:
    """A13, B18: also one whose name is SQL, one that differs in case from another, and the empty one."""
    names = {
        row[0] for row in rows_of(stocked.ask("SELECT name FROM items UNION SELECT name FROM price", tenant=tenant))
    }
    whose = "mine" if tenant == "acme" else "theirs"

    assert names == {f"{whose} a", f"{whose} b"}
    assert rows_of(stocked.ask("SELECT count(*) FROM items", tenant=tenant)) == [[2]]
    assert rows_of(stocked.ask("SELECT count(*) FROM price", tenant=tenant)) == [[1]]


@pytest.mark.parametrize("tenant", ["acm", "acme ", "%", "acme\0", "' OR 1=1 --", "Acme"])
def test_a_tenant_without_rows_reads_nothing(stocked: Stocked, tenant: str) -> None:
    """A13, B18: compared whole, never as a pattern and never as text of a statement."""
    assert rows_of(stocked.ask("SELECT * FROM items UNION ALL SELECT name, 1, 2, 3 FROM price", tenant=tenant)) == []


@pytest.mark.parametrize("tenant", ["1", "01", "1.0", " 1", "1e0", "0x1"])
def test_a_column_of_numbers_keeps_tenants_apart(stocked: Stocked, tenant: str) -> None:
    """A13, B18: SQLite would compare all of these with 1 as numbers."""
    expected = [["one"]] if tenant == "1" else []

    assert rows_of(stocked.ask("SELECT code FROM numbered", tenant=tenant, readable=("numbered",))) == expected


@pytest.mark.parametrize("sql", ORACLES)
def test_an_error_tells_nothing_about_rows_of_others(stocked: Stocked, sql: str) -> None:
    """A13, B18: no condition of the query sees a row before its tenant was looked at, whatever index there is."""
    there, made_up = (stocked.ask(sql.format(guess=guess)) for guess in ("theirs a", "theirs z"))

    assert there.ending == "done"
    assert there == made_up


def test_a_join_of_views_goes_by_an_index(stocked: Stocked) -> None:
    """A13: the views have none of their own, and a thousand rows with a thousand rows would be a million."""
    opened = open_views(stocked.job("SELECT 1"), stocked.image())
    plan = [
        row[3] for row in opened.connection.execute("EXPLAIN QUERY PLAN SELECT 1 FROM items JOIN price USING (name)")
    ]
    opened.connection.close()

    assert "AUTOMATIC COVERING INDEX (name=?)" in plan[-1]


@pytest.mark.parametrize("sql", REFUSED)
def test_the_database_refuses_without_the_parser(stocked: Stocked, sql: str) -> None:
    """A13: other tables, writes, schema, functions, recursion, odd text; the answer names the views at most."""
    found = stocked.ask(sql)

    assert (found.ending, found.table) == ("refused", None)
    assert not [secret for secret in ("vault", "theirs", "near", "no such") if secret in found.text]


@pytest.mark.parametrize("sql", [*REFUSED_BY_THE_PARSER, *EMPTY])
def test_what_the_database_lets_through_holds_nothing_of_others(stocked: Stocked, sql: str) -> None:
    """A13, B18: whatever a query makes of what it can name."""
    found = stocked.ask(sql)
    text = json.dumps(rows_of(found)).lower()

    assert not [secret for secret in SECRETS if secret in text]
    assert sql not in EMPTY or rows_of(found) == []


def test_nothing_that_was_tried_has_changed_the_store(stocked: Stocked) -> None:
    """A13: the connection cannot write, and its views are gone with it."""
    before = [rows_of(stocked.ask("SELECT * FROM items", tenant=tenant)) for tenant in TENANTS]
    for sql in REFUSED:
        stocked.ask(sql)

    assert [rows_of(stocked.ask("SELECT * FROM items", tenant=tenant)) for tenant in TENANTS] == before


def test_the_connection_is_read_only_twice(stocked: Stocked) -> None:
    """A13: by how the file is opened and by `query_only`, before anything is authorized."""
    opened = open_views(stocked.job("SELECT 1"), stocked.image())
    connection, write = opened.connection, f"INSERT INTO {opened.schema}.vault VALUES ('acme', 'new')"  # noqa: S608  a random name

    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute(write)
    connection.execute("PRAGMA query_only = OFF")
    if stocked.path is not None:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            connection.execute(write)
    connection.close()


def test_a_query_ends_when_its_time_is_over(stocked: Stocked) -> None:
    """A13, B19: by SQLite itself, without anybody who kills a process."""
    assert stocked.ask(BOMBS["a cross join"], seconds=0.05).ending == "costly"


_PIECES = st.sampled_from([
    "SELECT", "WITH", "FROM", "WHERE", "JOIN", "FULL", "NATURAL", "LEFT", "USING", "UNION", "ALL", "EXCEPT", "AS",
    "IN", "EXISTS", "ORDER", "BY", "GROUP", "LIMIT", "NOT", "DISTINCT", "VALUES", "INSERT", "DELETE", "UPDATE",
    "RETURNING", "RECURSIVE", "PRAGMA", "ATTACH", "items", "price", "item", "vault", "main", "temp", "tenant", "code",
    "name", "note", "rowid", "*", ",", ".", "(", ")", ";", "=", "||", "count(*)", "max(code)", "(code)", "(name)",
    "'q'", "'q'AS(code)", '"vault"', "[item]", "main.item", "temp.vault", '(SELECT\'q\'AS"code")', "sqlite_master",
    "json_each('[1]')", "1", "--", "/*", "*/", "x", "x.code",
])  # fmt: skip


@given(pieces=st.lists(_PIECES, min_size=1, max_size=14))
@settings(max_examples=400, deadline=None)
def test_no_mixture_of_words_finds_what_belongs_to_others(stocked: Stocked, pieces: list[str]) -> None:
    """A13, B18: fuzz; most is no SQL at all, and what is must not tell."""
    found = stocked.ask(f"SELECT {' '.join(pieces)}")
    text = json.dumps(found.table.rows if found.table else []).lower()

    assert found.ending in {"done", "refused", "costly"}
    assert not [secret for secret in SECRETS if secret in text]


_ALONE = """
import sys
from fourfold.adapters.sqlite.sandbox.job import Job
from fourfold.adapters.sqlite.sandbox.process import answer, confine
job = Job.read(sys.stdin.buffer)
image = sys.stdin.buffer.read()
confine(seconds=job.seconds)
print(answer(job, image).ending)
"""
"""The process without the parser."""


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_query_that_takes_everything_is_stopped(stocked: Stocked, bomb: str) -> None:
    """A13, B19: by its time or by its memory, without anybody who kills it: SQLite ends it, or the system does."""
    said = stocked.job(BOMBS[bomb], seconds=0.4).to_bytes() + stocked.image()
    done = subprocess.run([sys.executable, "-c", _ALONE], input=said, capture_output=True, check=False)

    assert (done.returncode, done.stdout) in {(0, b"costly\n"), (-signal.SIGKILL, b""), (-signal.SIGXCPU, b"")}


def test_a_million_characters_are_refused(stocked: Stocked) -> None:
    """A13, B19: by the database's own limit, where no parser counted them."""
    assert stocked.ask(f"SELECT '{'x' * 1_000_000}'").ending == "refused"
    assert stocked.ask(f"SELECT {'(' * 1_000_000}").ending == "refused"


def test_a_value_longer_than_its_bound_is_refused(stocked: Stocked) -> None:
    """A13, B19: 65,536 bytes, in the result and on the way to it."""
    long = "replace(replace('aaaaaaaaaaaaaaaaaaaaaaaaa', 'a', name || name || name || name), 'e', name || name || name)"
    found = stocked.ask(f"SELECT length(replace({long}, 'm', {long})) FROM items")  # noqa: S608  no text from outside

    assert (found.ending, found.text) == ("refused", "shorter values and a shorter query: 65,536 bytes each at most")


def test_the_databases_own_answer_is_the_faults_text(stocked: Stocked) -> None:
    """A13, B7: what the parser lets through is refused with the columns that there are."""
    with pytest.raises(QueryRefused) as refused:
        stocked.run("SELECT tenant FROM items")

    (problem,) = refused.value.detail().problems
    assert (problem.pointer, problem.code) == ("/sql", "query_refused")
    assert problem.expected == "one SELECT of SQLite over items (name, pieces, note, tags), price (name, amount)"
