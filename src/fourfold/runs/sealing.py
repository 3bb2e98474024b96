"""The job that seals runs: ranges of them, one after the other, become entries of a signed chain (requirement D6).

Owns which runs are sealed when, and that dropping runs is recorded in the chain. No call waits for it: a range is read
and hashed in a read, and one short write adds the entry, or nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from typing import Protocol, TypeVar

import anyio

from fourfold.errors import ConfigError, StoreContended, StoreError
from fourfold.model.seal import GENESIS, Seal, SignedSeal
from fourfold.ports.clock import Clock
from fourfold.ports.seals import Seals
from fourfold.ports.signer import Signer
from fourfold.ports.units import Row, Unit, Units
from fourfold.runs.merkle import leaf_hash, root_of
from fourfold.runs.sealed import FORM, FORMS, digest_of, head_line, head_of, row_bytes, seal_bytes, signature_holds
from fourfold.runs.sum_keys import day_of

__all__ = ["RANGE", "Sealed", "record_prune", "seal_all"]

RANGE = 1_024
"""Runs of one entry at most."""

PATIENCE_S = 30.0
"""Seconds that sealing waits for writes that are open."""

_WRITE_S = 30.0
_LOOK_S = 0.05

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Sealed(Protocol):
    """The part of a store whose runs are sealed."""

    @property
    def units(self) -> Units:
        """Transactions."""
        ...

    @property
    def seals(self) -> Seals:
        """The chain."""
        ...


async def seal_all(store: Sealed, *, clock: Clock, signer: Signer, most: int = RANGE) -> int:
    """Seal every run that nothing can come before any more; how many.

    Raises:
        StoreContended: a write that is still open may add a run before those that are stored; nothing was sealed.
        StoreError: an entry could not be added; those before it are.
    """
    to_seq = await _decided(store, clock)
    total, newest = 0, None

    def draft(unit: Unit) -> tuple[SignedSeal, bytes] | None:
        return _draft(store.seals, unit, signer=signer, at_ms=clock.now_ms(), to_seq=to_seq, most=most)

    while drafted := await _read(store, draft):
        entry, leaves = drafted
        # Another process may have been quicker; the next draft goes on behind its entry.
        if await _write(store, clock, partial(store.seals.add, entry=entry, leaves=leaves)):
            total, newest = total + entry.seal.rows, entry
    head = None if newest is None else head_of(newest, signer.verifier)
    if head is not None:
        _log.info("sealed %d more, up to seq %d: %s", total, to_seq, head_line(head))
    return total


async def record_prune(store: Sealed, *, clock: Clock, signer: Signer | None, before_ms: int) -> int | None:
    """Record that runs of days before `before_ms` are dropped; up to which seq they may be.

    `None` when nothing is sealed, so that there is nothing to record.

    Raises:
        ConfigError: runs are sealed, and there is no key to record it with.
    """

    def record(unit: Unit) -> int | None:
        store.seals.alone(unit)
        head = store.seals.newest(unit)
        if head is None:
            return None
        if signer is None:
            raise ConfigError("these runs are sealed, so dropping them is recorded under the key, which is not here")
        _require_own(head, signer)
        to_seq = head.seal.to_seq
        if not store.seals.older(unit, before_ms=before_ms, to_seq=to_seq):
            return to_seq
        entry = _pruned(head, signer=signer, at_ms=clock.now_ms(), before_ms=before_ms)
        store.seals.add(unit, entry, leaves=b"")
        store.seals.forget_leaves(unit, before_ms=before_ms)
        return to_seq

    return await _write(store, clock, record)


async def _decided(store: Sealed, clock: Clock) -> int:
    """The highest seq that no run will be stored below any more.

    Whoever may still store one below the newest run has taken its number before that run was seen, and is open since.
    """
    newest, writers = await _read(store, lambda unit: (store.seals.newest_run(unit), store.seals.writers(unit)))
    until = clock.ticks() + PATIENCE_S
    while writers:
        if clock.ticks() > until:
            raise StoreContended("a write that is still open may add a run before those that are stored")
        await anyio.sleep(_LOOK_S)
        writers &= await _read(store, store.seals.writers)
    return 0 if newest is None else newest.seq


def _draft(
    seals: Seals, unit: Unit, *, signer: Signer, at_ms: int, to_seq: int, most: int
) -> tuple[SignedSeal, bytes] | None:
    """The next entry with the hashes of its runs; `None` when every run up to `to_seq` is sealed."""
    head = seals.newest(unit)
    if head is not None:
        _require_own(head, signer)
    after_seq = 0 if head is None else head.seal.to_seq
    rows = _of_one_day(seals.rows(unit, FORMS[FORM], after_seq=after_seq, to_seq=to_seq, limit=most))
    if not rows:
        return None
    leaves = [leaf_hash(row_bytes(row, FORM)) for row in rows]
    seal = Seal(
        no=_next_no(head),
        kind="runs",
        previous=_previous(head),
        after_seq=after_seq,
        to_seq=rows[-1]["seq"],
        rows=len(rows),
        root=root_of(leaves).hex(),
        form=FORM,
        day_ms=day_of(rows[0]["at_ms"]),
        at_ms=at_ms,
        kid=signer.kid,
    )
    return _signed(seal, signer), b"".join(leaves)


def _pruned(head: SignedSeal, *, signer: Signer, at_ms: int, before_ms: int) -> SignedSeal:
    """The entry behind `head` that records a prune."""
    seal = Seal(
        no=_next_no(head),
        kind="prune",
        previous=_previous(head),
        after_seq=head.seal.to_seq,
        to_seq=head.seal.to_seq,
        rows=0,
        root="",
        form=FORM,
        day_ms=before_ms,
        at_ms=at_ms,
        kid=signer.kid,
    )
    return _signed(seal, signer)


def _signed(seal: Seal, signer: Signer) -> SignedSeal:
    return SignedSeal(seal=seal, signature=signer.sign(seal_bytes(seal)).hex())


def _next_no(head: SignedSeal | None) -> int:
    return 1 if head is None else head.seal.no + 1


def _previous(head: SignedSeal | None) -> str:
    return GENESIS if head is None else digest_of(head.seal)


def _require_own(head: SignedSeal, signer: Signer) -> None:
    """Refuse to go on behind an entry that somebody else made: an entry vouches for all before it.

    Raises:
        StoreError: it is not signed with a key of the ring.
    """
    if not signature_holds(head, signer.verifier):
        raise StoreError(
            f"entry {head.seal.no} of the seals is not signed with a key of this ring ({head.seal.kid}), so nothing is "
            "sealed behind it: see `fourfold runs verify`"
        )


def _of_one_day(rows: Sequence[Row]) -> list[Row]:
    """The first of `rows` that are of one day, since whole days are dropped."""
    return [*takewhile(lambda row: day_of(row["at_ms"]) == day_of(rows[0]["at_ms"]), rows)]


async def _read(store: Sealed, work: Callable[[Unit], T]) -> T:
    return await store.units.read(work, deadline=float("inf"), subject=lambda _: None)


async def _write(store: Sealed, clock: Clock, work: Callable[[Unit], T]) -> T:
    return await store.units.write(lambda found: work(found.unit), deadline=clock.ticks() + _WRITE_S)
