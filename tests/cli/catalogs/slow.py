"""A catalog with one write that tells when it has begun and ends when it is let go, over two named pipes."""

from __future__ import annotations

from pathlib import Path

from fourfold import Catalog, Create, Input, Output, Unit

catalog = Catalog("slow", version="1")


class Nothing(Input):
    """No arguments."""


class Saved(Output):
    """Whether it was saved."""

    done: bool


@catalog.prepare
def tables(unit: Unit) -> None:
    """One table."""
    unit.execute("CREATE TABLE IF NOT EXISTS thing (number INTEGER PRIMARY KEY)")


@catalog.tool(
    name="thing_create",
    version="1.0",
    does="Save a thing, slowly.",
    use_when="the end of a server is tested",
    not_for="anything else",
    effect=Create(),
)
def thing_create(request: Nothing, unit: Unit) -> Saved:
    """Save, and wait inside the transaction."""
    unit.execute("INSERT INTO thing DEFAULT VALUES")
    Path("begun").write_text("yes", "utf-8")
    Path("let-go").read_text("utf-8")
    return Saved(done=True)
