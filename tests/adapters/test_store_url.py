"""What of a store's URL is shown, and what of it PostgreSQL is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.adapters.postgres.address import read_address
from fourfold.adapters.store_url import shown_url
from fourfold.errors import ConfigError


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("sqlite:///billing.db", "sqlite:///billing.db"),
        ("postgresql://svc@db.example:5433/billing", "postgresql://svc@db.example:5433/billing"),
        ("postgres://svc:hunter2@db/billing?sslmode=require", "postgresql://svc@db/billing"),
        ("postgresql://svc:hunter2@one:1,two:2/billing", "postgresql://svc@one:1,two:2/billing"),
        ("postgresql:///billing?host=/run/pg&password=hunter2", "postgresql:///billing"),
        ("postgresql://svc:hunter/2@db/billing", "postgresql://…"),
        ("postgresql://svc:hunter@2@db/billing", "postgresql://…"),
        ("postgresql://hunter2 @db/billing", "postgresql://…"),
        ("postgresql:hunter2", "postgresql://…"),
    ],
)
def test_a_url_is_shown_without_password_and_options(url: str, shown: str) -> None:
    """B18: and one of another form, which may hold a password anywhere, not at all."""
    assert shown_url(url) == shown


@given(password=st.text(min_size=4, max_size=12, alphabet="aZ9/:@?#%&=[]. -_ü"))
def test_no_part_of_a_password_is_ever_shown(password: str) -> None:
    """B18: also where it should have been escaped and was not."""
    shown = shown_url(f"postgresql://svc:{password}@db/billing")

    assert shown in {"postgresql://…", "postgresql://svc@db/billing"}


def test_options_of_ours_are_taken_out_and_the_others_go_to_libpq() -> None:
    """B18: a password included, which the representation does not have."""
    address = read_address("postgresql://svc:hunter2@db/billing?handlers=h&isolation=serializable&sslmode=require")

    assert (address.handlers, address.isolation, address.shown) == ("h", "serializable", "postgresql://svc@db/billing")
    assert "sslmode=require" in address.reveal()
    assert "password=hunter2" in address.reveal()
    assert "handlers" not in address.reveal()
    assert repr(address) == "<postgresql://svc@db/billing>"


def test_what_is_left_out_has_a_default() -> None:
    """B4: handlers run as the server does, and no write changes what it has not seen."""
    address = read_address("postgresql:///billing")

    assert (address.handlers, address.isolation) == (None, "repeatable read")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://svc:hunter2@db/billing?no_such_option=1",
        "postgresql://svc:hunter%zz2@db/billing",
        "postgresql://svc@db/billing?isolation=hunter2",
    ],
)
def test_a_url_that_cannot_be_used_is_not_repeated(url: str) -> None:
    """B18: the message says how to write one."""
    with pytest.raises(ConfigError, match=r"the store's (URL|isolation)") as caught:
        read_address(url)

    assert "hunter" not in str(caught.value)
