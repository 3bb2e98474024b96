"""Questions to the runs as SQL: what restricts them, by which index they are found, and how far is looked.

Only fixed words are joined; every value is a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fourfold.model.run import UNKNOWN_SUBJECT, RunFilter
from fourfold.ports.runs import RunPlace

__all__ = ["RunQuestion"]

_FIRST_MS, _LAST_MS = -(2**62), 2**62

_FAILED = "r.outcome NOT IN ('done', 'needs_input')"
"""What counts as a failure; the partial indexes have the same words. A question to a person is none."""

_NO_FAILURES = frozenset({"", "done", "needs_input"})
_EQUAL = ("tenant", "principal", "subject", "tool", "code", "outcome")

_RECORDS = """
SELECT r.*, c.total_us, c.delivered
FROM fourfold_run AS r LEFT JOIN fourfold_run_closing AS c ON c.run_id = r.run_id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunQuestion:
    """Runs that `where` lets through, on one side of `place` if there is one, in the order of their arrival.

    They are found by one index, and what else `where` has is compared with each run that this gives: a database
    without statistics would choose any of several indexes, and read all of a tenant's runs for the few of an account.
    """

    where: RunFilter
    place: RunPlace | None = None
    older: bool = True

    @property
    def records(self) -> str:
        """The statement for the nearest records; `limit` is a parameter."""
        order = "r.at_ms DESC, r.run_id DESC" if self.older else "r.at_ms, r.run_id"
        return f"{_RECORDS} WHERE {self._found} AND {self._compared} ORDER BY {order} LIMIT :limit"

    @property
    def count(self) -> str:
        """The statement for how many there are, up to `limit`."""
        return f"""
        SELECT count(*) AS runs FROM (
            SELECT 1 AS one FROM fourfold_run AS r WHERE {self._found} AND {self._compared} LIMIT :limit
        ) AS n
        """

    @property
    def reach(self) -> str:
        """The statement for when the run arrived that is `reach` runs away; it reads nothing but the index."""
        order = "DESC" if self.older else "ASC"
        return f"""
        SELECT r.at_ms FROM fourfold_run AS r WHERE {self._found} ORDER BY r.at_ms {order} LIMIT 1 OFFSET :reach
        """

    def values(self, *, reached_ms: int | None = None) -> dict[str, Any]:
        """The parameters of the statements; looking ends with the runs of `reached_ms`.

        There is one bound at each end, since a database looks up only one of several.
        """
        where, place = self.where, self.place
        since = _FIRST_MS if where.since_ms is None else where.since_ms
        until = _LAST_MS if where.until_ms is None else where.until_ms
        if place is not None and self.older:
            # No id is before "": such a place is where looking ended, and has to be left behind.
            until = min(until, place.at_ms + (place.run_id != ""))
        elif place is not None:
            since = max(since, place.at_ms)
        if reached_ms is not None:
            since, until = (max(since, reached_ms), until) if self.older else (since, min(until, reached_ms + 1))
        found = {"since_ms": since, "until_ms": until} | {name: getattr(where, name) for name in _EQUAL}
        return found if place is None else found | {"place_ms": place.at_ms, "place_id": place.run_id}

    @property
    def _found(self) -> str:
        """What the index is asked for."""
        chosen = ["r.at_ms >= :since_ms AND r.at_ms < :until_ms"]
        if self._index:
            chosen.append(f"r.{self._index} = :{self._index}")
        return " AND ".join([*chosen, _FAILED] if self._fails else chosen)

    @property
    def _compared(self) -> str:
        """What each run is compared with. Something is appended, so that no index is looked for."""
        chosen = [f"r.{name} || '' = :{name}" for name in _EQUAL if getattr(self.where, name) and name != self._index]
        if self.place is not None:
            way = "<" if self.older else ">"
            chosen.append(f"(r.at_ms {way} :place_ms OR r.run_id {way} :place_id)")
        return " AND ".join(chosen) or "true"

    @property
    def _index(self) -> str:
        """The column whose index is used, or "" for that of the times alone."""
        where = self.where
        if where.subject not in ("", UNKNOWN_SUBJECT):
            return "subject"
        if where.tenant:
            return "tenant"
        if self._fails:
            return "code" if where.code else ""
        return "tool" if where.tool else ""

    @property
    def _fails(self) -> bool:
        """Whether only failures can be meant: a code has nothing else."""
        where = self.where
        return where.failed or where.outcome not in _NO_FAILURES or bool(where.code)
