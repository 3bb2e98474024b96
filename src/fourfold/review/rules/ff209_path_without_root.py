"""A path of the server's file system, with no root that it stays under.

## What it does

Finds path arguments of the machine on which the server runs, where neither the argument nor the tool says below
which directory they stay. Paths in a repository, a bucket, an archive or an API are left alone, and so are all tools
of a server that says somewhere which directories it allows.

## Why it hurts

`../../etc/passwd`, an absolute path or a symbolic link inside the allowed directory reach what was never meant.
Without a root in the contract nobody checks, and the model has no way to know what it may name.

## Example

```json
{
  "name": "read_notes",
  "description": "Read a file.",
  "inputSchema": {
    "type": "object",
    "properties": {"path": {"type": "string", "maxLength": 400, "description": "Absolute path to the file"}},
    "required": ["path"],
    "additionalProperties": false
  }
}
```

## Use instead

Take a name relative to a root that the server resolves, symbolic links included, and say which root.

```json
{
  "name": "read_notes",
  "description": "Read a note.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "note": {
        "type": "string",
        "maxLength": 80,
        "description": "Path relative to the notes directory",
        "pattern": "^[a-z0-9/-]{1,80}$"
      }
    },
    "required": ["note"],
    "additionalProperties": false
  }
}
```

## When to ignore

A local tool that acts for the user on the user's own files, with a sandbox or a client that asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import alternatives, arguments, explained, siblings, takes_text
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView, ToolView

__all__ = ["RULE"]

_PATHS = frozenset(words("path paths filepath directory dir folder cwd"))
_UNSAID = _PATHS - {"folder"}
"""Names that mean a file without a word of explanation; folders are in mailboxes and note books as well."""

_FILES = frozenset(words("filename file"))
_LOCAL = re.compile(
    r"\b(?:absolute|local (?:file|path|dir)|on disk|file ?system|working directory|(?:save|write)[\w ]{0,20} to)\b",
    re.IGNORECASE,
)
_A_FILE = re.compile(
    r"\bpath to (?:the |a |an )?(?:[\w-]+ ){0,3}(?:file|document|image|workbook|directory|folder|repo|repository)\b",
    re.IGNORECASE,
)
_ROOTED = re.compile(
    r"relative\s+to|allowed director|within (?:the )?(?:allowed|workspace|project)|\bvault\b|workspace root"
    r"|project root|sandbox|(?:under|inside) the root",
    re.IGNORECASE,
)
_ELSEWHERE = frozenset(
    words(
        """
        project projectid repo repository repositories branch ref sha commit bucket owner slug workspace environment
        node url index object entity page database form board sheet spreadsheet op
        """
    )
)
"""Words of the arguments beside it after which a path is inside something remote, or inside of JSON (`op`)."""

_ROOTS = re.compile(r"\ballowed director(?:y|ies)\b", re.IGNORECASE)

_OTHER_PATHS = re.compile(r"\b(?:dotted|XPath|API|endpoint|URL|HTTP|branch|repository|slug)\b", re.IGNORECASE)


def _check(view: CatalogView) -> Iterator[Hit]:
    said = [view.catalog.instructions or "", *(tool.description for tool in view.tools)]
    if not any(_ROOTS.search(text) for text in said):
        for tool in view.tools:
            yield from _of_tool(tool)


def _of_tool(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, arguments(tool), rule="open_path"):
        if _is_local_path(place, tool):
            yield Hit(
                tool=tool.name,
                pointer=place.pointer,
                message=f"{place.name} is a path of the server's machine, and nothing says below which directory",
                fix="take a name relative to a root, resolve it there with symbolic links, and say which root",
            )


def _is_local_path(place: Place, tool: ToolView) -> bool:
    parts = words(place.name)
    last = parts[-1] if parts else ""
    if "relative" in parts or last not in _PATHS | _FILES or not takes_text(place) or _is_narrowed(place):
        return False
    text = explained(tool, place)
    if _ROOTED.search(text) or _ROOTED.search(tool.description):
        return False
    if _LOCAL.search(text):
        return True
    beside = {word for name in siblings(place) if name != place.name for word in words(name)}
    if _ELSEWHERE & beside:
        return False
    return bool(_A_FILE.search(text)) or (not text and last in _UNSAID and not _OTHER_PATHS.search(tool.description))


def _is_narrowed(place: Place) -> bool:
    return all(each.values or each.schema.get("pattern") for each in alternatives(place))


RULE = CatalogRule(
    id="FF209",
    symbol="path-without-root",
    severity="warning",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/wonderwhy-er/DesktopCommanderMCP/issues/403",
        "https://github.com/sworddut/mcp-local-file-reader/issues/3",
        "https://github.com/hashicorp/vault-mcp-server/pull/128",
    ),
    page=Page.read(__doc__),
    check=_check,
)
