"""`revenue_report`: every day once, every currency for itself, and nothing left out in silence."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from billing import catalog
from fourfold.testing import Answer, FixedClock, Kit, call
from tests.billing.books import GLOBEX, arrange, drafted, finalized, invoice_line

_THIRD_QUARTER = {
    "first_day": "2026-07-01",
    "before": "2026-10-01",
    "time_zone": "Europe/Madrid",
    "group_by": "iso_week",
}
_FOURTH_QUARTER = {**_THIRD_QUARTER, "first_day": "2026-10-01", "before": "2027-01-01"}

_ISSUE = """
INSERT INTO invoice (tenant, draft_reference, invoice_reference, state, customer_reference, account_id, currency,
  amount_minor, without_tax_minor, with_tax_minor, issued_on, issued_ms, due_on, paid_on, document, version)
SELECT tenant, 'DRAFT-' || :reference, :reference, state, customer_reference, account_id, :currency,
  :minor, :minor, :minor, issued_on, :issued_ms, due_on, paid_on, document, version
FROM invoice WHERE tenant = 'acme' AND invoice_reference = 'INV-2026-0031'
"""

_30_SEPTEMBER_IN_MADRID = 1_790_719_200_000
"""2026-09-30T00:00 in Madrid, which is 22:00 of the day before in UTC."""
_HOUR_MS = 3_600_000


def _empty(kit: Kit) -> None:
    """Books without a revenue. One invoice stays for `_issue` to copy, long before every report here."""
    arrange(kit, "DELETE FROM payment")
    arrange(kit, "DELETE FROM invoice WHERE invoice_reference <> 'INV-2026-0031'")
    arrange(kit, "UPDATE invoice SET issued_ms = 0")


def _issue(kit: Kit, reference: str, *, minor: int, at_ms: int, currency: str = "EUR") -> None:
    values = {"reference": reference, "minor": minor, "issued_ms": at_ms, "currency": currency}
    arrange(kit, _ISSUE, values)


def _report(kit: Kit, **changes: Any) -> dict[str, Any]:
    answer = kit.call("revenue_report", {**_THIRD_QUARTER, **changes})
    assert answer.ok, answer.fault
    return answer.structured


def _walk(kit: Kit, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    """Every page, in order."""
    pages = [_report(kit, **arguments)]
    while not pages[-1]["complete"]:
        pages.append(_report(kit, **arguments, cursor=pages[-1]["next_cursor"]))
    return pages


def _sums(rows: list[dict[str, Any]]) -> dict[str, int]:
    """Minor units by currency."""
    sums: dict[str, int] = {}
    for revenue in (each for row in rows for each in row["revenues"]):
        sums[revenue["currency"]] = sums.get(revenue["currency"], 0) + revenue["revenue_minor"]
    return sums


def _totals(report: dict[str, Any]) -> dict[str, int]:
    return {total["currency"]: total["revenue_minor"] for total in report["totals"]}


def test_no_week_is_dropped_at_the_boundary_of_a_quarter(kit: Kit) -> None:
    """A16: week 40 lies in two quarters. Each has its own part of it, and the two parts are the week."""
    _empty(kit)
    for number, hours in enumerate((0, 23, 24, 47), start=1):
        _issue(kit, f"INV-2026-{9_000 + number}", minor=10**number, at_ms=_30_SEPTEMBER_IN_MADRID + hours * _HOUR_MS)
    third, fourth = _report(kit), _report(kit, **_FOURTH_QUARTER)
    both = _report(kit, before="2027-01-01")

    assert third["items"][-1] == {
        "period": "2026-W40",
        "first_day": "2026-09-28",
        "before": "2026-10-01",
        "is_whole": False,
        "revenues": [{"currency": "EUR", "revenue_minor": 110, "invoices": 2}],
    }
    assert fourth["items"][0] == {
        "period": "2026-W40",
        "first_day": "2026-10-01",
        "before": "2026-10-05",
        "is_whole": False,
        "revenues": [{"currency": "EUR", "revenue_minor": 11_000, "invoices": 2}],
    }
    assert _sums([row for row in both["items"] if row["period"] == "2026-W40"]) == {"EUR": 11_110}
    assert (_totals(third), _totals(fourth), _totals(both)) == ({"EUR": 110}, {"EUR": 11_000}, {"EUR": 11_110})


def test_an_amount_in_eur_is_never_added_to_one_in_usd(kit: Kit) -> None:
    """A16: the account that is billed in EUR stays in EUR; there is one total for each currency and none for all."""
    _empty(kit)
    _issue(kit, "INV-2026-9001", minor=1_000, at_ms=_30_SEPTEMBER_IN_MADRID, currency="EUR")
    _issue(kit, "INV-2026-9002", minor=50, at_ms=_30_SEPTEMBER_IN_MADRID, currency="USD")
    _issue(kit, "INV-2026-9003", minor=7, at_ms=_30_SEPTEMBER_IN_MADRID, currency="USD")
    report = _report(kit, group_by="quarter")

    assert report["totals"] == [
        {"currency": "EUR", "revenue_minor": 1_000, "invoices": 1},
        {"currency": "USD", "revenue_minor": 57, "invoices": 2},
    ]
    assert report["items"] == [
        {
            "period": "2026-Q3",
            "first_day": "2026-07-01",
            "before": "2026-10-01",
            "is_whole": True,
            "revenues": report["totals"],
        }
    ]


def test_nothing_stops_at_500_rows_in_silence(kit: Kit) -> None:
    """A16: 600 invoices in one week are 600, and 600 days are six pages of which five say that they are not all."""
    _empty(kit)
    for number in range(600):
        _issue(kit, f"INV-2026-{1_000 + number}", minor=1, at_ms=_30_SEPTEMBER_IN_MADRID)
    week = _report(kit)["items"][-1]
    last = date(2026, 9, 30)
    days = {"first_day": (last - timedelta(days=599)).isoformat(), "before": "2026-10-01", "group_by": "day"}
    pages = _walk(kit, days)

    assert week["revenues"] == [{"currency": "EUR", "revenue_minor": 600, "invoices": 600}]
    assert [page["returned"] for page in pages] == [100] * 6
    assert [page["complete"] for page in pages] == [False] * 5 + [True]
    assert ["next_cursor" in page for page in pages] == [True] * 5 + [False]
    assert [_totals(page) for page in pages] == [{"EUR": 600}] * 6
    assert [_sums(page["items"]) for page in pages] == [{}] * 5 + [{"EUR": 600}]


def test_the_report_of_a_quarter_is_as_the_books_have_it(kit: Kit) -> None:
    """A15, A16: worked out from the invoices one by one, in three currencies."""
    report = _report(kit, group_by="month")

    assert [(row["period"], _sums([row])) for row in report["items"]] == [
        ("2026-07", {"CNY": 119_149, "EUR": 389_123, "USD": 87_473}),
        ("2026-08", {"CNY": 173_438, "EUR": 763_094, "USD": 281_595}),
        ("2026-09", {"CNY": 342_685, "EUR": 837_817, "USD": 281_470}),
    ]
    assert _totals(report) == {"CNY": 635_272, "EUR": 1_990_034, "USD": 650_538}
    assert (report["source"], report["as_of"]) == ("the company's books", "2026-11-01T00:00:00Z")


@pytest.mark.parametrize("group_by", ["day", "iso_week", "month", "quarter"])
@pytest.mark.parametrize("limit", [1, 3, 100])
def test_periods_follow_each_other_and_add_up_to_the_total(kit: Kit, group_by: str, limit: int) -> None:
    """A16, B17: whatever the grouping and the size of a page; what has no invoices is there too."""
    arguments = {"first_day": "2026-08-13", "before": "2026-10-20", "group_by": group_by, "limit": limit}
    pages = _walk(kit, arguments)
    rows = [row for page in pages for row in page["items"]]

    assert (rows[0]["first_day"], rows[-1]["before"]) == ("2026-08-13", "2026-10-20")
    assert [row["before"] for row in rows[:-1]] == [row["first_day"] for row in rows[1:]]
    assert _sums(rows) == _totals(pages[0]) == {"CNY": 591_907, "EUR": 1_889_296, "USD": 673_234}


def test_a_day_is_the_day_of_the_zone_that_was_asked_for(kit: Kit) -> None:
    """A16: half an hour into 1 October in Madrid is still September in the Canary Islands and in UTC."""
    _empty(kit)
    _issue(kit, "INV-2026-9001", minor=5, at_ms=_30_SEPTEMBER_IN_MADRID + 24 * _HOUR_MS + _HOUR_MS // 2)

    zones = {"Europe/Madrid": {}, "Atlantic/Canary": {"EUR": 5}, "UTC": {"EUR": 5}, "Asia/Shanghai": {}}
    assert {zone: _totals(_report(kit, time_zone=zone)) for zone in zones} == zones


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-10-26", 24)])
def test_days_on_which_clocks_are_set_are_counted_whole(kit: Kit, day: str, hours: int) -> None:
    """A16: one invoice in each hour of the day, and one on either side of it."""
    _empty(kit)
    # Midnight in Madrid before these days: UTC+1 in winter, UTC+2 in summer.
    midnight = {"2026-03-29": 1_774_738_800_000, "2026-10-25": 1_792_879_200_000, "2026-10-26": 1_792_969_200_000}[day]
    for number in range(-1, hours + 1):
        _issue(kit, f"INV-2026-{9_001 + number}", minor=1, at_ms=midnight + number * _HOUR_MS)
    following = (date.fromisoformat(day) + timedelta(days=1)).isoformat()

    assert _totals(_report(kit, first_day=day, before=following, group_by="day")) == {"EUR": hours}


def test_weeks_of_two_years_keep_their_names_apart(kit: Kit) -> None:
    """A16: 1 January 2027 is a Friday of week 53 of 2026."""
    report = _report(kit, first_day="2026-12-21", before="2027-01-11")

    assert [row["period"] for row in report["items"]] == ["2026-W52", "2026-W53", "2027-W01"]
    assert all(row["is_whole"] for row in report["items"])


def test_revenue_is_without_tax_and_without_drafts(kit: Kit) -> None:
    """C3, A15: what is withheld or prepaid lowers what is payable and not what was earned."""
    drafted(kit, invoice_line("1", "10"))
    finalized(kit, invoice_line("1", "1000"), irpf_rate="15", prepaid_minor=5_000)
    report = _report(kit, first_day="2026-11-01", before="2026-11-02", group_by="day")

    assert report["totals"] == [{"currency": "EUR", "revenue_minor": 100_000, "invoices": 1}]


def test_another_tenants_revenue_is_not_in_it(kit: Kit) -> None:
    """B18: and a cursor of acme opens nothing in globex."""
    arguments = {**_THIRD_QUARTER, "limit": 1}
    mine, theirs = kit.call("revenue_report", arguments), kit.call("revenue_report", arguments, by=GLOBEX)
    stolen = kit.call("revenue_report", {**arguments, "cursor": mine.structured["next_cursor"]}, by=GLOBEX)

    assert _totals(theirs.structured) == {"CNY": 202_098, "EUR": 618_430, "USD": 228_746}
    assert _totals(mine.structured) != _totals(theirs.structured)
    assert stolen.code == "cursor_invalid"


def test_a_cursor_is_good_for_its_question_alone(kit: Kit) -> None:
    """B10: another range, zone or grouping begins at its own first page."""
    cursor = _report(kit, limit=1)["next_cursor"]
    changes = [{"before": "2026-10-02"}, {"time_zone": "UTC"}, {"group_by": "month"}]
    answers = [kit.call("revenue_report", {**_THIRD_QUARTER, **each, "cursor": cursor}) for each in changes]

    assert {answer.code for answer in answers} == {"cursor_invalid"}


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"before": "2026-07-01"}, "before"),
        ({"before": "2026-06-30"}, "before"),
        ({"before": "2036-07-02"}, "before"),
        ({"first_day": "1999-12-31"}, "first_day"),
        ({"first_day": "2100-01-01", "before": "2100-01-02"}, "first_day"),
        ({"first_day": "2026-07-01T00:00:00Z"}, "first_day"),
        ({"first_day": "2026-02-29"}, "first_day"),
        ({"first_day": ""}, "first_day"),
        ({"time_zone": "Europe/Sevilla"}, "time_zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
        ({"time_zone": "Europe/Madrid\x00"}, "time_zone"),
        ({"time_zone": ""}, "time_zone"),
        ({"group_by": "week"}, "group_by"),
        ({"group_by": None}, "group_by"),
        ({"currency": "EUR"}, "currency"),
        ({"limit": 101}, "limit"),
        ({"limit": 2**63}, "limit"),
    ],
)
def test_a_range_that_is_none_is_refused_by_its_path(kit: Kit, changes: dict[str, Any], path: str) -> None:
    """A2, C1: the model interprets "last quarter", and the boundary takes two days and a zone."""
    answer = kit.call("revenue_report", {**_THIRD_QUARTER, **changes})

    assert (answer.kind, answer.paths) == ("invalid", [path])


@pytest.mark.parametrize("name", ["first_day", "before", "time_zone", "group_by"])
def test_nothing_about_the_range_is_assumed(kit: Kit, name: str) -> None:
    """A16: a zone or a grouping that is left out is asked for."""
    answer = kit.call("revenue_report", {key: value for key, value in _THIRD_QUARTER.items() if key != name})

    assert answer.paths == [name]


def test_a_report_over_ten_years_of_days_comes_in_pages() -> None:
    """B19: the longest range there is, with the smallest periods, is bounded like any other."""
    arguments = {"first_day": "2020-01-01", "before": "2030-01-01", "time_zone": "UTC", "group_by": "day"}
    answer: Answer = call(catalog, "revenue_report", arguments, clock=FixedClock())

    assert (answer.structured["returned"], answer.structured["complete"]) == (100, False)
