"""The review of the billing server: clean as a catalog; over the wire, what its README explains and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from fourfold.bootstrap.load import load_catalog
from fourfold.bootstrap.targets import of_catalog
from fourfold.model.finding import Finding
from fourfold.model.listed import ListedCatalog
from fourfold.review.engine import review
from tests.meta.repository import ROOT

EXPLAINED = {
    ("FF205", "invoice_create", "/inputSchema/properties/lines/items/properties/unit_price"),
    ("FF205", "invoice_update_draft", "/inputSchema/properties/lines/items/properties/unit_price"),
    ("FF205", "quote_create", "/inputSchema/properties/lines/items/properties/unit_price_minor"),
    ("FF205", "quote_preview", "/inputSchema/properties/lines/items/properties/unit_price_minor"),
    ("FF206", "ledger_query", "/inputSchema/properties/sql"),
}


@pytest.fixture
def listed() -> ListedCatalog:
    """The billing tools with their contracts."""
    return of_catalog(load_catalog("billing:catalog"), target="billing:catalog")


def serious(catalog: ListedCatalog) -> list[Finding]:
    """Its errors and warnings."""
    return [it for it in review(catalog, today=date(2026, 11, 30)).findings if it.severity != "advice"]


def test_the_billing_catalog_is_clean(listed: ListedCatalog) -> None:
    """C6, D2: with the contracts known, an offer is an offer and a sandbox is a sandbox."""
    assert serious(listed) == []


def test_over_the_wire_it_shows_what_its_readme_explains(listed: ListedCatalog) -> None:
    """C6, D2: a server of ours is reported like anyone's."""
    on_the_wire = replace(listed, tools=tuple(replace(tool, contract=None) for tool in listed.tools))

    assert {(it.id, it.tool, it.pointer) for it in serious(on_the_wire)} == EXPLAINED


@pytest.mark.parametrize(("rule", "tool", "pointer"), sorted(EXPLAINED))
def test_the_readme_names_each_of_them(rule: str, tool: str, pointer: str) -> None:
    """C6: whoever runs the review finds the reason."""
    explained = (ROOT / "examples/billing/README.md").read_text("utf-8").partition("## What a review says")[2]

    assert rule in explained
    assert f"`{tool}`" in explained
    assert pointer.rpartition("/")[2] in explained
