"""`verify`: the whole chain of seals and the runs behind it, from the newest entry to the first (requirement D6).

An entry is trusted when its signature is that of a known key, or when a trusted entry names its digest. Owns that
judgement; what is wrong with the runs of an entry is found in `tampering`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fourfold.errors import StoreError
from fourfold.model.seal import GENESIS, Head, Seal, SignedSeal
from fourfold.ports.seals import Seals, Waiting
from fourfold.ports.signer import Verifier
from fourfold.ports.units import Unit
from fourfold.runs.sealed import digest_of, head_of, signature_holds
from fourfold.runs.tampering import Tampering, TamperingKind, left_over, unreadable, wrong_in

__all__ = ["Verified", "verify"]

MOST = 1_000
"""Findings that are told one by one; the others are counted."""

_PAGE = 200
_BEYOND = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What a look at the whole store found.

    Attributes:
        entries: in the chain, those that record a prune too.
        runs: that were held against their seals.
        pruned: that were sealed once and are dropped, as recorded.
        skipped: that were sealed before the time that was asked for, and not looked at.
        waiting: that are not sealed yet, so that nothing is known of them.
        head: the newest entry, if its key is known.
        noted: heads from elsewhere that are in the chain.
        found: how many findings there are; `findings` has the first of them.
    """

    entries: int
    runs: int
    pruned: int
    skipped: int
    waiting: Waiting
    head: Head | None
    noted: int
    found: int
    findings: tuple[Tampering, ...]


def verify(
    unit: Unit, seals: Seals, *, verifier: Verifier, noted: Sequence[Head] = (), since_ms: int | None = None
) -> Verified:
    """Look at every entry, and at the runs of those that were made since; in one snapshot."""
    walk = _Walk(unit=unit, seals=seals, verifier=verifier, noted=noted, since_ms=since_ms)
    newest = seals.newest(unit)
    no = _BEYOND
    while page := seals.before(unit, no, limit=_PAGE):
        for entry in page:
            walk.take(entry)
        no = page[-1].seal.no
    walk.end(newest)
    return Verified(
        entries=walk.entries,
        runs=walk.runs,
        pruned=walk.pruned,
        skipped=walk.skipped,
        waiting=seals.waiting(unit, after_seq=0 if newest is None else newest.seal.to_seq),
        head=None if newest is None else head_of(newest, verifier),
        noted=len(walk.met),
        found=walk.found,
        findings=tuple(reversed(walk.findings)),
    )


@dataclass(slots=True, kw_only=True)
class _Walk:
    """From the newest entry to the first. What a newer one says of an older one is known before the older one comes."""

    unit: Unit
    seals: Seals
    verifier: Verifier
    noted: Sequence[Head]
    since_ms: int | None
    entries: int = 0
    runs: int = 0
    pruned: int = 0
    skipped: int = 0
    found: int = 0
    findings: list[Tampering] = field(default_factory=list[Tampering])
    met: set[Head] = field(default_factory=set[Head])
    newer: Seal | None = None
    trusted: bool = False
    """Whether the entry before this one is trusted."""
    unknown: set[str] = field(default_factory=set[str])
    """Keys that are not known here, each told once."""
    dropped_before_ms: int = -(2**63)
    """Runs of earlier days may be gone: a newer entry, which is trusted, records it."""

    def take(self, entry: SignedSeal) -> None:
        """Look at the next older entry, and at its runs."""
        seal, digest = entry.seal, digest_of(entry.seal)
        self.entries += 1
        linked = self._follows(seal, digest)
        self._compare_with_noted(seal, digest)
        self.trusted = self._trusts(entry, named=linked and self.trusted)
        self.newer = seal
        if self.trusted and seal.kind == "prune":
            self.dropped_before_ms = max(self.dropped_before_ms, seal.day_ms)
        elif self.trusted:
            self._look_at_runs(seal)

    def end(self, newest: SignedSeal | None) -> None:
        """Judge where the chain begins, and what was noted and is not in it."""
        first = self.newer
        if first is not None and (first.no, first.previous, first.after_seq) != (1, GENESIS, 0):
            self._add(
                "chain",
                f"the entries before {first.no} are missing: nothing vouches for the runs up to seq {first.after_seq}",
            )
        ends = "there is no chain" if newest is None else f"the chain ends with entry {newest.seal.no}"
        for head in self.noted:
            if newest is None or head.no > newest.seal.no:
                self._add("head", f"entry {head.no} was noted elsewhere and is gone: {ends}")

    def _follows(self, seal: Seal, digest: str) -> bool:
        """Whether the entry after this one names it."""
        newer = self.newer
        if newer is None:
            return True
        if newer.no != seal.no + 1:
            first, last = seal.no + 1, newer.no - 1
            what = f"entry {first} is missing" if first == last else f"entries {first} to {last} are missing"
            gap = f"seq {seal.to_seq + 1} to {newer.after_seq}"
            self._add("chain", f"{what}: nothing vouches for the runs of {gap}")
            return False
        if newer.previous != digest:
            self._add("chain", f"entry {newer.no} was made behind another entry {seal.no} than is there", seal)
            return False
        return True

    def _trusts(self, entry: SignedSeal, *, named: bool) -> bool:
        """Whether an entry is what was signed. `named` is whether a trusted one names its digest."""
        seal = entry.seal
        holds = signature_holds(entry, self.verifier)
        if holds is False:
            self._add(
                "signature",
                f"the signature of entry {seal.no} is not that of key {seal.kid}: it was changed, or is forged",
                seal,
            )
        elif holds is None and not (named or seal.kid in self.unknown):
            self.unknown.add(seal.kid)
            self._add(
                "key",
                f"key {seal.kid} is not known here, and nothing else vouches for entry {seal.no} and those before it",
                seal,
            )
        return bool(holds) or named

    def _compare_with_noted(self, seal: Seal, digest: str) -> None:
        """Tell if somebody noted another entry of that number. That it is the same does not make it trusted."""
        # Somebody may have got a line into the log that heads are read from.
        noted = [head for head in self.noted if head.no == seal.no]
        self.met |= {head for head in noted if head.digest == digest}
        if any(head.digest != digest for head in noted):
            self._add(
                "head", f"entry {seal.no} was noted elsewhere, and it was another one: the chain was rewritten", seal
            )

    def _look_at_runs(self, seal: Seal) -> None:
        if seal.day_ms < self.dropped_before_ms:
            self.pruned += seal.rows
            self._tell(left_over(self.unit, self.seals, seal=seal))
        elif self.since_ms is not None and seal.at_ms < self.since_ms:
            self.skipped += seal.rows
        else:
            self.runs += seal.rows
            self._tell(self._wrong_in(seal))

    def _wrong_in(self, seal: Seal) -> list[Tampering]:
        try:
            return wrong_in(self.unit, self.seals, seal=seal)
        except StoreError:
            # A text that is none, say. When it is the store that fails, the next entry cannot be read either.
            return [unreadable(seal)]

    def _add(self, kind: TamperingKind, message: str, seal: Seal | None = None) -> None:
        if seal is None:
            self._tell([Tampering(kind=kind, message=message)])
            return
        place = Tampering(kind=kind, message=message, no=seal.no, after_seq=seal.after_seq, to_seq=seal.to_seq)
        self._tell([place])

    def _tell(self, found: Sequence[Tampering]) -> None:
        self.found += len(found)
        # Within a range they come in the order of seq, and ranges newest first; the reader gets all of it in order.
        self.findings.extend(list(reversed(found))[: MOST - len(self.findings)])
