"""Checks that know a contract: of small catalogs that break theirs, and of the billing server, which doesn't."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Annotated

import pytest
from pydantic import Field

from fourfold import Catalog, Fault, Input, Output, Read, Retry
from fourfold.bootstrap.load import LoadedCatalog, load_catalog
from fourfold.bootstrap.proving import Terms, proving_catalog, two_callers
from fourfold.bootstrap.targets import of_catalog
from fourfold.model.proof import Verdict
from fourfold.prove.desk import Desk
from fourfold.prove.engine import Selection, prove

pytestmark = pytest.mark.anyio


class Closed(Fault):
    """The door is closed."""

    code, retry, next_step = "closed", Retry.NEVER, "Ask the user for the key"


class ClosedForNow(Fault):
    """The door is closed."""

    code, retry, next_step = "closed", Retry.AFTER, "Wait, then call again"


class Door(Input):
    """Which door."""

    name: Annotated[str, Field(min_length=1, max_length=20)]
    floor: Annotated[int, Field(ge=0, le=3)] = 0


class Opened(Output):
    """An open door."""

    name: Annotated[str, Field(max_length=20)]


def doors(*faults: type[Fault], raised: type[Exception] | None) -> LoadedCatalog:
    """A catalog with one tool that declares `faults` and fails with `raised`."""
    catalog = Catalog("doors")

    def door_get(request: Door) -> Opened:
        if raised is not None:
            raise raised
        return Opened(name=request.name)

    catalog.tool(
        name="door_get",
        version="1.0",
        does="Show a door",
        use_when="the user asks about a door",
        not_for="a window of a house",
        effect=Read(),
        needs={"doors:read"},
        faults=faults,
        returns="Returns its name",
    )(door_get)
    return LoadedCatalog(catalog.build(), None)


@asynccontextmanager
async def desk_of(loaded: LoadedCatalog, *, writes: bool = True, seed: int = 1) -> AsyncGenerator[Desk]:
    """A desk before the served catalog."""
    scopes = frozenset(scope for tool in loaded.built.tools.values() for scope in tool.contract.needs)
    terms = Terms(seed=seed, max_calls=10_000, writes=writes)
    async with proving_catalog(loaded, two_callers((), scopes), terms=terms, target="ours") as desk:
        yield desk


async def verdict(check: str, served: LoadedCatalog, *, declared: LoadedCatalog) -> Verdict:
    """What a check says about the tool that is served, by the contract that is declared."""
    async with desk_of(served) as desk:
        known = replace(desk, catalog=of_catalog(declared, target="ours"))
        return (await prove(known, revision="2026-07-28", selection=Selection(only=(check,)))).verdicts[0]


async def test_a_fault_that_the_contract_does_not_declare_is_named() -> None:
    """B7, B12: a client that goes by the contract has never heard of it."""
    found = await verdict("codes-declared", doors(Closed, raised=Closed), declared=doors(raised=None))
    assert (found.status, found.detail) == ("failed", "the failure closed is none that the contract declares")
    assert found.calls[0].tool == "door_get"


async def test_a_fault_that_says_something_else_about_a_repeat_is_named() -> None:
    """B7: the verb on the wire is the one of the contract."""
    declared = doors(ClosedForNow, raised=None)
    found = await verdict("codes-declared", doors(Closed, raised=Closed), declared=declared)
    detail = "the failure closed says never about a repeat, and is declared as after"
    assert (found.status, found.detail) == ("failed", detail)


async def test_a_declared_fault_is_an_answer() -> None:
    """B12: for each valid call there is a success or a declared fault."""
    only = Selection(only=("codes-declared", "valid-is-answered"))
    async with desk_of(doors(Closed, raised=Closed)) as desk:
        proved = await prove(desk, revision="2026-07-28", selection=only)
    assert [each.status for each in proved.verdicts] == ["passed", "passed"]


async def test_an_internal_error_is_named_with_the_smallest_call_that_leads_to_it() -> None:
    """B12: an exception of the handler is no answer to arguments that fit."""
    served = doors(raised=RuntimeError)
    found = await verdict("valid-is-answered", served, declared=served)
    assert (found.status, found.detail) == (
        "failed",
        "arguments that fit the schema led to an internal error: internal",
    )
    assert [*found.calls[0].arguments] == ["name"]


async def test_a_second_server_is_reached_after_the_first_was_stopped() -> None:
    """B12: servers come and go in one process, as in a project's own tests."""
    served = doors(raised=None)
    for _ in range(2):
        assert (await verdict("list-is-stable", served, declared=served)).status == "passed"


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_the_reads_of_the_billing_server_pass_every_check_of_the_contract(seed: int) -> None:
    """B12, A2, A5, B19: nothing fails, whatever the seed."""
    async with desk_of(load_catalog("billing:catalog"), writes=False, seed=seed) as desk:
        proved = await prove(desk, revision="2026-07-28", selection=Selection(only=("contract", "paths")))
    assert [each for each in proved.verdicts if each.status == "failed"] == []
    assert proved.count("passed") > 80
