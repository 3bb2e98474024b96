"""`quote_create` through the kit: what is saved, what is flagged, what is refused and where it stops."""

from __future__ import annotations

import pytest

from fourfold.testing import Kit
from tests.billing.books import ACCOUNT, GLOBEX, MADE_UP_ACCOUNT, OWING, line, order


def test_three_pieces_at_2500_make_7500_and_are_flagged_below_floor(kit: Kit) -> None:
    """A6: ABC-1234 x 3 at 2,500 EUR gives 7,500, `below_floor`, one write."""
    answer = kit.call("quote_create", order(line("ABC-1234", quantity=3, price=2_500), currency="EUR"))

    assert answer.structured == {
        "quote_id": "Q-000001",
        "currency": "EUR",
        "total_minor": 7_500,
        "flags": ["below_floor"],
    }
    assert kit.writes == 1


def test_a_malformed_sku_is_refused_by_its_path_before_any_write(kit: Kit) -> None:
    """A6, A2: sku `ab-1` gives path `lines.0.sku`, zero writes."""
    answer = kit.call("quote_create", order(line("ab-1")))

    assert answer.code == "invalid_arguments"
    assert answer.paths == ["lines.0.sku"]
    assert kit.writes == 0


@pytest.mark.parametrize(
    ("price", "flags"),
    [(3_000, []), (2_640, []), (2_639, ["below_floor"]), (2_250, ["below_floor"])],
)
def test_a_price_is_flagged_from_one_under_the_floor(kit: Kit, price: int, flags: list[str]) -> None:
    """A6: 3,000 less 12 % is 2,640, and less 25 % is 2,250; both ends are still allowed."""
    assert kit.call("quote_create", order(line(price=price))).structured["flags"] == flags


@pytest.mark.parametrize("price", [2_249, 0])
def test_a_price_under_the_hard_floor_is_refused_and_names_its_line(kit: Kit, price: int) -> None:
    """A6, A4: a domain fault, final, that points at the line."""
    answer = kit.call("quote_create", order(line(), line(price=price)))

    assert (answer.kind, answer.code) == ("rejected", "price_below_hard_floor")
    assert answer.paths == ["lines.1.unit_price_minor"]
    assert answer.fault is not None
    assert answer.fault.retry == "never"
    assert kit.writes == 0


@pytest.mark.parametrize(
    ("total", "flags"),
    [
        (999_999, []),
        (1_000_000, ["manual_review"]),
        (5_000_000, ["manual_review"]),
        (5_000_001, ["credit_hold", "manual_review"]),
        (10_000_000, ["credit_hold", "manual_review"]),
    ],
)
def test_a_total_is_flagged_from_its_threshold_on(kit: Kit, total: int, flags: list[str]) -> None:
    """A6: reviewed from 1,000,000; held over the available credit; allowed up to twice the limit."""
    answer = kit.call("quote_create", order(line(quantity=1, price=total)))

    assert answer.structured["total_minor"] == total
    assert answer.structured["flags"] == flags


def test_a_total_over_twice_the_limit_is_refused(kit: Kit) -> None:
    """A6, A4: one minor unit more than 2 x 5,000,000. It is the whole order, so no line is named."""
    answer = kit.call("quote_create", order(line(quantity=1, price=10_000_000), line("PEN-0001", quantity=1, price=1)))

    assert (answer.kind, answer.code, answer.paths) == ("rejected", "credit_limit_exceeded", [])
    assert kit.writes == 0


@pytest.mark.parametrize(
    ("currency", "total", "flags"),
    [
        ("EUR", 1_937_783, ["manual_review"]),
        ("EUR", 1_937_784, ["credit_hold", "manual_review"]),
        ("USD", 2_651_226, ["manual_review"]),
        ("USD", 2_651_227, ["credit_hold", "manual_review"]),
    ],
)
def test_unpaid_invoices_use_up_the_credit_of_their_own_currency(
    kit: Kit, currency: str, total: int, flags: list[str]
) -> None:
    """A6, A16: 3,000,000 less 1,062,217 in EUR and less 348,774 in USD; nothing is converted or added across."""
    answer = kit.call("quote_preview", order(line(quantity=1, price=total), account=OWING, currency=currency))

    assert answer.structured["flags"] == flags


def test_quotes_leave_the_credit_alone(kit: Kit) -> None:
    """A6: an offer obliges nobody, so the fifth quote is judged as the first."""
    flags = [
        kit.call("quote_create", order(line(quantity=1, price=4_000_000 + step))).structured["flags"]
        for step in range(5)
    ]

    assert flags == [["manual_review"]] * 5


def test_below_floor_on_credit_hold_needs_review_however_small(kit: Kit) -> None:
    """A6: both other flags bring `manual_review`; Kestrel Analytics has used up all of its credit in EUR."""
    kestrel = "a87ff679-a2f3-471d-8181-a67b7542122c"
    answer = kit.call("quote_preview", order(line(quantity=1, price=2_999), account=kestrel))

    assert answer.structured["flags"] == ["below_floor", "credit_hold", "manual_review"]


@pytest.mark.parametrize(
    ("sku", "currency"),
    [("ZZZ-9999", "EUR"), ("GLX-7001", "EUR"), ("OLD-0001", "USD")],
    ids=["made up", "theirs", "USD"],
)
def test_an_article_without_a_list_price_is_unknown(kit: Kit, sku: str, currency: str) -> None:
    """A6, A11: made up, on another tenant's list, and not sold in this currency are one fault."""
    answer = kit.call("quote_create", order(line(), line(sku), currency=currency))

    assert (answer.code, answer.paths, kit.writes) == ("unknown_sku", ["lines.1.sku"], 0)


def test_an_article_is_quoted_in_the_currency_it_is_sold_in(kit: Kit) -> None:
    """A6: OLD-0001 has a list price in EUR."""
    answer = kit.call("quote_create", order(line("OLD-0001", quantity=2, price=990)))

    assert answer.structured == {"quote_id": "Q-000001", "currency": "EUR", "total_minor": 1_980, "flags": []}


def test_the_account_is_looked_for_before_the_lines_are_judged(kit: Kit) -> None:
    """A6: one fault at a time, the outermost first."""
    everything_wrong = order(line("ZZZ-9999", price=0), account=MADE_UP_ACCOUNT)

    assert kit.call("quote_create", everything_wrong).code == "unknown_account"
    assert kit.call("quote_create", order(line("ZZZ-9999", price=0))).code == "unknown_sku"


@pytest.mark.parametrize(
    ("arguments", "paths"),
    [
        (order(*[line("PEN-0001", quantity=1, price=1)] * 201), ["lines"]),
        ({**order(), "lines": []}, ["lines"]),
        (order(line(quantity=10_001)), ["lines.0.quantity"]),
        (order(line(quantity=0)), ["lines.0.quantity"]),
        (order(line(quantity="3")), ["lines.0.quantity"]),
        (order(line(quantity=True)), ["lines.0.quantity"]),
        (order(line(price=2_500.0)), ["lines.0.unit_price_minor"]),
        (order(line(price=25.5)), ["lines.0.unit_price_minor"]),
        (order(line(price=-1)), ["lines.0.unit_price_minor"]),
        (order(line(price=1_000_000_001)), ["lines.0.unit_price_minor"]),
        (order(currency="usd"), ["currency"]),
        (order(currency="GBP"), ["currency"]),
        (order(account="ACC-1001"), ["account_id"]),
        (order(line("ABC-１２３４")), ["lines.0.sku"]),
        (order(line("ABC-1234\n")), ["lines.0.sku"]),
        (order(line("АBC-1234")), ["lines.0.sku"]),
        ({**order(), "tenant_id": "globex"}, ["tenant_id"]),
        (order(line("ab-1", quantity=0), line(quantity=0.5)), ["lines.0.sku", "lines.0.quantity", "lines.1.quantity"]),
        ({}, ["account_id", "currency", "lines"]),
    ],
)  # fmt: skip
def test_arguments_outside_the_contract_are_refused_by_their_paths(
    kit: Kit, arguments: dict[str, object], paths: list[str]
) -> None:
    """A1, A2, A6, B2: every problem at once, and the books are untouched."""
    answer = kit.call("quote_create", arguments)

    assert (answer.kind, answer.paths, kit.writes) == ("invalid", paths, 0)


def test_the_largest_order_is_quoted(kit: Kit) -> None:
    """A1, A6: 200 lines of 10,000 pieces, in one row."""
    answer = kit.call("quote_create", order(*[line("PEN-0001", quantity=10_000, price=1)] * 200))

    assert answer.structured["total_minor"] == 2_000_000
    assert kit.writes == 1


def test_what_is_accepted_is_said_and_what_was_sent_is_not(kit: Kit) -> None:
    """A2: the answer is one that a model can correct itself by."""
    answer = kit.call("quote_create", order(line("ab-1"), currency="usd"))

    assert [problem.expected for problem in answer.problems] == [
        "one of USD, EUR, CNY",
        "text of 3 capital letters, '-', 4 digits, for example ABC-1234",
    ]
    assert answer.fault is not None
    assert "ab-1" not in f"{answer.fault}"


def test_quotes_are_numbered_for_each_tenant_on_its_own(kit: Kit) -> None:
    """B18: the number tells nobody how much the other company sells."""
    meridian = "1679091c-5a88-4faf-afb5-e6087eb1b2dc"
    first = kit.call("quote_create", order())
    second = kit.call("quote_create", order(line(price=3_000)))
    theirs = kit.call("quote_create", order(line(price=3_900), account=meridian), by=GLOBEX)

    assert [answer.structured["quote_id"] for answer in (first, second, theirs)] == ["Q-000001", "Q-000002", "Q-000001"]


def test_a_run_names_the_account_and_counts_the_flags(kit: Kit) -> None:
    """A9, A17: for a quote that was made, refused, and sent with a wrong line."""
    kit.call("quote_create", order())
    kit.call("quote_create", order(line(price=1)))
    kit.call("quote_create", order(line("ab-1")))

    facts = [(run.subject, run.outcome, run.code, run.counted) for run in reversed(kit.runs())]
    assert facts == [
        (ACCOUNT, "done", "", (("currency", "EUR"), ("flags", "below_floor"))),
        (ACCOUNT, "rejected", "price_below_hard_floor", ()),
        (ACCOUNT, "invalid", "invalid_arguments", ()),
    ]
