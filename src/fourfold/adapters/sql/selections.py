"""`SqlSelections`: results of selection suites (ports.selections). Owns its SQL and no connection."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from fourfold.adapters.sql.unit import OwnedUnit, own
from fourfold.model.selected import KeptResult, RunFacts, ToolScore
from fourfold.ports.selections import MOST_PAIRS, MOST_RESULTS
from fourfold.ports.units import Row, Unit

__all__ = ["SqlSelections"]

_ADD = """
INSERT INTO fourfold_selection (
    result_id, at_ms, name, suite, suite_digest, chooser, models, catalog, rule, facts, cases, cases_right
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (result_id) DO NOTHING
"""
_ADD_TOOL = """
INSERT INTO fourfold_selection_tool (
    result_id, tool, version, cases, cases_right, samples, passed, exact, lenient, wrong_tool, no_call, calls,
    forbidden, authority, reasons
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_ADD_PAIR = "INSERT INTO fourfold_selection_pair (result_id, wanted, got, samples) VALUES (?, ?, ?, ?)"
_MAKE_ROOM = """
DELETE FROM fourfold_selection WHERE result_id IN (
    SELECT result_id FROM fourfold_selection WHERE suite = ? ORDER BY at_ms DESC, result_id DESC LIMIT ? OFFSET ?
)
"""
_AT_ONCE = 100
"""Results that make room at once: more than one only where more were kept before."""

_NEWEST = """
SELECT result_id, at_ms, name, suite, models, rule, facts, cases, cases_right FROM fourfold_selection
WHERE (? = '' OR suite = ?) AND at_ms >= ? ORDER BY at_ms DESC, result_id DESC LIMIT ?
"""
_TOOLS = """
SELECT result_id, tool, version, cases, cases_right, samples, passed, exact, lenient, wrong_tool, no_call,
    calls, forbidden, authority, reasons
FROM fourfold_selection_tool WHERE result_id IN (
    SELECT result_id FROM fourfold_selection
    WHERE (? = '' OR suite = ?) AND at_ms >= ? ORDER BY at_ms DESC, result_id DESC LIMIT ?
) ORDER BY result_id, tool
"""
_PAIRS = "SELECT wanted, got, samples FROM fourfold_selection_pair WHERE result_id = ? ORDER BY wanted, got"


class SqlSelections:
    """Results in `fourfold_selection`, with their tools and their pairs of tools."""

    def add(self, unit: Unit, result: KeptResult, *, confusion: Mapping[tuple[str, str], int]) -> bool:
        """Keep a result; `False` if it is kept already. Beyond `MOST_RESULTS` of its suite the oldest go."""
        owned = own(unit)
        if not owned.execute(_ADD, _row_of(result)):
            return False
        for score in result.tools:
            owned.execute(_ADD_TOOL, _row_of_tool(result.result_id, score))
        for (wanted, got), samples in _most_frequent(confusion):
            owned.execute(_ADD_PAIR, (result.result_id, wanted, got, samples))
        owned.execute(_MAKE_ROOM, (result.suite, _AT_ONCE, MOST_RESULTS))
        return True

    def results(self, unit: Unit, *, suite: str = "", since_ms: int | None = None, limit: int) -> Sequence[KeptResult]:
        """The newest results, of one suite if it is named, from `since_ms` on; the oldest of them first."""
        owned, values = own(unit), (suite, suite, -(2**62) if since_ms is None else since_ms, limit)
        tools = _tools(owned, values)
        return [_result(row, tools[row["result_id"]]) for row in reversed(owned.rows(_NEWEST, values))]

    def confusion(self, unit: Unit, result_id: str) -> Mapping[tuple[str, str], int]:
        """Which tool was wanted, which was called first, and how often; empty for a result that is not kept."""
        return {(row["wanted"], row["got"]): row["samples"] for row in own(unit).rows(_PAIRS, (result_id,))}


def _most_frequent(confusion: Mapping[tuple[str, str], int]) -> Iterable[tuple[tuple[str, str], int]]:
    return sorted(confusion.items(), key=lambda each: (-each[1], each[0]))[:MOST_PAIRS]


def _row_of(result: KeptResult) -> tuple[Any, ...]:
    facts = result.facts
    return (
        result.result_id,
        _milliseconds(result.at),
        result.name,
        result.suite,
        facts.suite,
        facts.chooser,
        json.dumps(result.models, ensure_ascii=False),
        facts.catalog,
        result.rule,
        json.dumps(asdict(facts), ensure_ascii=False),
        result.cases,
        result.cases_right,
    )


def _row_of_tool(result_id: str, score: ToolScore) -> tuple[Any, ...]:
    scored = (score.samples, score.right, score.exact, score.lenient, score.wrong_tool, score.no_call)
    called = (score.calls, score.forbidden, score.authority, json.dumps(dict(score.reasons)))
    return (result_id, score.tool, score.version, score.cases, score.cases_right, *scored, *called)


def _tools(owned: OwnedUnit, values: tuple[Any, ...]) -> Mapping[str, list[ToolScore]]:
    """The scores of the results that the same question gives, by their ids."""
    found: dict[str, list[ToolScore]] = defaultdict(list)
    for row in owned.rows(_TOOLS, values):
        columns = {**row}
        result_id, reasons = columns.pop("result_id"), json.loads(columns.pop("reasons"))
        found[result_id].append(ToolScore(right=columns.pop("passed"), reasons=reasons, **columns))
    return found


def _result(row: Row, tools: Iterable[ToolScore]) -> KeptResult:
    return KeptResult(
        result_id=row["result_id"],
        name=row["name"],
        suite=row["suite"],
        at=f"{datetime.fromtimestamp(row['at_ms'] / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}",
        rule=row["rule"],
        facts=RunFacts(**json.loads(row["facts"])),
        models=tuple(json.loads(row["models"])),
        cases=row["cases"],
        cases_right=row["cases_right"],
        tools=tuple(tools),
    )


def _milliseconds(at: str) -> int:
    moment = datetime.fromisoformat(at)
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)
