"""Placeholders in PostgreSQL's SQL: found where they stand, and nowhere else."""

from __future__ import annotations

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.adapters.sql.statement import read_statement
from fourfold.errors import StoreError
from tests.postgres.cluster import Cluster


@pytest.mark.parametrize(
    ("sql", "numbered"),
    [
        ("SELECT ?, ?", "SELECT $1, $2"),
        ("SELECT :a, :b, :a", "SELECT $1, $2, $1"),
        ("SELECT :a::int, x::text", "SELECT $1::int, x::text"),
        ("SELECT f(x := :x)", "SELECT f(x := $1)"),
        ("SELECT a[1:2], b[:n]", "SELECT a[1:2], b[$1]"),
        ("SELECT '?', ':a', 'it''s ?', ?", "SELECT '?', ':a', 'it''s ?', $1"),
        (r"SELECT E'it\'s ?', '\', ?", r"SELECT E'it\'s ?', '\', $1"),
        (r"SELECT e'\\', ?", r"SELECT e'\\', $1"),
        ("SELECT name'?', U&'?'", "SELECT name'?', U&'?'"),
        ('SELECT "?", "a"":b", ?', 'SELECT "?", "a"":b", $1'),
        ("SELECT $$ ? $$, $q$ $$ ? $q$, ?", "SELECT $$ ? $$, $q$ $$ ? $q$, $1"),
        ("SELECT a$b$ + ? AS c$b$", "SELECT a$b$ + $1 AS c$b$"),
        ("SELECT ? -- ? :a\n, ?", "SELECT $1 -- ? :a\n, $2"),
        ("SELECT /* ? /* ? */ :a */ ?", "SELECT /* ? /* ? */ :a */ $1"),
        ("SELECT 5 % 2, x LIKE '%a%'", "SELECT 5 % 2, x LIKE '%a%'"),
        ("SELECT 1e5, 0x1F, 12:names", "SELECT 1e5, 0x1F, 12$1"),
        ("SELECT größe, :größe", "SELECT größe, $1"),
    ],
)
def test_a_placeholder_is_what_stands_outside_of_literals_names_and_comments(sql: str, numbered: str) -> None:
    """B4: whatever quoting PostgreSQL has."""
    assert read_statement(sql).numbered == numbered


def test_percent_signs_are_doubled_for_drivers_that_format() -> None:
    """B4: in literals as well, which such a driver reads, too."""
    statement = read_statement("SELECT 5 % ?, '100%', :a, :a")

    assert statement.formatted == "SELECT 5 %% %s, '100%%', %s, %s"
    assert statement.order == (0, 1, 1)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELECT $1", "write placeholders as"),
        ('SELECT U&"fourf\\006Fld"', "names without U&"),
        ("SELECT E'a'\n'\\'', set_config(1) --'", "in one piece"),
        ("SELECT e'a' -- x\n '\\'', 1 --'", "in one piece"),
    ],
)
def test_what_would_be_read_otherwise_than_it_looks_is_refused(sql: str, told: str) -> None:
    """B4: a guard that reads words must read those that PostgreSQL reads."""
    with pytest.raises(StoreError, match=told):
        read_statement(sql)


@pytest.mark.parametrize(
    ("sql", "values", "told"),
    [
        ("SELECT ?, ?", (1,), "has 2 placeholders, and 1 values came"),
        ("SELECT ?", (1, 2), "has 1 placeholders, and 2 values came"),
        ("SELECT :a", (1,), "values need a mapping"),
        ("SELECT :a, :b", {"a": 1}, "without a value: b"),
        ("SELECT ?, :a", {"a": 1}, r"without a value: \?"),
    ],
)
def test_values_that_do_not_fit_are_told(sql: str, values: tuple[int, ...] | dict[str, int], told: str) -> None:
    """A5: before the database sees them."""
    with pytest.raises(StoreError, match=told):
        read_statement(sql).values(values)


@pytest.mark.parametrize(
    ("sql", "single"),
    [("a;", True), ("a ; ; -- b", True), ("a; b", False), ("a; /* ; */ b", False), ("';' \";\" $$;$$", True)],
)
def test_a_second_statement_is_seen(sql: str, single: bool) -> None:
    """B4: one call, one statement."""
    assert read_statement(sql).single is single


_QUOTED = st.text(max_size=20).filter(lambda text: "\0" not in text and text.isprintable())
_LITERALS = st.one_of(
    _QUOTED.map(lambda text: "'" + text.replace("'", "''") + "'"),
    _QUOTED.map(lambda text: "E'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"),
    _QUOTED.filter(lambda text: "$" not in text).map(lambda text: f"$q${text}$q$"),
)
"""Any text, in any quoting."""


@given(st.lists(_LITERALS, min_size=1, max_size=5))
@settings(max_examples=300)
def test_no_literal_hides_a_placeholder_or_makes_one(literals: list[str]) -> None:
    """B4: as many places as there are, whatever stands between them."""
    statement = read_statement("SELECT " + ", ".join(f"{literal}, ?" for literal in literals))

    assert statement.names == ("",) * len(literals)
    assert statement.words == ("select",)


@given(st.text(alphabet="ab?:'\"$-/*\\ \n;%E", max_size=40))
@settings(max_examples=500)
def test_taking_apart_loses_nothing(sql: str) -> None:
    """B4: the pieces and the places are the statement, also of what is no SQL."""
    try:
        statement = read_statement(sql)
    except StoreError:
        return
    names = iter(f":{name}" if name else "?" for name in (statement.names[index] for index in statement.order))
    assert "".join([statement.pieces[0], *(next(names) + piece for piece in statement.pieces[1:])]) == sql


def test_the_server_reads_literals_as_the_tokens_say(postgres: Cluster) -> None:
    """B4: the same statements, asked of PostgreSQL itself: each literal is one value and nothing after it is code."""
    with psycopg.connect(f"host={postgres.folder} user=postgres dbname=postgres") as connection:

        @given(st.lists(_LITERALS, min_size=1, max_size=4))
        @settings(max_examples=100, deadline=None)
        def agree(literals: list[str]) -> None:
            statement = read_statement("SELECT " + ", ".join(f"{each} AS l, :n::int AS p" for each in literals))
            cursor = psycopg.RawCursor(connection)
            row = cursor.execute(statement.numbered.encode(), statement.values({"n": 7})).fetchone()
            assert row is not None
            assert row[1::2] == (7,) * len(literals)

        agree()
