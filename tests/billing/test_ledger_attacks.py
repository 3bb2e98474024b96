# ruff: noqa: S608  statements that are wrong on purpose
"""An afternoon of attacks on the ledger, by a clerk of acme who wants the books of globex, or wants them down."""

from __future__ import annotations

import json

import pytest

from fourfold.testing import Kit
from tests.billing.books import GLOBEX

_FOREIGN = ("globex", "Orchard", "Meridian", "e4da3b7f", "1679091c", "GLX-", "fourfold", "CREATE")

CROSS_TENANT = [
    "SELECT * FROM invoices WHERE tenant = 'globex'",
    "SELECT * FROM invoices WHERE 1 = 1 OR tenant = 'globex'",
    "SELECT * FROM invoice WHERE tenant = 'globex'",
    "SELECT * FROM invoices UNION SELECT * FROM invoice",
    "SELECT name FROM accounts UNION ALL SELECT name FROM account",
    "SELECT (SELECT group_concat(name) FROM account) FROM accounts",
    "SELECT * FROM accounts AS a WHERE EXISTS (SELECT 1 FROM account AS b WHERE b.tenant <> 'acme')",
    "SELECT a.name, (SELECT max(b.name) FROM account AS b WHERE b.tenant > a.name) FROM accounts AS a",
    "WITH accounts AS (SELECT * FROM account) SELECT * FROM accounts",
    "WITH invoices AS (SELECT * FROM main.invoices) SELECT * FROM invoices",
    "SELECT * FROM main.accounts",
    "SELECT * FROM main.account",
    "SELECT * FROM temp.account",
    "SELECT * FROM Account",
    'SELECT * FROM "account"',
    "SELECT * FROM [account]",
    "SELECT * FROM `ACCOUNT`",
    "SELECT * FROM account\u200b",
    "SELECT * FROM аccount",
    "SELECT * FROM/**/account",
    "SELECT * FROM accounts -- \n UNION SELECT * FROM account",
    "SELECT name FROM (SELECT 'x' AS name) FULL JOIN account USING (name)",
    "SELECT name FROM (SELECT 'x' AS name) NATURAL FULL JOIN account",
    "SELECT g.name FROM (SELECT 'Meridian Foods' AS name) AS g JOIN account USING (name)",
    "SELECT rowid, name FROM account",
    "SELECT * FROM invoices INDEXED BY invoice_unpaid",
    "SELECT sql FROM sqlite_master",
    "SELECT name FROM pragma_table_list",
    "SELECT list_price_minor FROM price",
    "SELECT note FROM fourfold_run",
    "SELECT outcome FROM fourfold_claim",
    "SELECT body FROM support_message",
]

NOT_A_QUESTION = [
    "DELETE FROM invoices",
    "UPDATE invoice SET amount_minor = 0",
    "INSERT INTO quotes VALUES (1)",
    "WITH x AS (SELECT 1) DELETE FROM invoice",
    "DELETE FROM invoice RETURNING *",
    "SELECT 1; DELETE FROM invoice",
    "PRAGMA table_info(invoice)",
    "PRAGMA writable_schema = 1",
    "ATTACH 'copy.db' AS copy",
    "VACUUM INTO 'copy.db'",
    "EXPLAIN SELECT * FROM invoices",
    "VALUES ('globex')",
    "BEGIN IMMEDIATE",
    "SELECT load_extension('evil.so')",
    "SELECT randomblob(999999999)",
    "SELECT zeroblob(999999999)",
    "SELECT printf('%999999999d', 1)",
    "SELECT json_extract('{}', '$')",
    "SELECT value FROM json_each('[1, 2]')",
    "SELECT value FROM generate_series(1, 1000000000)",
    "SELECT name FROM accounts WHERE name REGEXP '(a+)+$'",
    "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r",
    "WITH r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT sum(x) FROM r",
    "SELECT ?, :name, @name, $name",
    "SELECT x'00' FROM invoices",
    "SELECT 9e999 AS infinite",
    "SELECT 'not closed",
    "\ufeffSELECT 1 AS one",
    "SELECT\u00a01 AS one",
    f"SELECT {'(' * 40}1{')' * 40}",
    f"SELECT {'NOT ' * 300}1",
]

_INVOICES = ", ".join(f"invoices i{number}" for number in range(6))

BOMBS = [
    f"SELECT count(*) FROM {_INVOICES}",
    f"SELECT max(i0.due_on || i1.due_on || i2.due_on) FROM {_INVOICES}",
    f"SELECT DISTINCT i0.customer_name || i1.due_on || i2.invoice_reference AS n FROM {_INVOICES} ORDER BY n LIMIT 1",
    f"SELECT count(*) FROM {_INVOICES} WHERE i0.currency NOT LIKE '%a%e%i%o%u%' AND i1.currency NOT GLOB '*a*e*i*o*u*'",
]


@pytest.mark.parametrize("sql", CROSS_TENANT)
def test_the_books_of_another_company_are_not_there(kit: Kit, sql: str) -> None:
    """A13, B18: refused, in words that tell nothing about them."""
    answer = kit.call("ledger_query", {"sql": sql})

    assert answer.code == "query_refused"
    assert not [word for word in _FOREIGN if word in repr(answer.fault).replace("or fourfold_ in", "")]


@pytest.mark.parametrize("sql", NOT_A_QUESTION)
def test_what_is_no_question_is_refused_and_changes_nothing(kit: Kit, sql: str) -> None:
    """A13: no write, no other statement, no function that makes much out of little, no odd text."""
    assert kit.call("ledger_query", {"sql": sql}).code == "query_refused"
    assert kit.writes == 0


def test_a_question_with_a_nul_reaches_no_database(kit: Kit) -> None:
    """A13, A2: some readers of SQL stop at it and others do not; no text may hold one."""
    answer = kit.call("ledger_query", {"sql": "SELECT 1\0FROM invoices"})

    assert (answer.code, answer.paths) == ("invalid_arguments", ["sql"])


@pytest.mark.parametrize("sql", BOMBS)
def test_a_question_over_everything_with_everything_is_stopped(kit: Kit, sql: str) -> None:
    """A13, B19: 160 to the power of six; stopped after two seconds, and told to do less."""
    answer = kit.call("ledger_query", {"sql": sql})

    assert (answer.code, answer.paths) == ("query_too_costly", ["sql"])


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM accounts",
        "SELECT * FROM invoices ORDER BY customer_name DESC",
        "SELECT * FROM accounts, quotes",
        "SELECT 'x' || name FROM accounts WHERE name LIKE '%' OR 1 = 1",
        "SELECT upper(customer_name) FROM invoices GROUP BY 1",
        "SELECT a.name FROM accounts AS a NATURAL JOIN invoices AS i",
        "SELECT rowid FROM invoices",
        "SELECT * FROM invoices WHERE account_id NOT IN (SELECT account_id FROM accounts)",
    ],
)
def test_what_is_accepted_holds_nothing_of_another_company(kit: Kit, sql: str) -> None:
    """A13, B18: for both, and not because there is nothing."""
    ours, theirs = kit.call("ledger_query", {"sql": sql}), kit.call("ledger_query", {"sql": sql}, by=GLOBEX)

    assert not [word for word in _FOREIGN if word in json.dumps(ours.structured)]
    assert not [word for word in ("Nordic", "Harbour", "Kestrel") if word in json.dumps(theirs.structured)]


def test_a_text_that_a_filter_of_words_would_refuse_is_a_text(kit: Kit) -> None:
    """A13: semicolons, comments and keywords inside quotes are letters."""
    said = "it''s; DROP TABLE invoice; -- /* PRAGMA ? */ UNION SELECT"
    answer = kit.call("ledger_query", {"sql": f"SELECT '{said}' AS said;"})

    assert answer.structured["rows"] == [[said.replace("''", "'")]]
