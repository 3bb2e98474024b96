"""What is wrong with sealed runs: the runs of one range, held against what was sealed of them (requirement D6).

Owns which run it is, where that can be told: the hashes that are kept beside an entry lead to its signed root, so a
run that is among them is as it was sealed, and any other is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from fourfold.model.seal import Seal
from fourfold.ports.seals import Seals
from fourfold.ports.units import Row, Unit
from fourfold.runs.merkle import leaf_hash, root_of
from fourfold.runs.sealed import FORMS, row_bytes

__all__ = ["Tampering", "TamperingKind", "kept_leaves", "left_over", "unreadable", "wrong_in"]

TamperingKind = Literal[
    "chain", "changed", "edited", "hashes", "head", "inserted", "key", "left", "removed", "signature"
]
"""What was found; docs/runs.md has what each means."""

_HASH_BYTES = 32
_MORE = 1_000
"""Runs beyond those that were sealed that are looked at one by one."""

_LOWEST = -(2**63)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tampering:
    """One thing that is wrong, and where: an entry of the chain, its range, and the run if that can be told."""

    kind: TamperingKind
    message: str
    no: int | None = None
    after_seq: int | None = None
    to_seq: int | None = None
    seq: int | None = None
    run_id: str | None = None


def wrong_in(unit: Unit, seals: Seals, *, seal: Seal) -> list[Tampering]:
    """What is wrong with the runs of an entry that can be trusted itself."""
    rows = _rows(unit, seals, seal=seal, columns=FORMS[seal.form])
    leaves = [leaf_hash(row_bytes(row, seal.form)) for row in rows]
    kept = kept_leaves(unit, seals, seal=seal)
    if root_of(leaves).hex() == seal.root:
        return [] if kept == leaves else [_found(seal, "hashes", "the hashes kept for it were changed; no run was")]
    if not kept or len(rows) > seal.rows + _MORE:
        return [_found(seal, "changed", f"{seal.rows} runs were sealed and these are not they: {len(rows)} are there")]
    return [*_differences(seal, kept, rows=rows, leaves=leaves)]


def left_over(unit: Unit, seals: Seals, *, seal: Seal) -> list[Tampering]:
    """Runs that are there though it is recorded that they were dropped."""
    there = len(_rows(unit, seals, seal=seal, columns=("seq",)))
    why = "`fourfold runs prune` was cut short, or somebody put them there"
    return (
        [_found(seal, "left", f"{there} runs are there though it is recorded that they went: {why}")] if there else []
    )


def unreadable(seal: Seal) -> Tampering:
    """That the store does not give out the runs of an entry."""
    return _found(seal, "changed", "its runs cannot be read: a value was put there that is none of its column")


def kept_leaves(unit: Unit, seals: Seals, *, seal: Seal) -> list[bytes]:
    """The hashes that were kept of the runs of an entry; none when they do not lead to its root."""
    blob = seals.leaves(unit, seal.no)
    leaves = [blob[at : at + _HASH_BYTES] for at in range(0, len(blob), _HASH_BYTES)]
    return leaves if root_of(leaves).hex() == seal.root else []


def _rows(unit: Unit, seals: Seals, *, seal: Seal, columns: Sequence[str]) -> Sequence[Row]:
    # No honest number is below 1, so whatever stands there is held against the first range.
    after_seq = _LOWEST if seal.after_seq == 0 else seal.after_seq
    limit = seal.rows + _MORE + 1
    return seals.rows(unit, columns, after_seq=after_seq, to_seq=seal.to_seq, limit=limit)


def _differences(
    seal: Seal, kept: Sequence[bytes], *, rows: Sequence[Row], leaves: Sequence[bytes]
) -> Iterator[Tampering]:
    """Which runs are not as they were sealed. Those that are stand in the same order on both sides."""
    places = {leaf: place for place, leaf in enumerate(leaves)}
    same = [(before, places[leaf]) for before, leaf in enumerate(kept) if leaf in places]
    last = (-1, -1)
    for before, place in [*same, (len(kept), len(rows))]:
        lost = before - last[0] - 1
        others = rows[last[1] + 1 : place]
        yield from (_of_run(seal, row, edited=number < lost) for number, row in enumerate(others))
        if lost > len(others):
            low = seal.after_seq if last[1] < 0 else rows[last[1]]["seq"]
            edge = f"up to seq {seal.to_seq}" if place == len(rows) else f"before seq {rows[place]['seq']}"
            verb = "run was" if lost - len(others) == 1 else "runs were"
            yield _found(seal, "removed", f"{lost - len(others)} {verb} removed after seq {low} and {edge}")
        last = (before, place)


def _of_run(seal: Seal, row: Row, *, edited: bool) -> Tampering:
    what = "is not as it was sealed" if edited else "was not there when its range was sealed"
    kind = "edited" if edited else "inserted"
    return _found(seal, kind, f"{row['run_id']} (seq {row['seq']}) {what}", row=row)


def _found(seal: Seal, kind: TamperingKind, message: str, *, row: Row | None = None) -> Tampering:
    return Tampering(
        kind=kind,
        message=message,
        no=seal.no,
        after_seq=seal.after_seq,
        to_seq=seal.to_seq,
        seq=None if row is None else row["seq"],
        run_id=None if row is None else str(row["run_id"]),
    )
