"""A description longer than what a client takes.

## What it does

Finds descriptions with more characters than a client hands on, or than a model API accepts.

## Why it hurts

One client cuts without a trace, so that the model chooses by half of the text and nobody sees which half. One API
refuses the whole request, with every tool of every server in it.

## Example

```json
{
  "name": "report_make",
  "description": "Makes a report. The report has a title, a table of contents, one section for each department, one table for each section, one line for each month, and a summary at the end that repeats the title and names the departments. The title is that of the request. The table of contents has one line for each section. A section has a heading, which is the name of the department, and a table. A table has a line for each month with the month's name, the plan, the result and the difference. The plan is the one that was accepted at the beginning of the year. The result is the one that the books have. The difference is the result less the plan. The summary has one sentence for each department. A sentence names the department, the result of the year and the difference of the year. A report has as many pages as it takes. Pages have numbers. Numbers stand at the bottom. The first page has none. The paper has the format that is usual in the country of the company. The margins are those of the template. The template is the one of the company.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
}
```

## Use instead

Say what it does, when to use it and when not, and what comes back. The rest belongs into the fields, or into
documentation for people.

```json
{
  "name": "report_make",
  "description": "Makes the yearly report of all departments, plan beside result. Use it when the user wants the whole report; not for one department (department_get). Returns a link to the document.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
}
```

## When to ignore

The clients that you support are others: name them in `clients`.
"""  # noqa: E501  # the example is as long as what it shows

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    length = len(tool.description)
    if length > demand.limit:
        yield Misfit(
            tool=tool.name,
            pointer="/description",
            what=f"the description has {length:,} characters, {demand.limit:,} are taken",
            fix=f"shorten it by {length - demand.limit:,} characters: what it does, when, when not, what comes back",
        )


RULE = ToolRule(
    id="FF628",
    symbol="description-too-long",
    severity="error",
    question="fits",
    evidence="report",
    sources=("https://github.com/anthropics/claude-code/issues/81268", "https://github.com/probelabs/probe/issues/9"),
    page=Page.read(__doc__),
    check=ToolFit("description-too-long", _find),
)
