"""Texts that send a model to a tool: the tool has to be there."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold import Catalog, ContractError, Fault, Input, Limits, Output, Read, Retry, Waiver


class Nothing(Input):
    """No arguments."""


class Ok(Output):
    """An empty result."""

    account_id: bool = True


class NoAccount(Fault):
    """No account is active."""

    code, retry = "no_account", Retry.NEVER
    next_step = "Try accounts_list, then set_active_account"


def declared(**changes: Any) -> Catalog:
    """accounts_list and workers_list, the second with `changes`."""
    catalog = Catalog("hosting")
    texts: dict[str, Any] = {"use_when": "the user asks for workers", "not_for": "listing accounts (accounts_list)"}

    @catalog.tool(name="accounts_list", version="1.0", does="List the accounts of the caller", effect=Read(),
                  use_when="the user asks for accounts", not_for="anything about workers")  # fmt: skip
    def accounts(request: Nothing) -> Ok:  # pyright: ignore[reportUnusedFunction]  # the catalog has it
        return Ok()

    @catalog.tool(name="workers_list", version="1.0", does="List workers", effect=Read(), **{**texts, **changes})
    def workers(request: Nothing) -> Ok:  # pyright: ignore[reportUnusedFunction]  # the catalog has it
        return Ok()

    return catalog


def broken(catalog: Catalog) -> list[tuple[str, str, str]]:
    """Rule, place and finding of each problem."""
    with pytest.raises(ContractError) as refused:
        catalog.build()
    return [(problem.rule, problem.where, problem.what) for problem in refused.value.problems]


def test_a_fault_that_sends_to_a_tool_that_is_not_there_does_not_build() -> None:
    """B7, MP-055: the tool that is there is not reported."""
    what = "NoAccount.next_step names set_active_account, and the catalog has no such tool"
    assert broken(declared(faults=[NoAccount])) == [("unknown_tool_reference", "workers_list", what)]


def test_a_description_that_sends_to_a_tool_that_is_not_there_does_not_build() -> None:
    """B1: alone in brackets, or after use, try, call, then, with."""
    found = broken(declared(not_for="one worker (worker_get)", use_when="it is wanted; else call worker_find first"))
    assert [what.split(",")[0] for _, _, what in found] == ["use_when= names worker_find", "not_for= names worker_get"]


def test_arguments_and_fields_may_be_named_too() -> None:
    """B1: a text sends a model to an argument as well as to a tool."""
    built = declared(use_when="the user asks for workers; repeat with idempotency_key, then account_id").build()
    assert built.warnings == ()


def test_a_tool_of_another_server_is_named_under_a_waiver() -> None:
    """B1: with the reason in writing; a waiver that sets nothing aside is reported."""
    waiver = Waiver(rule="unknown_tool_reference", where="not_for", reason="worker_get is on the edge server")
    assert declared(not_for="one worker (worker_get)", waivers=[waiver]).build().warnings == ()
    assert [rule for rule, _, _ in broken(declared(waivers=[waiver]))] == ["unused_waiver"]


def test_a_call_that_outlasts_its_client_is_pointed_out() -> None:
    """B19, MP-134: above 50 seconds the answer may find nobody."""
    (warning,) = declared(limits=Limits(deadline_s=600)).build().warnings
    assert (warning.rule, warning.what) == ("long_call", "a call may take 600 seconds")
    assert declared(limits=Limits(deadline_s=50)).build().warnings == ()
