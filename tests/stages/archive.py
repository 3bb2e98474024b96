"""A catalog of pages: numbered entries of two kinds, the same for everybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field

from fourfold import Catalog, Input, Output, Page, PageRequest, Read

__all__ = ["Entry", "EntryList", "archive", "entry_list"]

Kind = Literal["even", "odd", "any"]


class EntryList(Input):
    """Which entries."""

    kind: Kind = "any"


class Entry(Output):
    """One entry."""

    number: Annotated[int, Field(ge=0, le=1_000)]


def entry_list(request: EntryList, page: PageRequest) -> Page[Entry]:
    """Entries 1 to 7 of that kind, after the last one that the caller has seen."""
    after = int(page.after[0]) if page.after else 0
    parity = {"even": (0,), "odd": (1,), "any": (0, 1)}[request.kind]
    found = [Entry(number=number) for number in range(after + 1, 8) if number % 2 in parity]
    return Page[Entry].of(found[: page.limit + 1], page, position=lambda entry: (entry.number,))


def archive(handler: Callable[..., Any] = entry_list, **contract: Any) -> Catalog:
    """A catalog with two tools that page alike, `entry_list` and `entry_scan`."""
    catalog = Catalog("archive")
    for name, purpose in (("entry_list", "shows what the archive holds"), ("entry_scan", "walks over it for a check")):
        declared: dict[str, Any] = {
            "name": name,
            "version": "1.0",
            "does": f"Returns entries and {purpose}",
            "use_when": f"somebody {purpose}",
            "not_for": "changing any entry",
            "effect": Read(),
            "page_limit": 3,
            **contract,
        }
        catalog.tool(**declared)(handler)
    return catalog
