"""A tool's card: its four contracts, what the review finds in it, and how it has done day by day."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fourfold.console.asked import Asked
from fourfold.console.fields import SchemaField, fields_of
from fourfold.console.pages.tools import catalog_of
from fourfold.console.spans import span_of
from fourfold.model.claim import EffectClass
from fourfold.model.contract import JsonObject, ToolContract
from fourfold.model.finding import SEVERITIES, Finding
from fourfold.model.plan import Approval, PlanTerms
from fourfold.ports.tallies import SumFilter
from fourfold.runs.of_tool import ToolCourse, of_tool
from fourfold.runs.sum_keys import DAY_MS
from fourfold.runs.traffic import Traffic

__all__ = ["tool"]

_MOST_MARKS = 20

_AGREES: Mapping[Approval, str] = {
    "none": "nobody has to agree",
    "caller": "a person at the caller has to agree",
    "second_person": "a second person has to agree",
}

_IF_CUT_OFF: Mapping[EffectClass, str] = {
    "local": "it happened exactly if its claim is settled",
    "external_keyed": "it is sent again with the same key",
    "external_probe": "it is looked up in the other system",
    "external_blind": "nobody repeats it; a person has to look",
}


async def tool(asked: Asked) -> Response:
    """The card of `?name=`. A name that is in no catalog and was never called, as far as the viewer sees, is 404."""
    name, span, known = asked.value("name"), span_of(asked, "30d", "7d", "90d", "365d"), catalog_of(asked)
    contract = known.contracts.get(name) if known else None
    where = SumFilter(tenant=asked.tenant, tool=name, since_ms=span.since_ms)
    course = await of_tool(asked.console.store, where) if name else None
    if contract is None and course is None:
        raise HTTPException(404)
    return asked.page(
        "tool.html",
        name=name,
        span=span,
        course=course,
        charts=[] if course is None else _charts(course),
        contract=contract,
        inputs=_fields(contract, "input_schema"),
        outputs=_fields(contract, "output_schema"),
        schemas=[] if contract is None else _schemas(contract),
        approval=_approval(contract),
        if_cut_off=_IF_CUT_OFF[contract.recovery] if contract else "",
        findings=[] if known is None else sorted(known.reviewed.of_tool(name), key=_worst_first),
        waived=[] if known is None else [each for each in known.reviewed.waived if each.finding.tool == name],
        tokens=known.tokens.get(name) if known else None,
    )


def _worst_first(finding: Finding) -> tuple[int, str]:
    return SEVERITIES.index(finding.severity), finding.pointer


def _fields(contract: ToolContract | None, side: str) -> Sequence[SchemaField]:
    return [] if contract is None else fields_of(getattr(contract, side), ours=contract.framework_arguments)


def _schemas(contract: ToolContract) -> Sequence[tuple[str, str]]:
    return [("Input", _indented(contract.input_schema)), ("Output", _indented(contract.output_schema))]


def _indented(schema: JsonObject) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False)


def _approval(contract: ToolContract | None) -> str:
    """Who has to agree before a plan is executed, in words; "" where nothing is planned."""
    plan: PlanTerms | None = contract.effect.plan if contract else None
    if plan is None:
        return ""
    return "decided for each plan, by what it would do" if callable(plan.approval) else _AGREES[plan.approval]


def _charts(course: ToolCourse) -> Sequence[tuple[str, str]]:
    """The charts, each with its heading, as JSON for the script that draws them."""
    first, last = course.days[0].at_ms, course.days[-1].at_ms
    by_day = {moment.at_ms: moment.traffic for moment in course.days}
    days = range(first, last + 1, DAY_MS)
    # The version that was there first did not change anything.
    marks = [
        {"at": version.first_day_ms // 1000, "label": version.version or "unknown"}
        for version in course.versions[1:][:_MOST_MARKS]
    ]

    def chart(unit: str, series: Mapping[str, Callable[[Traffic], float | None]]) -> str:
        lines = [
            {"label": label, "values": [measure(by_day[day]) if day in by_day else None for day in days]}
            for label, measure in series.items()
        ]
        return json.dumps({"unit": unit, "times": [day // 1000 for day in days], "series": lines, "marks": marks})

    return [
        ("Success and retry rate", chart("%", {"success": _success, "retried": _retried})),
        ("How long calls took", chart("ms", {"p50": _p50, "p99": _p99})),
    ]


def _success(traffic: Traffic) -> float | None:
    return 100 * (1 - traffic.failure_rate) if traffic.runs else None


def _retried(traffic: Traffic) -> float | None:
    return 100 * traffic.retry_rate if traffic.operations else None


def _p50(traffic: Traffic) -> float | None:
    return None if traffic.p50_us is None else traffic.p50_us / 1000


def _p99(traffic: Traffic) -> float | None:
    return None if traffic.p99_us is None else traffic.p99_us / 1000
