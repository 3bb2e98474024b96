"""What `fourfold review --fix-schema` prints: input schemas in portable words, and what stands behind the sameness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from fourfold.cli.output import plain
from fourfold.model.portability import FixedSchema

__all__ = ["fixed_facts", "fixed_text"]


def fixed_facts(fixed: Sequence[FixedSchema]) -> Mapping[str, object]:
    """Every tool with its schema (docs/schemas/fixed-schemas.json)."""
    return {"tools": [asdict(each) for each in fixed]}


def fixed_text(fixed: Sequence[FixedSchema]) -> Iterator[str]:
    """What was rewritten and what was left, without the schemas."""
    for each in fixed:
        if each.changes or each.left:
            yield plain(each.tool)
        for change in each.changes:
            yield f"  rewritten  {plain(change.pointer)}: {plain(change.what)}"
        for change in each.left:
            yield f"  left       {plain(change.pointer)}: {plain(change.what)}"
        if each.proof is not None:
            tried = f"{each.proof.accepted} values accepted by both, {each.proof.refused} refused by both"
            yield f"  proof      {tried}; {each.size_before:,} characters before, {each.size_after:,} after"
    rewritten = sum(bool(each.changes) for each in fixed)
    yield f"{rewritten} of {len(fixed)} input schemas rewritten; --json prints them"
