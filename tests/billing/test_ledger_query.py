"""`ledger_query`: questions about the books in SQL, and what an accountant would get for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from billing.ledger import LedgerQuery, ledger_query

from billing import catalog
from fourfold.bootstrap.service import open_service
from fourfold.model.call import Call
from fourfold.sandbox import Column, QueryResult, Table
from fourfold.testing import Answer, Kit, caller
from tests.billing.books import ACCOUNT, GLOBEX, OWING, SOL, arrange, drafted, finalized, line, order


def asked(kit: Kit, sql: str) -> list[list[Any]]:
    """The rows of an answer that is whole."""
    answer = kit.call("ledger_query", {"sql": sql})
    assert answer.ok, (answer.fault, [run.note for run in kit.runs()[:1]])
    assert answer.structured["complete"] is True
    return answer.structured["rows"]


class _Query:
    """Gives one table, and remembers what it was asked."""

    def __init__(self) -> None:
        self.sql = ""

    def run(self, sql: str) -> Table:
        self.sql = sql
        return Table(columns=(Column(name="n", type="integer"),), rows=((160,),), complete=True)


def test_the_handler_is_a_function_of_the_query() -> None:
    """A3, A13: no server, no store, no parser in a unit test."""
    query = _Query()
    result = ledger_query(LedgerQuery(sql="SELECT count(*) AS n FROM invoices"), query)

    assert query.sql == "SELECT count(*) AS n FROM invoices"
    assert result.model_dump() == {
        "columns": [{"name": "n", "type": "integer"}],
        "rows": [[160]],
        "returned": 1,
        "complete": True,
    }
    assert isinstance(result, QueryResult)


def test_the_views_have_the_columns_that_the_description_names(kit: Kit) -> None:
    """A13, C1: the model reads them in `tools/list`, and nothing else can be read."""
    described = catalog.build().tools["ledger_query"].contract.input_schema["properties"]["sql"]["description"]
    for view in ("accounts", "customers", "invoices", "quotes"):
        columns = kit.call("ledger_query", {"sql": f"SELECT * FROM {view}"}).structured["columns"]  # noqa: S608  fixed names
        assert f"{view}({', '.join(column['name'] for column in columns)})" in described


def test_sums_are_integers_by_currency(kit: Kit) -> None:
    """A13, A16, A1: what acme is owed, as the invoices have it; no float and no mixed currencies."""
    rows = asked(
        kit,
        f"SELECT currency, sum(amount_minor) FROM invoices WHERE account_id = '{OWING}' AND paid_on IS NULL "  # noqa: S608  a constant
        "GROUP BY currency ORDER BY currency",
    )

    assert rows == [["CNY", 472_769], ["EUR", 1_062_217], ["USD", 348_774]]


def test_an_issued_invoice_is_in_the_ledger_and_a_draft_is_not(kit: Kit) -> None:
    """A13: also of a customer without an account; a draft obliges nobody, and is no revenue."""
    drafted(kit)
    reference = finalized(kit)

    rows = asked(
        kit,
        "SELECT invoice_reference, customer_name, account_id, without_tax_minor, amount_minor FROM invoices "  # noqa: S608  a constant
        f"WHERE customer_reference = '{SOL}'",
    )
    assert rows == [[reference, "Papelería Sol", None, 48_675, 58_897]]


def test_a_question_over_several_views_is_one_join(kit: Kit) -> None:
    """A13: customers without an invoice, by WITH and by a subquery."""
    found = [["Nordic Outfitters"]]

    assert (
        asked(
            kit,
            "WITH billed AS (SELECT DISTINCT account_id FROM invoices) "
            "SELECT name FROM accounts LEFT JOIN billed USING (account_id) WHERE billed.account_id IS NULL",
        )
        == found
    )
    assert (
        asked(
            kit,
            "SELECT name FROM accounts AS a "
            "WHERE NOT EXISTS (SELECT 1 FROM invoices AS i WHERE i.account_id = a.account_id)",
        )
        == found
    )


def test_a_quote_is_in_the_ledger_as_it_was_saved(kit: Kit) -> None:
    """A13: with its number, its total and its day in UTC."""
    kit.call("quote_create", order(line(), line("OLD-0001", quantity=2, price=990)))

    assert asked(kit, "SELECT * FROM quotes") == [["Q-000001", ACCOUNT, "EUR", 9_480, "2026-11-01"]]


@pytest.mark.parametrize(("number", "quote_id"), [(7, "Q-000007"), (123_456, "Q-123456"), (1_234_567, "Q-1234567")])
def test_a_quotes_id_is_the_one_that_users_know(kit: Kit, number: int, quote_id: str) -> None:
    """A13: six digits, more when they are needed; the same as `quote_create` gives."""
    arrange(
        kit,
        "INSERT INTO quote VALUES ('acme', ?, 'Q-earlier', ?, 'EUR', 1, '[]', '[]', 0, '1970-01-01', 'x')",
        (number - 1, ACCOUNT),
    )
    made = kit.call("quote_create", order(line())).structured["quote_id"]

    assert made == quote_id
    assert asked(kit, "SELECT quote_id FROM quotes WHERE quote_id <> 'Q-earlier'") == [[quote_id]]


def test_more_than_200_rows_are_said_to_be_more(kit: Kit) -> None:
    """A13, A16: 320 rows match; silence at a limit was a defect that reached a person."""
    answer = kit.call("ledger_query", {"sql": "SELECT name FROM invoices UNION ALL SELECT customer_name FROM invoices"})
    assert answer.code == "query_refused"
    answer = kit.call("ledger_query", {"sql": "SELECT currency FROM invoices UNION ALL SELECT currency FROM invoices"})

    assert (answer.structured["returned"], answer.structured["complete"]) == (200, False)


def test_a_wide_answer_is_cut_before_it_is_too_large(kit: Kit) -> None:
    """A13, B19: the tool's bytes, not a broken answer."""
    wide = ", ".join(f"i.customer_name || i.account_id || i.invoice_reference AS c{number}" for number in range(12))
    answer = kit.call("ledger_query", {"sql": f"SELECT {wide} FROM invoices AS i"})  # noqa: S608  fixed text

    assert answer.ok
    assert answer.structured["complete"] is False
    assert 0 < answer.structured["returned"] < 160


def test_each_company_asks_its_own_books(kit: Kit) -> None:
    """A13, B18: the same reference stands in both."""
    sql = {"sql": "SELECT customer_name FROM invoices WHERE invoice_reference = 'INV-2026-0130'"}
    acme, globex = kit.call("ledger_query", sql), kit.call("ledger_query", sql, by=GLOBEX)

    assert acme.structured["rows"] == [["Harbour Supplies North"]]
    assert globex.structured["rows"] == [["Meridian Foods"]]
    assert kit.call("ledger_query", sql, by=caller(tenant="nobody")).structured["rows"] == []


def test_the_description_is_short(kit: Kit) -> None:
    """A13, B1: the sandbox is in the schema and not in prose."""
    contract = catalog.build().tools["ledger_query"].contract

    assert len(contract.description) <= 360
    assert contract.sandbox is not None
    assert (contract.sandbox.max_rows, contract.sandbox.timeout_s) == (200, 2)


def test_a_caller_without_the_scope_has_no_such_tool(kit: Kit) -> None:
    """A13, B11: listing and calling alike."""
    clerk = caller(scopes=["invoices:read"])

    assert kit.call("ledger_query", {"sql": "SELECT 1 AS one"}, by=clerk).code == "unknown_tool"


@pytest.mark.parametrize("sql", ["", "SELECT", "SELECT " + "1" * 2_000])
def test_a_text_out_of_bounds_is_an_invalid_argument(kit: Kit, sql: str) -> None:
    """A13, A2: before any parser."""
    answer = kit.call("ledger_query", {"sql": sql})

    assert (answer.code, answer.paths) == ("invalid_arguments", ["sql"])


def test_the_ledger_is_the_same_on_a_file(tmp_path: Path) -> None:
    """A13: on the embedded store, while the server writes to it, and after it was opened again."""
    store = f"sqlite:///{tmp_path / 'billing.db'}"
    sql = "SELECT count(*), (SELECT count(*) FROM quotes) FROM invoices"

    async def calls() -> list[Any]:
        async with open_service(catalog.build(), store) as service:
            by = caller(scopes=["quotes:write", "ledger:read"])
            await service.call(Call(tool="quote_create", arguments=order(), caller=by, meta_key="k" * 20))
            return Answer(await service.call(Call(tool="ledger_query", arguments={"sql": sql}, caller=by))).structured[
                "rows"
            ]

    assert [anyio.run(calls), anyio.run(calls)] == [[[160, 1]], [[160, 1]]]
