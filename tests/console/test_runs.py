"""The list of runs: filters, pages, finding one, and the live tail."""

from __future__ import annotations

import re
from collections.abc import Generator
from urllib.parse import urlencode

import pytest

from tests.console.desk import Desk, Seen, open_desk
from tests.console.records import put, recent
from tests.stages.vault import vault

HOSTILE = "<script>alert(1)</script>\"'&\u202e\x1b[31m"
ESCAPED = "&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39;&amp;\\u202e\\x1b[31m"


@pytest.fixture
def desk() -> Generator[Desk]:
    """The console of the vault."""
    with open_desk(vault()) as opened:
        yield opened


def listed(seen: Seen) -> list[int]:
    """The numbers of the runs of a page, in its order."""
    return [int(number) for number in re.findall(r'<td class="time"><a href="/runs/run_(\d{4})', seen.text)]


def link(seen: Seen, words: str) -> str:
    """Where a link of that name leads."""
    found = re.search(rf'href="([^"]*)"[^>]*>{words}</a>', seen.text)
    assert found is not None, f"no link {words}"
    return found[1].replace("&amp;", "&")


def value(seen: Seen, name: str) -> str:
    """What the live tail asks with next time."""
    found = re.search(rf'name="{name}" value="([^"]*)"', seen.text)
    assert found is not None
    return found[1]


def test_a_store_without_runs_says_so(desk: Desk) -> None:
    """D5."""
    words = desk.signed_in().get("/runs").words

    assert "0 runs, newest first" in words
    assert "No run is like that. Every call leaves one, denied and invalid ones too." in words


def test_one_run_has_its_time_tool_outcome_account_caller_and_duration(desk: Desk) -> None:
    """A9: and the tenant, for whoever sees more than one."""
    put(desk, recent(desk, 5, outcome="rejected", code="credit_limit"))

    row = "2026-10-31 23:59:55 quote_create rejected credit_limit acct-1 {}clerk@acme 352 µs"
    assert row.format("acme ") in desk.signed_in().get("/runs").words
    assert row.format("") in desk.tenant("acme").get("/runs").words


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("tool=invoice_send", [2]),
        ("account=acct-3", [3]),
        ("principal=reader%40acme", [4]),
        ("code=credit_limit", [5]),
        ("outcome=failed", [6]),
        ("failed=yes", [5, 6]),
        ("since=1h", [1, 2, 3, 4, 5, 6]),
        ("outcome=nonsense&since=nonsense", [1, 2, 3, 4, 5, 6, 9000]),
        ("tool=nothing", []),
        ("failed=yes&code=credit_limit", [5]),
    ],
)
def test_the_list_is_filtered(desk: Desk, query: str, found: list[int]) -> None:
    """A9: which account saw which failure. What is no filter of ours restricts nothing."""
    put(
        desk,
        recent(desk, 1),
        recent(desk, 2, tool="invoice_send"),
        recent(desk, 3, subject="acct-3"),
        recent(desk, 4, principal="reader@acme"),
        recent(desk, 5, outcome="rejected", code="credit_limit"),
        recent(desk, 6, outcome="failed", code="internal"),
        recent(desk, 9_000),
    )

    assert listed(desk.signed_in().get(f"/runs?{query}")) == found


def test_pages_lead_to_older_runs_and_back_and_keep_the_filters(desk: Desk) -> None:
    """A9: fifty at a time, each one once."""
    failed = {"outcome": "rejected", "code": "credit_limit"}
    put(desk, *[recent(desk, number, **(failed if number % 2 else {})) for number in range(240)])
    browser, odd = desk.signed_in(), list(range(1, 240, 2))

    first = browser.get("/runs?code=credit_limit")
    second = browser.get(link(first, "Older"))
    third = browser.get(link(second, "Older"))
    back = browser.get(link(third, "Newer"))

    assert [listed(page) for page in (first, second, third)] == [odd[:50], odd[50:100], odd[100:]]
    assert "Older</a>" not in third.text
    assert listed(back) == odd[50:100]
    assert listed(browser.get(link(back, "Newest"))) == odd[:50]
    assert "120 runs like that, newest first" in first.words


def test_runs_are_counted_up_to_a_thousand(desk: Desk) -> None:
    """A9: a page costs the same however many there are."""
    put(desk, *[recent(desk, number) for number in range(1_010)])

    assert "More than 1,000 runs, newest first" in desk.signed_in().get("/runs").words


def test_a_run_is_found_by_its_id_and_by_a_reference(desk: Desk) -> None:
    """A9: the reference is all that the caller of an internal answer has."""
    put(desk, recent(desk, 7, outcome="failed", code="internal", reference="ref_0042"))
    browser = desk.signed_in()

    for wanted in ("run_0007", "ref_0042", " ref_0042 "):
        seen = browser.get("/runs", find=wanted)
        assert (seen.status, seen.location) == (303, "/runs/run_0007")

    assert "No run and no reference is ref_0043 here." in browser.get("/runs", find="ref_0043").words


def test_a_tenant_finds_and_lists_its_own_runs_alone(desk: Desk) -> None:
    """D5, B18: another's run is like one that is not there."""
    put(desk, recent(desk, 1), recent(desk, 2, tenant="globex", reference="ref_0042"))
    browser = desk.tenant("acme")

    assert listed(browser.get("/runs")) == [1]
    for wanted in ("run_0002", "ref_0042"):
        assert f"No run and no reference is {wanted} here." in browser.get("/runs", find=wanted).words
    assert browser.get("/runs?tenant=globex").status == 404
    assert listed(browser.get("/runs/tail?after=")) == [1]
    assert browser.get("/runs/tail?after=&tenant=globex").status == 404


def test_whoever_sees_all_tenants_may_look_at_one(desk: Desk) -> None:
    """D5: and the links of the page keep it."""
    put(desk, recent(desk, 1), recent(desk, 2, tenant="globex"))

    seen = desk.signed_in().get("/runs?tenant=globex")

    assert '<a href="/runs/run_0002?tenant=globex">' in seen.text
    assert "run_0001" not in seen.text


@pytest.mark.parametrize("name", ["tool", "code", "subject", "tenant", "principal"])
def test_what_was_recorded_is_never_markup(desk: Desk, name: str) -> None:
    """D5, B17: nor do characters that a browser would obey come through."""
    put(desk, recent(desk, 1, **{name: HOSTILE}))

    seen = desk.signed_in().get("/runs")

    assert ESCAPED in seen.text
    assert "<script>alert" not in seen.text


def test_what_was_asked_for_is_never_markup(desk: Desk) -> None:
    """D5, B17."""
    browser = desk.signed_in()

    for name in ("find", "tool", "account", "code", "principal"):
        text = browser.get(f"/runs?{urlencode({name: HOSTILE})}").text
        assert ESCAPED in text
        assert "<script>alert" not in text


def test_the_live_tail_begins_when_it_is_switched_on(desk: Desk) -> None:
    """D5: until then nothing asks for anything, and without scripts there is a link."""
    put(desk, recent(desk, 9))
    browser = desk.signed_in()

    page = browser.get("/runs?tool=quote_create")
    on = browser.get(f"/runs/tail?tool=quote_create&switch=on&after={value(page, 'after')}")
    off = browser.get(f"/runs/tail?tool=quote_create&switch=off&after={value(on, 'after')}")

    assert 'hx-trigger="every' not in page.text
    assert 'aria-pressed="false">Watch live</button>' in page.text
    assert "after=1793491191000.run_0009" in link(page, "Newer runs")
    assert 'hx-get="/runs/tail?tool=quote_create" hx-include="#tail-poll input" hx-trigger="every 3s"' in on.text
    assert 'aria-pressed="true">Pause</button>' in on.text
    assert 'hx-trigger="every' not in off.text
    assert value(off, "after") == "1793491191000.run_0009"


def test_the_live_tail_brings_what_came_since_and_nothing_twice(desk: Desk) -> None:
    """D5: it says how many came, and keeps the filters."""
    put(desk, recent(desk, 9))
    browser = desk.signed_in()
    after = value(browser.get("/runs"), "after")
    put(desk, recent(desk, 3), recent(desk, 4, tool="invoice_send"), recent(desk, 5))

    seen = browser.get(f"/runs/tail?tool=quote_create&after={after}&watched=0")
    again = browser.get(f"/runs/tail?tool=quote_create&after={value(seen, 'after')}&watched={value(seen, 'watched')}")

    assert listed(seen) == [3, 5]
    assert "2 new, 2026-11-01 00:00:00 UTC" in seen.words
    assert '<tbody hx-swap-oob="afterbegin:#rows">' in seen.text
    assert (listed(again), again.words) == ([], "")
    assert (value(again, "after"), value(again, "watched")) == ("1793491197000.run_0003", "2")


def test_the_live_tail_ends_before_a_browser_is_full(desk: Desk) -> None:
    """D5."""
    put(desk, recent(desk, 3), recent(desk, 4))

    seen = desk.signed_in().get("/runs/tail?after=&watched=498")

    assert "2 new, 2026-11-01 00:00:00 UTC. 500 came in since you began; load the page again to go on" in seen.words
    assert 'hx-trigger="every' not in seen.text


def test_a_live_tail_whose_session_ended_goes_to_the_sign_in_page(desk: Desk) -> None:
    """D5: the form is not put into the middle of the page."""
    seen = desk.browser().get("/runs/tail?after=", headers={"hx-request": "true"})

    assert (seen.status, seen.headers["hx-redirect"], seen.text) == (401, "/sign-in", "")
