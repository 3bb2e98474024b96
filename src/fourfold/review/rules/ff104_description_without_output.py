"""Nothing says what the tool answers.

## What it does

Finds tools that read, run or make something, have no output schema, and whose description has no word about the
result either. A description or a name with a verb that names the result, such as `List` or `get`, is left alone, and
so are tools that change, delete or add to what the caller names, and those that pass on any command.

## Why it hurts

A model that plans a chain of calls has to know what comes back. Several clients do not show it the output schema, so a
sentence is needed even beside one; without both it invents the fields.

## Example

```json
{
  "name": "order_copy",
  "description": "Copy an order.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## Use instead

```json
{
  "name": "order_copy",
  "description": "Copy an order. Returns the number of the copy.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

The tool answers nothing but that it is done, and its name says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.replies import is_router
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.verbs import verb_of
from fourfold.review.view import ToolView
from fourfold.review.writes import READS, adds, repeats_safely

__all__ = ["RULE"]

_RESULT = re.compile(
    r"\b(?:returns?|returned|returning|responds?|response|results?|outputs?|answers?|yields?|gives?|provides?|shows?"
    r"|displays?|produces?|retrieves?|retrieving|includ(?:es?|ing)|contains?|containing"
    r"|as (?:json|markdown|text|html|csv)|reports?|emits?)\b",
    re.IGNORECASE,
)
_READS = re.compile(
    r"\s*(?:[\w ]{1,20} ?[|:] ?)?(?:lists?|gets?|fetch(?:es)?|reads?|finds?|search(?:es)?|quer(?:y|ies)|looks? up"
    r"|checks?|counts?|describes?|views?|downloads?|browses?|summari[sz]es?|explains?|generates?|identif(?:y|ies)"
    r"|calculates?|converts?|waits?|(?:verif(?:y|ies)|tests?|validates?) (?:if|whether)"
    r"|(?:takes?|captures?) (?:a |the )?(?:\w+ )?(?:screenshot|snapshot|picture|photo))\b",
    re.IGNORECASE,
)
"""An opening that names the result: who lists invoices answers a list of invoices. So does a name with such a verb."""

_MAKES = frozenset({"run", "execute", "generate", "build", "make", "import", "fork", "deploy"})
_PUTS = frozenset({"add", "insert", "append"})
"""Verbs for what becomes a part of something else, and has no number of its own."""


def _check(tool: ToolView) -> Iterator[Hit]:
    text = tool.description
    if tool.tool.output_schema is not None or not text.strip() or not _has_a_result(tool):
        return
    if not _RESULT.search(text) and not _READS.match(text):
        yield Hit(
            pointer="/description",
            message=f"neither an output schema nor the description of {tool.name} says what it answers",
            fix="add a sentence that begins with Returns, and declare an outputSchema",
        )


def _has_a_result(tool: ToolView) -> bool:
    """Whether something comes back that the caller has not sent: what is read, put out, or newly there."""
    verb = verb_of(tool.name) or ""
    if is_router(tool) or tool.named_action == "destroy" or verb in _PUTS or verb in READS:
        return False
    # What the caller has named needs no number.
    return tool.named_action == "read" or verb in _MAKES or (adds(tool) is not None and not repeats_safely(tool))


RULE = ToolRule(
    id="FF104",
    symbol="description-without-output",
    severity="advice",
    question="recoverable",
    evidence="report",
    sources=("https://github.com/anthropics/claude-code/issues/90150",),
    page=Page.read(__doc__),
    check=_check,
)
