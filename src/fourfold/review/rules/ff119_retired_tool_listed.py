"""A tool that is listed although it should no longer be called.

## What it does

Finds tools that their own description calls deprecated, obsolete, or a legacy tool. What it calls one of its
arguments is left alone.

## Why it hurts

Clients know no deprecation: a listed tool is an offer. Models go on calling the old name beside the new one, the pair
is one more chance to choose wrong, and its definition is paid for on every request.

## Example

```json
{
  "name": "read_file",
  "description": "Read a file. DEPRECATED: use read_text_file instead.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## Use instead

Leave it out of the list, and let a call by its old name fail with an error that names the new one.

```json
{
  "name": "read_text_file",
  "description": "Read a text file. Returns its text.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

For one release, while clients with a published list are moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.texts import shown
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_RETIRED = re.compile(
    r"^\W*(?:deprecated|obsolete)\b|(?-i:(?<![a-z_]: )(?<![a-z_]: [\[(])\bDEPRECATED\b)"
    r"|\b(?:tool|function|endpoint|alias) (?:is|was|has been) (?:now )?(?:deprecated|obsolete|retired)"
    r"|\bdeprecated (?:tool|alias|in favou?r)|\blegacy (?:[\w.]+ ){0,3}?(?:tool|alias)\b",
    re.IGNORECASE,
)


def _check(tool: ToolView) -> Iterator[Hit]:
    found = _RETIRED.search(tool.description)
    if found:
        yield Hit(
            pointer="/description",
            message=f'{tool.name} is still listed, and its description says "{shown(found.group())}"',
            fix="leave it out of the list; a call by its name can fail with the name of its successor",
        )


RULE = ToolRule(
    id="FF119",
    symbol="retired-tool-listed",
    severity="warning",
    question="wrong_tool",
    evidence="report",
    sources=(
        "https://github.com/PostHog/posthog/pull/103254",
        "https://github.com/openchoreo/openchoreo/issues/3483",
    ),
    page=Page.read(__doc__),
    check=_check,
)
