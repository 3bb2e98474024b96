"""People on call on a PostgreSQL store, where every table belongs to a tenant."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Result
from tests.cli.people import token_of
from tests.postgres.cluster import Cluster

Run = Callable[..., Result]

_ROOM = '{"room": "attic", "expected_version": "1"}'
_TRANSFER = ["call", "house:catalog", "transfer_make", '{"account": "A1"}', "--key", "transfer-of-monday-1"]


@pytest.fixture
def on_store(house: Path, run: Run, postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A command on an empty store; what decides is given Ana's token."""
    monkeypatch.setenv("FOURFOLD_KEYS", f"k1:{'A' * 43}=")
    url = postgres.store()

    def called(*words: str) -> Result:
        return run(*words, "--store", url, stdin=f"{token_of('ana')}\n")

    return called


def rows(on_store: Run, kind: str, *words: str) -> list[dict[str, Any]]:
    """What a list shows."""
    printed: dict[str, Any] = json.loads(on_store(kind, "list", "--json", *words).out)
    return printed["messages" if kind == "outbox" else kind]


def test_a_plan_is_approved_and_executed(on_store: Run) -> None:
    """C7: and listed under its tenant."""
    on_store("call", "house:catalog", "room_clear_plan", _ROOM)
    (plan,) = rows(on_store, "plans", "--tenant", "acme")
    assert on_store("plans", "approve", plan["plan_id"], "--token-stdin").code == 0
    execute = json.dumps({"plan_id": plan["plan_id"], "digest": plan["digest"]})
    executed = on_store("call", "house:catalog", "room_clear_execute", execute)

    assert (executed.code, rows(on_store, "plans")[0]["state"]) == (0, "used")
    assert rows(on_store, "plans", "--tenant", "globex") == []


def test_an_unknown_operation_is_settled(on_store: Run, house: Path) -> None:
    """D1: and done by the next call with its key."""
    (house / "bank-hangs-up").touch()
    on_store(*_TRANSFER)
    (house / "bank-hangs-up").unlink()
    (claim,) = rows(on_store, "claims", "--state", "unknown")
    settle = ["claims", "settle", claim["operation_id"], "--did-not-happen", "--evidence", "not in the list"]

    assert on_store(*settle, "--token-stdin").code == 0
    assert on_store(*_TRANSFER).code == 0
    assert [row["state"] for row in rows(on_store, "claims")] == ["done"]


def test_a_dead_message_is_tried_again(on_store: Run, house: Path) -> None:
    """B4: by the relay, which looks into every tenant."""
    on_store("call", "house:catalog", "letter_post", '{"to": "ada"}')
    (house / "mailbox-refuses").touch()
    first = on_store("outbox", "relay", "house:catalog")
    (house / "mailbox-refuses").unlink()
    (message,) = rows(on_store, "outbox", "--state", "dead")
    assert on_store("outbox", "retry", message["message_id"], "--token-stdin").code == 0
    second = on_store("outbox", "relay", "house:catalog")

    assert (first.out, second.out) == ("sent 0, waiting 0, dead 1\n", "sent 1, waiting 0, dead 0\n")
    assert on_store("purge").out == "claims 0, plans 0, messages 0, handles 0, kept 0\n"
