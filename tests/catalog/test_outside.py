"""What the build asks of a write that reaches outside."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.effects import Outside
from fourfold.model.contract import Waiver
from fourfold.model.effect import Create, Read, Update
from fourfold.model.policy import Resource
from fourfold.model.upstream import DidNotHappen
from fourfold.ports.units import Unit
from fourfold.ports.upstream import Blind, Keyed, Probe
from tests.catalog.test_declaration_rules import UnknownAccount
from tests.contracts.declaring import Nothing, Ok, built, rules_of


async def plain(request: Nothing) -> Ok:
    """Takes nothing to reach anybody with."""
    return Ok(done=True)


async def sending(request: Nothing, upstream: Keyed) -> Ok:
    """Sends with a key."""
    return Ok(done=bool(upstream.key()))


async def both(request: Nothing, upstream: Keyed, other: Blind) -> Ok:
    """Takes two."""
    return Ok(done=bool(upstream.key()))


async def asking(request: Nothing, upstream: Probe) -> Ok:
    """Can be asked about."""
    return Ok(done=bool(upstream.key()))


async def found_out(request: Nothing, upstream: Probe) -> DidNotHappen:
    """Nothing ever happened."""
    return DidNotHappen()


def found_out_slowly(request: Nothing) -> DidNotHappen:
    """Nothing ever happened, in a plain function."""
    return DidNotHappen()


async def noted(request: Nothing, result: Ok) -> Ok:
    """A record that awaits."""
    return result


def noted_down(request: Nothing, result: Ok, unit: Unit) -> Ok:
    """A record."""
    return result


def of_something_else(request: Nothing, receipt: int) -> Ok:
    """A record of what the handler doesn't return."""
    return Ok(done=bool(receipt))


def find(request: Nothing) -> Resource | None:
    """No object."""
    return None


NO_PLAN = [Waiver(rule="no_plan", where="", reason="a letter can be written again")]
OUTSIDE: dict[str, Any] = {"effect": Create(reach="outside"), "handler": sending, "waivers": NO_PLAN}
PROBED: dict[str, Any] = {**OUTSIDE, "handler": asking}


@pytest.mark.parametrize(
    ("rule", "declared"),
    [
        ("no_upstream", {**OUTSIDE, "handler": plain}),
        ("no_upstream", {**OUTSIDE, "handler": both}),
        ("no_upstream", {"effect": Create(reach="outside"), "waivers": NO_PLAN}),
        ("no_outside", {"effect": Read(), "handler": sending}),
        ("no_outside", {"outside": Outside(record=noted_down)}),
        ("no_reconcile", PROBED),
        ("outside_function", {**OUTSIDE, "outside": Outside(record=noted)}),
        ("outside_function", {**PROBED, "outside": Outside(reconcile=found_out_slowly)}),
        ("unfilled_parameter", {**OUTSIDE, "outside": Outside(record=of_something_else)}),
    ],
)
def test_a_write_that_reaches_outside_says_how_it_recovers(rule: str, declared: dict[str, Any]) -> None:
    """B4, D1: nobody declares one without saying what happens after a crash."""
    assert [found for found, _ in rules_of(Nothing, Ok, **declared)] == [rule]


@pytest.mark.parametrize(
    ("declared", "recovery"),
    [
        (OUTSIDE, "external_keyed"),
        ({**PROBED, "outside": Outside(reconcile=found_out)}, "external_probe"),
        ({**OUTSIDE, "outside": Outside(record=noted_down)}, "external_keyed"),
        ({**OUTSIDE, "effect": Update(reach="outside"), "resource": find, "missing": UnknownAccount}, "external_keyed"),
        ({}, "local"),
    ],
)
def test_the_contract_names_the_recovery(declared: dict[str, Any], recovery: str) -> None:
    """B4: recovery from an ambiguous timeout is part of the effect contract, and of its digest."""
    assert built(**declared).contract.recovery == recovery
