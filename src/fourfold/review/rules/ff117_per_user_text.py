"""A definition that holds what belongs to one user.

## What it does

Finds descriptions that list the accounts, projects or workspaces of whoever asked, or say as whom that user is signed
in. `compare_listings` finds the same from the other side: two users, two lists, and a text that differs between them.

## Why it hurts

Lists of tools are cached, hashed and shown to reviewers as if they were one for all. A cache hands the names of one
customer to another, and every approval of the definition is void as soon as an account is added.

## Example

```json
{
  "name": "list_zones",
  "description": "List zones. Your accounts: Blue Ltd (ac1).",
  "inputSchema": {"type": "object", "properties": {"account": {"type": "string"}}, "required": ["account"]}
}
```

## Use instead

A read that returns them.

```json
{
  "name": "list_zones",
  "description": "List zones of an account. account_list returns the accounts that you may name.",
  "inputSchema": {"type": "object", "properties": {"account": {"type": "string"}}, "required": ["account"]}
}
```

## When to ignore

The server runs on one user's machine, for that user, and its list is never shared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.texts import PROSE, texts
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_PERSONAL = re.compile(
    r"\b(?i:your|accessible|available|connected) (?:\w+ )?(?:accounts?|projects?|workspaces?|organi[sz]ations?"
    r"|orgs?|teams?|zones?|tenants?|sites?|boards?|repositories|subscriptions?) ?(?:are|is)? ?: ?[\"'`]?[A-Z0-9]\w*"
    r"|\b(?i:logged|signed) in as:? ?[\"'`]?[A-Z0-9@]\w*|\b(?i:authenticated) as:? [\"'`]?[\w.+-]+@"
)


def _check(tool: ToolView) -> Iterator[Hit]:
    for text in texts(tool.tool.definition):
        if text.field in PROSE and not text.is_key and _PERSONAL.search(text.text):
            yield Hit(
                pointer=text.pointer,
                message=f"a text of {tool.name} holds what belongs to one user: their accounts, or who they are",
                fix="keep definitions the same for everybody, and return such values from a read",
            )


RULE = ToolRule(
    id="FF117",
    symbol="per-user-text-in-catalog",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/cloudflare/mcp/pull/158",
        "https://github.com/HelpCode-ai/anythingmcp/pull/552",
    ),
    page=Page.read(__doc__),
    check=_check,
)
