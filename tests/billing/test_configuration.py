"""The configuration that is shipped beside the package."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

import billing
from fourfold.bootstrap.configuration import Configuration, find_configuration, read_configuration

_FOLDER = Path(billing.__file__).parent


@pytest.fixture
def configuration(tmp_path: Path) -> Configuration:
    """As `fourfold serve billing:catalog` finds it from an empty folder."""
    return read_configuration(find_configuration(tmp_path, beside=_FOLDER))


@pytest.mark.parametrize(
    ("name", "tenant", "token"),
    [
        ("clerk", "acme", "demo-acme-clerk"),
        ("reader", "acme", "demo-acme-reader"),
        ("globex-clerk", "globex", "demo-globex-clerk"),
    ],
)
def test_each_caller_has_the_token_that_the_file_names(
    configuration: Configuration, name: str, tenant: str, token: str
) -> None:
    """B18: stored as its SHA-256, and documented as one for demonstration."""
    (entry,) = [entry for entry in configuration.caller if entry.name == name]

    assert entry.tenant == tenant
    assert entry.token_sha256 == sha256(token.encode()).hexdigest()
    assert f"# {token}" in (_FOLDER / "fourfold.toml").read_text("utf-8")


def test_stdio_is_the_clerk_of_acme(configuration: Configuration) -> None:
    """B18: who calls is in the configuration of the process and nowhere in the arguments."""
    assert configuration.serve.caller == "clerk"
    assert configuration.named("clerk").principal == "clerk@acme"


def test_a_reader_has_no_scope_to_write(configuration: Configuration) -> None:
    """B18: the clerks hold every scope that the catalog needs."""
    needed = {scope for tool in billing.catalog.build().tools.values() for scope in tool.contract.needs}

    assert set(configuration.named("clerk").scopes) == needed
    assert set(configuration.named("globex-clerk").scopes) == needed
    assert set(configuration.named("reader").scopes) == needed - {
        "customers:write",
        "invoices:send",
        "invoices:write",
        "payments:refund",
        "quotes:write",
    }
