"""What a handler may say of what a call cost."""

from __future__ import annotations

import pytest

from fourfold.model.cost import Charge, Costs


def test_charges_come_in_their_order_and_a_second_of_a_name_replaces_the_first() -> None:
    """A9: a write that runs again is not charged twice; another currency is another charge."""
    costs = Costs()
    costs.add("gateway fee", 20, currency="EUR")
    costs.add("lookup", 0, currency="EUR")
    costs.add("gateway fee", 7, currency="DKK")
    costs.add("gateway fee", 25, currency="EUR")

    assert costs.charges == (
        Charge(what="gateway fee", amount_minor=25, currency="EUR"),
        Charge(what="lookup", amount_minor=0, currency="EUR"),
        Charge(what="gateway fee", amount_minor=7, currency="DKK"),
    )


@pytest.mark.parametrize(
    ("what", "amount", "currency"),
    [
        ("", 1, "EUR"),
        ("x" * 65, 1, "EUR"),
        ("fee\n", 1, "EUR"),
        ("fee", -1, "EUR"),
        ("fee", 10**15 + 1, "EUR"),
        ("fee", 1, "eur"),
        ("fee", 1, "EURO"),
        ("fee", 1, "EUR\n"),
    ],
)
def test_what_is_no_charge_is_refused(what: str, amount: int, currency: str) -> None:
    """A9: sums are kept for years, so that nothing odd gets in."""
    with pytest.raises(ValueError, match=r"charge|currency"):
        Costs().add(what, amount, currency=currency)


def test_a_call_has_few_charges() -> None:
    """A9: a loop over thousands of requests names its sum."""
    costs = Costs()
    for number in range(32):
        costs.add(f"fee {number}", 1, currency="EUR")
    costs.add("fee 0", 2, currency="EUR")

    with pytest.raises(ValueError, match="at most 32"):
        costs.add("fee 32", 1, currency="EUR")
