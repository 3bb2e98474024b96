"""The first refusal: what the parser lets through to the database, and what it says instead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.adapters.query_check import refusal
from fourfold.model.sandbox import FUNCTIONS
from tests.sandbox.attacks import LEFT_TO_THE_DATABASE, REFUSED_BY_THE_PARSER, REFUSED_TWICE
from tests.sandbox.shop import TERMS

ACCEPTED = [
    "SELECT 1",
    "select name from items",
    "SELECT name FROM items;",
    "SELECT name FROM items ; \n",
    "SELECT\tname\r\nFROM items",
    "SELECT * FROM items, price",
    "SELECT i.*, p.amount FROM items AS i LEFT JOIN price AS p ON i.name = p.name",
    "SELECT * FROM items NATURAL JOIN price",
    "SELECT * FROM items JOIN price USING (name)",
    "SELECT * FROM ITEMS",
    'SELECT * FROM "items"',
    "SELECT DISTINCT name FROM items WHERE pieces BETWEEN 1 AND 3 OR note IS NULL ORDER BY pieces LIMIT 3 OFFSET 1",
    "SELECT note, count(*), sum(pieces) FROM items GROUP BY note HAVING count(*) > 1",
    "SELECT sum(pieces) FILTER (WHERE note IS NOT NULL) FROM items",
    "SELECT name, rank() OVER (PARTITION BY note ORDER BY pieces) FROM items",
    "SELECT sum(pieces) OVER w FROM items WINDOW w AS (ORDER BY name ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
    "SELECT name FROM items UNION SELECT name FROM price EXCEPT SELECT 'x' INTERSECT SELECT 'y'",
    "SELECT name FROM items WHERE name IN (SELECT name FROM price)",
    "SELECT name FROM items AS i WHERE EXISTS (SELECT 1 FROM price WHERE price.name = i.name)",
    "SELECT (SELECT max(amount) FROM price) AS most",
    "SELECT CASE WHEN pieces > 3 THEN 'many' ELSE 'few' END FROM items",
    "SELECT CAST(pieces AS TEXT), pieces * 2 % 3, -pieces, pieces / 2.0, 'a' || name COLLATE NOCASE FROM items",
    "SELECT name FROM items WHERE name LIKE 'a!_%' ESCAPE '!' AND name GLOB 'a*'",
    "SELECT iif(pieces > 1, 'a', 'b'), ifnull(note, ''), strftime('%Y-%m', 'now'), date('now', '-1 month') FROM items",
    "SELECT 'it''s; DROP TABLE item; -- /* ? :x' AS said",
    'SELECT pieces AS "How many?" FROM items ORDER BY "How many?"',
    "WITH a AS (SELECT name FROM items), b AS (SELECT name FROM a) SELECT * FROM b JOIN a USING (name)",
    "WITH a (x) AS (SELECT name FROM items UNION SELECT name FROM price) SELECT count(x) FROM a",
]


def read(sql: str, *, max_text: int = 2_000) -> str | None:
    """What would be accepted instead of `sql`, if anything."""
    return refusal(sql, readable=TERMS.readable, max_text=max_text)


@pytest.mark.parametrize("sql", [*ACCEPTED, *LEFT_TO_THE_DATABASE])
def test_a_select_over_the_views_goes_on(sql: str) -> None:
    """A13: whatever a SELECT of SQLite is made of. Columns and values are the database's to judge."""
    assert read(sql) is None


@pytest.mark.parametrize("sql", [*REFUSED_TWICE, *REFUSED_BY_THE_PARSER])
def test_everything_else_is_refused_before_a_database_sees_it(sql: str) -> None:
    """A13: and each time with words that say what is accepted."""
    assert read(sql)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_allowed_function_can_be_called(name: str) -> None:
    """A13: the parser has kinds of its own for most of them."""
    forms = [f"SELECT {name}{arguments} FROM items" for arguments in ("", "(name)", "(name, 1)")]  # noqa: S608  names of a fixed list

    assert None in map(read, forms)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("DELETE FROM items", "a statement that begins with SELECT or WITH"),
        ("SELECT 1; SELECT 2", "one statement"),
        ("SELECT 1 -- x", "one SELECT statement of SQLite without comments and parameters"),
        ("SELECT ?", "one SELECT statement of SQLite without comments and parameters"),
        ("SELECT FROM WHERE", "one SELECT statement of SQLite without comments and parameters"),
        ("SELECT * FROM vault", "only these views: items, price"),
        ("WITH a AS (SELECT * FROM b) SELECT 1", "only these views: items, price, and WITH names that come before"),
        ("WITH a AS (SELECT * FROM a) SELECT 1", "only these views: items, price, and WITH names that come before"),
        ("WITH items AS (SELECT 1) SELECT 1", "WITH names that differ from each other and from the views"),
        ("WITH a AS (SELECT 1), A AS (SELECT 2) SELECT 1", "WITH names that differ from each other and from the views"),
        ("SELECT * FROM (WITH a AS (SELECT 1) SELECT 1)", "WITH only at the beginning"),
        ('SELECT "nmae" FROM items', "names of columns without quotes, text in single quotes"),
        ("SELECT " + "(" * 25 + "1" + ")" * 25, "at most 24 levels of brackets"),
        ("SELECT " + "1 + " * 800 + "1", "a query of at most 2,000 characters"),
        ("SELECT " + "1+" * 900 + "1", "a shorter query"),
        (
            "WITH a AS (SELECT 1 FROM items, price), b AS (SELECT 1 FROM a, a c, a d, a e) SELECT 1 FROM b, b, b, b, b",
            "at most 32 uses of views, counting each use of a WITH name",
        ),
    ],
)
def test_a_refusal_says_what_is_accepted(sql: str, expected: str) -> None:
    """A13, B7: one clause, about the first thing that is wrong."""
    assert read(sql) == expected


@pytest.mark.parametrize("sql", ["SELECT zeroblob(9)", "SELECT printf('x')", "SELECT * FROM items FOR UPDATE"])
def test_a_refused_function_or_clause_names_those_that_are_allowed(sql: str) -> None:
    """A13, B7, C1: the legal values, as an enum would have them."""
    assert "functions: abs, avg, coalesce, count, " in str(read(sql))


def test_a_tower_of_with_names_is_refused_by_what_it_would_read() -> None:
    """A13, B19: each level doubles; SQLite would write all of it out before it could be stopped."""
    levels = ", ".join(f"c{each} AS (SELECT 1 FROM c{each - 1} a, c{each - 1} b)" for each in range(1, 7))  # noqa: S608  numbers

    sql = f"WITH c0 AS (SELECT 1), {levels} SELECT 1 FROM c6"  # noqa: S608  numbers
    assert read(sql) == "at most 32 uses of views, counting each use of a WITH name"


@given(sql=st.text(max_size=80) | st.text(alphabet="SELCTFROMselctfrom ()'\"[]`;-/*,.=<>1xW", max_size=80))
def test_no_text_breaks_the_check(sql: str) -> None:
    """A13: it says what is accepted, or nothing."""
    read(sql)
    read(f"SELECT {sql}")


@pytest.mark.parametrize("sql", ["SELECT 1", "SELECT '" + "x" * 1_000_000 + "'", "[" * 1_000_000, "(" * 1_000_000])
def test_a_text_over_the_terms_is_refused_whatever_it_is(sql: str) -> None:
    """A13, B19: a million characters too, before anything looks at them."""
    assert read(sql, max_text=7) == "a query of at most 7 characters"


@pytest.mark.parametrize("sql", ["SELECT 'password-4711' FROM nowhere", "password-4711", "SELECT 'password-4711"])
def test_a_refusal_repeats_nothing_of_the_query(sql: str) -> None:
    """A13, A2: an answer may be logged where the query may not."""
    assert "4711" not in str(read(sql))
