"""The page of failures: the map, the list below it, and what neither shows."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any

import pytest

from tests.console.desk import Desk, Seen, open_desk
from tests.console.past import HOSTILE, escaped, failed, past_run
from tests.console.records import put
from tests.stages.shop import shop


@pytest.fixture
def desk() -> Generator[Desk]:
    """The console of a shop; its runs are put in by each test."""
    with open_desk(shop()) as opened:
        yield opened


def cells(seen: Seen) -> list[tuple[str, ...]]:
    """The lines of the map, cell by cell."""
    (table,) = re.findall(r'<table class="map[^"]*">(.*?)</table>', seen.text, flags=re.DOTALL)
    rows = re.findall(r"<tr>(.*?)</tr>", table, flags=re.DOTALL)
    cell = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", flags=re.DOTALL)
    return [tuple(re.sub(r"<[^>]*>", "", found) for found in cell.findall(row)) for row in rows]


def test_the_map_has_accounts_down_and_codes_across(desk: Desk) -> None:
    """A9, D5: which account met which code, and how often."""
    put(
        desk,
        failed(1, "sold_out", subject="acct-1", hours_ago=30),
        failed(2, "sold_out", subject="acct-1"),
        failed(3, "stale_version", subject="acct-1"),
        failed(4, "sold_out", subject="acct-2"),
        past_run(5, subject="acct-3"),
    )
    seen = desk.signed_in().get("/failures")
    assert cells(seen) == [
        ("Account", "sold_out", "stale_version", "All"),
        ("acct-1", "2", "1", "3"),
        ("acct-2", "1", "", "1"),
        ("All", "3", "1", "4"),
    ]
    assert "4 calls did not succeed, the first at 2026-10-30 18:00:00, the last at 2026-10-31 23:00:00" in seen.words


def test_a_cell_opens_the_runs_that_it_counts(desk: Desk) -> None:
    """A9, D5: the same account, code and span, and failures alone."""
    put(desk, failed(1, "sold_out", subject="acct-1"))
    page = desk.signed_in().get("/failures", tool="quote_create", since="30d")
    link = "/runs?tool=quote_create&amp;account=acct-1&amp;code=sold_out&amp;failed=yes&amp;since=30d"
    assert f'<a href="{link}" aria-label="acct-1, sold_out: 1">1</a>' in page.text


def test_the_list_has_an_example_and_both_ends(desk: Desk) -> None:
    """A9, D5: most frequent first, when the first and the last came, and one to look at."""
    put(
        desk,
        failed(1, "stale_version", subject="acct-2"),
        failed(2, "sold_out", hours_ago=3),
        failed(3, "sold_out", hours_ago=2),
    )
    words = desk.signed_in().get("/failures").words
    assert "acct-1 quote_create sold_out 2 2026-10-31 21:00:00 2026-10-31 22:00:00 run-3 acct-2" in words


def test_colour_follows_the_count_and_is_never_alone(desk: Desk) -> None:
    """A9, D5: the strongest colour is that of the most frequent pair, and each cell has its number as text."""
    many = [failed(number, "sold_out", subject="acct-1") for number in range(20)]
    put(desk, *many, failed(90, "sold_out", subject="acct-2"))
    text = desk.signed_in().get("/failures").text
    assert re.findall(r'<td class="heat heat-([1-5])"><a [^>]*>(\d+)</a>', text) == [("5", "20"), ("2", "1")]


def test_what_has_no_line_of_its_own_is_counted_together(desk: Desk) -> None:
    """A9, D5: 20 accounts and 12 codes, and all others in one line and one column that open nothing."""
    put(
        desk,
        *(failed(number, "sold_out", subject=f"acct-{number:02}") for number in range(23)),
        *(failed(100 + number, f"code_{number:02}", subject="acct-00") for number in range(13)),
    )
    rows = cells(desk.signed_in().get("/failures"))
    assert len(rows) == 1 + 20 + 1 + 1
    assert len(rows[0]) == 1 + 12 + 1 + 1
    assert rows[0][-2:] == ("all other codes", "All")
    assert (rows[-2][0], rows[-2][1], rows[-2][-1]) == ("all other accounts", "3", "3")


def test_tool_and_span_restrict_map_and_list(desk: Desk) -> None:
    """A9, D5: what is asked for, and nothing else."""
    put(desk, failed(1, "sold_out", tool="order_place"), failed(2, "stale_version", hours_ago=24 * 20))
    browser = desk.signed_in()
    assert "stale_version" not in browser.get("/failures").words
    assert "stale_version" in browser.get("/failures", since="30d").words
    assert "stale_version" in browser.get("/failures", since="all", tool="quote_create").words
    assert "No call failed of that tool in the last 7 days." in browser.get("/failures", tool="quote_create").words


def test_a_long_list_is_cut_and_says_so(desk: Desk) -> None:
    """A9, D5: 50 lines, then 200."""
    put(desk, *(failed(number, "sold_out", subject=f"acct-{number}") for number in range(60)))
    browser = desk.signed_in()
    assert "The 50 most frequent. Show 200" in browser.get("/failures").words
    assert "most frequent. Show" not in browser.get("/failures", rows="200").words


def test_a_tenant_sees_its_own_failures_alone(desk: Desk) -> None:
    """D5: neither names nor numbers of another tenant, whatever is asked for."""
    put(desk, failed(1, "sold_out"), failed(2, "secret_code", tenant="umbra", subject="acct-umbra"))
    browser = desk.tenant("acme")
    words = browser.get("/failures").words
    assert "1 call did not succeed" in words
    assert "umbra" not in words
    assert "secret_code" not in words
    assert browser.get("/failures", tenant="umbra").status == 404
    assert "secret_code" in desk.signed_in().get("/failures", tenant="umbra").words


@pytest.mark.parametrize("field", ["subject", "tool", "code"])
def test_hostile_text_stays_text(desk: Desk, field: str) -> None:
    """D5: what a caller sent as a name is shown, and never obeyed."""
    facts: dict[str, Any] = {"outcome": "rejected", "code": "sold_out", field: HOSTILE}
    put(desk, past_run(1, **facts))
    assert escaped(desk.signed_in().get("/failures").text)


def test_nothing_failed(desk: Desk) -> None:
    """A9, D5: an empty store, and one with successes alone, say so."""
    assert "No call failed in the last 7 days." in desk.signed_in().get("/failures").words
    put(desk, past_run(1))
    assert "No call failed." in desk.signed_in().get("/failures", since="all").words
