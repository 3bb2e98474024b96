"""An argument that says what the caller may do.

## What it does

Finds arguments whose name means a right: `role`, `is_admin`, `permissions`, `bypass`, `override`,
`policy_decision`. It leaves alone the words of other things (the `role` of a chat message, the `scope` of a list),
and tools whose business is the rights of others (`share_project`, `manage_drive_access`).

## Why it hurts

A right that the caller states is no right: the model sets `is_admin` because it would help, or because a document
in the conversation told it to. The server cannot tell the difference.

## Example

```json
{
  "name": "report_export",
  "description": "Export a report.",
  "inputSchema": {
    "type": "object",
    "properties": {"report": {"type": "string", "maxLength": 40}, "is_admin": {"type": "boolean"}},
    "required": ["report"],
    "additionalProperties": false
  }
}
```

## Use instead

Decide it on the server, from the scopes of the caller's credential.

```json
{
  "name": "report_export",
  "description": "Export a report that you may see.",
  "inputSchema": {
    "type": "object",
    "properties": {"report": {"type": "string", "maxLength": 40}},
    "required": ["report"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where the argument is a right that is granted to somebody else, and the server checks that the caller may grant it.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import meaning, words
from fourfold.review.arguments import arguments
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_WRITE_SWITCHES = frozenset({"write mode", "allow write"})
"""What a person has to decide, so that it is consent."""

_OTHER_SENSES = frozenset(
    {"role", "roles", "scope", "scopes", "permission", "permissions", "privileges", "access level", "admin"}
)
"""Words that are rights of the caller only where nothing says that they are something else."""

_ABOUT_RIGHTS = frozenset(
    words(
        """
        role roles member members user users permission permissions access share grant grants invite policy policies
        group protect agent message team token
        """
    )
)
"""Words in the name of a tool whose business is rights, or whose roles are no rights."""

_SPEAKS_OF_RIGHTS = ("permission", "access", "oauth", "admin", "privilege", "authoriz", "authoris")


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, arguments(tool), rule="authority_argument"):
        if meaning(place.name) == "authority" and _is_of_the_caller(place, tool):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} says what the caller may do, and the model sets it",
                fix="decide it on the server from the caller's credential, and leave the argument out",
            )


def _is_of_the_caller(place: Place, tool: ToolView) -> bool:
    joined = " ".join(words(place.name))
    if joined in _WRITE_SWITCHES:
        return False
    if joined not in _OTHER_SENSES:
        # A longer name ends in a right of the object: merge_access_level, settings.skip_validation.
        return len(place.parents) == 1 and not joined.endswith("access level")
    if "/items/" in place.pointer or _ABOUT_RIGHTS & set(tool.words):
        return False
    # Most scopes are those of a search.
    return joined not in ("scope", "scopes") or any(word in place.description.lower() for word in _SPEAKS_OF_RIGHTS)


RULE = ToolRule(
    id="FF202",
    symbol="authority-argument",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=("https://github.com/CaviraOSS/LongMemory/pull/181", "https://github.com/awslabs/mcp/pull/4582"),
    page=Page.read(__doc__),
    check=_check,
)
