"""A rule that stands where a client no longer shows it.

## What it does

Takes the shortest description that a chosen client cuts, without refusing it, and looks behind that place for sentences
that forbid something (`never`, `must not`, `do not`, `not allowed`). A sentence that only demands (`must`, `always`) is
reported as a warning.

## Why it hurts

Claude Code shows the model the first 2,048 characters. What is cut leaves no trace, the beginning reads as if it were
complete, and the author's own view of the tool shows all of it. The limit that was written down is the one that the
model never saw.

## Example

```json
{
  "name": "pay_invoice",
  "description": {
    "$concat": [
      "Pay an invoice. ",
      {"$repeat": ["Background on our payment rails. ", 70]},
      "Never pay more than 100 EUR without approval."
    ]
  },
  "inputSchema": {"type": "object", "properties": {}}
}
```

## Use instead

Enforce it on the server, and say it first.

```json
{
  "name": "pay_invoice",
  "description": "Pay an invoice of at most 100 EUR. Never more without approval: payment_plan asks for that.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

The client that cuts is none of those that use this server: then name the others in the configuration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.texts import shown
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_LENGTH_RULE = "description-too-long"
"""The symbol under which client profiles say how long a description may be."""

_FORBIDS = re.compile(
    r"(?<!is )(?<!are )\bnever (?!\w+ed\b|shown|sent|been)\w+|\b(?:must not|not allowed|forbidden)\b"
    r"|(?:^\s*|[^\w\s'`)\]]\s*|\b(?:and|but|or|so|then|please|also) )(?:do not|don't) (?!need\b|have\b|want\b)"
    r"|\bprohibited\b|\bwithout (?:approval|confirmation)\b",
    re.IGNORECASE,
)
"""Words that forbid. `do not` does so where no subject stands before it: `filters do not apply` explains."""
_DEMANDS = re.compile(r"\bmust\b|^\W*always\b|(?-i:\bALWAYS\b)", re.IGNORECASE)
_BEFORE = 30
"""Characters before the words that bind which are worth quoting."""

_SENTENCE = re.compile(r".+?(?:[.!?](?=\s)|\n\s*\n|\n\s*(?=[-*#\d])|\Z)", re.DOTALL)


def _check(tool: ToolView) -> Iterator[Hit]:
    client, limit = _shortest_cut(tool)
    if not limit or len(tool.description) <= limit:
        return
    # A sentence that the cut goes through is lost too: its end is what binds.
    lost = [match.group() for match in _SENTENCE.finditer(tool.description) if _loses_words(match, limit)]
    forbids = [_around(match) for sentence in lost if (match := _FORBIDS.search(sentence))]
    binding = forbids or [_around(match) for sentence in lost if (match := _DEMANDS.search(sentence))]
    if binding:
        more = f", and {len(binding) - 1} more" if len(binding) > 1 else ""
        yield Hit(
            pointer="/description",
            message=f'{client} cuts after {limit:,} characters, and behind that stands "{shown(binding[0])}"{more}',
            fix="enforce the rule on the server, and say it in the first sentences or in the schema",
            evidence=f"{len(tool.description):,} characters",
            severity=None if forbids else "warning",
        )


def _loses_words(sentence: re.Match[str], limit: int) -> bool:
    return re.search(r"\w", sentence.string[max(limit, sentence.start()) : sentence.end()]) is not None


def _around(match: re.Match[str]) -> str:
    """The sentence from a few words before what binds, so that a short quotation shows it."""
    start = match.string.rfind(" ", 0, max(0, match.start() - _BEFORE))
    return f"...{match.string[start:].lstrip()}" if start > 0 else match.string.lstrip()


def _shortest_cut(tool: ToolView) -> tuple[str, int]:
    """The client that cuts first, and after how many characters; 0 if none does."""
    cuts = [
        (demand.limit, profile.title)
        for profile in tool.profiles
        for demand in profile.of_rule(_LENGTH_RULE)
        if demand.outcome == "degraded" and demand.limit
    ]
    limit, client = min(cuts, default=(0, ""))
    return client, limit


RULE = ToolRule(
    id="FF113",
    symbol="rule-after-cut",
    severity="error",
    question="wrong_tool",
    evidence="report",
    sources=(
        "https://github.com/anthropics/claude-code/issues/87650",
        "https://github.com/anthropics/claude-code/issues/81268",
    ),
    page=Page.read(__doc__),
    check=_check,
)
