"""A command, a script or code as an argument.

## What it does

Finds text arguments that a shell or an interpreter runs: `command` of a tool that executes, `script`, `code` of a
tool that evaluates. Code that a page of a browser runs is a warning. A `command` that only picks one of the tool's
own actions is left alone.

## Why it hurts

Whatever the process that runs it may do, the text may do: read its environment, delete, send; in a page, act as
whoever is signed in there. Lists of forbidden words do not help, because a shell has more ways to say a thing than a
list has, and a list of allowed programs says nothing of what those do.

## Example

```json
{
  "name": "run_command",
  "description": "Run a shell command on the host.",
  "inputSchema": {
    "type": "object",
    "properties": {"command": {"type": "string", "maxLength": 4000}},
    "required": ["command"],
    "additionalProperties": false
  }
}
```

## Use instead

Offer the actions that are needed, each with its typed arguments, and start programs with an argument list instead
of a shell. What has to stay free belongs where little can be reached.

```json
{
  "name": "service_restart",
  "description": "Restart one of the services.",
  "inputSchema": {
    "type": "object",
    "properties": {"service": {"type": "string", "enum": ["web", "worker"]}},
    "required": ["service"],
    "additionalProperties": false
  }
}
```

## When to ignore

A server that is a shell or an interpreter for its own user, inside a sandbox that holds without the tool's help.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import alternatives, arguments, explained, takes_text
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_SHELLS = frozenset(words("shell bash powershell argv cmdline"))
_COMMANDS = frozenset(words("command commands cmd"))
_CODE = frozenset(words("script function javascript python js expression"))
_KINDS_OF_CODE = frozenset(words("python js javascript source shell program sql blender"))
"""What stands before `code` in a program; an error code and a currency code are none."""

_RUNS = frozenset(words("shell exec execute run bash terminal eval evaluate process subprocess interpreter repl"))
_RUNS_COMMANDS = re.compile(r"\b(?:shell|terminal|bash|subprocess|in(?:side)? the container)\b", re.IGNORECASE)
_RUNS_CODE = re.compile(r"\b(?:JavaScript|Python|PowerShell|bash|shell)\b", re.IGNORECASE)

_IN_PAGE = re.compile(
    r"\b(?:in|on|into|inside) (?:the |a |each )?(?:\w+ )?(?:page|document|element|tab)\b", re.IGNORECASE
)


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, arguments(tool), rule="free_query"):
        if takes_text(place) and _is_free(place) and _is_run(place, tool):
            what = "code to run" if words(place.name)[-1] in _CODE | {"code"} else "a whole command"
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is {what}, and nothing in the schema bounds what it does",
                fix="offer the needed actions as tools with typed arguments; what must stay free, run in a sandbox",
                severity="warning" if _is_of_a_page(place, tool) else None,
            )


def _is_run(place: Place, tool: ToolView) -> bool:
    parts = words(place.name)
    if not parts:
        return False
    text, runs = explained(tool, place), bool(_RUNS & set(tool.words))
    if parts[-1] in _SHELLS:
        return True
    if parts[-1] in _COMMANDS:
        return runs or bool(_RUNS_COMMANDS.search(text))
    is_code = parts[-1] in _CODE or (parts[-1] == "code" and (len(parts) == 1 or parts[-2] in _KINDS_OF_CODE))
    return is_code and (runs or (parts[-1] == "script" and bool(_RUNS_CODE.search(text))))


def _is_of_a_page(place: Place, tool: ToolView) -> bool:
    text = f"{tool.description}\n{place.description}"
    return words(place.name)[-1] in _CODE and bool(_IN_PAGE.search(text))


def _is_free(place: Place) -> bool:
    return any(not each.values and not each.schema.get("pattern") for each in alternatives(place))


RULE = ToolRule(
    id="FF207",
    symbol="free-command",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/hdresearch/mcp-shell/issues/17",
        "https://github.com/blazickjp/shell-mcp-server/issues/6",
        "https://github.com/0xKoda/WireMCP/issues/12",
    ),
    page=Page.read(__doc__),
    check=_check,
)
