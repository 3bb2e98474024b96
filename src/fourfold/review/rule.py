"""`Rule`: one thing that the review looks for, with the page that explains it."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.model.finding import Evidence, Question, RuleFacts, Severity
from fourfold.model.listed import ToolAnswer
from fourfold.review.view import CatalogView, ToolView

__all__ = ["HEADINGS", "AnswerRule", "CatalogRule", "Hit", "Page", "Rule", "ToolRule"]

HEADINGS = ("What it does", "Why it hurts", "Example", "Use instead", "When to ignore")
"""The headings of a rule's page, in this order. `Example` and `Use instead` end with a block of JSON."""

_JSON_BLOCK = re.compile(r"```json\n(.*?)```", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Where a rule fires. The engine makes a finding of it.

    Attributes:
        pointer: as in `Finding`.
        tool: for a rule about a catalog, the tool that it is about; empty for the catalog as a whole.
        evidence: what the message rests on; empty for what stands behind the rule.
        severity: if this hit is worse or less bad than the rule is in general.
    """

    pointer: str
    message: str
    fix: str
    tool: str = ""
    pair: str | None = None
    evidence: str = ""
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A rule's page, out of the docstring of its module: a summary line, then a section for each of `HEADINGS`."""

    summary: str
    sections: Mapping[str, str]

    @classmethod
    def read(cls, docstring: str | None) -> Page:
        """The page in `docstring`.

        Raises:
            ValueError: a heading is missing, or stands in another order.
        """
        head, *rest = re.split(r"^## (.+)$", inspect.cleandoc(docstring or ""), flags=re.MULTILINE)
        sections = {name.strip(): text.strip() for name, text in zip(rest[::2], rest[1::2], strict=True)}
        if tuple(sections) != HEADINGS:
            raise ValueError(
                f"a rule's page has the headings {', '.join(HEADINGS)}; this one has {', '.join(sections)}"
            )
        return cls(head.strip(), sections)

    def example(self, heading: str) -> JsonObject:
        """The JSON of `Example` or `Use instead`."""
        return cast("JsonObject", json.loads(_JSON_BLOCK.findall(self.sections[heading])[-1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What every rule has.

    Attributes:
        id: `FF` and three digits, the first of which is its family; never given to another rule.
        symbol: its readable name, such as `identity-argument`.
        since: the version of Fourfold that brought it.
        page: `Page.read(__doc__)`, from the docstring of the rule's module.
        sources: addresses of the public reports or measurements behind it; none for a judgement.
        together: whether one finding stands for all tools with the same words at the same place, as from one cause.
    """

    id: str
    symbol: str
    severity: Severity
    question: Question
    evidence: Evidence
    page: Page
    since: str = "0.1"
    sources: tuple[str, ...] = ()
    together: bool = False

    @property
    def facts(self) -> RuleFacts:
        """What a report says about it."""
        return RuleFacts(
            id=self.id,
            symbol=self.symbol,
            summary=self.page.summary,
            severity=self.severity,
            question=self.question,
            evidence=self.evidence,
            since=self.since,
            sources=self.sources,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRule(Rule):
    """A rule that looks at one tool."""

    check: Callable[[ToolView], Iterator[Hit]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogRule(Rule):
    """A rule that looks at all tools together; each hit names its tool."""

    check: Callable[[CatalogView], Iterator[Hit]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRule(Rule):
    """A rule that looks at what a live server answered; pointers point into the result."""

    check: Callable[[ToolView, ToolAnswer], Iterator[Hit]]
