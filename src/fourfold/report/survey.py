"""A survey as text with bars, as a chart, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

from fourfold.model.survey import Counted
from fourfold.report.page import page

__all__ = ["survey_chart", "survey_csv", "survey_facts", "survey_text"]

_BAR = 20
_TOP, _STEP = 64, 38
_LEFT, _BREADTH, _WIDTH = 300, 400, 780
_COLUMNS = (
    "measure",
    "found",
    "total",
    "share",
    "catalogs",
    "without any",
    "lower quartile",
    "median",
    "upper quartile",
)


def survey_text(counted: Sequence[Counted], *, catalogs: int, tools: int) -> Iterator[str]:
    """A line for each measure: the share over all, a bar, and how catalogs differ."""
    yield f"{tools} tools in {catalogs} catalogs"
    width = max(len(each.name) for each in counted)
    yield f"{'':{width}}  {'found':>6} {'of':>6}  {'share':>6}  {'':{_BAR}}  quartiles of catalogs   catalogs without"
    for each in counted:
        spread = each.spread
        bar = "█" * round(each.share * _BAR)
        quartiles = f"{spread.low:>5.0%} {spread.median:>5.0%} {spread.high:>5.0%}"
        yield (
            f"{each.name:{width}}  {each.found:>6} {each.total:>6}  {each.share:>6.1%}  {bar:{_BAR}}  {quartiles}"
            f"       {spread.none} of {spread.catalogs}"
        )


def survey_chart(counted: Sequence[Counted], *, catalogs: int, tools: int) -> str:
    """The shares as an SVG image: a bar over all, and a dot for each catalog.

    Raises:
        ConfigError: the library for templates is not installed.
    """
    rows = [
        {
            "name": each.name,
            "share": f"{each.share:.1%}",
            "bar": round(each.share * _BREADTH, 1),
            "dots": [round(_LEFT + found / total * _BREADTH, 1) for found, total in each.each if total],
        }
        for each in counted
    ]
    return page(
        "survey.svg",
        rows=rows,
        catalogs=catalogs,
        tools=tools,
        top=_TOP,
        step=_STEP,
        left=_LEFT,
        breadth=_BREADTH,
        width=_WIDTH,
        height=_TOP + _STEP * len(rows) + 8,
    )


def survey_csv(counted: Sequence[Counted]) -> str:
    """A row for each measure, with a heading; shares between 0 and 1."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for each in counted:
        spread = each.spread
        shares = [f"{share:.4f}" for share in (spread.low, spread.median, spread.high)]
        rows.writerow([each.name, each.found, each.total, f"{each.share:.4f}", spread.catalogs, spread.none, *shares])
    return text.getvalue().rstrip("\n")


def survey_facts(counted: Sequence[Counted], *, catalogs: int, tools: int) -> Mapping[str, object]:
    """The same as one JSON object (docs/schemas/survey.json)."""
    return {
        "catalogs": catalogs,
        "tools": tools,
        "measures": [
            {
                "name": each.name,
                "of": each.of,
                "found": each.found,
                "total": each.total,
                "share": round(each.share, 4),
                "each": [{"found": found, "total": total} for found, total in each.each],
            }
            for each in counted
        ],
    }
