"""`SqlSeals`: the chain of seals and the rows behind it, in SQL (ports.seals.Seals). Owns no connection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from typing import Any

from fourfold.adapters.sql.unit import own
from fourfold.model.seal import GENESIS, Seal, SignedSeal
from fourfold.ports.seals import NewestRun, Waiting
from fourfold.ports.units import Row, Unit
from fourfold.runs.sealed import digest_of

__all__ = ["SEAL", "SqlSeals"]

SEAL = "fourfold.seal"
"""What one process at a time does."""

_FIELDS = tuple(field.name for field in fields(Seal))
_NUMBERS = frozenset(field.name for field in fields(Seal) if field.type == "int")
_NAMES = ", ".join(_FIELDS)

_NEWEST_RUN = "SELECT seq, at_ms FROM fourfold_run ORDER BY seq DESC LIMIT 1"
_ROWS = """
SELECT {columns} FROM fourfold_run WHERE seq > :after_seq AND seq <= :to_seq ORDER BY seq LIMIT :limit
"""
_COUNT = "SELECT count(*) AS runs FROM fourfold_run WHERE seq > :after_seq AND seq <= :to_seq"
_ROW = "SELECT {columns} FROM fourfold_run WHERE run_id = :run_id"
_WAITING = "SELECT count(*) AS runs, coalesce(min(at_ms), 0) AS oldest_ms FROM fourfold_run WHERE seq > :after_seq"
_OLDER = "SELECT 1 AS found FROM fourfold_run WHERE at_ms < :before_ms AND seq <= :to_seq LIMIT 1"

_BEFORE = f"SELECT {_NAMES}, signature FROM fourfold_seal WHERE no < :no ORDER BY no DESC LIMIT :limit"
_COVERING = f"""
SELECT {_NAMES}, signature FROM fourfold_seal
WHERE to_seq >= :seq AND after_seq < :seq AND kind = 'runs' ORDER BY to_seq LIMIT 1
"""
_LEAVES = "SELECT leaves FROM fourfold_seal_leaves WHERE no = :no"
_ADD = f"""
INSERT INTO fourfold_seal ({_NAMES}, signature) VALUES ({", ".join(f":{name}" for name in _FIELDS)}, :signature)
"""
# Those of an entry that somebody took away are of no use any more.
_ADD_LEAVES = """
INSERT INTO fourfold_seal_leaves (no, leaves) VALUES (:no, :leaves)
ON CONFLICT (no) DO UPDATE SET leaves = excluded.leaves
"""
_FORGET = """
DELETE FROM fourfold_seal_leaves
WHERE no IN (SELECT no FROM fourfold_seal WHERE kind = 'runs' AND day_ms < :before_ms)
"""

_LAST = 2**63 - 1


class SqlSeals:
    """Keeps the chain, and reads the rows behind it.

    `writers` is a question for the transactions that may still add a run below those that are stored. A database with
    one writer has none, and needs no question.
    """

    def __init__(self, writers: str = "") -> None:
        self._writers = writers

    def newest_run(self, unit: Unit) -> NewestRun | None:
        """The run with the highest number that this transaction sees."""
        row = own(unit).row(_NEWEST_RUN)
        return None if row is None else NewestRun(seq=row["seq"], at_ms=row["at_ms"])

    def writers(self, unit: Unit) -> frozenset[str]:
        """Open transactions that may still add a run below those that are stored, at this moment."""
        return frozenset(row["writer"] for row in own(unit).rows(self._writers)) if self._writers else frozenset()

    def rows(self, unit: Unit, columns: Iterable[str], *, after_seq: int, to_seq: int, limit: int) -> Sequence[Row]:
        """Those columns of the runs with `after_seq < seq <= to_seq`, in the order of seq."""
        sql = _ROWS.format(columns=", ".join(columns))
        return own(unit).rows(sql, {"after_seq": after_seq, "to_seq": to_seq, "limit": limit})

    def row(self, unit: Unit, columns: Iterable[str], *, run_id: str) -> Row | None:
        """Those columns of one run."""
        return own(unit).row(_ROW.format(columns=", ".join(columns)), {"run_id": run_id})

    def waiting(self, unit: Unit, *, after_seq: int) -> Waiting:
        """What is stored beyond the last range."""
        row = own(unit).row(_WAITING, {"after_seq": after_seq}) or {"runs": 0, "oldest_ms": 0}
        return Waiting(runs=row["runs"], oldest_ms=row["oldest_ms"])

    def older(self, unit: Unit, *, before_ms: int, to_seq: int) -> bool:
        """Whether a run up to `to_seq` arrived before `before_ms`."""
        return own(unit).row(_OLDER, {"before_ms": before_ms, "to_seq": to_seq}) is not None

    def newest(self, unit: Unit) -> SignedSeal | None:
        """The head of the chain."""
        found = self.before(unit, _LAST, limit=1)
        return found[0] if found else None

    def before(self, unit: Unit, no: int, *, limit: int) -> Sequence[SignedSeal]:
        """Entries with a smaller number than `no`, newest first."""
        return [_entry_of(row) for row in own(unit).rows(_BEFORE, {"no": no, "limit": limit})]

    def covering(self, unit: Unit, seq: int) -> SignedSeal | None:
        """The entry whose range `seq` is in."""
        row = own(unit).row(_COVERING, {"seq": seq})
        return None if row is None else _entry_of(row)

    def leaves(self, unit: Unit, no: int) -> bytes:
        """The hashes of the runs of an entry, one after the other, as they were sealed; empty when they are gone."""
        row = own(unit).row(_LEAVES, {"no": no})
        return b"" if row is None else bytes(row["leaves"])

    def add(self, unit: Unit, entry: SignedSeal, *, leaves: bytes) -> bool:
        """Put `entry` behind the head that it names; `False` when that is no longer the head, or its runs are gone."""
        self.alone(unit)
        head, seal, owned = self.newest(unit), entry.seal, own(unit)
        if seal.previous != (GENESIS if head is None else digest_of(head.seal)):
            return False
        counted = owned.row(_COUNT, {"after_seq": seal.after_seq, "to_seq": seal.to_seq})
        if counted is None or counted["runs"] != seal.rows:
            return False
        owned.execute(_ADD, {**asdict(seal), "signature": entry.signature})
        if leaves:
            owned.execute(_ADD_LEAVES, {"no": seal.no, "leaves": leaves})
        return True

    def alone(self, unit: Unit) -> None:
        """Keep out whoever else adds to the chain or drops runs, until this transaction ends.

        Raises:
            StoreContended: another one went on for longer than the framework waits.
        """
        own(unit).alone(SEAL)

    def forget_leaves(self, unit: Unit, *, before_ms: int) -> None:
        """Drop the hashes of runs of earlier days, which were dropped themselves."""
        own(unit).execute(_FORGET, {"before_ms": before_ms})


def _entry_of(row: Row) -> SignedSeal:
    values: dict[str, Any] = {name: _number(row[name]) if name in _NUMBERS else str(row[name]) for name in _FIELDS}
    return SignedSeal(seal=Seal(**values), signature=str(row["signature"]))


def _number(value: object) -> int:
    """A number; one that was never signed in place of whatever else SQLite lets somebody put there."""
    return value if isinstance(value, int) else -1
