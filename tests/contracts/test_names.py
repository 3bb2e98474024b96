"""Names by their meaning: what a model must not set, what is money, what is taken for something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.contracts.names import alike, is_currency, is_money, is_price, is_query, meaning, words


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("unitPrice_minor", ("unit", "price", "minor")),
        ("TENANT-ID", ("tenant", "id")),
        ("userID", ("user", "id")),
        ("__x2", ("x2",)),
        ("", ()),
        ("日付", ()),
    ],
)
def test_a_name_is_split_into_words(name: str, expected: tuple[str, ...]) -> None:
    """B2: whatever the spelling."""
    assert words(name) == expected


IDENTITY = """principal_id tenant_id tenantId TENANT_ID tenant-id user_id user_ids userID new_owner_id actor
on_behalf_of session_id username approved_by ten4nt_1d org_id impersonate"""
AUTHORITY = """role roles is_admin isAdmin scopes permissions policy_decision price_override priceOverride bypass
skip_validation access_level a_d_m_i_n"""
SECRETS = """password passwd db_password api_key apiKey APIKey credential credentials token github_token access_token
client_secret webhook_secret private_key cookie otp pa55w0rd api_keys"""
CONSENT = "confirm confirmed approved user_approved is_approved consent force acknowledged i_am_sure c0nfirm"


@pytest.mark.parametrize(
    ("kind", "names"),
    [("identity", IDENTITY), ("authority", AUTHORITY), ("secret", SECRETS), ("consent", CONSENT)],
)
def test_what_a_model_must_not_set_is_known_by_its_meaning(kind: str, names: str) -> None:
    """B2: identity, authority, secrets and consent, also spelled with digits for letters."""
    assert {name: meaning(name) for name in names.split()} == dict.fromkeys(names.split(), kind)


@pytest.mark.parametrize(
    "name",
    [
        "account_id",
        "customer_reference",
        "invoice_reference",
        "page",
        "currency",
        "token_count",
        "max_tokens",
        "quantity",
        "description",
        "reset_at",
        "user_agent",
        "role_name",
        "page_token",
        "next_page_token",
        "continuation_token",
        "cancel_token",
        "has_password",
        "is_secret",
        "customer_id",
        "email",
        "approval_status",
        "admin_email",
        "scope_of_work",
        "confirmation_number",
        "key",
        "sort_key",
        "public_key",
        "sessions",
        "authority",
        "force_majeure_days",
        "userland",
        "owner",
    ],
)
def test_names_that_teams_need_mean_nothing_forbidden(name: str) -> None:
    """B2: a word inside a name is not the name."""
    assert meaning(name) is None


@pytest.mark.parametrize(
    "name", ["amount", "unit_price", "total_minor", "netAmount", "fee", "balance", "refund_minor", "vat", "budget"]
)
def test_amounts_of_money_are_known(name: str) -> None:
    """A1: by any word of the name."""
    assert is_money(name)


@pytest.mark.parametrize(
    "name",
    [
        "total",
        "item_count",
        "vat_rate",
        "discount_percent",
        "price_list_id",
        "payment_method",
        "price_currency",
        "total_pages",
        "minor_version",
        "net_weight",
        "charge_date",
        "balance_sheet_id",
        "amount_of_days_bps",
        "totals",
        "quantity",
    ],
)
def test_what_only_sounds_like_money_is_not(name: str) -> None:
    """A1: a rate, a count, an id, a date."""
    assert not is_money(name)


def test_prices_are_money_that_the_system_of_record_sets() -> None:
    """B2: a price is an amount; not every amount is a price."""
    assert is_price("unit_price_minor")
    assert not is_price("price_list_id")
    assert not is_price("amount_minor")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("currency", True),
        ("baseCurrency", True),
        ("currency_code", True),
        ("currency_rate", False),
        ("", False),
    ],
)
def test_currencies_are_known(name: str, expected: bool) -> None:
    """A1: the last word decides."""
    assert is_currency(name) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sql", True),
        ("sql_query", True),
        ("shell_command", True),
        ("script", True),
        ("cmd", True),
        ("statement", True),
        ("bank_statement_id", False),
        ("statement_month", False),
        ("description", False),
        ("commander", False),
    ],
)
def test_code_that_something_would_run_is_known(name: str, expected: bool) -> None:
    """A13: free SQL and shell, by their names."""
    assert is_query(name) is expected


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("get_invoice", "get_lnvoice"),
        ("page_1", "page_l"),
        ("userName", "user_name"),
        ("modern", "modem"),
        ("a-b", "a.b"),
        ("ｎａｍｅ", "name"),
        ("vvin", "win"),
    ],
)
def test_names_taken_for_each_other_are_alike(left: str, right: str) -> None:
    """B2: by people and by models."""
    assert alike(left) == alike(right)


def test_other_names_are_not_alike() -> None:
    """B2: counted and opposite names stay apart."""
    assert len({alike(name) for name in ("line1", "line2", "from_date", "to_date", "x", "y")}) == 6


@given(name=st.text(max_size=20))
def test_any_text_has_a_reading(name: str) -> None:
    """B2: an alias may be anything."""
    assert meaning(name) in {None, "identity", "authority", "secret", "consent"}
    assert isinstance((is_money(name), is_price(name), is_currency(name), is_query(name)), tuple)
    assert alike(alike(name)) == alike(name) or not name.isascii()
