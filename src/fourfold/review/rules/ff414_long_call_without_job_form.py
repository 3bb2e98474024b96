"""A call that takes longer than clients wait.

## What it does

Finds tools that declare, in `_meta` or in their description, that they may run for more than 50 seconds, and return
no job, task or operation that can be asked for later.

## Why it hurts

Clients give up after 60 seconds, many of them whatever progress is reported. The work goes on, its outcome is lost,
and the call is made again.

## Example

```json
{
  "name": "topic_research",
  "description": "Research a topic.",
  "inputSchema": {
    "type": "object",
    "properties": {"topic": {"type": "string", "maxLength": 40}},
    "required": ["topic"],
    "additionalProperties": false
  },
  "_meta": {"example/max_seconds": 600}
}
```

## Use instead

Return at once with a job, and let the caller ask for its state.

```json
{
  "name": "topic_research",
  "description": "Start the research of a topic. Ask for its state with research_status.",
  "inputSchema": {
    "type": "object",
    "properties": {"topic": {"type": "string", "maxLength": 40}},
    "required": ["topic"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {"job_id": {"type": "string", "maxLength": 40}},
    "required": ["job_id"]
  },
  "_meta": {"example/max_seconds": 600}
}
```

## When to ignore

Every client that you serve is known to wait, or speaks the protocol's tasks (`execution.taskSupport`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.contracts.strict_json import pointer
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_LONGEST_S = 50
_JOBS = frozenset({"job", "task", "operation", "run", "execution", "request"})
_SECONDS = frozenset({"seconds", "sec", "secs", "s"})
_BOUND = frozenset({"max", "timeout", "duration", "maximum", "takes", "runtime", "deadline"})
_MINUTES = re.compile(
    r"\b(?:takes?|taking|up to|may take|can take|may last)\b[^.\n]{0,40}?"
    r"\b(?:several minutes|\d+\s?(?:-\s?\d+\s?)?min(?:ute)?s?)\b",
    re.IGNORECASE,
)


_SAYS_JOB = re.compile(
    r"\bjob\b|\bpoll|\basync|\bbackground\b|_status\b|\bstatus\b|replies before|returns immediately", re.IGNORECASE
)


def _check(tool: ToolView) -> Iterator[Hit]:
    if _has_job_form(tool):
        return
    for key, value in tool.tool.part("_meta").items():
        seconds = _seconds(key, value)
        if seconds > _LONGEST_S:
            yield _hit(pointer("_meta", key), f"it may run for {seconds:g} seconds, and clients give up at 60")
    if _SAYS_JOB.search(tool.description):
        return
    if found := _MINUTES.search(tool.description):
        yield _hit("/description", f"it says {' '.join(found[0].split())!r}, and clients give up after 60 seconds")


def _seconds(key: str, value: object) -> float:
    parts = set(words(key))
    if isinstance(value, bool) or not isinstance(value, int | float) or not parts & _BOUND:
        return 0
    return value / 1000 if parts & {"ms", "millis", "milliseconds"} else value if parts & _SECONDS else 0


def _has_job_form(tool: ToolView) -> bool:
    # Tasks of the protocol are a job form that every client of them knows.
    if tool.tool.part("execution").get("taskSupport") in ("optional", "required"):
        return True
    names = [words(place.name) for place in (*tool.fields, *tool.arguments)]
    return any(name[-1:] == ("id",) and _JOBS & set(name) for name in names) or any(
        name in (("job",), ("background",), ("async",), ("wait",)) for name in names
    )


def _hit(at: str, message: str) -> Hit:
    return Hit(pointer=at, message=message, fix="return a job at once, and give its state with a second tool")


RULE = ToolRule(
    id="FF414",
    symbol="long-call-without-job-form",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/anomalyco/opencode/issues/24965",
        "https://github.com/anthropics/claude-ai-mcp/issues/115",
    ),
    page=Page.read(__doc__),
    check=_check,
)
