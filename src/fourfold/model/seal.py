"""`Seal`: one entry of the signed chain over the run records (requirement D6), and `Head`, which is noted outside.

Owns the values. What is signed and hashed of them, byte for byte, is in `fourfold.runs.sealed`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["GENESIS", "Head", "Seal", "SealKind", "SignedSeal"]

GENESIS = "0" * 64
"""What the first entry has in place of the digest of the one before."""

SealKind = Literal["runs", "prune"]
"""`runs` seals stored runs; `prune` records that runs before a day were dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """One entry: the runs of a range, or that runs were dropped.

    Attributes:
        no: 1, 2, 3 …, without a gap.
        previous: digest (hex) of the entry before.
        after_seq, to_seq: the runs with `after_seq < seq <= to_seq`; a range begins where the last one ended. Of a
            `prune`, both are the end of the last range.
        rows: how many runs the range holds.
        root: Merkle tree hash (hex; RFC 9162, section 2.1) over their bytes, in the order of seq; "" of a `prune`.
        form: which columns of a run are in its bytes (`runs.sealed.FORMS`).
        day_ms: the day (UTC) on which all of them arrived. Of a `prune`: runs of earlier days were dropped.
        at_ms: when it was made, milliseconds since the epoch.
        kid: the key that signed it.
    """

    no: int
    kind: SealKind
    previous: str
    after_seq: int
    to_seq: int
    rows: int
    root: str
    form: int
    day_ms: int
    at_ms: int
    kid: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedSeal:
    """An entry as it is stored; `signature` is hex."""

    seal: Seal
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The newest entry of a chain, for noting elsewhere: whoever has it finds out if the chain is rewritten.

    `digest` is hex; `public_key` is the 32 bytes of the key `kid` (Ed25519, RFC 8032).
    """

    no: int
    digest: str
    kid: str
    public_key: bytes
