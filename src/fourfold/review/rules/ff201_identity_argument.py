"""An argument that says who is calling, or for whom.

## What it does

Finds arguments whose name means a user, a tenant, an organisation or another identity: `user_id`, `tenant`,
`acting_as`, in any spelling and at any depth. It leaves alone what names the object that a tool acts on: several at
once (`user_ids`), a role in front (`assignee_user_id`), a tool for users (`get_user`), an organisation that another
tool of the catalog lists, a directory of Microsoft Entra, which signs the caller in itself.

## Why it hurts

A model fills every argument that it sees. An identity that a model may set is whatever the conversation, or a
document in it, says that it is; the server then reads another customer's data in good faith.

## Example

```json
{
  "name": "memory_add",
  "description": "Save a memory of a user.",
  "inputSchema": {
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 2000}, "tenant_id": {"type": "string", "maxLength": 36}},
    "required": ["text", "tenant_id"],
    "additionalProperties": false
  }
}
```

## Use instead

Take it from the credential that the call came with: the access token over HTTP, the configuration over stdio.

```json
{
  "name": "memory_add",
  "description": "Save a memory of the caller.",
  "inputSchema": {
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 2000}},
    "required": ["text"],
    "additionalProperties": false
  }
}
```

## When to ignore

A tool that administers users or tenants names the one that it acts on. Name the argument after what it is there
(`member_reference`), or waive the rule for it with that reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import meaning, words
from fourfold.review.arguments import arguments, explained
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView, ToolView

__all__ = ["RULE"]

_FOR_ANOTHER = ("behalf of", "acting as", "acting user", "run as", "impersonate", "caller", "caller id", "approved by")
"""Phrases that say "for whom" whatever stands before them."""

_PEOPLE = frozenset(
    words(
        """
        user users member members profile profiles people person contact watcher watchers approver
        reviewer assignee owner owners notification notify invite message dm tenant tenants admin
        """
    )
)
"""Words in a tool's name after which an identity is what the tool acts on."""

_CHOSEN = frozenset({"org", "organization", "organisation", "workspace", "owner"})
"""What a caller may have several of, so that another tool lists them to choose from."""

_HANDLES = frozenset({"session"})
_DIRECTORY = re.compile(r"\b(?:Entra|Azure AD|AAD|Active Directory)\b")
"""Who calls a tenant so means where the caller signs in; the directory knows who may."""


def _check(view: CatalogView) -> Iterator[Hit]:
    listed = _listed(view)
    for tool in view.tools:
        for place in unwaived(tool, arguments(tool), rule="identity_argument"):
            if meaning(place.name) == "identity" and _names_the_caller(place, tool, listed=listed):
                yield Hit(
                    tool=tool.name,
                    pointer=place.pointer,
                    message=f"{place.name} says who is calling or for whom, and the model sets it",
                    fix="take it from the credential of the call, and leave the argument out",
                )


def _listed(view: CatalogView) -> frozenset[str]:
    """What some tool of the catalog lists or finds, in the singular."""
    reads = [tool.words for tool in view.tools if tool.named_action == "read"]
    return frozenset(word.removesuffix("s") for words_of in reads for word in words_of)


def _names_the_caller(place: Place, tool: ToolView, *, listed: frozenset[str]) -> bool:
    parts = words(place.name)
    joined = " ".join(parts)
    if joined.endswith(_FOR_ANOTHER):
        return True
    if "tenant" in parts and _DIRECTORY.search(explained(tool, place)):
        return False
    if parts[-1] in ("ids", "users") or _HANDLES & set(parts) or _PEOPLE & set(tool.words):
        return False
    if parts[0] in _CHOSEN:
        return not {parts[0], "user" if parts[0] == "owner" else parts[0]} & listed
    if "name" in parts[-1] and tool.named_action == "read" and not place.required:
        # Whose pipelines, whose issues: a filter over what the caller sees.
        return False
    # With a word in front it is somebody in a part of the object: new_owner_user_id, instagram_actor_id.
    return len(parts) <= 2


RULE = CatalogRule(
    id="FF201",
    symbol="identity-argument",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/CaviraOSS/LongMemory/pull/181",
        "https://github.com/danny-avila/LibreChat/issues/6660",
        "https://github.com/PrefectHQ/fastmcp/issues/1437",
    ),
    page=Page.read(__doc__),
    check=_check,
)
