"""Preview and commit in one tool, told apart by a flag.

## What it does

Finds a boolean argument such as `dry_run`, `preview` or `validate_only` on a tool that writes. Where leaving it out
previews, the finding is advice.

## Why it hurts

The model sets the flag. What it leaves out, or gets wrong, is the difference between a look and an effect, and nothing
binds the commit to what was previewed. A client cannot allow the preview and ask for the commit, because both are one
tool.

## Example

```json
{
  "name": "order_refund",
  "description": "Refund an order.",
  "inputSchema": {
    "type": "object",
    "properties": {"order": {"type": "string"}, "dry_run": {"type": "boolean", "default": false}},
    "required": ["order"]
  }
}
```

## Use instead

Two tools: the first returns a plan with an expiry, the second takes that plan and nothing else.

```json
{
  "name": "order_refund",
  "description": "Refund an order as planned by order_plan_refund.",
  "inputSchema": {"type": "object", "properties": {"plan": {"type": "string"}}, "required": ["plan"]}
}
```

## When to ignore

Leaving the flag out previews, and the effect can be undone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_FLAGS = frozenset(
    {
        "dry run", "dryrun", "is dry run", "preview", "preview only", "simulate", "simulation", "validate only",
        "validation only", "check only", "plan only", "what if", "whatif", "no op", "noop", "apply", "apply fixes",
        "apply changes", "commit", "execute",
    }
)  # fmt: skip

_COMMITS = frozenset({"apply", "apply fixes", "apply changes", "commit", "execute"})
_SAYS_TRUE = re.compile(r"\btrue \(default\)|\bdefaults?(?: to|:|=)? ?`?true", re.IGNORECASE)
_SAYS_FALSE = re.compile(r"\bdefaults?(?: to|:|=)? ?`?false", re.IGNORECASE)


def _check(tool: ToolView) -> Iterator[Hit]:
    if not tool.is_known_write:
        return
    for place in tool.arguments:
        if "boolean" in place.types and " ".join(words(place.name)) in _FLAGS:
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} decides whether {tool.name} previews or commits, and the model sets it",
                fix="make the preview a tool of its own that returns a plan, and let the write take that plan",
                severity="advice" if _previews_by_default(place) else None,
            )


def _previews_by_default(place: Place) -> bool:
    commits = " ".join(words(place.name)) in _COMMITS
    default: object = place.resolved.get("default")
    if isinstance(default, bool):
        return default is not commits
    return (_SAYS_FALSE if commits else _SAYS_TRUE).search(place.description) is not None


RULE = ToolRule(
    id="FF109",
    symbol="preview-and-commit",
    severity="warning",
    question="autonomy",
    evidence="report",
    sources=("https://github.com/toyosy012/youtube-mcp/issues/33",),
    page=Page.read(__doc__),
    check=_check,
)
