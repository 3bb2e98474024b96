"""A review as one HTML page that needs nothing else: no script, no font, no other file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from fourfold.model.finding import QUESTIONS, SEVERITIES, Finding, Question, Reviewed
from fourfold.report.page import page
from fourfold.report.text import verdict

__all__ = ["as_html"]

_MIDDLE = 360
"""Half the width of the map; names stand at both sides of the circle."""
_LARGEST = 220
_EDGE = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    """A tool on the overlap map; `anchor` is where its name is written from."""

    tool: str
    x: float
    y: float

    @property
    def anchor(self) -> str:
        """The SVG text-anchor that keeps the name outside of the circle."""
        return "start" if self.x >= _MIDDLE else "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edge:
    """Two tools that are alike."""

    a: _Node
    b: _Node
    finding: Finding


def as_html(reviewed: Reviewed) -> str:
    """The page. Everything foreign is escaped."""
    nodes, edges = _overlaps(reviewed)
    return page(
        "review.html",
        reviewed=reviewed,
        verdict=verdict(reviewed),
        questions=QUESTIONS,
        severities=SEVERITIES,
        tools=list(dict.fromkeys(reviewed.tools)),
        tokens=dict(zip(reviewed.tools, reviewed.tokens, strict=True)),
        outcomes={"accepted": "pass", "degraded": "warning", "refused": "error"},
        answer=partial(_answer, reviewed),
        nodes=nodes,
        height=2 * (_radius(len(nodes)) + _EDGE),
        edges=edges,
    )


def _answer(reviewed: Reviewed, tool: str, question: Question) -> str:
    """The worst severity of what answers the question with no; `pass` if nothing does."""
    found = {it.severity for it in reviewed.of_tool(tool) if reviewed.question_of(it) == question}
    return next((severity for severity in SEVERITIES[:2] if severity in found), "pass")


def _overlaps(reviewed: Reviewed) -> tuple[Sequence[_Node], Sequence[_Edge]]:
    """The tools that are alike, on a circle, and the pairs."""
    pairs = [finding for finding in reviewed.findings if finding.pair is not None]
    names = list(dict.fromkeys(name for it in pairs for name in (it.tool, it.pair or "")))
    nodes = {
        name: _node(name, 2 * math.pi * index / len(names), _radius(len(names))) for index, name in enumerate(names)
    }
    edges = [_Edge(a=nodes[it.tool], b=nodes[it.pair or ""], finding=it) for it in pairs]
    return [*nodes.values()], edges


def _radius(count: int) -> int:
    """Of the circle that so many tools stand on."""
    return min(_LARGEST, 40 + 12 * count)


def _node(name: str, angle: float, radius: int) -> _Node:
    x, y = _MIDDLE + radius * math.cos(angle), _EDGE + radius + radius * math.sin(angle)
    return _Node(tool=name, x=round(x, 1), y=round(y, 1))
