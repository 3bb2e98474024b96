"""Other people's MCP clients against the billing server, over both transports, each in a process of its own."""

from __future__ import annotations

import os
import uuid
from collections.abc import Generator, Mapping
from typing import Any

import pytest

from billing import catalog
from tests.clients.page import PAGE, page
from tests.clients.peers import PEERS, Answer, Peer, carry_out, locked_version
from tests.interaction.serving import Served, serving
from tests.stores.breaking import outside

ACCOUNT = "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"
SCOPES = "accounts:read quotes:read quotes:write invoices:read"
TOOLS = sorted(name for name, tool in catalog.build().tools.items() if tool.contract.needs <= {*SCOPES.split()})
ALL = os.environ.get("FOURFOLD_CLIENTS") == "all"
"""`scripts/soak clients` runs those too that are left out otherwise."""

WAYS = [
    pytest.param(peer, mode, transport, id="-".join(filter(None, [peer.package, mode, transport])))
    for peer in PEERS
    if ALL or peer.dated is None
    for mode in peer.modes
    for transport in ("http", "stdio")
]


@pytest.fixture(scope="module")
def billing(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """The billing server, with a clerk."""
    with serving("billing:catalog", tmp_path_factory.mktemp("billing"), ("clerk", "acme", SCOPES)) as served:
        yield served


@pytest.mark.parametrize(("peer", "mode", "transport"), WAYS)
def test_a_client_lists_and_calls_and_its_model_gets_data_and_codes(
    *, billing: Served, peer: Peer, mode: str, transport: str
) -> None:
    """B9, B13, D1, A5: one quote for two calls with a key; a fault's code begins its text, with the path in it."""
    before = quotes(billing)

    report = carry_out(peer, {"mode": mode, "calls": calls(), **target(billing, transport)})
    first, again, unknown, malformed = report.answers

    assert (report.version, report.revision, report.tools) == (peer.version, peer.modes[mode], TOOLS)
    assert (again, quotes(billing) - before) == (first, 1)
    assert "7500" in (shown := " ".join(first.texts))
    assert "below_floor" in shown
    assert unknown.texts[0].startswith("unknown_account: ")
    assert malformed.texts[0].startswith("invalid_arguments: ")
    assert "lines.0.sku: pattern_mismatch" in malformed.texts[0]
    assert (success_of(first), fault_of(unknown), fault_of(malformed)) == (peer.success, peer.fault, peer.fault)


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.package)
def test_the_page_has_the_version_that_is_locked(peer: Peer) -> None:
    """B9: after a new lock, run `scripts/soak clients` and write down the version and the day."""
    assert peer.version == locked_version(peer)


def test_the_committed_page_of_clients_is_the_generated_one() -> None:
    """B9: `python -m tests.clients.page` writes it."""
    assert PAGE.read_text("utf-8") == page()


def test_the_lock_of_the_inspector_names_no_registry() -> None:
    """B13: it installs from whatever registry npm is told to use."""
    lock = PAGE.parents[1] / "tests/clients/inspector/package-lock.json"
    assert '"integrity"' in (text := lock.read_text("utf-8"))
    assert '"resolved"' not in text


def calls() -> list[tuple[str, dict[str, Any]]]:
    """A quote, the same again with its key, one for an account that is not there, and one with a malformed article."""
    line = {"sku": "ABC-1234", "quantity": 3, "unit_price_minor": 2_500}
    order = {"account_id": ACCOUNT, "currency": "EUR", "lines": [line]}
    keyed = {**order, "idempotency_key": uuid.uuid4().hex}
    made_up = {**order, "account_id": str(uuid.uuid4())}
    malformed = {**order, "lines": [{**line, "sku": "ab-1"}]}
    return [("quote_create", arguments) for arguments in (keyed, keyed, made_up, malformed)]


def target(billing: Served, transport: str) -> Mapping[str, Any]:
    """Where the client connects to, as the clerk."""
    if transport == "http":
        return {"url": billing.url, "headers": {"authorization": "Bearer token-clerk"}}
    return {"command": billing.command("--caller", "clerk"), "env": {"PATH": os.environ["PATH"]}}


def quotes(billing: Served) -> int:
    """Quotes in the store."""
    return outside(billing.folder / "store.db", "SELECT count(*) FROM quote")[0][0]


def success_of(answer: Answer) -> str:
    """In the words of the page, what came of a success."""
    parts = {
        "the line": any(text.startswith("quote Q-") for text in answer.texts),
        "the object as JSON": any(text.startswith('{"quote_id"') for text in answer.texts),
        "the object itself": answer.object is not None,
    }
    return ", ".join(name for name, is_there in parts.items() if is_there)


def fault_of(answer: Answer) -> str:
    """In the words of the page, what came of a fault."""
    (text,) = answer.texts
    code, _, rest = text.partition(": ")
    assert code.replace("_", "").isalpha()
    assert rest.count(". ") >= 1, "there is no sentence after the message"
    assert answer.object is None
    return f"code, message and next step; {'marked as an error' if answer.failed else 'looks like a result'}"
