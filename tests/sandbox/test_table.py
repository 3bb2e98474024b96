"""What a query gives back: typed columns, cells that JSON carries exactly, and a result that says when it is cut."""

from __future__ import annotations

import pytest

from fourfold.sandbox import Column, Table
from tests.sandbox.shop import Stocked


def table_of(stocked: Stocked, sql: str, **changes: int) -> Table:
    """The table of a query that is accepted."""
    found = stocked.ask(sql, **changes).table
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("values", "kind", "cells"),
    [
        (["1", "NULL", "-2"], "integer", (1, None, -2)),
        (["9007199254740991"], "integer", (9007199254740991,)),
        (["1", "9007199254740992"], "decimal", ("1", "9007199254740992")),
        (["-9223372036854775808"], "decimal", ("-9223372036854775808",)),
        (["1", "2.5"], "decimal", ("1", "2.5")),
        (["0.1 + 0.2"], "decimal", ("0.30000000000000004",)),
        (["2.0", "1e22"], "decimal", ("2.0", "1e+22")),
        (["1", "'x'", "2.5"], "text", ("1", "x", "2.5")),
        (["''", "'x'"], "text", ("", "x")),
        (["NULL"], "text", (None,)),
        (["1 = 1", "1 = 2"], "integer", (1, 0)),
        (["'Ü' || 'ñ' || '的' || '😀'"], "text", ("Üñ的😀",)),
        (["CAST(x'41ff42' AS TEXT)"], "text", ("A\ufffdB",)),
        (["CAST(x'eda080' AS TEXT)"], "text", ("\ufffd\ufffd\ufffd",)),
    ],
)
def test_a_column_has_the_narrowest_type_that_holds_its_cells(
    stocked: Stocked, values: list[str], kind: str, cells: tuple[object, ...]
) -> None:
    """A13, A1: no floats and no integers that a reader would round; text that is no UTF-8 is marked."""
    table = table_of(stocked, " UNION ALL ".join(f"SELECT {value} AS a" for value in values))

    assert table.columns == (Column(name="a", type=kind),)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]  # the literals of the table above
    assert tuple(row[0] for row in table.rows) == cells


def test_no_row_is_a_table_of_no_rows(stocked: Stocked) -> None:
    """A13: complete, with its columns."""
    table = table_of(stocked, "SELECT name, pieces FROM items WHERE 0")

    assert (table.rows, table.complete) == ((), True)
    assert [column.name for column in table.columns] == ["name", "pieces"]


@pytest.mark.parametrize(("limit", "complete"), [(1, False), (2, True), (3, True)])
def test_rows_beyond_the_limit_are_left_out_and_said(stocked: Stocked, limit: int, *, complete: bool) -> None:
    """A13, A16: two rows; silence at a limit was one of the three defects."""
    table = table_of(stocked, "SELECT name FROM items", max_rows=limit)

    assert (len(table.rows), table.complete) == (min(limit, 2), complete)


def test_rows_beyond_the_bytes_are_left_out_and_said(stocked: Stocked) -> None:
    """A13, B19: a row of ['mine a'] has 10 bytes, and its comma."""
    assert len(table_of(stocked, "SELECT name FROM items", max_bytes=22).rows) == 2
    cut = table_of(stocked, "SELECT name FROM items", max_bytes=21)

    assert (len(cut.rows), cut.complete) == (1, False)


@pytest.mark.parametrize(
    ("sql", "accepted"),
    [
        ("SELECT replace('aaaaaaaaaa', 'a', '0123456789')", "rows that are smaller"),
        ("SELECT CAST('x' AS BLOB)", "text and numbers; a column holds bytes"),
        ("SELECT 9e999", "finite numbers"),
        (f"SELECT {', '.join('1' * 33)}", "at most 32 columns"),
    ],
)
def test_what_a_result_cannot_carry_is_refused(stocked: Stocked, sql: str, accepted: str) -> None:
    """A13, B7: with words that say how to ask instead."""
    found = stocked.ask(sql, max_bytes=50)

    assert found.ending == "refused"
    assert found.text.startswith(accepted)


def test_two_columns_may_have_one_name_and_a_long_name_is_cut(stocked: Stocked) -> None:
    """A13: cells are found by their place; a name is a label of at most 64 characters."""
    table = table_of(stocked, f"SELECT 1 AS a, 2 AS a, 3 AS {'b' * 80}")

    assert [column.name for column in table.columns] == ["a", "a", "b" * 64]
    assert table.rows == ((1, 2, 3),)
