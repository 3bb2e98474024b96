# ruff: noqa: S608  statements that are wrong on purpose
"""Attacks on a sandbox over the views `items` and `price` of the shop, by what they try."""

from __future__ import annotations

__all__ = [
    "BOMBS",
    "EMPTY",
    "LEFT_TO_THE_DATABASE",
    "ORACLES",
    "PARSER_BOMBS",
    "REFUSED",
    "REFUSED_BY_THE_PARSER",
    "REFUSED_TWICE",
]


def _tower(levels: int, level: str) -> str:
    """WITH parts that each use the one before twice: 2 to the power of `levels` uses in a few hundred characters."""
    parts = ", ".join(f"c{number} AS ({level.format(before=number - 1)})" for number in range(1, levels + 1))
    return f"WITH c0 AS (SELECT 1 AS x), {parts} SELECT count(*) FROM c{levels}"


_OTHER_TABLES = [
    "SELECT * FROM item",
    "SELECT code FROM vault",
    "SELECT * FROM main.item",
    "SELECT * FROM temp.item",
    "SELECT * FROM ITEM",
    'SELECT * FROM "item"',
    "SELECT * FROM [vault]",
    "SELECT * FROM `Vault`",
    'SELECT * FROM "odd "" name"',
    "SELECT * FROM main.items",
    "SELECT * FROM main.price",
    "SELECT * FROM s00000000000000000000000000000000.item",
    "SELECT * FROM ıtem",
    "SELECT count(*) FROM vault",
    "SELECT (SELECT count(*) FROM vault)",
    "SELECT (SELECT max(code) FROM vault)",
    "SELECT EXISTS (SELECT 1 FROM vault WHERE code = 'hidden-globex')",
    "SELECT 1 WHERE 'hidden-globex' IN vault",
    "SELECT 1 WHERE 'hidden-globex' IN (SELECT code FROM vault)",
    "SELECT count(*) OVER () FROM vault",
    "SELECT max(rowid) FROM vault",
    "SELECT name FROM items UNION SELECT code FROM vault",
    "SELECT name FROM items ORDER BY (SELECT count(*) FROM vault)",
    "SELECT name FROM items WHERE pieces > (SELECT count(*) FROM vault WHERE code > items.name)",
    "SELECT * FROM (SELECT * FROM (SELECT * FROM vault))",
    "SELECT * FROM items JOIN vault ON 1",
    "SELECT * FROM items INDEXED BY vault",
]

_NAMES_THAT_SHADOW = [
    "WITH items AS (SELECT * FROM item) SELECT * FROM items",
    "WITH items AS (SELECT code FROM vault) SELECT * FROM items",
    "WITH items AS (SELECT count(*) FROM vault) SELECT * FROM items",
    "WITH Items AS (SELECT * FROM main.items) SELECT * FROM Items",
    "WITH price AS (SELECT code AS name FROM vault) SELECT items.* FROM items JOIN price USING (name)",
    "SELECT * FROM vault AS items",
    "SELECT items.code FROM vault items",
]

_JOINS_THAT_SQLITE_DOES_NOT_AUTHORIZE = [
    "SELECT code FROM (SELECT 'q' AS code) FULL JOIN vault USING (code)",
    "SELECT code FROM (SELECT 'q' AS code) NATURAL FULL JOIN vault",
    "SELECT group_concat(code) FROM (SELECT 'q' AS code) FULL JOIN vault USING (code)",
    "SELECT g.code FROM (SELECT 'hidden-globex' AS code) AS g JOIN vault USING (code)",
    "SELECT g.code FROM (SELECT 'hidden-globex' AS code) AS g NATURAL JOIN vault",
    "SELECT tenant FROM (SELECT 'q' AS tenant) FULL JOIN item USING (tenant)",
    "SELECT note FROM (SELECT 'q' AS note) FULL JOIN fourfold_run USING (note)",
    "SELECT outcome FROM (SELECT 'q' AS outcome) FULL JOIN fourfold_claim USING (outcome)",
    "SELECT sql FROM (SELECT 'q' AS sql) FULL JOIN sqlite_schema USING (sql)",
    "SELECT sql FROM (SELECT 'q' AS sql) FULL JOIN sqlite_temp_master USING (sql)",
    "SELECT sql FROM (SELECT 'q' AS sql) FULL JOIN \"sqlite_temp_schema\" USING (sql)",
    "SELECT name FROM (SELECT 'q' AS name) FULL JOIN pragma_table_list USING (name)",
    "SELECT name FROM (SELECT 'q' AS name) FULL JOIN dbstat USING (name)",
]

_OTHER_STATEMENTS = [
    "INSERT INTO items VALUES (1)",
    "DELETE FROM item",
    "UPDATE item SET tenant = 'acme'",
    "DELETE FROM item RETURNING *",
    "WITH d AS (DELETE FROM item RETURNING *) SELECT * FROM d",
    "WITH d AS (SELECT 1) INSERT INTO item (name) SELECT * FROM d",
    "WITH d AS (SELECT 1) DELETE FROM item",
    "WITH d AS (SELECT 1) UPDATE item SET tenant = 'acme' RETURNING *",
    "REPLACE INTO item (name) VALUES ('x')",
    "CREATE TABLE t (a)",
    "CREATE TEMP TABLE t AS SELECT * FROM item",
    "DROP VIEW items",
    "ALTER TABLE item RENAME TO other",
    "PRAGMA table_info(item)",
    "PRAGMA query_only = OFF",
    "PRAGMA writable_schema = ON",
    "ATTACH ':memory:' AS other",
    "ATTACH 'file:/etc/passwd?mode=ro' AS other",
    "DETACH main",
    "VACUUM INTO '/tmp/copy.db'",
    "EXPLAIN SELECT * FROM items",
    "EXPLAIN QUERY PLAN SELECT * FROM items",
    "VALUES (1)",
    "BEGIN",
    "COMMIT",
    "ANALYZE",
    "SELECT 1; SELECT 2",
    "SELECT 1; DELETE FROM item",
    "COMMIT; DELETE FROM item",
    "SELECT 1;;SELECT 2",
    "SELECT 1 UNION DELETE FROM item",
    "SELECT * FROM item INTO/**/OUTFILE '/tmp/x'",
    "DO GET_LOCK('a', 1)",
    "/*!50000 DELETE FROM item */",
    "",
    " ",
    ";",
    "-- SELECT 1",
]

_SCHEMA_AND_FUNCTIONS = [
    "SELECT * FROM sqlite_master",
    "SELECT count(*) FROM sqlite_schema",
    "SELECT * FROM temp.sqlite_master",
    "SELECT * FROM sqlite_sequence",
    "SELECT * FROM fourfold_claim",
    "SELECT count(*) FROM fourfold_run",
    "SELECT * FROM pragma_table_info('item')",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM dbstat",
    "SELECT * FROM json_each('[1]')",
    "SELECT * FROM json_tree('[1]')",
    "SELECT * FROM generate_series(1, 3)",
    "SELECT load_extension('x')",
    "SELECT randomblob(1000000000)",
    "SELECT zeroblob(1000000000)",
    "SELECT printf('%1000000000d', 1)",
    "SELECT format('%1000000000d', 1)",
    "SELECT hex(name) FROM items",
    "SELECT quote(name) FROM items",
    "SELECT char(65)",
    "SELECT random()",
    "SELECT sqlite_version()",
    "SELECT sqlite_compileoption_get(1)",
    "SELECT fts3_tokenizer('simple')",
    "SELECT json_object('a', 1)",
    "SELECT json_array_length('[1]')",
    "SELECT [nmae] FROM items",
    "SELECT '{\"a\": 1}' ->> 'a'",
    "SELECT last_insert_rowid()",
    "SELECT total_changes()",
    "SELECT unlikely(1)",
    "SELECT name FROM items WHERE name MATCH 'x'",
    "SELECT name FROM items WHERE name REGEXP 'x'",
    "SELECT RAISE(ABORT, 'x')",
]

_TEXT = [
    "SELECT ?",
    "SELECT ?1",
    "SELECT :name",
    "SELECT @name",
    "SELECT $name",
    "SELECT 'x",
    "SELECT 1\0; DELETE FROM item",
    "\ufeffSELECT 1",
    "SELECT\u00a01",
    "\u2003SELECT 1",
    "SELECT x'00'",
    f"SELECT {'(' * 200}1{')' * 200}",
    f"SELECT {' + '.join('1' * 600)}",
    f"SELECT {'NOT ' * 400}1",
    f"SELECT {'- ' * 600}1",
    f"SELECT count(*) FROM {', '.join(f'items i{number}' for number in range(70))}",
]

_RECURSION = [
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
    "WITH c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c",
    "WITH c(x) AS (SELECT 1 UNION SELECT x + 1 FROM c LIMIT 5) SELECT x FROM c",
    "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT 1 FROM c) SELECT 1 FROM c",
]

REFUSED_TWICE = [
    *_OTHER_TABLES,
    *_NAMES_THAT_SHADOW,
    *_JOINS_THAT_SQLITE_DOES_NOT_AUTHORIZE,
    *_OTHER_STATEMENTS,
    *_SCHEMA_AND_FUNCTIONS,
    *_TEXT,
    *_RECURSION,
]
"""What the parser refuses, and the database too when it is asked alone."""

LEFT_TO_THE_DATABASE = [
    "SELECT tenant FROM items",
    "SELECT * FROM items WHERE tenant = 'globex'",
    "SELECT * FROM items WHERE 1 = 1 OR tenant = 'globex'",
    "SELECT i.tenant FROM items AS i",
    "SELECT * FROM items AS i (name, pieces, note, tags, tenant)",
    "SELECT * FROM items GROUP BY tenant",
    "SELECT tenant FROM (SELECT 'q' AS tenant) FULL JOIN items USING (tenant)",
    "SELECT CAST('x' AS BLOB)",
    "SELECT 9e999",
    "SELECT -9e999 FROM items",
    "SELECT sum(9223372036854775807) FROM items",
    "SELECT abs(-9223372036854775808)",
    f"SELECT {', '.join('1' * 33)}",
    f"SELECT 1 {'UNION SELECT 1 ' * 60}",
    "SELECT name LIKE '" + "%a" * 200 + "' FROM items",
]
"""What is a SELECT over the views to a parser that does not know their columns and values."""

REFUSED = [*REFUSED_TWICE, *LEFT_TO_THE_DATABASE]
"""What the database refuses without the parser's help."""

REFUSED_BY_THE_PARSER = [
    "SELECT 1 -- a comment",
    "SELECT /* a comment */ 1",
    "SELECT /* /* */ 1",
    'SELECT "nmae" FROM items',
    "WITH items AS (SELECT 1 AS name) SELECT * FROM items",
    "SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a)",
    "SELECT * FROM temp.items",
    "SELECT items.rowid FROM temp.items",
    "WITH x AS (SELECT value FROM json_each('[1]')) SELECT * FROM x",
    _tower(6, "SELECT 1 AS x FROM c{before} a, c{before} b"),
]
"""What would run in the database, reads nothing of others, and is refused all the same: it is not needed, or a trap."""

EMPTY = [
    "SELECT name FROM items WHERE name LIKE 'their%'",
    "SELECT name FROM price WHERE name <> 'mine a'",
    "SELECT name FROM items WHERE name IN ('theirs a', 'theirs b')",
    "SELECT i.name FROM items AS i JOIN price AS p ON i.name <> p.name WHERE p.name LIKE 'their%'",
    "SELECT name FROM items WHERE 0 OR name > 'n'",
    "SELECT name FROM items EXCEPT SELECT name FROM items",
    "SELECT upper(name) FROM items WHERE length(name) = 8",
]
"""Queries that are fine, and find nothing of other tenants."""

_FAILS = "-9223372036854775807 - 1"

ORACLES = [
    f"SELECT name FROM price WHERE name > 'n' AND abs(iif(name = '{{guess}}', {_FAILS}, 1)) = 1",
    f"SELECT name FROM price WHERE name IN ('{{guess}}', 'z') AND abs(iif(length(name) > 0, {_FAILS}, 1)) = 1",
    f"SELECT name FROM price WHERE name >= '{{guess}}' AND abs(iif(name < '{{guess}}~', {_FAILS}, 1)) = 1",
    "SELECT name FROM price WHERE name > 'n' AND name LIKE 'x' ESCAPE iif(name = '{guess}', 'ab', 'a')",
    f"SELECT 1 WHERE EXISTS (SELECT 1 FROM price WHERE name > 'n' AND abs(iif(name = '{{guess}}', {_FAILS}, 1)))",
    f"SELECT max(name) FROM price WHERE name > 'n' AND abs(iif(name = '{{guess}}', {_FAILS}, 1)) = 1",
    f"SELECT i.name FROM items AS i JOIN price AS p ON p.name > i.name AND abs(iif(p.name = '{{guess}}', {_FAILS}, 1))",
    f"SELECT count(*) FROM price WHERE name > 'n' AND abs(iif(name = '{{guess}}', {_FAILS}, 1)) = 1",
]
"""Queries that fail if somebody else has a row like `guess`, where the tenant of a row is looked at too late."""

PARSER_BOMBS = [f"SELECT {word * 24}1{')' * 24}" for word in ("STRUCT(", "date(", "strftime('%Y', date(")]
"""What takes a parser twice as long with each level."""

_WIDE = "replace(replace('aaaaaaaaaaaaaaaaaaaa', 'a', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'), 'b', 'cccccccccccccccccccc')"
_ALL = " || ".join(f"i{number}.name" for number in range(30))
_MANY = ", ".join(f"items i{number}" for number in range(30))

BOMBS = {
    "a tower of joins": _tower(40, "SELECT 1 AS x FROM c{before} a, c{before} b"),
    "a tower of unions": _tower(24, "SELECT x FROM c{before} UNION ALL SELECT x FROM c{before}"),
    "a tower of values": _tower(24, "SELECT (SELECT x FROM c{before}) + (SELECT x FROM c{before}) AS x"),
    "a cross join": f"SELECT count(*) FROM {_MANY}",
    "a sort of wide rows": f"SELECT {_WIDE} || i0.name || i1.name AS w FROM {_MANY} ORDER BY w",
    "distinct wide rows": f"SELECT count(DISTINCT {_WIDE} || {_ALL}) FROM {_MANY}",
    "a window over everything": f"SELECT sum(length({_WIDE})) OVER (ORDER BY i0.name) FROM {_MANY}",
    "a slow function": f"SELECT sum(length(replace({_WIDE}, substr({_WIDE}, 1, 6000) || 'd', 'e'))) FROM {_MANY}",
}
"""What takes all the time, or all the memory, that there is."""
