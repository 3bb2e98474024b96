"""The flawed billing server over the wire: every fault that was planted is named, at its tool."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.commands import fourfold

SERVER = str(Path(__file__).with_name("flawed_server.py"))

PLANTED = {
    "two tools for one thing": ("overlapping-tools", "fetch_invoice"),
    "the tenant as argument": ("identity-argument", "get_invoice"),
    "an untyped dictionary": ("free-form-object", "update_invoice"),
    "any SQL": ("free-query", "query_ledger"),
    "a delete without annotations": ("annotations-missing", "delete_invoice"),
    "a delete in one step": ("destroy-without-plan", "delete_invoice"),
    "a list without an end": ("list-without-page", "list_payments"),
    "a result without a bound": ("answer-too-large", "list_payments"),
    "a password in an exception": ("secret-in-answer", "get_report"),
    "a host in an exception": ("internals-in-error", "get_report"),
    "a stack trace": ("stack-trace", "query_ledger"),
    "a failure that says success": ("failure-text-without-iserror", "sync_status"),
    "an output of another type": ("structured-mismatch", "get_invoice"),
    "a page that is the first one again": ("page-repeats", "list_invoices"),
    "a cursor that nobody issued": ("made-up-cursor-accepted", "list_invoices"),
    "a list of tools in another order": ("list-unstable", ""),
    "an amount as a float": ("float-money", "refund_payment"),
    "a refund without a key": ("money-without-idempotency", "refund_payment"),
    "an update of no version": ("update-without-version", "update_invoice"),
    "an argument that nobody reads": ("unknown-argument-ignored", "get_invoice"),
    "a type that nobody checks": ("invalid-argument-accepted", "list_invoices"),
}
"""What is planted; that no tenant is checked takes two callers, and is not for a review to see."""


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    """The symbols and tools that a live review prints."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("project"))
        result = fourfold("review", "--live", "--json", "--", sys.executable, SERVER)
    assert result.code == 1
    assert "WRITTEN" not in result.err, "a write was called"
    return {(finding["symbol"], finding["tool"]) for finding in json.loads(result.out)["findings"]}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_named(named: set[tuple[str, str]], fault: str) -> None:
    """C6, C2, D2: over the wire, by the rule of its kind, at the tool that has it."""
    assert PLANTED[fault] in named
