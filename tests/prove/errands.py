"""Errands to prove: the server by hand, started over stdio for two callers, and the same as a catalog of ours."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from fourfold import Catalog, Create, Fault, Input, Output, Read, Retry, Unit
from fourfold.asking import Ask, Form
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.proving import Address, Terms, proving_catalog, proving_server, two_callers
from fourfold.effects import Impact, PlanTerms
from fourfold.prove.desk import Desk

__all__ = ["errands", "our_errands"]

_MOST = 2_000


@asynccontextmanager
async def errands(folder: Path, *faults: str, writes: bool = True) -> AsyncGenerator[Desk]:
    """A desk before the server of errands, of which nothing is known but what it lists and answers."""
    server = str(Path(__file__).with_name("errand_server.py"))
    commands = [(sys.executable, server, str(folder / "errands.json"), name, *faults) for name in ("ada", "bob")]
    terms = Terms(seed=1, max_calls=_MOST, writes=writes)

    async def restart() -> None:
        (folder / "errands.starts").write_text("1")

    def advance(seconds: int) -> None:
        (folder / "errands.now").write_text(str(seconds))

    async with proving_server([Address(target=command) for command in commands], terms) as desk:
        yield replace(desk, restart=restart, advance=advance)


@asynccontextmanager
async def our_errands(*, seed: int = 1, starts_once: bool = False) -> AsyncGenerator[Desk]:
    """A desk before the catalog, served over HTTP."""
    terms = Terms(seed=seed, max_calls=_MOST, writes=True)
    async with proving_catalog(
        of_ours(starts_once), two_callers((), frozenset()), terms=terms, target="errands"
    ) as desk:
        yield desk


class CanWait(Fault):
    """Nothing is sent that can wait."""

    code, retry, next_step = "can_wait", Retry.NEVER, "Ask the user"


class Errand(Input):
    """What to do."""

    title: Annotated[str, Field(min_length=1, max_length=80)]


class Nothing(Input):
    """Nothing."""


class Sent(Output):
    """How many were sent."""

    sent: Annotated[int, Field(ge=0, le=10_000)]


class Sure(Form):
    """Whether it has to be now."""

    urgent: bool


def ask_sure(request: Errand) -> Ask[Sure]:
    """Ask it."""
    return Ask(Sure, f"Send somebody: {request.title}?")


def errand_send(request: Errand, unit: Unit, *, sure: Sure) -> Sent:
    """Send somebody."""
    if not sure.urgent:
        raise CanWait
    return errand_run(request, unit)


def errand_run(request: Errand, unit: Unit) -> Sent:
    """Do it."""
    unit.execute("INSERT INTO errand VALUES (?)", (request.title,))
    return errand_count(Nothing(), unit)


def errand_count(request: Nothing, unit: Unit) -> Sent:
    """How many there are."""
    row = unit.row("SELECT count(*) AS n FROM errand") or {"n": 0}
    return Sent(sent=row["n"])


def impact(request: Errand) -> Impact:
    """What it is."""
    return Impact(summary=f"Runs {request.title}")


def tables(unit: Unit) -> None:
    """One row for each errand."""
    unit.execute("CREATE TABLE IF NOT EXISTS errand (title TEXT NOT NULL)")


def table_once(unit: Unit) -> None:
    """The same, by somebody who did not think of the second start."""
    unit.execute("CREATE TABLE errand (title TEXT NOT NULL)")


def of_ours(starts_once: bool) -> LoadedCatalog:
    """A catalog with a tool that asks, and a plan that the person at the client agrees to."""
    catalog = Catalog("errands")
    catalog.prepare(table_once if starts_once else tables)
    about_it: dict[str, Any] = {"version": "1.0", "use_when": "the user asks for it", "not_for": "anything else"}
    catalog.tool(
        name="errand_send",
        does="Sends somebody on an errand",
        effect=Create(),
        ask=ask_sure,
        faults=[CanWait],
        **about_it,
    )(errand_send)
    planned = Create(plan=PlanTerms(impact=impact, approval="caller"))
    catalog.tool(name="errand_run", does="Runs an errand", effect=planned, **about_it)(errand_run)
    catalog.tool(name="errand_add", does="Adds an errand", effect=Create(), **about_it)(errand_run)
    catalog.tool(name="errand_count", does="Counts the errands", effect=Read(), **about_it)(errand_count)
    return LoadedCatalog(catalog.build(), None)
