"""How one tool does: day by day, and under each version of its contract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fourfold.ports.tallies import SumFilter
from fourfold.ports.units import Unit
from fourfold.runs.asking import AskedStore, ask
from fourfold.runs.traffic import Key, Moment, Sums, Traffic, traffic_by

__all__ = ["ToolCourse", "Version", "of_tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A contract version of a tool: the first and the last day on which it was called, and its traffic."""

    version: str
    first_day_ms: int
    last_day_ms: int
    traffic: Traffic


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCourse:
    """One tool: each day with calls, all versions together, and each version in the order of their first days."""

    total: Traffic
    days: Sequence[Moment]
    versions: Sequence[Version]


async def of_tool(store: AskedStore, where: SumFilter) -> ToolCourse | None:
    """The course of the tool of `where`; `None` if it was not called. Days are in UTC.

    Of `where` only tenant, tool and times restrict; charges are not in it. An operation counts on the day of its
    first attempt, under the version of that one.

    Raises:
        StoreError: the database refused or failed.
    """
    asked = SumFilter(tenant=where.tenant, tool=where.tool, since_ms=where.since_ms, until_ms=where.until_ms)

    def question(unit: Unit) -> Sums:
        return Sums(
            usage=store.tallies.usage(unit, asked, by=("contract_version", "day_ms")),
            latencies=store.tallies.latencies(unit, asked, by=("contract_version", "day_ms")),
            operations=store.tallies.operations(unit, asked, by=("contract_version", "day_ms")),
        )

    sums = await ask(store, question, tenant=where.tenant)
    days = traffic_by(sums, lambda key: key[1:])
    if not days:
        return None
    return ToolCourse(
        total=traffic_by(sums, lambda _: ())[()],
        days=[Moment(at_ms=int(key[0]), traffic=traffic) for key, traffic in days.items()],
        versions=_versions(sums),
    )


def _versions(sums: Sums) -> Sequence[Version]:
    days: dict[Key, list[int]] = {}
    for each in (*sums.usage, *sums.operations):
        days.setdefault(each.key[:1], []).append(int(each.key[1]))
    found = [
        Version(version=str(key[0]), first_day_ms=min(days[key]), last_day_ms=max(days[key]), traffic=traffic)
        for key, traffic in traffic_by(sums, lambda key: key[:1]).items()
    ]
    return sorted(found, key=lambda each: (each.first_day_ms, each.version))
